import CalendarBus
import DBus

extension CommandSpec {
  static let find = CommandSpec(
    name: "find",
    arguments: [
      ArgumentSpec(
        name: "WORD", isRequired: true,
        help: "what is looked for: words, phrases in double quotes, FIELD:WORD", repeats: true)
    ],
    options: [
      .value("--from", "MOMENT", "only events that happen from then on (any)"),
      .value(
        "--to", "MOMENT", "only events that happen before then; after --from also a length (any)"),
      .calendars,
      .value("--limit", "N", "how many at most, 1 to 5000 (20)"), .ids, .json,
    ],
    summary: "events that have all the words, the best first",
    details: [
      """
      A word finds what begins so, whatever the case and the accents, in titles, locations, descriptions, \
      attendees and categories; Chinese, Japanese, Korean and Thai wherever it stands. FIELD is summary, \
      location, description, attendee, category or calendar. Quotes are the shell's own, too: a phrase \
      needs both kinds.
      """,
      "Each event is listed once, with its next occurrence, or else its last.",
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
    let calendars = try arguments.calendars(context)
    if !calendars.isEmpty { options.set(.calendars, calendars) }
    let words = arguments.positionals.joined(separator: " ")
    let found: (rows: [Row], next: String)
    do throws(CommandError) {
      found = try context.client().search(words, options: options)
    } catch .refused(let name, let message) where isCalendarAlone(arguments.positionals) {
      throw .refused(
        name: name,
        message:
          "\(message.hasPrefix("query: ") ? "WORD: " + message.dropFirst(7) : message) (what is in a "
          + "calendar: calctl agenda --calendar \(words.dropFirst(9)))")
    } catch {
      throw error.renamed([
        ("from", "--from"), ("to", "--to"),
        ("calendars", "--calendar"), ("query", "WORD"),
      ])
    }
    let output = context.output
    if arguments.has(.json) { return try output.json(found.rows) }
    if found.rows.isEmpty { return try output.line("Nothing found.") }
    let showsIDs = arguments.has(.ids)
    try output.found(
      found.rows, hasMore: !found.next.isEmpty, showsIDs: showsIDs,
      alsoShared: showsIDs ? EventLookup(context: context).shared(among: found.rows) : [])
  }

  /// Whether nothing is looked for, but a calendar to look in.
  private static func isCalendarAlone(_ words: [String]) -> Bool {
    words.count == 1 && words[0].lowercased().hasPrefix("calendar:")
  }
}
