import CalendarBus
import DBus
import Phrases
import Platform

/// Finds a calendar by its ID, or by its name regardless of case.
struct CalendarLookup {
  let context: CommandContext

  /// Returns the ID of a calendar.
  ///
  /// - Parameters:
  ///   - text: The ID or name; "" stays "", which lets the agent choose.
  ///   - place: The option or argument with the text, such as "--calendar".
  /// - Throws: ``CommandError/notFound(_:near:)`` with all IDs and names, if there is none or there
  ///   are several.
  func id(_ text: String, _ place: String) throws(CommandError) -> String {
    if text.isEmpty { return "" }
    return try CalendarLookup.row(text, place, among: context.client().calendars()).text(.id)
  }

  /// Returns the IDs of calendars.
  ///
  /// - Throws: See ``id(_:_:)``.
  func ids(_ texts: [String], _ place: String) throws(CommandError) -> [String] {
    if texts.isEmpty { return [] }
    let rows = try context.client().calendars()
    var ids: [String] = []
    for text in texts { ids.append(try CalendarLookup.row(text, place, among: rows).text(.id)) }
    return ids
  }

  /// Returns the row of a calendar among the rows of Calendars.List.
  ///
  /// - Throws: See ``id(_:_:)``.
  static func row(_ text: String, _ place: String, among rows: [Row]) throws(CommandError) -> Row {
    let found = matches(text, among: rows)
    if found.count == 1 { return found[0] }
    let near = nearest(text.lowercased(), among: rows.flatMap { names(of: $0) })
    let message =
      if !found.isEmpty {
        localized(
          "{option}: several calendars are called \"{name}\"; choose one by its ID:",
          ["option": place, "name": text])
      } else if let near {
        localized(
          """
          {option}: no calendar has the ID or the name "{name}", did you mean "{near}"? The \
          calendars are:
          """, ["option": place, "name": text, "near": near])
      } else {
        localized(
          "{option}: no calendar has the ID or the name \"{name}\"; the calendars are:",
          ["option": place, "name": text])
      }
    throw .notFound(
      message,
      near: (found.isEmpty ? rows : found).map { "\($0.text(.id))  \($0.text(.name))" })
  }

  /// Returns the calendars that a text names.
  ///
  /// That is the one with exactly this ID or name, else all that differ only in case.
  static func matches(_ text: String, among rows: [Row]) -> [Row] {
    if let exact = rows.first(where: { $0.text(.id) == text }) { return [exact] }
    let exact = rows.filter { $0.text(.name) == text }
    if exact.count == 1 { return exact }
    let small = text.lowercased()
    return rows.filter { names(of: $0).contains(small) }
  }

  private static func names(of row: Row) -> [String] {
    [row.text(.id).lowercased(), row.text(.name).lowercased()]
  }
}

extension CommandContext {
  /// Returns the names of the calendars by their IDs.
  ///
  /// - Throws: Errors of the agent.
  func calendarNames() throws(CommandError) -> [String: String] {
    var names: [String: String] = [:]
    for row in try client().calendars() { names[row.text(.id)] = row.text(.name) }
    return names
  }
}

extension ParsedArguments {
  /// Returns the ID of the calendar in an option; "" without the option.
  ///
  /// - Throws: See ``CalendarLookup/id(_:_:)``.
  func calendar(_ context: CommandContext) throws(CommandError) -> String {
    let name = OptionSpec.calendar.name
    return try CalendarLookup(context: context).id(value(name) ?? "", name)
  }

  /// Returns the IDs of the calendars in a repeatable option.
  ///
  /// - Throws: See ``CalendarLookup/id(_:_:)``.
  func calendars(_ context: CommandContext) throws(CommandError) -> [String] {
    let name = OptionSpec.calendars.name
    return try CalendarLookup(context: context).ids(all(name), name)
  }
}
