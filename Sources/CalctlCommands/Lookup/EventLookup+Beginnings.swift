import CalendarBus
import Platform

// The beginning of an ID.

extension EventLookup {
  /// The events whose UID begins with a text.
  struct Near {
    let uid: String
    let occurrence: String
    /// Rows with the keys "uid" and "calendar".
    let rows: [Row]
  }

  /// Searches all events, past and future, even in hidden calendars.
  func beginning(with reference: EventReference) throws(CommandError) -> Near {
    let parts = try inCalendar(reference)
    let (uid, occurrence) = reference.readings[0]
    guard !uid.isEmpty else { return Near(uid: uid, occurrence: occurrence, rows: []) }
    let all = try context.client().eventNames(in: [])
    let rows = all.filter {
      $0.text(.uid) == uid || EventMatches.isBeginning(uid, of: $0.text(.uid))
    }
    guard rows.isEmpty, let (calendar, rest) = parts, !rest.readings[0].uid.isEmpty else {
      return Near(uid: uid, occurrence: occurrence, rows: rows)
    }
    let (part, day) = rest.readings[0]
    return Near(
      uid: part, occurrence: day,
      rows: all.filter {
        $0.text(.calendar) == calendar && EventMatches.isBeginning(part, of: $0.text(.uid))
      })
  }

  /// Returns whether an event has exactly this UID, so that only the occurrence is missing.
  func isWhole(_ near: Near) -> Bool {
    near.rows.contains { $0.text(.uid) == near.uid }
  }

  /// Returns lines for the first ten, with the calendar if a UID is not unique.
  func list(_ rows: [Row]) throws(CommandError) -> [String] {
    let shared = rows.sharedUIDs
    var lines: [String] = []
    for row in rows.prefix(EventLookup.mostListed) {
      let event = try named(row.text(.uid), occurrence: "", in: row.text(.calendar)) ?? row
      let name = EventReference(row, withCalendar: shared.contains(row.text(.uid))).text
      lines.append("\(try line(Found(name: name, occurrence: "", event: event)))  \(name)")
    }
    return lines.withRest(of: rows.count)
  }

  func unknown(_ reference: EventReference) -> CommandError {
    let (uid, occurrence) = reference.readings[0]
    return .notFound(
      occurrence.isEmpty
        ? localized("no event has the ID \"{id}\" (calctl agenda --ids shows the IDs)", ["id": uid])
        : localized(
          "the event \"{id}\" has no occurrence {occurrence} (calctl agenda --ids shows the IDs)",
          ["id": uid, "occurrence": occurrence]))
  }
}
