import CalendarBus
import JSON
import Platform
import Widgets

/// What is wrong with sources.
enum SourceProblems {
  /// The states in which a source is not synchronised before something else happens.
  private static let states: Set<String> = [
    "waiting", "sign-in", "locked", "confirm", "certificate",
  ]

  /// Returns the rows of List whose last run, or a part of it, failed.
  static func rows(among rows: [Row]) -> [Row] {
    rows.filter { states.contains($0.text(.state)) || !$0.text(.reason).isEmpty }
  }

  /// "Cloud (cloud): The server cannot be reached; …", with the reason and what to do.
  static func line(_ row: Row) -> String {
    let (id, name) = (row.text(.id), displayLine(row.text(.name)))
    let title = name.isEmpty || name == id ? id : name.with(remark: id)
    return title.with(text: displayLine(row.text(.problemText)))
  }

  /// The same for programs: `id`, `name` and `text`.
  static func json(_ rows: [Row]) -> JSONValue {
    .array(
      rows.map { row in
        [
          "id": .string(row.text(.id)), "name": .string(row.text(.name)),
          "text": .string(row.text(.problemText)),
        ]
      })
  }
}

extension CommandSpec {
  /// Synchronises a source, or all, and reports what was done and what failed.
  ///
  /// - Throws: ``CommandError/partial`` if something failed.
  static func synchronise(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let (client, output) = (try context.client(), context.output)
    let id = arguments.positional(1) ?? ""
    let counts = try context.synchronise(id)
    let sources = try client.sources()
    let problems = SourceProblems.rows(
      among: sources.filter { id.isEmpty || $0.text(.id) == id })
    if arguments.has(.json) {
      let members = counts.map { ($0.name, JSONValue.integer($0.count)) }
      try output.json(
        .object(JSONObject(members + [("problems", SourceProblems.json(problems))])))
    } else if sources.isEmpty {
      try output.line(SourceListing.none)
    } else {
      try output.lines([SourceCounts.line(counts)] + problems.map(SourceProblems.line))
    }
    if counts.contains(where: { $0.name == "failed" && $0.count > 0 }) { throw .partial }
  }
}
