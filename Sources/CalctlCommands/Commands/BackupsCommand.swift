import CalendarBus
import CivilTime
import DBus
import JSON

extension CommandSpec {
  static let backups = CommandSpec(
    name: "backups",
    arguments: [
      ArgumentSpec(name: "ACTION", isRequired: false, help: "restore (list them)"),
      ArgumentSpec(name: "ID", isRequired: false, help: "of restore: the backup, as the list has it"),
    ],
    options: [.json], summary: "list the copies of the calendar, or put one back",
    details: [
      """
      On each day on which the calendar has changed since the last copy, the agent takes one: a minute after it \
      starts, or after midnight. It keeps the last seven, together at most 512 MiB, in the folder backups beside \
      the database. A copy has everything: events, the trash, settings of calendars, the history.
      """,
      """
      restore puts a copy in the place of what is there, which is kept as a backup itself, so that it can be put \
      back the same way. Reminders that were shown since do not come again. The other kinds in the list, "replaced", \
      "moved" and "damaged", are never removed by the agent.
      """,
    ],
    examples: ["calctl backups", "calctl backups restore 2026-11-26"]
  ) { arguments, context throws(CommandError) in
    let client = try context.client()
    let output = context.output
    guard let action = arguments.positional(0) else {
      let rows = try client.backups()
      if arguments.has(.json) { return try output.json(rows) }
      if rows.isEmpty {
        return try output.line(
          "No backups yet: one is taken a minute after the agent starts, and after midnight.")
      }
      var lines: [String] = []
      for row in rows { lines.append(try output.backup(row)) }
      return try output.lines(lines)
    }
    guard action == "restore" else {
      throw .usage(
        "there is no action \"\(action)\"", command: "backups",
        hint: "calctl backups lists them; calctl backups restore ID puts one back")
    }
    guard let id = arguments.positional(1) else {
      throw .usage(
        "ID is missing", command: "backups",
        hint: "calctl backups lists them; such as: calctl backups restore 2026-11-26")
    }
    let result: Row
    do throws(CommandError) { result = try client.restoreBackup(id) } catch {
      throw error.renamed([("id", "ID")])
    }
    if arguments.has(.json) { return try output.json(result) }
    try output.line(
      "Restored \(id): \(Output.count(result.number(.events), "event")). What was there before is kept as "
        + "\(result.text(.backup)).")
  }

  static let recover = CommandSpec(
    name: "recover", arguments: [], options: [.json],
    summary: "save what can be read of a damaged calendar",
    details: [
      """
      When the agent finds its database damaged, it writes nothing to it any more: what can be read is shown, \
      reminders go on, and changes are refused. recover makes a new database of what can be read and goes on with it. \
      The damaged file is kept as a backup. The undo history is lost, the trash is not. Where a backup of the last days \
      has more, calctl backups restore puts that back instead.
      """
    ],
    examples: ["calctl recover"]
  ) { arguments, context throws(CommandError) in
    let result = try context.client().recover()
    let output = context.output
    if arguments.has(.json) { return try output.json(result) }
    var lines = ["Saved \(Output.count(result.number(.events), "event")) in a new database."]
    if result.number(.incomplete) > 0 {
      lines.append(
        "\(Output.count(result.number(.incomplete), "event")) of them could be read only in part.")
    }
    if result.number(.lost) > 0 {
      lines.append("\(Output.count(result.number(.lost), "event")) could not be read.")
    }
    if result.number(.lost) + result.number(.incomplete) > 0 {
      lines.append("A copy of the last days may have more: calctl backups lists them.")
    }
    lines.append("The damaged file is kept as the backup \(result.text(.backup)).")
    try output.lines(lines)
  }

  static let pause = CommandSpec(
    name: "pause", arguments: [], options: [.json],
    summary: "close the calendar, so that its files can be copied or moved",
    details: [
      """
      Until calctl resume the agent leaves its files alone, however often bars and programs call it, and after a \
      restart of the machine, too. No reminder is shown meanwhile; what fell due is shown after calctl resume.
      """
    ],
    examples: ["calctl pause"]
  ) { arguments, context throws(CommandError) in
    try context.client().pause()
    if arguments.has(.json) { return try context.output.json(["paused": .bool(true)]) }
    try context.output.line("Paused: no reminder is shown until calctl resume.")
  }

  static let resume = CommandSpec(
    name: "resume", arguments: [], options: [.json], summary: "go on after calctl pause",
    examples: ["calctl resume"]
  ) { arguments, context throws(CommandError) in
    try context.client().resume()
    if arguments.has(.json) { return try context.output.json(["paused": .bool(false)]) }
    try context.output.line("The calendar is open again.")
    let client = try context.client()
    if try client.properties()["Revision"]?.asInteger == 0, try !client.backups().isEmpty {
      context.output.warning(
        "it is a new and empty one: calctl backups lists the copies of the one before")
    }
  }
}

extension Output {
  /// A line of the list of backups.
  fileprivate func backup(_ row: Row) throws(CommandError) -> String {
    let time = try moment(Timestamp(seconds: row.number(.at)))
    let events =
      row.entries.contains { $0.key == .events }
      ? Output.count(row.number(.events), "event") : "cannot be read"
    let kind = row.text(.kind) == "daily" ? "" : "  (\(row.text(.kind)))"
    return row.text(.id).padding(to: 10) + "  \(time)  \(events), \(Output.size(row.number(.bytes)))"
      + kind
  }

  fileprivate static func count(_ number: Int64, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// "240 kB", "3.2 MB".
  private static func size(_ bytes: Int64) -> String {
    let kilobytes = (bytes + 999) / 1000
    if kilobytes < 1000 { return "\(kilobytes) kB" }
    return "\(kilobytes / 1000).\(kilobytes % 1000 / 100) MB"
  }
}
