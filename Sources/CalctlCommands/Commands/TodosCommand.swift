import CalendarBus

extension CommandSpec {
  static let todos = CommandSpec(
    name: "todos", arguments: [],
    options: [
      .flag("--all", "those that are done or cancelled, too"),
      .value(
        "--calendar", "CALENDAR", repeats: true,
        "only those of this calendar, its ID or its name (all that are shown)"),
      .flag("--ids", "print below each its ID, for show, rm and move"), .json,
    ],
    summary: "to-dos of imported calendars, by when they are due",
    details: [
      """
      ! marks a priority of 1 to 4. To-dos are kept and listed, and their alarms ring; calctl rm and calctl \
      move take their IDs, and nothing else changes them. Journal entries are in no list: calctl show "TITLE" \
      shows one with its ID.
      """
    ],
    examples: ["calctl todos", "calctl todos --all --ids"]
  ) { arguments, context throws(CommandError) in
    let showsAll = arguments.has("--all")
    let rows = try context.client().toDos(
      includesDone: showsAll, calendars: arguments.calendars(context))
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty { return try output.line(showsAll ? "No to-dos." : "Nothing to do.") }
    try output.toDos(rows, showsIDs: arguments.has(.ids))
  }
}
