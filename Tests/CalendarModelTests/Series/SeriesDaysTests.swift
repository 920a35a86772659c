import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `The days of a series` {
  private static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia",
    "Pacific/Kiritimati", "Pacific/Pago_Pago", "Antarctica/Troll",
  ]

  private func context(_ local: String) -> ZoneContext {
    ZoneContext(zones: FixedZones.shared, local: FixedZones.shared[local])
  }

  /// A series by one rule, of any zone and length, with exceptions of every kind.
  private func series(_ random: inout RandomRules) throws -> EventSeries {
    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random.numbers) }
    func length() -> EventEnd {
      switch below(5) {
      case 0: .none
      case 1: .duration(CalendarDuration(days: below(12)))
      case 2: .duration(CalendarDuration(days: below(2), seconds: Int64(below(90_000))))
      default: .duration(CalendarDuration(seconds: Int64(below(8)) * 1800))
      }
    }
    let reading = random.start()
    func time(_ reading: CivilDateTime, _ form: Int) -> EventTime {
      switch form {
      case 0: .date(reading.date)
      case 1: .floating(reading)
      case 2: .utc(Timestamp(reading, offset: .utc))
      default: .zoned(reading, zone: Self.zones[form % Self.zones.count])
      }
    }
    func moved(_ reading: CivilDateTime) -> CivilDateTime {
      reading.adding(seconds: Int64(below(400) - 200) * 5400) ?? reading
    }
    let form = below(10)
    let uid = EventUID("a")
    var master = Event(uid: uid, start: time(reading, form), end: length())
    let frequencies: [RecurrenceRule.Frequency] = [
      .yearly, .monthly, .monthly, .weekly, .weekly, .daily, .hourly,
    ]
    let text = random.text(frequencies[below(frequencies.count)])
    master.recurrence.rules = [try RecurrenceRule(text: text)]
    if below(4) == 0 {
      master.recurrence.exclusionRules = [try RecurrenceRule(text: random.text(.weekly))]
    }
    while below(3) == 0 {
      master.recurrence.added.append(
        AddedDate(
          start: time(moved(reading), below(2) == 0 ? form : below(10)),
          end: below(2) == 0 ? .none : length()))
    }
    while below(6) == 0 { master.recurrence.excluded.append(time(moved(reading), form)) }
    var overrides: [Event] = []
    let some = try EventSeries(calendar: CalendarID("c"), master: master).occurrences(
      in: .always, context: context("Europe/Berlin"), limit: 6)
    for occurrence in some where below(4) == 0 {
      var override = Event(
        uid: uid, start: time(moved(occurrence.start), below(2) == 0 ? form : below(10)),
        end: length())
      switch occurrence.recurrenceID {
      case .date(let date): override.recurrenceID = .date(date)
      case .local(let reading): override.recurrenceID = .floating(reading)
      case .instant(let instant): override.recurrenceID = .utc(instant)
      case nil: continue
      }
      override.appliesToFuture = below(12) == 0
      overrides.append(override)
    }
    return EventSeries(calendar: CalendarID("c"), master: master, overrides: overrides)
  }

  @Test(arguments: 1...8)
  func `no occurrence lies where they leave nothing, whatever the zones are`(seed: Int) throws {
    var random = RandomRules(seed: UInt64(seed))
    var (known, missed, asked, phased) = (0, 0, 0, 0)
    for _ in 0..<150 {
      let series = try series(&random)
      guard let days = try SeriesDays(series, zones: FixedZones.shared) else { continue }
      known += 1
      if days.phases != .any { phased += 1 }
      let zone = Self.zones[Int.random(in: 0..<Self.zones.count, using: &random.numbers)]
      let all = try series.occurrences(in: .always, context: context(zone), limit: 40)
      for occurrence in all {
        let span = occurrence.span
        let seconds = max(span.seconds - 1, 0)
        let inside = span.start.adding(
          seconds: Int64.random(in: 0...seconds, using: &random.numbers))
        for part in [span, TimeSpan(start: inside, end: inside)] {
          #expect(
            days.mayTouch(part) && days.meet(part),
            "seed \(seed), \(zone): \(series.components.map(\.start)) \(series.master?.recurrence.rules[0].text ?? "") \(span)"
          )
        }
      }
      // Random days, too: those that are left out have nothing.
      guard let first = all.first, let last = all.last else { continue }
      for _ in 0..<20 {
        let start = Timestamp(
          seconds: Int64.random(
            in: first.span.start.seconds...last.span.end.seconds, using: &random.numbers))
        let day = TimeSpan(start: start, end: start.adding(seconds: 86_400))
        asked += 1
        guard !days.mayTouch(day) || !days.meet(day) else { continue }
        missed += 1
        #expect(
          try series.occurrences(in: day, context: context(zone)).isEmpty, "seed \(seed) \(day)")
      }
    }
    // Not for nothing.
    #expect(known > 40)
    #expect(phased > 10)
    #expect(missed > asked / 4, "\(missed) of \(asked)")
  }

  @Test func `a weekly hour is looked for on its days alone`() throws {
    var event = Event(
      uid: EventUID("a"),
      start: .zoned(try CivilDateTime(text: "2026-11-04T09:00:00"), zone: "Europe/Berlin"),
      end: .duration(CalendarDuration(seconds: 3600)))
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=WEEKLY")]
    let series = EventSeries(calendar: CalendarID("c"), master: event)
    let days = try #require(try SeriesDays(series, zones: FixedZones.shared))
    let found = try (1...30).filter { day in
      let start = context("Europe/Berlin").local.startOfDay(
        try #require(CivilDate(year: 2026, month: 11, day: day)))
      return days.mayTouch(TimeSpan(start: start, end: start.adding(seconds: 86_400)))
    }
    #expect(found == [4, 11, 18, 25])
    #expect(days.mayTouch(.always))
  }

  @Test func `an hour of a week, and of a month, has phases of its own`() throws {
    func phases(_ start: EventTime, _ rule: String) throws -> SeriesDays {
      var event = Event(
        uid: EventUID("a"), start: start, end: .duration(CalendarDuration(seconds: 3600)))
      event.recurrence.rules = [try RecurrenceRule(text: rule)]
      return try #require(
        try SeriesDays(
          EventSeries(calendar: CalendarID("c"), master: event), zones: FixedZones.shared))
    }
    func days(_ phases: SeriesDays) throws -> [Int] {
      try (1...30).filter { day in
        let start = context("Europe/Berlin").local.startOfDay(
          try #require(CivilDate(year: 2026, month: 11, day: day)))
        return phases.meet(TimeSpan(start: start, end: start.adding(seconds: 86_400)))
      }
    }
    let start = EventTime.zoned(
      try CivilDateTime(text: "2026-11-04T09:00:00"), zone: "Europe/Berlin")
    #expect(try days(phases(start, "FREQ=WEEKLY")) == [4, 11, 18, 25])
    #expect(try days(phases(start, "FREQ=MONTHLY;BYDAY=1WE")) == [4])
    #expect(try days(phases(start, "FREQ=MONTHLY")) == [4])
    #expect(try days(phases(start, "FREQ=WEEKLY;BYDAY=WE,TH")) == [4, 5, 11, 12, 18, 19, 25, 26])
    // A start that the rule does not match.
    #expect(try days(phases(start, "FREQ=MONTHLY;BYDAY=2TH")) == [4, 12])
    // What may reach over the end of a week or of a month is looked for always.
    let night = EventTime.utc(try Timestamp(text: "2026-11-01T23:30:00Z"))
    #expect(try phases(night, "FREQ=WEEKLY").phases.week == SeriesPhases.any.week)
    #expect(try phases(night, "FREQ=MONTHLY;BYMONTHDAY=31").phases.month == SeriesPhases.any.month)
    #expect(try phases(night, "FREQ=MONTHLY;BYMONTHDAY=2").phases.month.upperBound < 3 * 1440)
  }

  @Test func `what is not known is not left out`() throws {
    func days(_ change: (inout Event) throws -> Void) throws -> SeriesDays? {
      var event = Event(
        uid: EventUID("a"),
        start: .zoned(try CivilDateTime(text: "2026-11-04T09:00:00"), zone: "Europe/Berlin"))
      event.recurrence.rules = [try RecurrenceRule(text: "FREQ=WEEKLY")]
      try change(&event)
      return try SeriesDays(
        EventSeries(calendar: CalendarID("c"), master: event), zones: FixedZones.shared)
    }
    #expect(try days { _ in } != nil)
    #expect(try days { $0.recurrence.rules = [] } == nil)
    #expect(try days { $0.recurrence.rules += $0.recurrence.rules } == nil)
    #expect(try days { $0.end = .duration(CalendarDuration(days: 400)) } == nil)
    #expect(throws: CivilTimeError.self) {
      try days { $0.start = .zoned($0.start.reading, zone: "Nowhere/Land") }
    }
  }
}

extension SeriesDays {
  /// Whether an index of phases would find the series for a span.
  fileprivate func meet(_ span: TimeSpan) -> Bool {
    if let others, others.start <= span.end, span.start <= others.end { return true }
    return SeriesPhases.of(span).contains {
      $0.week.overlaps(phases.week) && $0.month.overlaps(phases.month)
    }
  }
}
