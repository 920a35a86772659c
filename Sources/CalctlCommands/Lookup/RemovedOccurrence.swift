import CalendarBus
import CivilTime
import DBus
import JSON
import Widgets

/// One occurrence that was taken out of an event which is there: a date of its EXDATE.
struct RemovedOccurrence {
  private let event: Row
  private let occurrence: String

  /// Finds the event of "ID/OCCURRENCE", with its calendar in front or not.
  ///
  /// - Returns: nil where no event is meant, or no occurrence is named.
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

  /// Puts it back, and prints which.
  ///
  /// - Parameter target: a calendar that was asked for; "" for none.
  /// - Throws: ``CommandError/notFound(_:near:)`` where the event was not freed of it.
  func restore(
    to target: String, isJSON: Bool, _ context: CommandContext
  ) throws(CommandError) {
    let uid = event.text(.uid)
    guard target.isEmpty || target == event.text(.calendar) else {
      throw .usage(
        "--calendar: an occurrence goes back to its event", command: "restore",
        hint: "leave it out")
    }
    let excluded = event.texts(.exdate)
    let zone = try context.zone(reading: event.text(.timeZone))
    let isFloating = event.text(.timeZone) == "floating"
    let rest = excluded.filter { !isMeant($0, zone) }
    guard rest.count < excluded.count else {
      throw .notFound(
        "no occurrence \(occurrence) was removed from \(displayLine(event.text(.summary)))"
          + (excluded.isEmpty ? "" : "; these were:"),
        near: excluded.map { "\(uid)/\(RemovedOccurrence.name(of: $0, isFloating ? nil : zone))" })
    }
    var changes = Row()
    changes.set(.exdate, rest)
    changes.set(.inCalendar, event.text(.calendar))
    let revision = try context.client().update(
      uid, occurrence: "", scope: "all", changes: changes
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
      "Restored \(displayLine(back.text(.summary))): \(try context.output.when(back))")
  }

  /// What stands after the "/" for a date of EXDATE, as Get has it.
  ///
  /// - Parameter zone: that of the event; nil for one that is floating, whose occurrences have their
  ///   names on its clock.
  static func name(of date: String, _ zone: ZoneRules?) -> String {
    if let instant = try? Timestamp(text: date) { return instant.basicText }
    if let reading = try? CivilDateTime(text: date) {
      return zone?.instant(of: reading).basicText ?? reading.basicText
    }
    return (try? CivilDate(text: date))?.basicText ?? date
  }

  /// Whether a date of EXDATE, as Get has it, is that occurrence: those of an event in a zone
  /// are on its clock, and an occurrence has its name in UTC.
  private func isMeant(_ date: String, _ zone: ZoneRules) -> Bool {
    if let instant = try? Timestamp(text: date) { return instant.basicText == occurrence }
    if let reading = try? CivilDateTime(text: date) {
      return [reading.basicText, zone.instant(of: reading).basicText].contains(occurrence)
    }
    return (try? CivilDate(text: date))?.basicText == occurrence
  }
}
