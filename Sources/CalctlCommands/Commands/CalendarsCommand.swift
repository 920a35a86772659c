import CalendarBus
import CivilTime
import JSON
import Phrases
import Widgets

/// What `calctl calendars` can be told to do.
private enum CalendarAction: String, CaseIterable {
  case add, rename, edit, color, late, show, hide
  case makeDefault = "default"
  case remove = "rm"

  /// Whether a value follows the calendar.
  var hasValue: Bool { [.rename, .color, .late].contains(self) }
}

extension CommandSpec {
  static let calendars = CommandSpec(
    name: "calendars",
    arguments: [
      ArgumentSpec(
        name: "ACTION", isRequired: false,
        help: "add, rename, color, edit, late, show, hide, default or rm (list them)"),
      ArgumentSpec(
        name: "CALENDAR", isRequired: false, help: "its ID or its name; of add the new name"),
      ArgumentSpec(
        name: "VALUE", isRequired: false,
        help: "the new name, the new color, or how late reminders are told: 2h, always, usual"),
    ],
    options: [
      .value(
        "--color", "COLOR", words: colorNames,
        "of add: #rrggbb or a name (one that no other has)"),
      .value(
        "--reminder", "BEFORE", repeats: true, words: ["none"],
        "of edit: how long before the start its events ring that have no reminders of their own: 15m, 1d, or none"
      ),
      .value(
        "--all-day-reminder", "TIME", repeats: true, words: ["none"],
        "of edit: the same of whole days: 9:00 on the day, \"1d 18:00\" on the day before, or none"),
      .value(
        "--time-zone", "ZONE",
        "of edit: on whose clock events are that are added without a zone; \"\" is the agent's"),
      .flag(
        "--reminders",
        "of the list: print below each by what its events without reminders of their own ring"),
      .flag("--with-events", "of rm: its events go with it, into the trash"), .json,
    ],
    summary: "list calendars, make, change or remove one",
    details: [
      """
      A hidden calendar's events are in no list, and do not ring; what passed meanwhile is not told when it is \
      shown (calctl why tells of each). The default one is where \
      new events go. calctl gives no name twice. Reminders that were missed are told \
      up to the end of the event, and for a day at least, of whole days for three; late gives a calendar another limit. \
      Whatever is done to a calendar, calctl undo takes it back.
      """
    ],
    examples: [
      "calctl calendars", "calctl calendars add Work --color teal",
      "calctl calendars rename work Office",
      "calctl calendars edit work --reminder 10m --all-day-reminder 9:00",
      "calctl calendars edit tokyo --time-zone Asia/Tokyo",
      "calctl calendars late work 2h",
      "calctl calendars rm work --with-events",
    ]
  ) { arguments, context throws(CommandError) in
    guard let word = arguments.positional(0) else {
      for (option, actions) in optionActions where arguments.has(option) && !actions.isEmpty {
        throw .usage(
          "\(option) does not go with the list", command: "calendars",
          hint: "such as: calctl calendars \(example(of: actions.first))")
      }
      return try list(arguments, context)
    }
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
    for (option, actions) in optionActions
    where arguments.has(option) && !actions.contains(action) {
      throw .usage(
        "\(option) does not go with \(action.rawValue)", command: "calendars",
        hint: "such as: calctl calendars \(example(of: actions.first))")
    }
    try run(action, name, arguments, context)
  }

  /// Which options go with which actions; none of them is one of the list.
  private static let optionActions: [(option: String, actions: [CalendarAction])] = [
    ("--color", [.add]), ("--reminder", [.edit]), ("--all-day-reminder", [.edit]),
    ("--time-zone", [.edit]), ("--with-events", [.remove]), ("--reminders", []),
  ]

  private static let colorNames = [
    "blue", "green", "orange", "purple", "red", "yellow", "teal", "gray",
  ]

  private static func example(of action: CalendarAction?) -> String {
    guard let action else { return "--reminders" }
    return switch action {
    case .rename: "rename work Office"
    case .color: "color work teal"
    case .add: "add Work --color teal"
    case .edit: "edit work --reminder 10m"
    case .remove: "rm work --with-events"
    case .late: "late work 2h"
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
    let title = context.calendar(id).map { displayLine($0.text(.name)) } ?? id
    let said: String
    if action == .add || action == .rename {
      let new = action == .add ? name : arguments.positional(2) ?? ""
      try refuseTaken(new, by: id, context)
    }
    do throws(CommandError) {
      switch action {
      case .add:
        let id = try client.createCalendar(name, color: arguments.value("--color") ?? "")
        if arguments.has(.json) { return try context.output.json(["id": .string(id)]) }
        return try context.output.line("Added \(displayLine(name)), with the ID \(id).")
      case .remove:
        try remove(id, withEvents: arguments.has("--with-events"), client)
        said = "Removed \(title)."
      case .rename:
        changes.set(.name, arguments.positional(2) ?? "")
        said = "\(title) is called \(displayLine(arguments.positional(2) ?? "")) now."
      case .edit:
        changes = try defaults(arguments)
        said = ""
      case .color:
        changes.set(.color, arguments.positional(2) ?? "")
        said = "\(title) has another color now."
      case .late:
        let value = (arguments.positional(2) ?? "").lowercased()
        try checkLate(value)
        changes.set(.tellLate, value == "usual" ? "" : value)
        said = lateWords(value, title)
      case .show, .hide:
        changes.set(.visible, action == .show)
        said = action == .show ? "\(title) is shown." : "\(title) is hidden."
      case .makeDefault:
        changes.set(.isDefault, true)
        said = "New events go to \(title)."
      }
      if action != .remove { try client.updateCalendar(id, changes) }
    } catch {
      throw error.renamed([
        ("name", action == .add ? "CALENDAR" : "VALUE"),
        ("color", action == .add ? "--color" : "VALUE"),
        ("all-day-reminders", "--all-day-reminder"), ("reminders", "--reminder"),
        ("tell-late", "VALUE"), ("time-zone", "--time-zone"),
      ])
    }
    if arguments.has(.json) { return try context.output.json(["id": .string(id)]) }
    guard action == .edit else { return try context.output.line(said) }
    guard let row = context.calendar(id) else { return }
    if arguments.has("--time-zone") {
      let zone = row.text(.timeZone)
      try context.output.line(
        "New events of \(title) are on the clock of \(zone.isEmpty ? "the agent" : zone).")
    }
    if arguments.has("--reminder") || arguments.has("--all-day-reminder") {
      try context.output.line("Events of \(title) without reminders of their own \(rings(row)).")
    }
  }

  /// - Throws: what the agent refuses; of a calendar that has events with what removes those, too.
  private static func remove(
    _ id: String, withEvents: Bool, _ client: CalendarClient<CommandError>
  ) throws(CommandError) {
    do throws(CommandError) {
      try client.removeCalendar(id, withEvents: withEvents)
    } catch .refused(let name, let message) where message.hasSuffix("remove it with its events") {
      throw .refused(
        name: name, message: "\(message) (calctl calendars rm \(id) --with-events)")
    } catch {
      throw error
    }
  }

  /// Refuses a name that another calendar has: nobody could tell which is meant.
  ///
  /// - Parameter id: of the calendar that gets it; "" of a new one.
  private static func refuseTaken(
    _ name: String, by id: String, _ context: CommandContext
  ) throws(CommandError) {
    let small = name.lowercased()
    let other = try context.client().calendars().first {
      $0.text(.id) != id && $0.text(.name).lowercased() == small
    }
    guard let other else { return }
    throw .system(
      "there is a calendar \(other.text(.name)) already, with the ID \(other.text(.id)): "
        + "choose another name")
  }

  /// What `edit` changes.
  private static func defaults(_ arguments: ParsedArguments) throws(CommandError) -> Row {
    var changes = Row()
    if let zone = arguments.value("--time-zone") { changes.set(.timeZone, zone) }
    for (name, key) in [
      ("--reminder", RowKey.reminders), ("--all-day-reminder", .allDayReminders),
    ] where arguments.has(name) {
      let values = arguments.all(name).flatMap(EditedEvent.separated)
      let isNone = values.contains { $0.lowercased() == "none" }
      guard !isNone || values.count == 1 else {
        throw .usage(
          "\(name): none stands alone", command: "calendars", hint: "leave it or the others out")
      }
      changes.set(key, isNone ? [] : values)
    }
    guard !changes.entries.isEmpty else {
      throw .usage(
        "there is nothing to change", command: "calendars",
        hint: "such as: calctl calendars \(example(of: .edit))")
    }
    return changes
  }

  /// "ring 15 min before; all-day ones at 09:00 on the day".
  private static func rings(_ row: Row) -> String {
    func text(_ reminders: [String]) -> String {
      reminders.isEmpty ? "not at all" : reminders.joined(separator: ", ")
    }
    let timed = text(ReminderWords.defaults(of: row, allDay: false))
    let allDay = text(ReminderWords.defaults(of: row, allDay: true))
    let head = timed == text([]) ? "do not ring" : "ring \(timed)"
    return timed == allDay ? head : "\(head); all-day ones \(allDay)"
  }

  /// Refuses what is no limit, in the words of the command line: the agent has others for "usual".
  private static func checkLate(_ value: String) throws(CommandError) {
    if ["usual", "always"].contains(value) || (try? readDuration(value)) != nil { return }
    throw .usage(
      "VALUE: \"\(value)\" is no limit", command: "calendars",
      hint:
        "2h tells what was missed up to two hours late, always however late, usual up to the event's end"
    )
  }

  private static func lateWords(_ value: String, _ title: String) -> String {
    "Missed reminders of \(title) are told \(lateWords(value))."
  }

  private static func lateWords(_ value: String) -> String {
    switch value {
    case "usual": return "up to the end of the event, a day at least, whole days three"
    case "always": return "however late it is"
    default:
      let length = (try? CalendarDuration(text: value)).map(ReminderText.length)
      return "up to \(length ?? displayLine(value)) late"
    }
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
        (!row.text(.timeZone).isEmpty, displayLine(row.text(.timeZone))),
      ].filter(\.0).map(\.1).joined(separator: ", ")
    }
    let counts = rows.map { row in KindWords.text { row.number($0) } }
    let ids = rows.map { displayLine($0.text(.id)) }
    func width(_ texts: [String]) -> Int { texts.map(\.count).max() ?? 0 }
    let showsReminders = arguments.has("--reminders")
    try context.output.lines(
      rows.indices.flatMap { index in
        let line = [
          ids[index].padding(to: width(ids)), rows[index].text(.color),
          counts[index].padding(to: width(counts)), remarks[index].padding(to: width(remarks)),
          displayLine(rows[index].text(.name)),
        ].filter { !$0.isEmpty }.joined(separator: "  ")
        guard showsReminders else { return [line] }
        let late = rows[index].text(.tellLate)
        return [line, "  events without reminders of their own \(rings(rows[index]))"]
          + (late.isEmpty ? [] : ["  missed ones are told \(lateWords(late))"])
      })
  }
}
