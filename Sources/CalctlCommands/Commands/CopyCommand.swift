import CalendarBus
import CivilTime
import DBus
import Phrases
import Platform
import Widgets

extension CommandSpec {
  static let copy = CommandSpec(
    name: "copy",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: localized(
          """
          the ID of an event, its beginning, or the title or a part of it; ID/OCCURRENCE or \
          TITLE@DAY for one occurrence; see IDs
          """))
    ],
    options: [
      .value(
        "--start", "WHEN",
        localized(
          """
          when the copy begins; a time alone keeps the day, a day alone the time; +1d and -30m \
          count from the start of the event (its start)
          """)),
      .value("--title", "TEXT", localized("the title of the copy (the same)")),
      .value(
        "--calendar", "CALENDAR",
        localized("the calendar of the copy, its ID or its name (the same)")),
      .yes, .json,
    ],
    summary: localized("add an event like another one, at another time"),
    details: [
      localized(
        """
        The copy lasts as long, and has the same reminders. A series is copied with its recurrence, \
        but without its changed and removed occurrences; one occurrence becomes a single event. \
        Guests are not copied.
        """)
    ],
    examples: [
      "calctl copy \"Team lunch\" --start fri",
      "calctl copy \"Team standup@fri\" --start 15:00 --title Retrospective",
    ]
  ) { arguments, context throws(CommandError) in
    let reference = EventReference(arguments.positionals[0])
    let target = try arguments.calendar(context)
    let lookup = EventLookup(context: context)
    var found = try lookup.any(reference)
    // What is over may be copied, too.
    found.isOver = false
    guard found.kind == .event else {
      throw .system(
        localized(
          "only events can be copied, but \"{id}\" has the kind \"{kind}\"",
          ["id": reference.text, "kind": found.kindName]))
    }
    guard try lookup.confirms(found, reference, arguments) else {
      return try context.output.line(localized("Nothing was added."))
    }
    let zone = try context.zone(reading: found.event.text(.timeZone))
    var event = try CopiedEvent.row(
      found.event, isOne: !found.occurrence.isEmpty, start: arguments.value("--start"),
      context.phrases(in: zone))
    // An event without a color has that of its calendar.
    let color = found.event.text(.color)
    if color != context.calendar(found.calendar)?.text(.color) { event.set(.color, color) }
    if let title = arguments.value("--title") { event.set(.summary, title) }
    let calendar = target.isEmpty ? found.calendar : target
    let client = try context.client()
    let (uid, warnings): (String, [String])
    do throws(CommandError) {
      (uid, _, warnings) = try client.add(event, calendar: calendar)
    } catch {
      throw error.renamed([
        ("start", "--start"), ("summary", "--title"), ("calendar", "--calendar"),
      ])
    }
    var stored = try client.event(uid, occurrence: "", in: calendar)
    stored.setWarnings(warnings)
    try AddedEvent.print(stored, reminders: [], isJSON: arguments.has(.json), context)
  }
}

/// A copy of an event, as Events.Add takes it.
enum CopiedEvent {
  /// The keys that Get and Add have in common, and that do not depend on the time.
  private static let texts: [RowKey] = [
    .summary, .location, .description, .url, .status, .classification,
  ]

  /// Returns the copy.
  ///
  /// - Parameters:
  ///   - event: A row of Get.
  ///   - isOne: Whether it is one occurrence of a series.
  ///   - start: As it was written; nil for that of the event.
  ///   - phrases: A reader in the zone of the event.
  /// - Throws: See ``EditedTimes/start(_:of:_:)``.
  static func row(
    _ event: Row, isOne: Bool, start: String?, _ phrases: PhraseReader
  ) throws(CommandError) -> Row {
    var copy = Row()
    for key in texts { copy.setUnlessEmpty(key, event.text(key)) }
    if let start {
      copy.set(.start, try self.start(start, of: event, phrases))
    } else if event.flag(.allDay) {
      copy.set(.start, event.text(.startText))
    } else {
      copy.set(.start, .int64(event.number(.start)))
    }
    let isAllDay = event.flag(.allDay)
    copy.set(.allDay, isAllDay)
    if !isAllDay { copy.setUnlessEmpty(.timeZone, event.text(.timeZone)) }
    if !isOne { copy.setUnlessEmpty(.rrule, event.text(.rrule)) }
    copy.set(.end, duration(of: event))
    if let busy = event[.busy] { copy.set(.busy, busy) }
    if !event.texts(.categories).isEmpty { copy.set(.categories, event.texts(.categories)) }
    let reminders = event.texts(.reminders)
    if !reminders.isEmpty {
      copy.set(.reminders, isAllDay ? reminders.map(onClock) : reminders)
    }
    return copy
  }

  /// Returns --start for the agent, with the day or the time that it leaves out.
  private static func start(
    _ text: String, of event: Row, _ phrases: PhraseReader
  ) throws(CommandError) -> String {
    let shifted = try EditedTimes.start(text, of: event, phrases, command: "copy")
    guard !event.flag(.allDay) else { return shifted }
    let zone = phrases.context.zone
    let own = zone.reading(at: Timestamp(seconds: event.number(.start)))
    let ownDay = phrases.at(now: zone.startOfDay(own.date))
    if phrases.isTimeAlone(shifted), let read = try? ownDay.moment(shifted, takesPast: true) {
      return "@\(read.instant(in: zone).seconds)"
    }
    if case .date(let day)? = phrases.newStart(shifted) {
      return CivilDateTime(day, own.time).description
    }
    return shifted
  }

  /// Returns how long an event lasts: "PT45M", of an all-day event "P2D".
  private static func duration(of event: Row) -> String {
    let seconds = event.number(.end) - event.number(.start)
    guard event.flag(.allDay) else { return CalendarDuration(seconds: seconds).description }
    // A day may have 23 or 25 hours.
    return CalendarDuration(days: max(1, Int((seconds + 43_200) / 86_400))).description
  }

  /// Returns a reminder of an all-day event as a time on the clock: "1d 18:00" for "PT6H".
  static func onClock(_ reminder: String) -> String {
    guard let before = try? CalendarDuration(text: reminder), before.days == 0 else {
      return reminder
    }
    let second = -before.seconds
    let days = second >= 0 ? 0 : (86_399 - second) / 86_400
    guard let time = TimeOfDay(secondOfDay: Int(second + days * 86_400)) else { return reminder }
    return ReminderTime(daysBefore: Int(days), time: time).text
  }
}
