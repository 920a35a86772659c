import CalendarBus
import Platform

extension CommandSpec {
  static let todos = CommandSpec(
    name: "todos", arguments: [],
    options: [
      .flag("--all", localized("include to-dos that are done or cancelled")),
      .value(
        "--calendar", "CALENDAR", repeats: true,
        localized("only to-dos of this calendar, its ID or its name (all that are shown)")),
      .flag("--ids", localized("print the ID of each, for show, rm and move")), .json,
    ],
    summary: localized("list imported to-dos by their due dates"),
    details: [
      localized(
        """
        "!" marks a priority of 1 to 4. To-dos have reminders, but can only be moved and removed. \
        Journal entries are in no list: calctl show "TITLE" prints one.
        """)
    ],
    examples: ["calctl todos", "calctl todos --all --ids"]
  ) { arguments, context throws(CommandError) in
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
}
