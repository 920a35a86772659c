import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `The days of a rule` {
  private func days(_ text: String, from start: String, isAllDay: Bool = false) throws -> RuleDays?
  {
    RuleDays(
      try RecurrenceRule(text: text), start: try CivilDateTime(text: start), isAllDay: isAllDay)
  }

  /// The days of a span that are left.
  private func left(_ text: String, from start: String, in dates: ClosedRange<CivilDate>) throws
    -> [String]
  {
    let days = try #require(try days(text, from: start))
    return (Int(dates.lowerBound.dayNumber)...Int(dates.upperBound.dayNumber))
      .filter(days.contains).compactMap { CivilDate(dayNumber: $0)?.description }
  }

  private func date(_ text: String) throws -> CivilDate { try CivilDate(text: text) }

  @Test func `few days are left beside those of the rule`() throws {
    let november = try date("2026-11-01")...date("2026-11-30")
    let start = "2026-11-04T09:00:00"
    #expect(
      try left("FREQ=WEEKLY", from: start, in: november)
        == ["2026-11-04", "2026-11-11", "2026-11-18", "2026-11-25"])
    // The week of a Wednesday begins on the Sunday before it.
    #expect(
      try left("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,WE;WKST=SU", from: start, in: november)
        == ["2026-11-01", "2026-11-04", "2026-11-15", "2026-11-18", "2026-11-29"])
    #expect(
      try left("FREQ=DAILY;INTERVAL=10", from: start, in: november)
        == ["2026-11-04", "2026-11-14", "2026-11-24"])
    #expect(try left("FREQ=MONTHLY;BYDAY=2TU", from: start, in: november) == ["2026-11-10"])
    #expect(
      try left("FREQ=MONTHLY;BYDAY=-1MO", from: start, in: november)
        == ["2026-11-23", "2026-11-30"])
    #expect(
      try left("FREQ=MONTHLY;BYMONTHDAY=-1", from: start, in: november)
        == ["2026-11-28", "2026-11-29", "2026-11-30"])
    #expect(try left("FREQ=MONTHLY;INTERVAL=2", from: "2026-10-04T09:00:00", in: november) == [])
  }

  @Test func `a birthday is on one day of a year`() throws {
    let years = try date("2026-01-01")...date("2028-12-31")
    #expect(
      try left("FREQ=YEARLY", from: "1990-11-04T00:00:00", in: years)
        == ["2026-11-04", "2027-11-04", "2028-11-04"])
    #expect(
      try left("FREQ=YEARLY;INTERVAL=2", from: "1990-11-04T00:00:00", in: years)
        == ["2026-11-04", "2028-11-04"])
  }

  @Test func `a rule of every day leaves nothing out`() throws {
    #expect(try days("FREQ=DAILY", from: "2026-11-04T09:00:00") == nil)
    #expect(try days("FREQ=HOURLY;INTERVAL=30", from: "2026-11-04T09:00:00") == nil)
    #expect(try days("FREQ=HOURLY;BYDAY=MO", from: "2026-11-04T09:00:00") != nil)
    #expect(try days("FREQ=HOURLY;BYDAY=MO", from: "2026-11-04T00:00:00", isAllDay: true) == nil)
    #expect(
      try days("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD", from: "2026-10-31T00:00:00") == nil)
  }

  @Test(arguments: RecurrenceRule.Frequency.allCases, [UInt64(3), 4, 2026])
  func `no instance lies on a day that is left out`(
    frequency: RecurrenceRule.Frequency, seed: UInt64
  ) throws {
    var random = RandomRules(seed: seed)
    for index in 0..<150 {
      let start = random.start()
      let text = random.text(frequency)
      let isAllDay = index % 3 == 0
      let rule = try RecurrenceRule(text: text)
      guard let days = RuleDays(rule, start: start, isAllDay: isAllDay) else { continue }
      let set = RecurrenceSet(start: start, isAllDay: isAllDay, zone: .utc, rules: [rule])
      // The first is the start, whether the rule has it or not.
      let instances = set.instances(in: .always, limit: 200).dropFirst()
      let missed = instances.first { !days.contains(dayNumber: Int($0.reading.date.dayNumber)) }
      #expect(missed == nil, "seed \(seed): \(start) \(text)")
      let times = rule.timesOfDay(start: start.time)
      let outside = instances.first {
        !isAllDay && !times.contains($0.instant.seconds - Int64($0.reading.date.dayNumber) * 86_400)
      }
      #expect(outside == nil, "seed \(seed): \(start) \(text)")
    }
  }
}
