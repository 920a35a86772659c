import CalendarModel
import CivilTime
import Messages
import TestSupport
import Widgets

/// Events, written as a table would have them, and the snapshot made of them.
struct Agenda {
  var zone = FixedZones.shared["Europe/Berlin"]
  var series: [EventSeries] = []
  var calendars = [
    CalendarInfo(id: CalendarID("work"), name: "Work", color: EventColor.palette[0], order: 0),
    CalendarInfo(id: CalendarID("home"), name: "Home", color: EventColor.palette[1], order: 1),
  ]
  var reminders: [Reminder] = []
  var sources: [SnapshotSource] = []
  var quiet = SnapshotQuiet()

  var context: ZoneContext { ZoneContext(zones: FixedZones.shared, local: zone) }

  /// Adds a timed event in the agenda's zone: "2026-11-21T09:30", "…T10:00".
  mutating func add(
    _ summary: String, _ start: String, _ end: String, zone: String = "Europe/Berlin",
    calendar: String = "work", _ change: (inout Event) -> Void = { _ in }
  ) throws {
    var event = Event(
      uid: EventUID("event-\(series.count + 1)@example.org"),
      start: .zoned(try CivilDateTime(text: start), zone: zone),
      end: .time(.zoned(try CivilDateTime(text: end), zone: zone)), summary: summary)
    change(&event)
    series.append(EventSeries(calendar: CalendarID(calendar), master: event))
  }

  /// Adds an all-day event; `end` is the first day after it.
  mutating func add(
    _ summary: String, from start: String, to end: String, calendar: String = "home",
    _ change: (inout Event) -> Void = { _ in }
  ) throws {
    var event = Event(
      uid: EventUID("event-\(series.count + 1)@example.org"),
      start: .date(try CivilDate(text: start)), end: .time(.date(try CivilDate(text: end))),
      summary: summary)
    change(&event)
    series.append(EventSeries(calendar: CalendarID(calendar), master: event))
  }

  func occurrences(in span: TimeSpan) throws -> [Occurrence] {
    try series.flatMap { try $0.occurrences(in: span, context: context) }
  }

  /// Returns the instant of a reading of the agenda's zone, "2026-11-21T09:00".
  func instant(_ text: String) throws -> Timestamp {
    zone.instant(of: try CivilDateTime(text: text))
  }

  func snapshot(
    at now: Timestamp, settings: SnapshotSettings = SnapshotSettings(), revision: Int64 = 42,
    privacy: PrivacyLevel = .titles, counted: CountedEvents = CountedEvents()
  ) throws -> SnapshotV1 {
    let builder = SnapshotBuilder(settings: settings)
    return builder.build(
      occurrences: try occurrences(in: builder.span(at: now, zone: zone)), calendars: calendars,
      reminders: reminders, sources: sources, quiet: quiet, privacy: privacy, counted: counted,
      ownAddresses: ["me@example.org"],
      now: now, zone: zone, revision: revision
    ).snapshot
  }

  func snapshot(
    at now: String, settings: SnapshotSettings = SnapshotSettings(),
    counted: CountedEvents = CountedEvents()
  ) throws -> SnapshotV1 {
    try snapshot(at: try instant(now), settings: settings, counted: counted)
  }

  func record(
    _ format: BarFormat = .plain, at now: String, times: TimeText = TimeText(.english),
    settings: BarSettings = BarSettings()
  ) throws -> BarRecord {
    BarRecord(
      format, snapshot: try snapshot(at: now), now: try instant(now), zone: zone,
      times: times, settings: settings)
  }

  func bar(
    at now: String, times: TimeText = TimeText(.english), settings: BarSettings = BarSettings()
  ) throws -> BarText {
    BarText(
      snapshot: try snapshot(at: now, counted: settings.counted), now: try instant(now), zone: zone,
      times: times, settings: settings)
  }
}

/// Those of an invitation that the owner declined, and somebody else did not.
let declined = [
  Attendee(address: "mailto:Me@Example.org", participation: "declined"),
  Attendee(address: "mailto:ana@example.org", participation: "accepted"),
]

/// Makes a reminder of an occurrence's start.
func reminder(
  of occurrence: Occurrence, minutesBefore: Int64, state: Reminder.State = .delivered
) -> Reminder {
  let due = occurrence.span.start.adding(seconds: -60 * minutesBefore)
  return Reminder(
    key: ReminderKey(
      calendar: occurrence.calendar, uid: occurrence.uid, recurrenceID: "", alarm: "1",
      trigger: due),
    summary: occurrence.event.summary, location: occurrence.event.location, joinURL: "",
    span: occurrence.span, isAllDay: occurrence.isAllDay, isPrivate: false, state: state, due: due,
    snoozes: state == .snoozed ? 1 : 0, isMissed: false)
}

extension Agenda {
  /// An agenda of three to eight events within a day and a half of `center`.
  static func random(seed: Int, around center: Timestamp, zone: ZoneRules) -> Agenda {
    var generator = SeededGenerator(seed: UInt64(seed) + 1)
    var agenda = Agenda(zone: zone)
    for number in 0..<Int.random(in: 3...8, using: &generator) {
      // Mostly on the minute, as people plan; sometimes not.
      let unit: Int64 = Bool.random(using: &generator) ? 300 : 7
      let shift = Int64.random(in: -129_600...129_600, using: &generator) / unit * unit
      let lengths: [Int64] = [0, 60, 900, 1800, 2701, 3600, 18_013, 100_000]
      let start = center.adding(seconds: shift)
      let end = start.adding(seconds: lengths.randomElement(using: &generator) ?? 0)
      var event = Event(
        uid: EventUID("random-\(number)"), start: .utc(start), end: .time(.utc(end)),
        summary: "Event \(number)")
      if Int.random(in: 0..<5, using: &generator) == 0 {
        let day = zone.reading(at: start).date
        event.start = .date(day)
        event.end = .duration(CalendarDuration(days: Int.random(in: 1...2, using: &generator)))
      }
      if Int.random(in: 0..<6, using: &generator) == 0 { event.status = .cancelled }
      if Int.random(in: 0..<6, using: &generator) == 0 { event.status = .tentative }
      agenda.series.append(EventSeries(calendar: CalendarID("work"), master: event))
    }
    return agenda
  }
}
