import CalendarBus
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
    examples: ["calctl import holidays.ics", "curl -s https://example.org/team.ics | calctl import -"]
  ) { arguments, context throws(CommandError) in
    let path = arguments.positionals[0]
    let descriptor = try context.openForReading(path)
    let outcome = try context.client().importFile(
      descriptor, calendar: arguments.value("--calendar") ?? "",
      mode: arguments.value("--mode") ?? "", isDryRun: arguments.has("--dry-run"))
    if arguments.has("--json") { return try context.output.json(outcome) }
    let counts = outcome.counts
    var parts = ["\(counts.added) added"]
    if counts.updated > 0 { parts.append("\(counts.updated) updated") }
    if counts.skipped > 0 { parts.append("\(counts.skipped) unchanged") }
    if counts.failed > 0 { parts.append("\(counts.failed) could not be read") }
    let verb = arguments.has("--dry-run") ? "Would import" : "Imported"
    try context.output.line("\(verb): \(parts.joined(separator: ", ")).")
    for problem in outcome.problems {
      let place = path == "-" ? "line" : "\(path):"
      context.output.warning(
        "\(place)\(problem.number(.line)): \(problem.text(.problemText))")
    }
  }
}
