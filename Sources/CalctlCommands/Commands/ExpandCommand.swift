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
        "--dtstart", "START",
        localized("the first start: 20261121T090000, 20261121, or in UTC with a Z")),
      .value("--tzid", "ZONE", localized("the IANA zone of the start (none: floating)")),
      .flag("--all-day", localized("use only the day of the start")),
      .value("--rrule", "RULE", repeats: true, localized("a recurrence rule of RFC 5545")),
      .value("--exrule", "RULE", repeats: true, localized("a rule that excludes occurrences")),
      .value(
        "--rdate", "DATES", repeats: true, localized("more occurrences, separated by commas")),
      .value(
        "--exdate", "DATES", repeats: true,
        localized("occurrences to exclude, separated by commas")),
      .value("--limit", "N", localized("how many to print (10)")),
      .value(
        "--from", "WHEN", localized("print those from this date or time on; needs --to")),
      .value("--to", "WHEN", localized("print those before this date or time; needs --from")),
      .flag("--explain", localized("print the rules in words")),
      .flag("--batch", localized("read cases from standard input, one JSON object a line")),
      .json,
    ],
    summary: localized("print the occurrences of a recurrence rule, without the agent"),
    details: [
      localized(
        """
        Occurrences are printed in the form of --dtstart, in its zone. The start is an occurrence \
        even if it does not match the rule.
        """),
      localized(
        """
        --batch reads objects with id, dtstart, tzid, allday, rrule, exrule, rdate, exdate (lists) \
        and limit or window (two local times), and answers each with one line: {answer} or \
        {error}.
        """,
        [
          "answer": "{\"id\":…,\"occurrences\":[…]}",
          "error": "{\"id\":…,\"error\":{\"kind\":…,\"message\":…,\"position\":…}}",
        ]),
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
      context.output.warning(localized("recurrence rule: {remark}", ["remark": remark.text]))
    }
    for rule in request.rulesWithoutMatch {
      context.output.warning(
        localized(
          "{rule} matches no date; the start is the only occurrence", ["rule": rule.text]))
    }
    if arguments.has("--explain") {
      for rule in request.rules {
        try context.output.line(rule.words(in: MessageCatalogue.language))
      }
    }
    let found = try asUsageError { () throws(ExpandRequest.Fault) in try request.occurrences() }
    if arguments.has(.json) {
      return try context.output.json(["occurrences": .array(found.map(JSONValue.string))])
    }
    for text in found { try context.output.line(text) }
    if found.isEmpty { context.output.warning(localized("no occurrences")) }
  }
}

/// Reads a request from the command line, and converts its errors to those of a command.
private func asUsageError<Answer>(
  _ body: () throws(ExpandRequest.Fault) -> Answer
) throws(CommandError) -> Answer {
  do throws(ExpandRequest.Fault) {
    return try body()
  } catch {
    throw .usage(error.message, command: "expand", hint: nil)
  }
}

/// Reads requests from the command line and from lines of a batch, and answers them.
private struct Expander {
  let zones: any Zones

  func request(_ arguments: ParsedArguments) throws(ExpandRequest.Fault) -> ExpandRequest {
    guard let text = arguments.value("--dtstart") else {
      throw ExpandRequest.Fault(
        kind: "bad-request",
        message: localized(
          "{option} is missing; for example: {command}",
          ["option": "--dtstart", "command": "--dtstart 20261123T093000"]))
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
        throw ExpandRequest.Fault(
          kind: "limit",
          message: localized(
            "{option}: \"{value}\" must be a number", ["option": "--limit", "value": limit]))
      }
      return .first(number)
    case (nil, let from?, let to?):
      return .window(
        try ExpandRequest.reading(from, "--from"), try ExpandRequest.reading(to, "--to"))
    default:
      throw ExpandRequest.Fault(
        kind: "bad-request", message: localized("use either --limit, or both --from and --to"))
    }
  }

  /// Answers one line of a batch; an invalid line gets an error, so each line has one answer.
  func answer(toLine line: String) -> JSONValue {
    var id = JSONValue.null
    do throws(ExpandRequest.Fault) {
      let value: JSONValue
      do throws(JSONError) {
        value = try JSONReader.value(of: line, maximumOctets: 4 << 20)
      } catch {
        throw ExpandRequest.Fault(kind: "bad-request", text: error.text)
      }
      id = value["id"] ?? .null
      let found = try ExpandRequest(case: value, zones: zones).occurrences()
      return ["id": id, "occurrences": .array(found.map(JSONValue.string))]
    } catch {
      var fault = JSONObject([("kind", .string(error.kind)), ("message", .string(error.message))])
      if let position = error.position { fault["position"] = JSONValue(position) }
      return ["id": id, "error": .object(fault)]
    }
  }
}
