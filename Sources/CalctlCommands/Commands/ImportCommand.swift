import CalendarBus
import JSON
import Platform

extension CommandSpec {
  static let importFile = CommandSpec(
    name: "import",
    arguments: [
      ArgumentSpec(name: "FILE", isRequired: true, help: "an iCalendar file; - is standard input")
    ],
    options: [
      .value("--calendar", "ID", "the calendar it goes to (the default one)"),
      .value("--mode", "WORD", "merge, replace or skip-existing (merge)"),
      .flag("--dry-run", "say what would happen, and keep nothing"),
      CommandTable.json,
    ],
    summary: "read an iCalendar file (.ics) into a calendar",
    examples: [
      "calctl import holidays.ics", "curl -s https://example.org/team.ics | calctl import -",
    ]
  ) { arguments, context throws(CommandError) in
    let path = arguments.positionals[0]
    let descriptor = try context.openForReading(path)
    let outcome = try context.client().importFile(
      descriptor, calendar: arguments.value("--calendar") ?? "",
      mode: arguments.value("--mode") ?? "", isDryRun: arguments.has("--dry-run"))
    if arguments.has("--json") {
      return try context.output.json([
        "counts": outcome.counts.json, "problems": .array(outcome.problems.map(\.value.json)),
      ])
    }
    var parts = ["\(outcome.count(.added)) added"]
    for (key, words) in [
      (RowKey.updated, "updated"), (.skipped, "unchanged"), (.failed, "could not be read"),
    ] where outcome.count(key) > 0 {
      parts.append("\(outcome.count(key)) \(words)")
    }
    let verb = arguments.has("--dry-run") ? "Would import" : "Imported"
    try context.output.line("\(verb): \(parts.joined(separator: ", ")).")
    for problem in outcome.problems {
      let place = path == "-" ? "line " : "\(path):"
      context.output.warning("\(place)\(problem.number(.line)): \(problem.text(.problemText))")
    }
  }
}
