import CalendarBus
import CivilTime
import Platform
import Widgets

/// Finds a removed event in the trash.
struct TrashLookup {
  let context: CommandContext
  /// The names of the calendars by their IDs.
  let names: [String: String]
  /// The rows of the trash, the last removed first.
  let rows: [Row]

  /// Returns the removed event with a UID, perhaps after "CALENDAR/"; nil if there is none.
  ///
  /// Of several it returns the last removed.
  func exact(_ text: String) -> Row? {
    if let row = rows.first(where: { $0.text(.uid) == text }) { return row }
    let small = text.lowercased()
    return rows.first { row in
      let (uid, calendar) = (row.text(.uid), row.text(.calendar))
      guard text.hasSuffix("/\(uid)") else { return false }
      let front = small.dropLast(uid.count + 1)
      return front == calendar.lowercased() || front == (names[calendar] ?? "").lowercased()
    }
  }

  /// Returns the only removed event that a text means by the beginning of its ID, its title or a
  /// part of it; nil if there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  func event(matching text: String) throws(CommandError) -> Row? {
    // An event that was removed, restored and removed again is listed once for each time.
    var seen: Set<[String]> = []
    let found = EventMatches.among(rows, text).filter {
      seen.insert([$0.text(.calendar), $0.text(.uid)]).inserted
    }
    if found.isEmpty { return nil }
    return try EventLookup(context: context).only(
      found,
      localized("several removed events match \"{text}\"; choose one by its ID:", ["text": text]),
      list: list)
  }

  private func list(_ rows: [Row]) throws(CommandError) -> [String] {
    let shared = rows.sharedUIDs
    var lines: [String] = []
    for row in rows.prefix(EventLookup.mostListed) {
      let removed = try context.output.moment(Timestamp(seconds: row.number(.removed)))
      let name = EventReference(row, withCalendar: shared.contains(row.text(.uid))).text
      lines.append(
        localized("{title}, removed {when}", ["title": row.text(.summary), "when": removed])
          + "  \(name)")
    }
    return lines.withRest(of: rows.count)
  }
}
