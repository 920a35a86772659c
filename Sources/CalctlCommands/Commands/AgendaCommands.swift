import CalendarBus
import CivilTime

extension CommandSpec {
  static let today = CommandSpec(
    name: "today", arguments: [], options: [CommandTable.json],
    summary: "what is on today", examples: ["calctl today", "calctl today --json"]
  ) { arguments, context throws(CommandError) in
    let rows = try context.client().today()
    if arguments.has("--json") { return try context.output.json(rows) }
    let today = try context.today()
    try context.output.agenda(rows, empty: "Nothing today.", firstDay: today, lastDay: today)
  }

  static let agenda = CommandSpec(
    name: "agenda",
    arguments: [
      ArgumentSpec(
        name: "FROM", isRequired: false, help: "the first day: 2026-11-21, tomorrow, mon (today)")
    ],
    options: [
      .value("--days", "N", "how many days, 1 to 366 (7)"), CommandTable.json,
    ],
    summary: "what is on from a day on, day by day",
    examples: [
      "calctl agenda", "calctl agenda tomorrow --days 1", "calctl agenda 2026-12-24 --days 3",
    ]
  ) { arguments, context throws(CommandError) in
    let days = try number(arguments.value("--days"), or: 7, option: "--days", in: 1...366, "agenda")
    let from = arguments.positional(0) ?? ""
    let rows = try context.client().agenda(from: from, days: days)
    if arguments.has("--json") { return try context.output.json(rows) }
    let firstDay = try context.day(from)
    try context.output.agenda(
      rows, empty: days == 1 ? "Nothing that day." : "Nothing in these \(days) days.",
      firstDay: firstDay, lastDay: firstDay.adding(days: Int(days) - 1))
  }

  static let next = CommandSpec(
    name: "next", arguments: [],
    options: [.value("--count", "N", "how many, 1 to 100 (1)"), CommandTable.json],
    summary: "what runs now or comes next",
    examples: ["calctl next", "calctl next --count 5 --json"]
  ) { arguments, context throws(CommandError) in
    let count = try number(
      arguments.value("--count"), or: 1, option: "--count", in: 1...100, "next")
    let rows = try context.client().next(count)
    if arguments.has("--json") { return try context.output.json(rows) }
    try context.output.agenda(rows, empty: "Nothing ahead.")
  }
}

/// Reads a number given as an option.
///
/// - Throws: ``CommandError/usage(_:command:hint:)`` for what is no number or lies
///   outside the range.
func number(
  _ text: String?, or fallback: UInt32, option: String, in range: ClosedRange<UInt32>,
  _ command: String
) throws(CommandError) -> UInt32 {
  guard let text else { return fallback }
  guard let number = UInt32(text), range.contains(number) else {
    throw .usage(
      "\(option): \"\(text)\" is no number from \(range.lowerBound) to \(range.upperBound)",
      command: command, hint: nil)
  }
  return number
}
