import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// What is said of an event that was added or changed, at noon in Berlin on Saturday, 21 November 2026.
@Suite struct `The warnings of an event` {
  private static let berlin = "Europe/Berlin"

  private func warnings(
    at now: String = "2026-11-21T11:00:00Z", _ calendar: [CalendarDuration] = [],
    allDay: [CalendarDuration] = []
  ) throws -> EventWarnings {
    let info = CalendarInfo(
      id: CalendarID("work"), name: "Work", color: try #require(EventColor(text: "#000000")),
      timedReminders: calendar, allDayReminders: allDay)
    return EventWarnings(
      now: try Timestamp(text: now),
      zones: ZoneContext(
        zones: FixedZones.shared, local: FixedZones.shared[`The warnings of an event`.berlin]),
      defaults: DefaultAlarms(info))
  }

  /// - Parameters:
  ///   - start: a day, or a reading of the clock of Berlin. The event takes a day, or an hour.
  ///   - reminders: "PT15M" before the start, "end:PT5M" before the end, or an instant.
  private func series(
    _ start: String, _ reminders: [String] = [], rule: String = "", excluded: [String] = []
  ) throws -> EventSeries {
    func time(_ text: String) throws -> EventTime {
      text.utf8.count == 10
        ? .date(try CivilDate(text: text))
        : .zoned(try CivilDateTime(text: text), zone: `The warnings of an event`.berlin)
    }
    let begin = try time(start)
    var event = Event(
      uid: EventUID("a"), start: begin,
      end: begin.isDate ? .none : .duration(CalendarDuration(seconds: 3600)), summary: "Tea")
    if !rule.isEmpty {
      event.recurrence = RecurrencePattern(
        rules: [try RecurrenceRule(text: rule)], excluded: try excluded.map(time))
    }
    event.alarms = try reminders.enumerated().map { index, text in
      var alarm = Alarm(id: "\(index + 1)", trigger: try trigger(text))
      alarm.isOnClock = begin.isDate
      return alarm
    }
    return EventSeries(calendar: CalendarID("work"), master: event)
  }

  private func trigger(_ text: String) throws -> Alarm.Trigger {
    if text.hasPrefix("end:") {
      return .fromEnd(try CalendarDuration(text: text.dropFirst(4)).negated)
    }
    if let instant = try? Timestamp(text: text) { return .absolute(instant) }
    return .fromStart(try CalendarDuration(text: text).negated)
  }

  // MARK: Reminders that have passed

  @Test(arguments: [
    ("2026-11-21T12:05:00", "PT15M", "15 min before"), ("2026-11-21T12:05:00", "PT5M", ""),
    ("2026-11-21T13:00:00", "P1D", "1 day before"), ("2026-11-21", "-PT9H", "at 09:00 on the day"),
    ("2026-11-21", "-PT18H", ""), ("2026-11-22", "P1D", "at 00:00 the day before"),
    ("2026-11-21T11:30:00", "end:PT40M", "40 min before the end"),
    ("2026-11-21T11:30:00", "end:PT10M", ""),
    ("2030-01-07T09:00:00", "2020-01-07T08:00:00Z", "Tue 7 Jan 2020, 09:00"),
    ("2030-01-07T09:00:00", "2026-11-21T10:00:00Z", "11:00"),
  ])
  func `a reminder that has passed is named`(
    start: String, reminder: String, words: String
  ) throws {
    #expect(
      try warnings().ofAdding(try series(start, [reminder]))
        == (words.isEmpty ? [] : ["the reminder \(words) has passed, and will not ring"]))
  }

  /// Summer time ends in Berlin on 25 October 2026 at 1:00Z, and begins on 28 March 2027.
  @Test(arguments: [
    ("2026-10-26T12:00:00", "P2D", "2026-10-24T09:59:00Z", false),
    ("2026-10-26T12:00:00", "P2D", "2026-10-24T10:01:00Z", true),
    ("2026-10-26T12:00:00", "PT48H", "2026-10-24T10:59:00Z", false),
    ("2026-10-26T12:00:00", "PT48H", "2026-10-24T11:01:00Z", true),
    // At 9:00 of the very day, which has 23 hours.
    ("2027-03-28", "-PT9H", "2027-03-28T06:59:00Z", false),
    ("2027-03-28", "-PT9H", "2027-03-28T07:01:00Z", true),
  ])
  func `days before are those of the clock`(
    start: String, reminder: String, now: String, hasPassed: Bool
  ) throws {
    #expect(
      try warnings(at: now).ofAdding(try series(start, [reminder])).isEmpty != hasPassed)
  }

  @Test func `a reminder that rings again has passed with the last time`() throws {
    let once = try series("2026-11-21T12:05:00", ["PT15M"])
    var event = try #require(once.master)
    event.alarms[0].repeatCount = 1
    event.alarms[0].repeatInterval = CalendarDuration(seconds: 900)
    let twice = EventSeries(calendar: once.calendar, master: event)
    #expect(try warnings().ofAdding(once).count == 1)
    #expect(try warnings().ofAdding(twice) == [])
  }

  @Test func `those of the calendar count where the event has none`() throws {
    let timed = try warnings([CalendarDuration(seconds: 900)])
    let words = "the calendar's reminder 15 min before has passed, and will not ring"
    #expect(timed.ofAdding(try series("2026-11-21T12:05:00")) == [words])
    #expect(timed.ofAdding(try series("2026-11-21T12:05:00", ["PT1M"])) == [])
    #expect(timed.ofAdding(try series("2026-11-21T13:00:00")) == [])
    let allDay = try warnings(allDay: [CalendarDuration(seconds: 32_400)])
    #expect(
      allDay.ofAdding(try series("2026-11-21"))
        == ["the calendar's reminder at 09:00 on the day has passed, and will not ring"])
    var event = try #require(try series("2026-11-21T12:05:00").master)
    event.alarms = [.silent]
    #expect(timed.ofAdding(EventSeries(calendar: CalendarID("work"), master: event)) == [])
  }

  @Test(arguments: [
    ("2026-11-21T12:05:00", "FREQ=DAILY", "PT15M", "12:05"),
    ("2026-11-20T12:05:00", "FREQ=DAILY", "PT15M", "12:05"),
    // The occurrence of today has begun.
    ("2026-11-20T11:30:00", "FREQ=DAILY", "P1D", "Sun 22 Nov 2026, 11:30"),
    ("2026-11-20T11:30:00", "FREQ=DAILY", "PT1H", ""),
    ("2026-11-21T14:00:00", "FREQ=DAILY", "PT15M", ""),
    ("2026-11-19", "FREQ=DAILY", "-PT9H", "Sat 21 Nov 2026"),
    ("2020-01-06T00:00:00", "FREQ=MINUTELY;INTERVAL=10", "PT15M", "12:00"),
    // All of it is over.
    ("2020-01-06T00:00:00", "FREQ=DAILY;COUNT=3", "PT15M", ""),
  ])
  func `of what repeats the next occurrence counts`(
    start: String, rule: String, reminder: String, occurrence: String
  ) throws {
    let found = try warnings().ofAdding(try series(start, [reminder], rule: rule))
    #expect(found.count == (occurrence.isEmpty ? 0 : 1))
    #expect(
      found.allSatisfy {
        $0.hasSuffix(" has passed for the occurrence of \(occurrence), and will not ring")
      }, "\(found)")
  }

  @Test func `an occurrence that is left out or cancelled is not the next one`() throws {
    let start = "2026-11-21T12:05:00"
    let series = try series(start, ["PT15M"], rule: "FREQ=DAILY")
    #expect(try warnings().ofAdding(series).count == 1)
    let without = try self.series(start, ["PT15M"], rule: "FREQ=DAILY", excluded: [start])
    #expect(try warnings().ofAdding(without) == [])
    var override = try #require(series.master)
    override.recurrence = RecurrencePattern()
    override.recurrenceID = override.start
    override.status = .cancelled
    #expect(
      try warnings().ofAdding(
        EventSeries(calendar: series.calendar, master: series.master, overrides: [override])) == [])
  }

  // MARK: Other times

  @Test(arguments: [
    ("2030-01-07T09:00:00", "-PT5M", "5 min after the start"),
    ("2030-01-07T09:00:00", "2030-01-07T09:00:00Z", "Mon 7 Jan 2030, 10:00"),
    ("2030-01-07", "-P1D", "at 00:00 the day after the first"), ("2030-01-07", "-PT9H", ""),
    ("2030-01-07T09:00:00", "PT0S", ""), ("2030-01-07T09:00:00", "end:PT5M", ""),
  ])
  func `a reminder after the start is named`(
    start: String, reminder: String, words: String
  ) throws {
    #expect(
      try warnings().ofAdding(try series(start, [reminder]))
        == (words.isEmpty ? [] : ["the reminder \(words) rings only when the event has begun"]))
  }

  @Test func `of an event that is over that alone is said`() throws {
    let over = ["the event is over already"]
    #expect(try warnings().ofAdding(try series("2026-11-20T09:00:00", ["PT15M"])) == over)
    #expect(try warnings().ofAdding(try series("2026-11-20")) == over)
    // They go on.
    #expect(try warnings().ofAdding(try series("2026-11-21T11:30:00")) == [])
    #expect(try warnings().ofAdding(try series("2026-11-21")) == [])
  }

  @Test func `a time that the clock skips is named`() throws {
    #expect(
      try warnings().ofAdding(try series("2027-03-28T02:30:00")) == [
        "the clock skips 02:30 on Sun 28 Mar 2027: the event begins at 03:30"
      ])
    #expect(try warnings().ofAdding(try series("2026-10-25T02:30:00", rule: "FREQ=YEARLY")) == [])
  }

  @Test(arguments: [
    ("2030-01-07T18:00:00", "FREQ=WEEKLY;BYDAY=TU", "Mon 7 Jan 2030", "Tue 8 Jan 2030"),
    ("2030-01-07", "FREQ=MONTHLY;BYMONTHDAY=15", "Mon 7 Jan 2030", "Tue 15 Jan 2030"),
    ("2030-01-07T18:00:00", "FREQ=WEEKLY;BYDAY=MO,TU", "", ""),
  ])
  func `a start on no day of its rule is named`(
    start: String, rule: String, day: String, first: String
  ) throws {
    #expect(
      try warnings().ofAdding(try series(start, rule: rule))
        == (day.isEmpty
          ? [] : ["the event begins on \(day), which is no day of its rule; the first is \(first)"])
    )
  }

  // MARK: Changes

  @Test func `only what was changed is spoken of`() throws {
    let series = try series("2026-11-21T12:05:00", ["PT15M"])
    var change = EventWarnings.Change(wanted: EventChange())
    change.wanted.summary = "Coffee"
    #expect(try warnings().ofChanging(series, change) == [])
    change.wanted.alarms = series.master?.alarms
    let passed = ["the reminder 15 min before has passed, and will not ring"]
    #expect(try warnings().ofChanging(series, change) == passed)
    change.wanted.alarms = nil
    change.wanted.start = series.master?.start
    #expect(try warnings().ofChanging(series, change) == passed)
    // It goes with the event, and waits on.
    change.hasPendingReminder = true
    #expect(try warnings().ofChanging(series, change) == [])
  }

  @Test
  func `of one occurrence nothing is said of the others, nor of reminders at times of their own`()
    throws
  {
    let series = try series(
      "2026-11-20T12:05:00", ["PT15M", "2020-01-07T08:00:00Z"], rule: "FREQ=DAILY")
    var change = EventWarnings.Change(wanted: EventChange())
    change.wanted.alarms = series.master?.alarms
    change.occurrence = try RecurrenceID(text: "20261122T110500Z")
    #expect(try warnings().ofChanging(series, change) == [])
    change.occurrence = try RecurrenceID(text: "20261121T110500Z")
    #expect(
      try warnings().ofChanging(series, change)
        == ["the reminder 15 min before has passed, and will not ring"])
    change.occurrence = nil
    #expect(
      try warnings().ofChanging(series, change) == [
        "the reminder 15 min before has passed for the occurrence of 12:05, and will not ring",
        "the reminder Tue 7 Jan 2020, 09:00 has passed, and will not ring",
      ])
  }

  @Test func `another rule is held to the start`() throws {
    let series = try series("2030-01-07T18:00:00", rule: "FREQ=WEEKLY;BYDAY=TU")
    var change = EventWarnings.Change(wanted: EventChange())
    #expect(try warnings().ofChanging(series, change) == [])
    change.wanted.rules = series.master?.recurrence.rules
    #expect(try warnings().ofChanging(series, change).count == 1)
  }

  @Test func `snoozes that ended are counted, with the reason`() throws {
    let series = try series("2030-01-07T18:00:00")
    var change = EventWarnings.Change(wanted: EventChange(), snoozesEnded: 1)
    #expect(
      try warnings().ofChanging(series, change)
        == ["1 snoozed reminder was cancelled, since the event was moved"])
    change.wanted.alarms = []
    change.snoozesEnded = 2
    #expect(
      try warnings().ofChanging(series, change)
        == ["2 snoozed reminders were cancelled, since the event has other reminders"])
  }

  @Test func `changed occurrences that are gone are named, the first five of them`() throws {
    let series = try series("2030-01-07T18:00:00")
    let days = try (8...13).map {
      try RecurrenceID(text: "203001" + ($0 < 10 ? "0" : "") + "\($0)")
    }
    var change = EventWarnings.Change(
      wanted: EventChange(), dropped: [try RecurrenceID(text: "20300108T170000Z")])
    #expect(
      try warnings().ofChanging(series, change) == [
        "1 changed occurrence is gone: Tue 8 Jan 2030, 18:00 (undo brings it back)"
      ])
    change.dropped = days
    #expect(
      try warnings().ofChanging(series, change) == [
        "6 changed occurrences are gone: Tue 8 Jan 2030; Wed 9 Jan 2030; Thu 10 Jan 2030; "
          + "Fri 11 Jan 2030; Sat 12 Jan 2030; … (undo brings them back)"
      ])
  }
}

/// A series that begins later, at noon in Berlin on Saturday, 21 November 2026.
@Suite struct `The warning of past occurrences` {
  private func series(_ start: String, _ rule: String) throws -> EventSeries {
    var event = Event(
      uid: EventUID("a"), start: .zoned(try CivilDateTime(text: start), zone: "Europe/Berlin"),
      end: .duration(CalendarDuration(seconds: 3600)), summary: "Rent")
    event.recurrence = RecurrencePattern(rules: [try RecurrenceRule(text: rule)])
    return EventSeries(calendar: CalendarID("work"), master: event)
  }

  @Test(arguments: [
    ("2026-09-05T09:00:00", "2026-12-05T09:00:00", "FREQ=MONTHLY", "Sat 5 Dec 2026"),
    ("2026-09-05T09:00:00", "2026-09-07T09:00:00", "FREQ=DAILY", "Mon 7 Sep 2026"),
    // The occurrences only move.
    ("2026-09-05T09:00:00", "2026-09-05T11:00:00", "FREQ=MONTHLY", ""),
    ("2026-09-05T09:00:00", "2026-09-08T09:00:00", "FREQ=MONTHLY", ""),
    ("2026-09-05T09:00:00", "2026-08-05T09:00:00", "FREQ=MONTHLY", ""),
    // None was in the past.
    ("2026-12-05T09:00:00", "2027-03-05T09:00:00", "FREQ=MONTHLY", ""),
  ])
  func `a later start of a series names the day before which they are gone`(
    former: String, start: String, rule: String, day: String
  ) throws {
    let info = CalendarInfo(
      id: CalendarID("work"), name: "Work", color: try #require(EventColor(text: "#000000")),
      timedReminders: [])
    let warnings = EventWarnings(
      now: try Timestamp(text: "2026-11-21T11:00:00Z"),
      zones: ZoneContext(
        zones: FixedZones.shared, local: FixedZones.shared["Europe/Berlin"]),
      defaults: DefaultAlarms(info))
    let series = try series(start, rule)
    var change = EventWarnings.Change(wanted: EventChange())
    change.wanted.start = series.master?.start
    #expect(warnings.ofChanging(series, change) == [])
    change.former = try self.series(former, rule)
    #expect(
      warnings.ofChanging(series, change)
        == (day.isEmpty
          ? []
          : [
            "the series begins on \(day) now; its past occurrences before that are gone "
              + "(undo brings them back)"
          ]))
  }
}

/// Events at the same time, and events whose reminders of the calendar have passed, at noon in Berlin.
@Suite struct `The warnings of an event that is soon, or at the time of another` {
  private static let now = "2026-11-21T11:00:00Z"

  private func event(
    _ title: String, _ start: String, _ minutes: Int64 = 60, rule: String = "", isBusy: Bool = true
  ) throws -> Event {
    var event = Event(
      uid: EventUID(title), start: .zoned(try CivilDateTime(text: start), zone: "Europe/Berlin"),
      end: .duration(CalendarDuration(seconds: minutes * 60)), summary: title)
    event.isBusy = isBusy
    if !rule.isEmpty {
      event.recurrence = RecurrencePattern(rules: [try RecurrenceRule(text: rule)])
    }
    return event
  }

  private func series(_ event: Event) -> EventSeries {
    EventSeries(calendar: CalendarID("work"), master: event)
  }

  /// - Parameter others: Events that are in the calendar.
  private func warnings(
    _ reminders: [Int64] = [], among others: [Event] = []
  ) throws -> EventWarnings {
    let zones = ZoneContext(zones: FixedZones.shared, local: FixedZones.shared["Europe/Berlin"])
    let info = CalendarInfo(
      id: CalendarID("work"), name: "Work", color: try #require(EventColor(text: "#000000")),
      timedReminders: reminders.map { CalendarDuration(seconds: $0 * 60) })
    var warnings = EventWarnings(
      now: try Timestamp(text: Self.now), zones: zones, defaults: DefaultAlarms(info))
    let known = others.map(series)
    warnings.others = { span in
      known.flatMap { (try? $0.occurrences(in: span, context: zones, limit: 10)) ?? [] }
    }
    return warnings
  }

  @Test func `an event that overlaps with others is warned of, with their times`() throws {
    let others = [
      try event("Standup", "2026-11-21T13:00:00", 30), try event("Lunch", "2026-11-21T13:45:00"),
      try event("Before", "2026-11-21T12:00:00"), try event("After", "2026-11-21T14:00:00"),
      try event("Free", "2026-11-21T13:00:00", isBusy: false),
    ]
    #expect(
      try warnings(among: Array(others[...1])).ofAdding(
        series(try event("Tea", "2026-11-21T13:00:00")))
        == ["it overlaps with Standup, 13:00–13:30; Lunch, 13:45–14:45"])
    #expect(
      try warnings(among: Array(others[2...])).ofAdding(
        series(try event("Tea", "2026-11-21T13:00:00"))) == [])
    // An event that takes up no time overlaps with nothing, and nothing overlaps with itself.
    #expect(
      try warnings(among: others).ofAdding(
        series(try event("Tea", "2026-11-21T13:00:00", isBusy: false))) == [])
    let alone = try event("Tea", "2026-11-21T13:00:00")
    #expect(try warnings(among: [alone]).ofAdding(series(alone)) == [])
  }

  @Test func `an event on a later day is named with the day`() throws {
    let others = [
      try event("Run", "2026-11-22T07:00:00"), try event("Night", "2026-11-20T22:00:00", 24 * 60),
    ]
    #expect(
      try warnings(among: others).ofAdding(series(try event("Tea", "2026-11-21T21:00:00", 23 * 60)))
        == ["it overlaps with Run, Sun 22 Nov 2026, 07:00–08:00; Night, …–22:00"])
  }

  @Test func `whole days overlap with nothing, even where they take up time`() throws {
    var birthday = try event("Birthday", "2026-11-21T00:00:00")
    (birthday.start, birthday.end) = (.date(try CivilDate(text: "2026-11-21")), .none)
    let tea = try event("Tea", "2026-11-21T13:00:00")
    #expect(try warnings(among: [birthday]).ofAdding(series(tea)) == [])
    #expect(try warnings(among: [tea]).ofAdding(series(birthday)) == [])
  }

  @Test func `of many events three are named, and of a series the next occurrence counts`() throws {
    let others = try (1...5).map { try event("E\($0)", "2026-11-22T13:00:00") }
    let daily = try event("Tea", "2026-11-20T13:30:00", 15, rule: "FREQ=DAILY")
    #expect(try warnings(among: others).ofAdding(series(daily)) == [])
    let tomorrow = try event("Tea", "2026-11-22T13:30:00", 15, rule: "FREQ=DAILY")
    let found = try warnings(among: others).ofAdding(series(tomorrow))
    #expect(found.count == 1 && found[0].hasSuffix("; 2 more"), "\(found)")
  }

  @Test func `a change of the time is held to other events, one of the title is not`() throws {
    let other = try event("Lunch", "2026-11-21T13:45:00")
    let moved = series(try event("Tea", "2026-11-21T13:30:00"))
    var change = EventWarnings.Change(wanted: EventChange())
    change.wanted.summary = "Tea"
    #expect(try warnings(among: [other]).ofChanging(moved, change) == [])
    change.wanted.start = moved.master?.start
    #expect(
      try warnings(among: [other]).ofChanging(moved, change)
        == ["it overlaps with Lunch, 13:45–14:45"])
  }

  @Test func `an event so soon that the calendar's reminders have passed rings at its start`()
    throws
  {
    var warnings = try warnings([15, 60])
    var soon = try event("Tea", "2026-11-21T12:10:00")
    warnings.ringAtStart(&soon, in: CalendarID("work"))
    #expect(soon.alarms.map(\.trigger) == [.fromStart(.zero)])
    #expect(
      warnings.ofAdding(series(soon)) == [
        "the calendar's reminders 15 min before, 1 h before have passed, so it rings at its start"
      ])
  }

  @Test(arguments: [
    // One of the calendar's reminders is still to come.
    ("2026-11-21T12:30:00", "", false),
    // It has begun.
    ("2026-11-21T12:00:00", "", false), ("2026-11-21T11:50:00", "", false),
    // Its later occurrences ring in time.
    ("2026-11-21T12:10:00", "FREQ=DAILY", false), ("2026-11-21T12:10:00", "", true),
  ])
  func `any other event keeps the reminders of its calendar`(
    start: String, rule: String, isSet: Bool
  ) throws {
    var warnings = try warnings([15, 60])
    var event = try event("Tea", start, rule: rule)
    warnings.ringAtStart(&event, in: CalendarID("work"))
    #expect(event.alarms.isEmpty != isSet)
    event.alarms = [.silent]
    warnings.ringAtStart(&event, in: CalendarID("work"))
    #expect(event.alarms == [.silent])
  }
}
