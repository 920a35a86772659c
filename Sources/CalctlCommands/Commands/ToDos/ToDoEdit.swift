import CalendarBus
import DBus
import Platform

/// A change of one to-do by the options of `calctl todos edit` and `calctl edit`.
struct ToDoEdit {
  let context: CommandContext

  /// The option for each key of Events.ChangeTodo.
  static let keys: [(name: String, key: RowKey)] = [
    ("--title", .summary), ("--due", .due), ("--priority", .priority),
    ("--description", .description),
  ]

  /// Returns the first option that only to-dos have; nil if there is none.
  static func ownOption(_ arguments: ParsedArguments) -> String? {
    ["--due", "--priority"].first { arguments.has($0) }
  }

  /// Returns the changes that the command line describes.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if there are none, or the priority is
  ///   invalid.
  static func row(
    _ arguments: ParsedArguments, command: String
  ) throws(CommandError) -> Row {
    var row = Row()
    for (name, key) in keys {
      guard let text = arguments.value(name) else { continue }
      switch key {
      case .priority: row.set(key, .uint32(try ToDoPriority.number(of: text, command: command)))
      case .due: row.set(key, text.lowercased() == "none" ? "" : text)
      default: row.set(key, text)
      }
    }
    guard row.entries.isEmpty else { return row }
    throw .usage(
      localized("nothing to change"), command: command,
      hint: CommandError.forExample("--due fri --priority high"))
  }

  /// Changes a to-do, of one that repeats all occurrences, and prints it.
  ///
  /// - Throws: Errors of the agent, with the names of the options.
  func run(
    _ found: EventLookup.Found, _ arguments: ParsedArguments, command: String
  ) throws(CommandError) {
    var changes = try ToDoEdit.row(arguments, command: command)
    if let due = changes[.due]?.asString {
      let phrases = context.phrases(in: try context.zone())
      changes.set(
        .due, try EditedTimes.due(due, of: found.event, phrases, command: command))
    }
    let client = try context.client()
    do throws(CommandError) {
      _ = try client.changeToDo(found.name, occurrence: "", changes: changes)
    } catch {
      throw error.renamed(ToDoEdit.keys.map { ($0.key.rawValue, $0.name) })
    }
    let rows = try client.toDos(includesDone: true, calendars: [found.calendar])
    let stored = rows.first { $0.text(.uid) == found.uid } ?? found.event
    if arguments.has(.json) { return try context.output.json(stored) }
    try context.output.changedToDo(stored)
  }
}
