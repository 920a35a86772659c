import CalendarBus
import DBus
import Phrases
import Platform
import Widgets

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

  /// Returns the titles of the next month, for a mistyped one.
  func titlesSoon() -> [String] {
    var options = Row()
    options.set(.limit, .uint32(500))
    options.set(.fields, [RowKey.summary.rawValue])
    let rows = try? context.client().occurrences(from: "today", to: "31d", options: options).rows
    return (rows ?? []).map { $0.text(.summary) }
  }

  /// - Parameter titles: Those of which the most similar is suggested.
  func unknown(_ reference: EventReference, titles: [String] = []) -> CommandError {
    let (uid, occurrence) = reference.readings[0]
    if !occurrence.isEmpty {
      return .notFound(
        localized(
          "the event \"{id}\" has no occurrence {occurrence} (calctl agenda --ids shows the IDs)",
          ["id": uid, "occurrence": occurrence]))
    }
    let text = reference.text.lowercased()
    if let near = nearest(text, among: titles.map { $0.lowercased() }),
      let title = titles.first(where: { $0.lowercased() == near })
    {
      return .notFound(
        localized(
          "no event has the ID or the title \"{id}\"; did you mean \"{title}\"?",
          ["id": uid, "title": displayLine(title)]))
    }
    return .notFound(
      localized(
        "no event has the ID or the title \"{id}\" (calctl agenda --ids shows the IDs)",
        ["id": uid]))
  }
}
