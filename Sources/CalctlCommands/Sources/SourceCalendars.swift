import CalendarBus
import Platform

/// Which calendars of a source are synchronised.
extension CommandSpec {
  /// Returns the hrefs of the calendars with some names or paths.
  ///
  /// - Throws: ``CommandError`` that lists the calendars if one of the names is of none.
  static func hrefs(
    of wanted: [String], among found: [Row], at place: String
  ) throws(CommandError) -> [String] {
    func isNamed(_ row: Row, _ name: String) -> Bool {
      row.text(.name) == name || row.text(.href) == name
    }
    for name in wanted where !found.contains(where: { isNamed($0, name) }) {
      throw .notFound(
        localized("{url} has no calendar \"{name}\"; it has:", ["url": place, "name": name]),
        near: found.map { $0.text(.name) })
    }
    return found.filter { row in wanted.contains { isNamed(row, $0) } }.map { $0.text(.href) }
  }

  /// Adds to the changes of a source which calendars it has from now on, if that is given.
  static func choose(
    _ arguments: ParsedArguments, of source: String, _ client: CalendarClient<CommandError>,
    _ changes: inout Row
  ) throws(CommandError) {
    let wanted = arguments.all("--calendar")
    if arguments.has("--all-calendars") {
      guard wanted.isEmpty else {
        throw .usage(
          localized(
            "{option} cannot be combined with {other}",
            ["option": "--calendar", "other": "--all-calendars"]),
          command: "sources", hint: nil)
      }
      changes.set(.chosen, [String]())
    } else if !wanted.isEmpty {
      let found = try client.calendars(ofSource: source)
      changes.set(.chosen, try hrefs(of: wanted, among: found, at: source))
    }
  }

  /// The line of a source with events that wait because they have guests; nil if none does.
  static func guestsLine(_ row: Row) -> String? {
    let count = Int(row.number(.guestsWaiting))
    guard count > 0 else { return nil }
    return localized(
      count,
      one: """
        {count} event has guests, to whom the server may write, and waits; to send it: {command}
        """,
      other: """
        {count} events have guests, to whom the server may write, and wait; to send them: {command}
        """, ["command": "calctl sources edit \(row.text(.id)) --guests send"])
  }
}
