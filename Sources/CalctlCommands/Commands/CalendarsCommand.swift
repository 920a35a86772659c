import CalendarBus
import JSON
import Widgets

/// What `calctl calendars` can be told to do.
private enum CalendarAction: String, CaseIterable {
  case add, rename, color, show, hide
  case makeDefault = "default"
  case remove = "rm"

  /// Whether a value follows the calendar.
  var hasValue: Bool { self == .rename || self == .color }
}

extension CommandSpec {
  static let calendars = CommandSpec(
    name: "calendars",
    arguments: [
      ArgumentSpec(
        name: "ACTION", isRequired: false,
        help: "add, rename, color, show, hide, default or rm (list them)"),
      ArgumentSpec(
        name: "CALENDAR", isRequired: false, help: "its ID or its name; of add the new name"),
      ArgumentSpec(
        name: "VALUE", isRequired: false, help: "the new name, or the new color"),
    ],
    options: [
      .value(
        "--color", "COLOR", words: colorNames,
        "of add: #rrggbb or a name (one that no other has)"),
      .flag("--with-events", "of rm: its events go with it, into the trash"), .json,
    ],
    summary: "list calendars, make, change or remove one",
    details: [
      """
      A hidden calendar's events are in no list, and do not ring. The default one is where \
      new events go. Whatever is done to a calendar, calctl undo takes it back.
      """
    ],
    examples: [
      "calctl calendars", "calctl calendars add Work --color teal",
      "calctl calendars rename work Office", "calctl calendars rm work --with-events",
    ]
  ) { arguments, context throws(CommandError) in
    guard let word = arguments.positional(0) else { return try list(arguments, context) }
    guard let action = CalendarAction(rawValue: word) else {
      let words = CalendarAction.allCases.map(\.rawValue)
      let near = nearest(word, among: words)
      throw .usage(
        "\"\(word)\" is none of \(words.joined(separator: ", "))", command: "calendars",
        hint: near.map { "did you mean \($0)?" })
    }
    guard let name = arguments.positional(1), !action.hasValue || arguments.positional(2) != nil
    else {
      throw .usage(
        arguments.positional(1) == nil ? "CALENDAR is missing" : "VALUE is missing",
        command: "calendars", hint: "such as: calctl calendars \(example(of: action))")
    }
    if !action.hasValue, let extra = arguments.positional(2) {
      throw .usage(
        "\"\(extra)\" is one argument too many", command: "calendars",
        hint: "put a text with spaces in quotes")
    }
    try run(action, name, arguments, context)
  }

  private static let colorNames = [
    "blue", "green", "orange", "purple", "red", "yellow", "teal", "gray",
  ]

  private static func example(of action: CalendarAction) -> String {
    switch action {
    case .rename: "rename work Office"
    case .color: "color work teal"
    case .add: "add Work"
    default: "\(action.rawValue) work"
    }
  }

  private static func run(
    _ action: CalendarAction, _ name: String, _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws(CommandError) {
    let client = try context.client()
    var changes = Row()
    let id = action == .add ? "" : try CalendarLookup(context: context).id(name, "CALENDAR")
    let said: String
    do throws(CommandError) {
      switch action {
      case .add:
        let id = try client.createCalendar(name, color: arguments.value("--color") ?? "")
        if arguments.has(.json) { return try context.output.json(["id": .string(id)]) }
        return try context.output.line("Added \(displayLine(name)), with the ID \(id).")
      case .remove:
        try client.removeCalendar(id, withEvents: arguments.has("--with-events"))
        said = "Removed \(id)."
      case .rename:
        changes.set(.name, arguments.positional(2) ?? "")
        said = "\(id) is called \(displayLine(arguments.positional(2) ?? "")) now."
      case .color:
        changes.set(.color, arguments.positional(2) ?? "")
        said = "\(id) has another color now."
      case .show, .hide:
        changes.set(.visible, action == .show)
        said = action == .show ? "\(id) is shown." : "\(id) is hidden."
      case .makeDefault:
        changes.set(.isDefault, true)
        said = "New events go to \(id)."
      }
      if action != .remove { try client.updateCalendar(id, changes) }
    } catch {
      throw error.renamed([
        ("name", action == .add ? "CALENDAR" : "VALUE"),
        ("color", action == .add ? "--color" : "VALUE"),
      ])
    }
    if arguments.has(.json) { return try context.output.json(["id": .string(id)]) }
    try context.output.line(said)
  }

  private static func list(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let rows = try context.client().calendars()
    if arguments.has(.json) { return try context.output.json(rows) }
    let remarks = rows.map { row in
      [
        (row.flag(.isDefault), "default"), (!row.flag(.visible), "hidden"),
        (row.flag(.readOnly), "read-only"),
      ].filter(\.0).map(\.1).joined(separator: ", ")
    }
    let counts = rows.map { "\($0.number(.events)) event" + ($0.number(.events) == 1 ? "" : "s") }
    let ids = rows.map { displayLine($0.text(.id)) }
    func width(_ texts: [String]) -> Int { texts.map(\.count).max() ?? 0 }
    try context.output.lines(
      rows.indices.map { index in
        [
          ids[index].padding(to: width(ids)), rows[index].text(.color),
          counts[index].padding(to: width(counts)), remarks[index].padding(to: width(remarks)),
          displayLine(rows[index].text(.name)),
        ].filter { !$0.isEmpty }.joined(separator: "  ")
      })
  }
}
