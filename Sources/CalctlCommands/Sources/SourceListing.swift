import CalendarBus
import CivilTime
import Platform

extension CommandContext {
  /// Prints the sources, with what is wrong with each and what to do.
  func listSources(_ arguments: ParsedArguments) throws(CommandError) {
    let rows = try client().sources()
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty {
      return try output.line(SourceListing.none)
    }
    var lines: [String] = []
    for row in rows {
      lines.append("\(row.text(.id))  \(row.text(.kind))  \(row.text(.url))")
      lines.append("  " + row.text(.problemText))
      if row.number(.lastSuccess) > 0 {
        lines.append(
          "  "
            + localized(
              "last synchronised {when}",
              ["when": try output.moment(Timestamp(seconds: row.number(.lastSuccess)))]))
      }
      let pending = Int(row.number(.pending))
      if pending > 0 {
        lines.append(
          "  "
            + localized(
              pending, one: "{count} change is still to be sent",
              other: "{count} changes are still to be sent"))
      }
      if let line = CommandSpec.guestsLine(row) { lines.append("  " + line) }
    }
    try output.lines(lines)
  }
}

/// The list of sources, for people.
enum SourceListing {
  /// What is printed if there are no sources.
  static var none: String {
    localized("No sources yet. Add one: calctl sources add caldav cloud.example.org")
  }
}

/// What a run did, for people.
enum SourceCounts {
  /// "3 added, 1 updated, 2 sent"; "Nothing has changed."
  static func line(_ counts: [(name: String, count: Int64)]) -> String {
    func count(_ name: String) -> Int { Int(counts.first { $0.name == name }?.count ?? 0) }
    let parts: [(Int, String)] = [
      (count("added"), localized("{number} added", ["number": count("added")])),
      (count("updated"), localized("{number} updated", ["number": count("updated")])),
      (count("removed"), localized("{number} removed", ["number": count("removed")])),
      (count("sent"), localized("{number} sent", ["number": count("sent")])),
      (count("conflicts"), localized("{number} in conflict", ["number": count("conflicts")])),
      (count("failed"), localized("{number} failed", ["number": count("failed")])),
    ]
    let present = parts.filter { $0.0 > 0 }.map(\.1)
    return present.isEmpty
      ? localized("Nothing has changed.")
      : localized("{sentence}.", ["sentence": localizedList(present)])
  }
}
