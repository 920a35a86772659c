import CalendarBus
import DBus
import Platform

extension CommandSpec {
  static let find = CommandSpec(
    name: "find",
    arguments: [
      ArgumentSpec(
        name: "WORD", isRequired: true,
        help: localized("a word, a phrase in double quotes, or FIELD:WORD"), repeats: true)
    ],
    options: [
      .value("--from", "WHEN", localized("only events from then on (any)")),
      .value(
        "--to", "WHEN",
        localized("only events before then; with --from also a duration (any)")),
    ] + [.value("--limit", "N", localized("how many at most, 1 to 5000 (20)"))] + OptionSpec.lists,
    summary: localized("find events that contain all the words"),
    details: [
      localized(
        """
        A word matches the beginnings of words, without regard to case and accents, in titles, \
        locations, descriptions, attendees and categories; in Chinese, Japanese, Korean and Thai \
        also inside a text. FIELD is summary, location, description, attendee, category or \
        calendar. Put a phrase in single quotes, too, for the shell. Each event is listed once, \
        with its next or else its last occurrence: first those from today on by time, then the past \
        ones, the last first.
        """)
    ],
    examples: [
      "calctl find dentist", "calctl find '\"board meeting\"' location:berlin",
      "calctl find attendee:ana --from today --to 30d --ids",
    ]
  ) { arguments, context throws(CommandError) in
    let limit = try arguments.number("--limit", or: 20, in: 1...5000, of: "find")
    try context.checkRange(arguments, of: "find")
    var options = Row()
    options.set(.limit, .uint32(limit))
    options.setUnlessEmpty(.from, arguments.value("--from") ?? "")
    options.setUnlessEmpty(.to, arguments.value("--to") ?? "")
    let filter = try arguments.filter(context)
    filter.set(&options)
    let list = try EventList(arguments, filter, context, of: "find")
    let words = arguments.positionals.joined(separator: " ")
    let found: (rows: [Row], next: String)
    do throws(CommandError) {
      found = try FoundRows(context: context, words: words, limit: limit).rows(options)
    } catch .refused(let name, let message) where isCalendarAlone(arguments.positionals) {
      let reason = message.hasPrefix("query: ") ? "WORD: " + message.dropFirst(7) : message
      throw .refused(
        name: name,
        message: localized(
          "{error} (to list a calendar: {command})",
          ["error": reason, "command": "calctl agenda --calendar \(words.dropFirst(9))"]))
    } catch {
      throw error.renamed([
        ("from", "--from"), ("to", "--to"),
        ("calendars", "--calendar"), ("query", "WORD"),
      ])
    }
    try list.printFound(found.rows, hasMore: !found.next.isEmpty)
    if found.rows.isEmpty, !list.isWhole { try context.hintAtToDos(with: words, filter) }
  }

  /// Returns whether the only word is a calendar to search in.
  private static func isCalendarAlone(_ words: [String]) -> Bool {
    words.count == 1 && words[0].lowercased().hasPrefix("calendar:")
  }
}

extension CommandContext {
  /// Says on standard error that open to-dos have some words in their titles, if they do.
  fileprivate func hintAtToDos(
    with words: String, _ filter: ListFilter
  ) throws(CommandError) {
    let count = try client().toDos(includesDone: false, calendars: filter.calendars)
      .count { $0.mentions(words) }
    guard count > 0 else { return }
    output.warning(
      localized(
        count, one: "{count} to-do has this in its title (see: calctl todo)",
        other: "{count} to-dos have this in their titles (see: calctl todo)"))
  }
}
