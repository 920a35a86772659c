import CalendarBus
import CivilTime
import DBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let backups = CommandSpec(
    name: "backups",
    arguments: [
      ArgumentSpec(
        name: "ACTION", isRequired: false, help: localized("restore (list the backups)")),
      ArgumentSpec(
        name: "ID", isRequired: false, help: localized("for restore: the ID of the backup")),
    ],
    options: [.json], summary: localized("list backups of the calendar, or restore one"),
    details: [
      localized(
        """
        On each day with changes the agent makes a backup, a minute after it starts or after \
        midnight. It keeps the last seven, at most 512 MiB in all, in the folder backups next to \
        the database. A backup has everything: events, the trash, calendar settings, the history.
        """),
      localized(
        """
        restore replaces the calendar with a backup. The calendar that was there becomes a backup \
        itself, so that you can go back. Reminders that were shown since are not shown again. The \
        agent never removes backups that are marked "replaced", "moved", "damaged" or "upgraded" \
        (the calendar before an update of Datebook).
        """),
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
          localized(
            """
            No backups yet. The agent makes one a minute after it starts, and after midnight.
            """))
      }
      var lines: [String] = []
      for row in rows { lines.append(try output.backup(row)) }
      return try output.lines(lines)
    }
    guard action == "restore" else {
      throw .usage(
        localized("unknown action \"{action}\"", ["action": action]), command: "backups",
        hint: CommandError.forExample("calctl backups restore 2026-11-26"))
    }
    guard let id = arguments.positional(1) else {
      throw .missing("ID", command: "backups", example: "calctl backups restore 2026-11-26")
    }
    let result: Row
    do throws(CommandError) { result = try client.restoreBackup(id) } catch {
      throw error.renamed([("id", "ID")])
    }
    if arguments.has(.json) { return try output.json(result) }
    try output.line(
      localized(
        Int(result.number(.events)),
        one: "Restored {id}: {count} event or to-do. The former calendar is the backup {backup}.",
        other:
          "Restored {id}: {count} events and to-dos. The former calendar is the backup {backup}.",
        ["id": id, "backup": result.text(.backup)]))
  }

  static let recover = CommandSpec(
    name: "recover", arguments: [], options: [.json],
    summary: localized("save what can be read of a damaged calendar"),
    details: [
      localized(
        """
        When the database is damaged, the agent no longer writes to it: events and reminders are \
        still shown, and changes are refused. recover makes a new database of what can be read; \
        the trash is saved, the undo history is not. The damaged file becomes a backup. If a \
        backup of the last days has more, use calctl backups restore instead.
        """)
    ],
    examples: ["calctl recover"]
  ) { arguments, context throws(CommandError) in
    let result = try context.client().recover()
    let output = context.output
    if arguments.has(.json) { return try output.json(result) }
    let (incomplete, lost) = (Int(result.number(.incomplete)), Int(result.number(.lost)))
    var lines = [
      localized(
        Int(result.number(.events)), one: "Saved {count} event or to-do in a new database.",
        other: "Saved {count} events and to-dos in a new database.")
    ]
    if incomplete > 0 {
      lines.append(
        localized(
          incomplete, one: "{count} event could be read only in part.",
          other: "{count} events could be read only in part."))
    }
    if lost > 0 {
      lines.append(
        localized(
          lost, one: "{count} event could not be read.",
          other: "{count} events could not be read."))
    }
    if lost + incomplete > 0 {
      lines.append(localized("A backup may have more: calctl backups lists them."))
    }
    lines.append(
      localized(
        "The damaged file is now the backup {backup}.", ["backup": result.text(.backup)]))
    try output.lines(lines)
  }

  static let pause = CommandSpec(
    name: "pause", arguments: [], options: [.json],
    summary: localized("close the calendar, so that its files can be copied or moved"),
    details: [
      localized(
        """
        Until calctl resume the agent does not touch its files, even after a restart of the \
        machine. Reminders that become due meanwhile are shown after calctl resume.
        """)
    ],
    examples: ["calctl pause"]
  ) { arguments, context throws(CommandError) in
    try context.client().pause()
    if arguments.has(.json) { return try context.output.json(["paused": .bool(true)]) }
    try context.output.line(
      localized("Paused: no reminders are shown until you run calctl resume."))
  }

  static let resume = CommandSpec(
    name: "resume", arguments: [], options: [.json],
    summary: localized("open the calendar after calctl pause"), examples: ["calctl resume"]
  ) { arguments, context throws(CommandError) in
    try context.client().resume()
    if arguments.has(.json) { return try context.output.json(["paused": .bool(false)]) }
    try context.output.line(localized("The calendar is open again."))
    let client = try context.client()
    if try client.properties()["Revision"]?.asInteger == 0, try !client.backups().isEmpty {
      context.output.warning(
        localized(
          "this is a new, empty calendar: calctl backups lists the backups of the one before"))
    }
  }
}

extension Output {
  /// A line of the list of backups.
  fileprivate func backup(_ row: Row) throws(CommandError) -> String {
    let time = try moment(Timestamp(seconds: row.number(.at)))
    let events =
      row.entries.contains { $0.key == .events }
      ? localized(
        Int(row.number(.events)), one: "{count} event or to-do", other: "{count} events and to-dos")
      : localized("cannot be read")
    let kind = row.text(.kind) == "daily" ? "" : "  " + BusWords.text(row.text(.kind)).inBrackets
    let size = Output.size(row.number(.bytes))
    return row.text(.id).padding(to: 10) + "  \(time)  \(localizedList([events, size]))\(kind)"
  }

  /// "240 kB", "3.2 MB".
  private static func size(_ bytes: Int64) -> String {
    let kilobytes = (bytes + 999) / 1000
    if kilobytes < 1000 { return "\(kilobytes) kB" }
    return "\(kilobytes / 1000).\(kilobytes % 1000 / 100) MB"
  }
}
