import CivilTime
import JSON
import Messages
import Platform
import Recurrence

extension CommandSpec {
  static let expand = CommandSpec(
    name: "expand", arguments: [],
    options: [
      .value(
        "--dtstart", "START", "the first start: 20261121T090000, 20261121, or in UTC with a Z"),
      .value("--tzid", "ZONE", "the IANA zone of the start (none: floating)"),
      .flag("--all-day", "only the day of the start counts"),
      .value("--rrule", "RULE", repeats: true, "a recurrence rule of RFC 5545"),
      .value("--exrule", "RULE", repeats: true, "a rule that takes occurrences out"),
      .value("--rdate", "DATES", repeats: true, "more occurrences, commas between"),
      .value("--exdate", "DATES", repeats: true, "occurrences to leave out, commas between"),
      .value("--limit", "N", "how many to print (10)"),
      .value("--from", "WHEN", "print those from this date or time on; needs --to"),
      .value("--to", "WHEN", "the end of what --from begins; it is not included"),
      .flag("--explain", "say the rules in words"),
      .flag("--batch", "read cases from standard input, one JSON object a line"),
      .json,
    ],
    summary: "what a recurrence rule means, without the agent",
    details: [
      "Occurrences are printed in the form of --dtstart, on the clock of its zone. A start that the "
        + "rule does not meet is an occurrence, too.",
      "--batch takes objects with id, dtstart, tzid, allday, rrule, exrule, rdate, exdate (lists) and "
        + "limit or window (two local times), and answers each with one line: "
        + "{\"id\":…,\"occurrences\":[…]} or {\"id\":…,\"error\":{\"kind\":…,\"message\":…,"
        + "\"position\":…}}.",
    ],
    examples: [
      "calctl expand --dtstart 20261124T190000 --rrule \"FREQ=MONTHLY;BYDAY=2TU\" --limit 5",
      "calctl expand --dtstart 20261121 --rrule \"FREQ=YEARLY\" --from 2030-01-01 --to 2040-01-01",
      "calctl expand --dtstart 20261121T090000 --rrule \"FREQ=WEEKLY;BYDAY=SA,SU\" --explain",
    ]
  ) { arguments, context throws(CommandError) in
    let expander = Expander(zones: context.zones)
    if arguments.has("--batch") {
      for line in try context.standardInputLines() {
        try context.output.json(expander.answer(toLine: line))
      }
      return
    }
    let request = try asUsageError { () throws(ExpandRequest.Fault) in
      try expander.request(arguments)
    }
    for remark in request.remarks(on: arguments.all("--rrule")) {
      context.output.warning("recurrence rule: \(remark)")
    }
    for rule in request.rulesWithoutMatch {
      context.output.warning("\(rule.text) matches nothing; the start alone is left")
    }
    if arguments.has("--explain") {
      for rule in request.rules { try context.output.line(rule.inWords) }
    }
    let found = try asUsageError { () throws(ExpandRequest.Fault) in try request.occurrences() }
    if arguments.has(.json) {
      return try context.output.json(["occurrences": .array(found.map(JSONValue.string))])
    }
    for text in found { try context.output.line(text) }
    if found.isEmpty { context.output.warning("no occurrence") }
  }
}

/// Runs what reads a request from the command line.
private func asUsageError<Answer>(
  _ body: () throws(ExpandRequest.Fault) -> Answer
) throws(CommandError) -> Answer {
  do throws(ExpandRequest.Fault) {
    return try body()
  } catch {
    throw .usage(error.message, command: "expand", hint: nil)
  }
}

/// Turns command lines and lines of a batch into requests, and those into
/// answers.
private struct Expander {
  let zones: any Zones

  func request(_ arguments: ParsedArguments) throws(ExpandRequest.Fault) -> ExpandRequest {
    guard let text = arguments.value("--dtstart") else {
      throw ExpandRequest.Fault(
        kind: "bad-request", message: "--dtstart is missing, such as --dtstart 20261123T093000")
    }
    let start = try ExpandRequest.Start(
      text, zone: arguments.value("--tzid") ?? "", isAllDay: arguments.has("--all-day"),
      zones: zones)
    return try ExpandRequest(
      start: start, rules: arguments.all("--rrule"), exclusionRules: arguments.all("--exrule"),
      added: arguments.all("--rdate"), excluded: arguments.all("--exdate"),
      extent: try extent(arguments))
  }

  private func extent(
    _ arguments: ParsedArguments
  ) throws(ExpandRequest.Fault) -> ExpandRequest.Extent {
    switch (arguments.value("--limit"), arguments.value("--from"), arguments.value("--to")) {
    case (nil, nil, nil): return .first(ExpandRequest.defaultLimit)
    case (let limit?, nil, nil):
      guard let number = Int(limit) else {
        throw ExpandRequest.Fault(kind: "limit", message: "--limit: \"\(limit)\" is no number")
      }
      return .first(number)
    case (nil, let from?, let to?):
      return .window(
        try ExpandRequest.reading(from, "--from"), try ExpandRequest.reading(to, "--to"))
    default:
      throw ExpandRequest.Fault(
        kind: "bad-request", message: "give either --limit or both of --from and --to")
    }
  }

  /// Answers one line of a batch; a line that is no case is answered with an
  /// error, so that there is one line out for each line in.
  func answer(toLine line: String) -> JSONValue {
    var id = JSONValue.null
    do throws(ExpandRequest.Fault) {
      let value: JSONValue
      do throws(JSONError) {
        value = try JSONReader.value(of: line, maximumOctets: 4 << 20)
      } catch {
        throw ExpandRequest.Fault(kind: "bad-request", message: "\(error)")
      }
      id = value["id"] ?? .null
      let found = try ExpandRequest(case: value, zones: zones).occurrences()
      return ["id": id, "occurrences": .array(found.map(JSONValue.string))]
    } catch {
      var fault = JSONObject([("kind", .string(error.kind)), ("message", .string(error.text.english))])
      if let position = error.position { fault["position"] = JSONValue(position) }
      return ["id": id, "error": .object(fault)]
    }
  }
}
