import CalendarBus
import DBus
import Platform
import Widgets

extension CommandSpec {
  static let todos = CommandSpec(
    name: "todos",
    arguments: [
      ArgumentSpec(
        name: "ACTION", isRequired: false, help: localized("add or edit (list the to-dos)")),
      ArgumentSpec(
        name: "TITLE", isRequired: false,
        help: localized("for add: the title; for edit: an ID, see IDs")),
    ],
    options: [
      .dueToDo,
      .toDoPriority,
      .value("--title", "TEXT", localized("for edit: the new title")),
      .value("--description", "TEXT", localized("for add and edit: a longer text")),
      .flag("--all", localized("include to-dos that are done or cancelled")),
      .value(
        "--calendar", "CALENDAR", repeats: true,
        localized(
          """
          only to-dos of this calendar, its ID or its name (all that are shown); for add the \
          calendar to write to (the default calendar)
          """)),
      .flag("--ids", localized("print the ID of each, for done, edit, show, rm and move")), .yes,
      .json,
    ],
    summary: localized("list to-dos by their due dates, add or change one"),
    details: [
      localized(
        """
        "!" marks a priority of 1 to 4. calctl done completes a to-do; on a terminal it takes the \
        numbers of the list. calctl todo is the same as \
        calctl todos. Journal entries are in no list: calctl show "TITLE" prints one.
        """)
    ],
    examples: [
      "calctl todos", "calctl todos --all --ids",
      "calctl todo add \"Pay the rent\" --due \"fri 17:00\" --priority high",
      "calctl todo edit \"Pay the rent\" --due none",
    ]
  ) { arguments, context throws(CommandError) in
    if let action = arguments.positional(0) {
      if action == "edit" { return try editToDo(arguments, context) }
      guard action == "add" else {
        throw .usage(
          localized("unknown action \"{action}\"", ["action": action]), command: "todos",
          hint: CommandError.forExample("calctl todo add \"\(action)\""))
      }
      if arguments.has("--title") {
        throw .usage(
          localized("{option} needs {other}", ["option": "--title", "other": "edit"]),
          command: "todos", hint: nil)
      }
      return try addToDo(arguments, context)
    }
    if let option = ToDoEdit.keys.map(\.name).first(where: { arguments.has($0) }) {
      throw .usage(
        localized(
          "{option} needs {other}",
          ["option": option, "other": option == "--title" ? "edit" : "add"]),
        command: "todos", hint: nil)
    }
    let showsAll = arguments.has("--all")
    let rows = try context.client().toDos(
      includesDone: showsAll, calendars: arguments.calendars(context))
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty {
      return try output.line(showsAll ? localized("No to-dos.") : localized("No open to-dos."))
    }
    try output.toDos(rows, showsIDs: arguments.has(.ids))
  }

  private static func editToDo(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    guard let text = arguments.positional(1) else {
      throw .missing("ID", command: "todos", example: "calctl todo edit \"Pay the rent\" --due fri")
    }
    if arguments.has(.calendar) {
      throw .usage(
        localized("{option} needs {other}", ["option": OptionSpec.calendar.name, "other": "add"]),
        command: "todos", hint: nil)
    }
    // The options are checked before anything is asked.
    _ = try ToDoEdit.row(arguments, command: "todos")
    let (lookup, reference) = (EventLookup(context: context), EventReference(text))
    let found = try lookup.toDo(reference)
    guard try lookup.confirms(found, reference, arguments) else {
      return try context.output.line(localized("Nothing was changed."))
    }
    try ToDoEdit(context: context).run(found, arguments, command: "todos")
  }

  private static func addToDo(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    guard let title = arguments.positional(1) else {
      throw .missing("TITLE", command: "todos", example: "calctl todo add \"Pay the rent\"")
    }
    let names = arguments.all(OptionSpec.calendar.name)
    if names.count > 1 {
      throw .usage(
        localized("{option} was given twice", ["option": OptionSpec.calendar.name]),
        command: "todos", hint: nil)
    }
    var toDo = Row()
    toDo.set(.summary, title)
    let due = arguments.value("--due") ?? ""
    if due.lowercased() != "none" { toDo.setUnlessEmpty(.due, due) }
    toDo.setUnlessEmpty(.description, arguments.value("--description") ?? "")
    if let text = arguments.value("--priority") {
      toDo.set(.priority, .uint32(try ToDoPriority.number(of: text, command: "todos")))
    }
    let client = try context.client()
    let calendar = try arguments.calendar(context)
    let uid: String
    do throws(CommandError) {
      uid = try client.addToDo(toDo, calendar: calendar)
    } catch {
      throw error.renamed([
        ("summary", "TITLE"), ("due", "--due"), ("priority", "--priority"),
        ("description", "--description"), ("calendar", "--calendar"),
      ])
    }
    let calendars = try client.calendars()
    let own = calendars.first { calendar.isEmpty ? $0.flag(.isDefault) : $0.text(.id) == calendar }
    let rows = try client.toDos(
      includesDone: true, calendars: own.map { [$0.text(.id)] } ?? [])
    let stored = rows.first { $0.text(.uid) == uid } ?? toDo
    if arguments.has(.json) { return try context.output.json(stored) }
    own.map(context.warnIfHidden)
    try context.output.addedToDo(stored)
  }
}

/// A word for a priority; but for "none" the three steps of RFC 5545 section 3.8.1.9.
enum ToDoPriority: String, CaseIterable, Sendable {
  case high, medium, low, none

  private var number: UInt32 {
    switch self {
    case .high: 1
    case .medium: 5
    case .low: 9
    case .none: 0
    }
  }

  /// Returns a priority from 1 to 9; 0 for none.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for any other text.
  static func number(of text: String, command: String) throws(CommandError) -> UInt32 {
    if let word = ToDoPriority(rawValue: text.lowercased()) { return word.number }
    if let number = UInt32(text), (1...9).contains(number) { return number }
    throw .usage(
      localized(
        "--priority: \"{value}\" must be one of {words}, or a number from 1 to 9",
        ["value": text, "words": localizedList(allCases.map(\.rawValue))]),
      command: command, hint: nil)
  }
}

extension OptionSpec {
  /// Options of commands that write a to-do.
  static let dueToDo = value(
    "--due", "WHEN",
    localized(
      """
      when a to-do is due; a date alone is a day; of one that is due later, a time alone keeps the \
      day, and +1d and -30m count from the present due date; none for never
      """))
  static let toDoPriority = value(
    "--priority", "N", words: ToDoPriority.allCases.map(\.rawValue),
    localized("of a to-do: high, medium, low or none, or 1 (highest) to 9 (lowest)"))
}
