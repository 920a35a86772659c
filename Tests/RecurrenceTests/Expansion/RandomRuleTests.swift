import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `Rules made at random` {
  /// How many days the slow engine tries; short for rules with much in a day.
  static let spans: [(RecurrenceRule.Frequency, days: Int, rules: Int)] = [
    (.yearly, 2400, 40), (.monthly, 1200, 40), (.weekly, 400, 50), (.daily, 300, 50),
    (.hourly, 30, 30), (.minutely, 2, 20), (.secondly, 0, 6),
  ]

  @Test(arguments: spans.map(\.0), [UInt64(1), 20_261_121])
  func `the engine agrees with one that tries every moment`(
    frequency: RecurrenceRule.Frequency, seed: UInt64
  ) throws {
    var random = RandomRules(seed: seed)
    let span = try #require(Self.spans.first { $0.0 == frequency })
    for _ in 0..<rounds((span.rules + 4) / 5, long: span.rules) {
      let start = random.start()
      let text = random.text(frequency)
      let rule = try RecurrenceRule(text: text)
      let end = try #require(start.date.adding(days: span.days))
      // The slow engine cuts its last period, which BYSETPOS would notice.
      let margin = frequency >= .monthly ? 800 : frequency == .weekly ? 40 : 0
      let until = CivilDateTime(try #require(end.adding(days: -margin)), .midnight)
      let slow = SlowEngine(rule: rule, start: start).readings(days: span.days)
      let expected = ([start] + slow.filter { $0 > start }).filter { $0 < until }
      let set = RecurrenceSet(start: start, isAllDay: false, zone: .utc, rules: [rule])
      let window = TimeSpan(
        start: .earliest, end: max(Timestamp(until, offset: .utc), Timestamp(start, offset: .utc)))
      let found = set.instances(in: window).map(\.reading)
      #expect(found == expected, "seed \(seed): \(start) \(text)")
    }
  }

  @Test(arguments: [RecurrenceRule.Frequency.hourly, .minutely, .secondly])
  func `a rule of a day's parts whose start is in a gap or a fold begins there`(
    frequency: RecurrenceRule.Frequency
  ) throws {
    var random = RandomRules(seed: 1991)
    let zones = [
      "America/Santiago", "Europe/Berlin", "Australia/Lord_Howe", "America/Nuuk", "Asia/Beirut",
    ]
    let days = frequency == .secondly ? 0 : 2
    for index in 0..<(frequency == .secondly ? rounds(5, long: 10) : rounds(15, long: 60)) {
      let zone = FixedZones.shared[zones[index % zones.count]]
      let start = try startNearChange(of: zone, &random)
      let begin = zone.instant(of: start)
      let text =
        index % 3 == 0
        ? random.text(frequency)
        : "FREQ=\(frequency.name);INTERVAL=\(Int.random(in: 1 ... 40, using: &random.numbers))"
      let rule = try RecurrenceRule(text: text)
      let end = zone.startOfDay(try #require(start.date.adding(days: days + 1)))
      let slow = SlowEngine(rule: rule, start: start).readings(days: days)
      let later = Set(slow.map(zone.instant(of:))).filter { $0 > begin && $0 < end }
      let set = RecurrenceSet(start: start, isAllDay: false, zone: zone, rules: [rule])
      let found = set.instances(in: TimeSpan(start: .earliest, end: max(end, begin)))
      #expect(
        found.map(\.instant) == [begin] + later.sorted(), "\(start) \(zone.name) \(text)")
    }
  }

  /// Returns a reading that a zone's clock skips or shows twice.
  private func startNearChange(
    of zone: ZoneRules, _ random: inout RandomRules
  ) throws -> CivilDateTime {
    let change = try #require(
      zone.nextChange(after: Timestamp(random.start(), offset: .utc)))
    let ends = try [change.adding(seconds: -1), change].map {
      try #require(change.reading(offset: zone.offset(at: $0))).linearSeconds
    }.sorted()
    return try #require(
      CivilDateTime(linearSeconds: Int64.random(in: ends[0]..<ends[1], using: &random.numbers)))
  }

  /// Across 1900, which had no leap day. Steps of any length meet months that BYMONTH
  /// leaves out and months in which the weekday is never on the day.
  @Test(arguments: [RecurrenceRule.Frequency.yearly, .monthly, .daily])
  func `months without a day are passed by`(frequency: RecurrenceRule.Frequency) throws {
    var random = RandomRules(seed: 13)
    func some(_ range: ClosedRange<Int>, _ count: ClosedRange<Int>) -> String {
      (0..<Int.random(in: count, using: &random.numbers))
        .map { _ in String(Int.random(in: range, using: &random.numbers)) }
        .joined(separator: ",")
    }
    for index in 0..<18 {
      let second = Int64.random(in: -2_500_000_000 ..< -2_300_000_000, using: &random.numbers)
      let start = try #require(CivilDateTime(linearSeconds: second))
      var text = "FREQ=\(frequency.name);INTERVAL=\(index % 3 == 0 ? "1" : some(1...13, 1...1))"
      if index % 2 == 0 { text += ";BYMONTH=" + some(1...12, 1...3) }
      text += index % 5 == 0 ? ";BYMONTHDAY=29,30,31" : ";BYMONTHDAY=" + some(1...31, 1...2)
      if index % 4 < 3 { text += ";BYDAY=" + ["FR", "MO,SU", "WE,TH"][index % 3] }
      let rule = try RecurrenceRule(text: text)
      let days = 9000
      let slow = SlowEngine(rule: rule, start: start).readings(days: days)
      let expected = [start] + slow.filter { $0 > start }
      let set = RecurrenceSet(start: start, isAllDay: false, zone: .utc, rules: [rule])
      let end = Timestamp(seconds: start.linearSeconds + Int64(days) * 86_400 + 1)
      let found = set.instances(in: TimeSpan(start: .earliest, end: end)).map(\.reading)
      #expect(found == expected, "\(start) \(text)")
    }
  }

  @Test(arguments: RecurrenceRule.Frequency.allCases, [UInt64(2), 5545])
  func `a window has what the whole list has in it`(
    frequency: RecurrenceRule.Frequency, seed: UInt64
  ) throws {
    var random = RandomRules(seed: seed)
    let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"]
    for index in 0..<40 {
      let start = random.start()
      var text = random.text(frequency)
      if index % 3 == 0 { text += ";COUNT=\(Int.random(in: 1 ... 60, using: &random.numbers))" }
      let zone = FixedZones.shared[zones[index % zones.count]]
      let set = RecurrenceSet(
        start: start, isAllDay: false, zone: zone, rules: [try RecurrenceRule(text: text)])
      let list = set.instances(in: .always, limit: 60)
      #expect(zip(list, list.dropFirst()).allSatisfy { $0.instant < $1.instant })
      let first = try #require(list.first)
      let last = try #require(list.last)
      for _ in 0..<5 {
        let range = first.instant.seconds - 10...last.instant.seconds
        let ends = [0, 1].map { _ in Int64.random(in: range, using: &random.numbers) }.sorted()
        let window = TimeSpan(start: Timestamp(seconds: ends[0]), end: Timestamp(seconds: ends[1]))
        let comment: Comment = "seed \(seed): \(start) \(zone.name) \(text) \(window)"
        let cut = list.filter { window.contains($0.instant) }
        #expect(set.instances(in: window) == cut, comment)
        #expect(
          set.first(atOrAfter: window.start) == list.first { $0.instant >= window.start }, comment)
        #expect(set.last(before: window.end) == list.last { $0.instant < window.end }, comment)
      }
    }
  }

  @Test func `an excluded date takes exactly one instance away`() throws {
    var random = RandomRules(seed: 7)
    let zone = FixedZones.shared["Europe/Berlin"]
    for frequency in RecurrenceRule.Frequency.allCases {
      for _ in 0..<10 {
        let start = random.start()
        let text = random.text(frequency)
        let rules = [try RecurrenceRule(text: text)]
        let list = RecurrenceSet(start: start, isAllDay: false, zone: zone, rules: rules)
          .instances(in: .always, limit: 20)
        let gone = try #require(list.randomElement(using: &random.numbers))
        let left = RecurrenceSet(
          start: start, isAllDay: false, zone: zone, rules: rules,
          excluded: [.instant(gone.instant)]
        ).instances(in: .always, limit: list.count - 1)
        #expect(left == list.filter { $0 != gone }, "\(start) \(text)")
      }
    }
  }
}
