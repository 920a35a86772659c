import CalendarBus
import CivilTime
import DBus
import JSON
import Phrases
import Platform
import Widgets

/// An occurrence that was removed from a series: a date of its EXDATE.
struct RemovedOccurrence {
  private let event: Row
  private let occurrence: String

  private init(_ event: Row, _ occurrence: String) {
    self.event = event
    self.occurrence = occurrence
  }

  /// Finds the occurrence of "ID/OCCURRENCE", "CALENDAR/ID/OCCURRENCE", "TITLE@DAY" or "ID/DAY".
  ///
  /// Returns nil if there is no such event, or no occurrence is named.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several; errors of the
  ///   agent.
  static func found(
    _ text: String, _ context: CommandContext
  ) throws(CommandError) -> RemovedOccurrence? {
    if let exact = try RemovedOccurrence(text, context) { return exact }
    let phrases = context.phrases(in: try context.zone())
    let parts = EventReference(text).onDay { text in
      if case .date(let day)? = try? phrases.moment(text, takesPast: true) { day } else { nil }
    }
    guard let (what, day) = parts, let event = try series(what, context) else { return nil }
    let zone = try context.zone(reading: event.text(.timeZone))
    let isFloating = event.text(.timeZone) == "floating"
    let names = event.texts(.exdate).filter { RemovedOccurrence.day(of: $0, zone) == day }.map {
      RemovedOccurrence.name(of: $0, isFloating ? nil : zone)
    }
    if names.isEmpty { return RemovedOccurrence(event, day.basicText) }
    let name = try EventLookup(context: context).only(
      names,
      localized(
        "several occurrences of {title} were removed on {day}; choose one:",
        ["title": event.text(.summary), "day": TimeText.current.shortDate(day)])
    ) { (names) throws(CommandError) in
      let lines = names.prefix(EventLookup.mostListed).map { "\(event.text(.uid))/\($0)" }
      return lines.withRest(of: names.count)
    }
    return RemovedOccurrence(event, name)
  }

  /// Returns the series that a text means; nil if there is none.
  private static func series(
    _ what: String, _ context: CommandContext
  ) throws(CommandError) -> Row? {
    do throws(CommandError) {
      let found = try EventLookup(context: context).event(beginning: EventReference(what))
      if found.occurrence.isEmpty { return found.event }
      return try context.client().event(found.uid, occurrence: "", in: found.calendar)
    } catch {
      guard case .notFound(_, near: []) = error else { throw error }
      return nil
    }
  }

  /// Returns the day of a date of EXDATE in an answer of Get.
  private static func day(of date: String, _ zone: ZoneRules) -> CivilDate? {
    if let instant = try? Timestamp(text: date) { return zone.reading(at: instant).date }
    return (try? CivilDateTime(text: date))?.date ?? (try? CivilDate(text: date))
  }

  /// Finds the event of "ID/OCCURRENCE" or "CALENDAR/ID/OCCURRENCE".
  ///
  /// Returns nil if there is no such event, or no occurrence is named.
  ///
  /// - Throws: Errors of the agent.
  init?(_ text: String, _ context: CommandContext) throws(CommandError) {
    guard let slash = text.lastIndex(of: "/") else { return nil }
    let (uid, occurrence) = EventReference(text).readings[0]
    guard !occurrence.isEmpty else { return nil }
    let series = EventReference(String(text[..<slash]))
    guard let found = try EventLookup(context: context).onlyEvent(series) else { return nil }
    event = found.event
    guard !uid.isEmpty else { return nil }
    self.occurrence = occurrence
  }

  /// Restores the occurrence, and prints it.
  ///
  /// - Parameter target: The value of --calendar; "" without it.
  /// - Throws: ``CommandError/notFound(_:near:)`` if it was not removed from the event;
  ///   ``CommandError/usage(_:command:hint:)`` for another calendar than the event's.
  func restore(
    to target: String, isJSON: Bool, _ context: CommandContext
  ) throws(CommandError) {
    let uid = event.text(.uid)
    guard target.isEmpty || target == event.text(.calendar) else {
      throw .usage(
        localized("--calendar: an occurrence can be restored only to its event"),
        command: "restore", hint: localized("leave the option out"))
    }
    let excluded = event.texts(.exdate)
    let zone = try context.zone(reading: event.text(.timeZone))
    let isFloating = event.text(.timeZone) == "floating"
    let rest = excluded.filter { !isMeant($0, zone) }
    guard rest.count < excluded.count else {
      let title = event.text(.summary)
      throw .notFound(
        excluded.isEmpty
          ? localized(
            "no occurrence {occurrence} was removed from {title}",
            ["occurrence": occurrence, "title": title])
          : localized(
            "no occurrence {occurrence} was removed from {title}; these were:",
            ["occurrence": occurrence, "title": title]),
        near: excluded.map { "\(uid)/\(RemovedOccurrence.name(of: $0, isFloating ? nil : zone))" })
    }
    var changes = Row()
    changes.set(.exdate, rest)
    let revision = try context.client().update(
      "\(event.text(.calendar))/\(uid)", occurrence: "", scope: "all", changes: changes
    ).revision
    if isJSON {
      return try context.output.json([
        "uid": .string(uid), "calendar": .string(event.text(.calendar)),
        "revision": .integer(revision),
      ])
    }
    let back = try context.client().event(
      uid, occurrence: occurrence, in: event.text(.calendar))
    try context.output.line(
      localized(
        "Restored {title}: {when} (as in the series)",
        ["title": displayLine(back.text(.summary)), "when": try context.output.when(back)]))
  }

  /// Returns the name after the "/" for a date of EXDATE in an answer of Get.
  ///
  /// - Parameter zone: The zone of the event; nil for a floating event, whose occurrences are named
  ///   by local times.
  static func name(of date: String, _ zone: ZoneRules?) -> String {
    if let instant = try? Timestamp(text: date) { return instant.basicText }
    if let reading = try? CivilDateTime(text: date) {
      return zone?.instant(of: reading).basicText ?? reading.basicText
    }
    return (try? CivilDate(text: date))?.basicText ?? date
  }

  /// Returns whether a date of EXDATE in an answer of Get is this occurrence.
  ///
  /// With a time zone, these dates are local, while the names of occurrences are in UTC.
  private func isMeant(_ date: String, _ zone: ZoneRules) -> Bool {
    if let instant = try? Timestamp(text: date) { return instant.basicText == occurrence }
    if let reading = try? CivilDateTime(text: date) {
      return [reading.basicText, zone.instant(of: reading).basicText].contains(occurrence)
    }
    return (try? CivilDate(text: date))?.basicText == occurrence
  }
}
