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
      .calendar,
      .choice(
        "--mode", "WORD", of: ["merge", "replace", "skip-existing"],
        "what to do with an event that is there already: merge, replace or skip-existing (merge)"),
      .flag("--dry-run", "say what would happen, and keep nothing"),
      .json,
    ],
    summary: "read an iCalendar file (.ics) into a calendar",
    details: [
      """
      merge keeps the newer of two versions of an event, by SEQUENCE and LAST-MODIFIED; replace \
      takes what the file has; skip-existing adds only what is new. One event that cannot be read \
      does not lose the others: each such fault is a line on standard error.
      """
    ],
    examples: [
      "calctl import holidays.ics --dry-run",
      "curl -s https://example.org/team.ics | calctl import -",
    ]
  ) { arguments, context throws(CommandError) in
    let path = arguments.positionals[0]
    let source = path == "-" ? "standard input" : path
    let descriptor = try context.openForReading(path)
    let client = try context.client()
    let outcome: CalendarClient<CommandError>.ImportOutcome
    do throws(CommandError) {
      outcome = try client.importFile(
        descriptor, calendar: arguments.value(OptionSpec.calendar.name) ?? "",
        mode: arguments.value("--mode") ?? "", isDryRun: arguments.has("--dry-run"))
    } catch .refused(let name, let message) where name.hasSuffix(".ParseFailed") {
      throw .refused(name: name, message: "\(source) is no iCalendar file: \(message)")
    } catch {
      throw error.renamed([("mode", "--mode")])
    }
    let output = context.output
    if arguments.has(.json) {
      return try output.json([
        "counts": outcome.counts.json, "problems": .array(outcome.problems.map(\.value.json)),
      ])
    }
    var parts: [String] = []
    for (key, words) in [
      (RowKey.added, "added"), (.updated, "updated"), (.skipped, "unchanged"),
      (.failed, "could not be read"),
    ] where outcome.count(key) > 0 {
      parts.append("\(outcome.count(key)) \(words)")
    }
    let verb = arguments.has("--dry-run") ? "Would import" : "Imported"
    let what = parts.isEmpty ? "no events" : parts.joined(separator: ", ")
    try output.line("\(verb) \(source): \(what)")
    for problem in outcome.problems {
      output.warning("\(source):\(problem.number(.line)): \(problem.text(.problemText))")
    }
    // A script must notice that nothing came in.
    let kept = [RowKey.added, .updated, .skipped].contains { outcome.count($0) > 0 }
    if !kept, outcome.count(.failed) > 0 {
      throw .system("nothing of \(source) could be read")
    }
  }
}
