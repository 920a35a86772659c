import CalendarBus
import CivilTime
import JSON
import Phrases
import Platform
import Widgets

/// The actions of `calctl calendars`.
private enum CalendarAction: String, CaseIterable {
  case add, rename, edit, color, late, show, hide
  case makeDefault = "default"
  case remove = "rm"

  /// Whether a value follows the calendar on the command line.
  var hasValue: Bool { [.rename, .color, .late].contains(self) }
}

extension CommandSpec {
  static let calendars = CommandSpec(
    name: "calendars",
    arguments: [
      ArgumentSpec(
        name: "ACTION", isRequired: false,
        help: localized(
          "add, rename, color, edit, late, show, hide, default or rm (list the calendars)")),
      ArgumentSpec(
        name: "CALENDAR", isRequired: false,
        help: localized("its ID or its name; for add the new name")),
      ArgumentSpec(
        name: "VALUE", isRequired: false,
        help: localized(
          """
          for rename and color the new one; for late how late missed reminders are still shown: \
          2h, always or usual
          """)),
    ],
    options: [
      .value(
        "--color", "COLOR", words: colorNames,
        localized("for add: #rrggbb or a name (an unused color)")),
      .value(
        "--source", "SOURCE",
        localized("for add: create it at this source, such as a server (on this computer)")),
      .value(
        "--reminder", "BEFORE", repeats: true, words: ["none"],
        localized("for edit: the default reminder of timed events: 15m, 1d, or none")),
      .value(
        "--all-day-reminder", "TIME", repeats: true, words: ["none"],
        localized(
          """
          for edit: the default reminder of all-day events: 9:00 on the day, "1d 18:00" on the day \
          before, or none
          """)),
      .value(
        "--time-zone", "ZONE",
        localized("for edit: the time zone of new events; \"\" for the agent's")),
      .flag("--reminders", localized("for the list: also print the default reminders")),
      .flag("--with-events", localized("for rm: move its events to the trash, too")), .json,
    ],
    summary: localized("list, add, change or remove calendars"),
    details: [
      localized(
        """
        Events without reminders of their own have the default reminders. New events go to the \
        default calendar. The events of a hidden calendar are in no list and have no reminders; \
        those that were due meanwhile are not shown later. A missed reminder is shown until its \
        event ends, and for at least a day, or three for all-day events; late sets another limit. \
        calctl undo takes back each of these changes.
        """)
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
          localized("{option} needs an action", ["option": option]), command: "calendars",
          hint: example(of: actions.first))
      }
      return try list(arguments, context)
    }
    guard let action = CalendarAction(rawValue: word) else {
      let words = CalendarAction.allCases.map(\.rawValue)
      let near = nearest(word, among: words)
      throw .usage(
        localized(
          "\"{value}\" must be one of {words}",
          ["value": word, "words": localizedList(words)]),
        command: "calendars",
        hint: near.map { localized("did you mean {word}?", ["word": $0]) })
    }
    guard let name = arguments.positional(1), !action.hasValue || arguments.positional(2) != nil
    else {
      let missing = arguments.positional(1) == nil ? "CALENDAR" : "VALUE"
      throw .usage(
        localized("{argument} is missing", ["argument": missing]), command: "calendars",
        hint: example(of: action))
    }
    if !action.hasValue, let extra = arguments.positional(2) {
      throw .usage(
        localized("unexpected argument \"{argument}\"", ["argument": extra]),
        command: "calendars", hint: localized("put a text with spaces in quotes"))
    }
    for (option, actions) in optionActions
    where arguments.has(option) && !actions.contains(action) {
      throw .usage(
        localized(
          "{option} cannot be combined with {other}",
          ["option": option, "other": action.rawValue]),
        command: "calendars", hint: example(of: actions.first))
    }
    try run(action, name, arguments, context)
  }

  /// The actions that accept each option; an option without actions is for the list.
  private static let optionActions: [(option: String, actions: [CalendarAction])] = [
    ("--color", [.add]), ("--source", [.add]), ("--reminder", [.edit]),
    ("--all-day-reminder", [.edit]), ("--time-zone", [.edit]), ("--with-events", [.remove]),
    ("--reminders", []),
  ]

  private static let colorNames = [
    "blue", "green", "orange", "purple", "red", "yellow", "teal", "gray",
  ]

  /// Returns a hint with an example; nil means the list.
  private static func example(of action: CalendarAction?) -> String {
    let words =
      switch action {
      case nil: "--reminders"
      case .rename: "rename work Office"
      case .color: "color work teal"  // not translated
      case .add: "add Work --color teal"
      case .edit: "edit work --reminder 10m"
      case .remove: "rm work --with-events"
      case .late: "late work 2h"
      case let action?: "\(action.rawValue) work"
      }
    return CommandError.forExample("calctl calendars \(words)")
  }

  private static func run(
    _ action: CalendarAction, _ name: String, _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws(CommandError) {
    let client = try context.client()
    var changes = Row()
    let id = action == .add ? "" : try CalendarLookup(context: context).id(name, "CALENDAR")
    let title = context.calendar(id).map { displayLine($0.text(.name)) } ?? id
    let message: String
    if action == .add || action == .rename {
      let new = action == .add ? name : arguments.positional(2) ?? ""
      try refuseTaken(new, by: id, context)
    }
    do throws(CommandError) {
      switch action {
      case .add:
        let color = arguments.value("--color") ?? ""
        let id =
          if let source = arguments.value("--source") {
            try client.createCalendar(name, color: color, at: source)
          } else {
            try client.createCalendar(name, color: color)
          }
        if arguments.has(.json) { return try context.output.json(["id": .string(id)]) }
        return try context.output.line(
          localized(
            "Added calendar {calendar} with the ID {id}.",
            ["calendar": displayLine(name), "id": id]))
      case .remove:
        let row = context.calendar(id) ?? Row()
        let removal = try SourceCalendarRemoval(of: row, among: client.sources())
        // A program is not asked.
        if let removal, !arguments.has(.json), context.isTerminal(context.standardInput) {
          context.writeError(removal.question)
          guard try context.isYes() else {
            return try context.output.line(localized("Nothing was removed."))
          }
        }
        try remove(id, withEvents: arguments.has("--with-events"), client)
        message =
          removal?.message ?? localized("Removed calendar {calendar}.", ["calendar": title])
      case .rename:
        let name = arguments.positional(2) ?? ""
        changes.set(.name, name)
        message = localized(
          "Renamed calendar {calendar} to {name}.",
          ["calendar": title, "name": displayLine(name)])
      case .edit:
        changes = try defaults(arguments)
        message = ""
      case .color:
        changes.set(.color, arguments.positional(2) ?? "")
        message = localized("Changed the color of {calendar}.", ["calendar": title])
      case .late:
        let value = (arguments.positional(2) ?? "").lowercased()
        try checkLate(value)
        changes.set(.tellLate, value == "usual" ? "" : value)
        message = lateText(value, of: title)
      case .show, .hide:
        changes.set(.visible, action == .show)
        message =
          action == .show
          ? localized("{calendar} is now shown.", ["calendar": title])
          : localized("{calendar} is now hidden.", ["calendar": title])
      case .makeDefault:
        changes.set(.isDefault, true)
        message = localized("New events now go to {calendar}.", ["calendar": title])
      }
      if action != .remove { try client.updateCalendar(id, changes) }
    } catch {
      throw error.renamed([
        ("name", action == .add ? "CALENDAR" : "VALUE"),
        ("color", action == .add ? "--color" : "VALUE"),
        ("all-day-reminders", "--all-day-reminder"), ("reminders", "--reminder"),
        ("tell-late", "VALUE"), ("time-zone", "--time-zone"),
        ("id", arguments.has("--source") ? "--source" : "id"),
      ])
    }
    if arguments.has(.json) { return try context.output.json(["id": .string(id)]) }
    guard action == .edit else { return try context.output.line(message) }
    guard let row = context.calendar(id) else { return }
    if arguments.has("--time-zone") {
      let zone = row.text(.timeZone)
      try context.output.line(
        zone.isEmpty
          ? localized(
            "New events in {calendar} are in the agent's time zone.", ["calendar": title])
          : localized(
            "New events in {calendar} are in the time zone {zone}.",
            ["calendar": title, "zone": zone]))
    }
    if arguments.has("--reminder") || arguments.has("--all-day-reminder") {
      let (timed, allDay) = defaultReminders(row)
      try context.output.line(
        localized(
          """
          Default reminders of {calendar}: {timed}; for all-day events: {allDay}.
          """,
          ["calendar": title, "timed": timed, "allDay": allDay]))
    }
  }

  /// Removes a calendar.
  ///
  /// - Throws: Errors of the agent; for a calendar with events, with the command that removes both.
  private static func remove(
    _ id: String, withEvents: Bool, _ client: CalendarClient<CommandError>
  ) throws(CommandError) {
    do throws(CommandError) {
      try client.removeCalendar(id, withEvents: withEvents)
    } catch .refused(let name, let message) where name.hasSuffix(".Conflict") && !withEvents {
      // The last calendar cannot be removed, with or without its events.
      guard try client.calendars().count > 1 else {
        throw .refused(name: name, message: message)
      }
      throw .refused(
        name: name, message: message.with(remark: "calctl calendars rm \(id) --with-events"))
    } catch {
      throw error
    }
  }

  /// Refuses a name that another calendar has, since commands accept names in place of IDs.
  ///
  /// - Parameter id: The calendar that gets the name; "" for a new one.
  private static func refuseTaken(
    _ name: String, by id: String, _ context: CommandContext
  ) throws(CommandError) {
    let small = name.lowercased()
    let other = try context.client().calendars().first {
      $0.text(.id) != id && $0.text(.name).lowercased() == small
    }
    guard let other else { return }
    throw .system(
      localized(
        "a calendar named {calendar} exists already, with the ID {id}; choose another name",
        ["calendar": other.text(.name), "id": other.text(.id)]))
  }

  /// Returns the changes of `edit`.
  private static func defaults(_ arguments: ParsedArguments) throws(CommandError) -> Row {
    var changes = Row()
    if let zone = arguments.value("--time-zone") { changes.set(.timeZone, zone) }
    for (name, key) in [
      ("--reminder", RowKey.reminders), ("--all-day-reminder", .allDayReminders),
    ] where arguments.has(name) {
      let values = arguments.all(name).flatMap(EditedEvent.separated)
      let isNone = values.contains { $0.lowercased() == "none" }
      guard !isNone || values.count == 1 else {
        throw .notAlone("none", of: name, command: "calendars")
      }
      changes.set(key, isNone ? [] : values)
    }
    guard !changes.entries.isEmpty else {
      throw .usage(
        localized("nothing to change"), command: "calendars", hint: example(of: .edit))
    }
    return changes
  }

  /// Returns the default reminders of a calendar: "15 min before" and "at 09:00 on the day".
  private static func defaultReminders(_ row: Row) -> (timed: String, allDay: String) {
    func text(allDay: Bool) -> String {
      let reminders = ReminderWords.defaults(of: row, allDay: allDay)
      return reminders.isEmpty ? localized("none") : localizedList(reminders)
    }
    return (text(allDay: false), text(allDay: true))
  }

  /// Refuses an invalid limit; the agent's own error does not mention "usual".
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)``.
  private static func checkLate(_ value: String) throws(CommandError) {
    if ["usual", "always"].contains(value) || (try? readDuration(value)) != nil { return }
    throw .usage(
      localized(
        "VALUE: \"{value}\" must be a duration such as 2h, always or usual", ["value": value]),
      command: "calendars", hint: nil)
  }

  /// Returns how long missed reminders of a calendar are shown.
  ///
  /// - Parameter limit: "usual", "always", or a duration, in the form of the user or of the agent.
  private static func lateText(_ limit: String, of calendar: String) -> String {
    switch limit {
    case "usual":
      return localized(
        """
        Missed reminders of {calendar} are shown until the event ends, and for at least a day, or \
        three for all-day events.
        """,
        ["calendar": calendar])
    case "always":
      return localized(
        "Missed reminders of {calendar} are always shown.", ["calendar": calendar])
    default:
      return localized(
        "Missed reminders of {calendar} are shown up to {duration} late.",
        ["calendar": calendar, "duration": durationText(limit)])
    }
  }

  private static func durationText(_ limit: String) -> String {
    ((try? CalendarDuration(text: limit)) ?? (try? readDuration(limit)))
      .map(ReminderText.length) ?? displayLine(limit)
  }

  private static func list(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let rows = try context.client().calendars()
    if arguments.has(.json) { return try context.output.json(rows) }
    let remarks = rows.map { row in
      let remarks = [
        (row.flag(.isDefault), localized("default")), (!row.flag(.visible), localized("hidden")),
        (row.flag(.readOnly), localized("read-only")),
        (
          !["", "local"].contains(row.text(.source)),
          localized("source {source}", ["source": displayLine(row.text(.source))])
        ),
        (!row.text(.timeZone).isEmpty, displayLine(row.text(.timeZone))),
      ]
      return localizedList(remarks.filter(\.0).map(\.1))
    }
    let counts = rows.map { row in KindWords.text { row.number($0) } }
    let ids = rows.map { displayLine($0.text(.id)) }
    func width(_ texts: [String]) -> Int { texts.map(\.columns).max() ?? 0 }
    let showsReminders = arguments.has("--reminders")
    try context.output.lines(
      rows.indices.flatMap { index in
        let line = [
          ids[index].padding(to: width(ids)), rows[index].text(.color),
          counts[index].padding(to: width(counts)), remarks[index].padding(to: width(remarks)),
          displayLine(rows[index].text(.name)),
        ].filter { !$0.isEmpty }.joined(separator: "  ")
        return showsReminders ? [line] + reminderLines(rows[index]) : [line]
      })
  }

  private static func reminderLines(_ row: Row) -> [String] {
    let (timed, allDay) = defaultReminders(row)
    let defaults = localized(
      "default reminders: {timed}; for all-day events: {allDay}",
      ["timed": timed, "allDay": allDay])
    switch row.text(.tellLate) {
    case "": return ["  \(defaults)"]
    case "always": return ["  \(defaults)", "  " + localized("missed reminders: always shown")]
    case let limit:
      return [
        "  \(defaults)",
        "  "
          + localized(
            "missed reminders: shown up to {duration} late", ["duration": durationText(limit)]),
      ]
    }
  }
}
