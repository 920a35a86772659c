import CalendarBus
import CivilTime
import DBus
import JSON
import Phrases
import Platform
import Widgets

extension CommandSpec {
  static let edit = CommandSpec(
    name: "edit",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: localized(
          """
          the ID of an event or a to-do, its beginning, or the title or a part of it; \
          ID/OCCURRENCE or TITLE@DAY for one occurrence; see IDs
          """))
    ],
    options: [
      .value("--title", "TEXT", localized("the title")),
      .value(
        "--start", "WHEN",
        localized(
          """
          when it begins; a time alone keeps the day, a day alone the time; +1d and -30m count \
          from its present start
          """)),
      .value(
        "--end", "WHEN",
        localized(
          """
          when it ends, or how long it lasts: 45m; a day alone keeps the time, and of an all-day \
          event is its last one (the same duration)
          """)),
      .flag("--all-day", localized("an all-day event; --end is its last day")),
      .value("--location", "TEXT", localized("where it is")),
      .value("--description", "TEXT", localized("a longer text")),
      .value("--url", "URL", localized("a web address")),
      .value(
        "--repeat", "RULE", repeats: true, words: RepeatWord.allCases.map(\.rawValue) + ["none"],
        localized(
          "how often: weekly; mon,wed; \"every 2 weeks\"; or a rule; see Repeating; none for once")),
      .value(
        "--reminder", "BEFORE", repeats: true, words: ["none", "default"],
        localized(
          """
          replaces the reminders: how long before the start, 15m or 1d; or when, 9:00 on the day \
          or "1d 18:00" on the day before; none for no reminder, default for those of the \
          calendar; see Reminders
          """)),
      .value(
        "--time-zone", "ZONE",
        localized("an IANA zone, in which --start is read; without --start it keeps its time")),
      .busy, .free, .color, .dueToDo, .toDoPriority,
      .value("--calendar", "CALENDAR", localized("move it to this calendar")),
      .flag("--editor", localized("change it in your editor")),
    ]
      + OptionSpec.scopes(
        localized(
          """
          what to change: this, this-and-future or all (all; with an occurrence in the ID: this)
          """)) + [.yes, .json],
    summary: localized("change an event, one occurrence of it, or a to-do"),
    details: [
      localized(
        """
        Only what you name changes. An empty text removes a location, description or URL. With \
        this-and-future the event ends before the occurrence, and continues as a new event, whose \
        ID is printed. --calendar with other options is a second step to undo. Of a series without \
        a day and a scope, all occurrences change; on a terminal it asks whether it is only the \
        next one, that and the following, or all.
        """),
      localized(
        """
        Without a change, on a terminal or with --editor, $VISUAL or $EDITOR opens with the fields \
        of the event and its description. Save and close it to change the event; it opens again \
        if something cannot be read. Left as it is, or emptied, it changes nothing. A text that is \
        refused and left so, or cannot be stored, stays in a file, whose name is printed.
        """),
      localized(
        "Of a to-do, {options} can be changed.",
        ["options": localizedList(ToDoEdit.keys.map(\.name))]),
    ],
    examples: [
      "calctl edit q7k2m9xw4cjt8vrn5hzb --start 15:00 --location \"Room Ada\"",
      "calctl edit \"Team standup@fri\" --start 10:00", "calctl edit \"Team lunch\"",
      "calctl edit standup@example.org/20261123T083000Z --scope this-and-future --end 20m",
      "calctl edit q7k2m9xw4cjt8vrn5hzb --repeat none --reminder none",
    ]
  ) { arguments, context throws(CommandError) in
    let given = EditedEvent.firstOption(arguments)
    if let given, arguments.has("--editor") {
      throw .exclusive("--editor", given, command: "edit")
    }
    let opens = given == nil && EditedEvent.opensEditor(arguments, context)
    // The options are checked before anything is asked.
    let ownOfToDos = ToDoEdit.ownOption(arguments)
    if ownOfToDos != nil {
      _ = try ToDoEdit.row(arguments, command: "edit")
    } else if !opens {
      _ = try EditedEvent.row(arguments, context.localPhrases)
    }
    let scope = try arguments.scope(of: "edit")
    _ = try arguments.calendar(context)
    let reference = EventReference(arguments.positionals[0])
    let lookup = EventLookup(context: context)
    let found = try lookup.any(reference)
    if found.kind == .toDo { return try editToDo(found, reference, given, arguments, context) }
    if let ownOfToDos {
      throw .usage(
        localized(
          "{option}: \"{id}\" is no to-do", ["option": ownOfToDos, "id": reference.text]),
        command: "edit", hint: nil)
    }
    if found.kind != .event {
      throw .system(
        localized(
          """
          only events and to-dos can be edited, but "{id}" has the kind "{kind}" (calctl rm removes it, \
          calctl move moves it to another calendar)
          """,
          ["id": reference.text, "kind": found.kindName]))
    }
    let asked = AskedScope(context: context)
    try asked.requireOccurrence(found, scope: scope, command: "edit")
    var edit = EventEdit(context: context, found: found, reference: reference, scope: scope)
    if opens {
      // On a terminal the form asks: it names the event, and which of its occurrences change.
      if !context.canAsk(arguments), !arguments.has(.yes) {
        try lookup.refuse(doubtful: found, reference)
      }
    } else if asked.isNeeded(found, scope: scope, arguments) {
      guard let (found, scope) = try asked.ask(found) else {
        return try context.output.line(localized("Nothing was changed."))
      }
      edit = EventEdit(context: context, found: found, reference: reference, scope: scope)
    } else if try !lookup.confirms(found, reference, arguments) {
      return try context.output.line(localized("Nothing was changed."))
    }
    guard opens else {
      try edit.run(arguments)
      return
    }
    if try !edit.openForm(isJSON: arguments.has(.json)) {
      try context.output.line(localized("Nothing was changed."))
    }
  }

  /// - Parameter given: The first option for a change.
  private static func editToDo(
    _ found: EventLookup.Found, _ reference: EventReference, _ given: String?,
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let own = ToDoEdit.keys.map(\.name)
    let other = arguments.has("--scope") ? "--scope" : given.flatMap { own.contains($0) ? nil : $0 }
    if let other {
      throw .usage(
        localized("{option}: \"{id}\" is a to-do", ["option": other, "id": reference.text]),
        command: "edit",
        hint: localized(
          "of a to-do, {options} can be changed", ["options": localizedList(own)]))
    }
    guard try EventLookup(context: context).confirms(found, reference, arguments) else {
      return try context.output.line(localized("Nothing was changed."))
    }
    try ToDoEdit(context: context).run(found, arguments, command: "edit")
  }
}
