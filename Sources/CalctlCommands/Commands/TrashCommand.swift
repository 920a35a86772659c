import CalendarBus
import CivilTime
import JSON
import Widgets

extension CommandSpec {
  static let trash = CommandSpec(
    name: "trash", arguments: [],
    options: [.value("--limit", "N", "the latest so many (all)"), .json],
    summary: "events that were removed within 30 days",
    details: [
      """
      Each has its ID on the line below, for calctl restore. A single occurrence that was removed \
      is not here, since its event is not: calctl undo brings it back, or calctl restore ID/OCCURRENCE; \
      show has each OCCURRENCE in brackets behind its day, under "not on".
      """
    ],
    examples: ["calctl trash"]
  ) { arguments, context throws(CommandError) in
    let limit = try arguments.number("--limit", or: 0, in: 1...1_000_000, of: "trash")
    let rows = try context.client().trash(limit: limit == 0 ? .max : Int(limit))
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty { return try output.line("The trash is empty.") }
    let names = try context.calendarNames()
    let shared = rows.sharedUIDs
    var lines: [String] = []
    for row in rows {
      let removed = try output.moment(Timestamp(seconds: row.number(.removed)))
      let calendar = row.text(.calendar)
      let place = names[calendar] ?? "calendar \(calendar), which is gone"
      lines.append(
        "removed \(removed)  \(displayLine(row.text(.summary)))  (\(displayLine(place)))")
      let reference = EventReference(row, withCalendar: shared.contains(row.text(.uid)))
      lines.append("  " + reference.text)
    }
    try output.lines(lines)
  }

  static let restore = CommandSpec(
    name: "restore",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: "its whole ID, as calctl trash prints it, or ID/OCCURRENCE for one occurrence")
    ],
    options: [
      .value(
        "--calendar", "CALENDAR",
        "where it goes, its ID or its name (where it was; the default one if that is gone)"), .json,
    ], summary: "put an event back that was removed, or one occurrence",
    details: ["With --calendar it is put back and moved, which are two steps to undo."],
    examples: [
      "calctl restore q7k2m9xw4cjt8vrn5hzb",
      "calctl restore q7k2m9xw4cjt8vrn5hzb --calendar personal",
      "calctl restore standup@example.org/20261123T083000Z",
    ]
  ) { arguments, context throws(CommandError) in
    let text = arguments.positionals[0]
    let target = try arguments.calendar(context)
    let client = try context.client()
    let names = try context.calendarNames()
    let row = try removed(text, names, client)
    if row == nil, let event = try RemovedOccurrence(text, context) {
      return try event.restore(to: target, isJSON: arguments.has(.json), context)
    }
    let uid = row?.text(.uid) ?? text
    var revision: Int64
    do throws(CommandError) {
      if let row {
        revision = try client.restore(uid, from: row.text(.calendar))
      } else {
        revision = try client.restore(text)
      }
    } catch {
      throw error.renamed([("uid", "ID")])
    }
    var calendar = row?.text(.calendar) ?? ""
    let isAway = row != nil && names[calendar] == nil
    if isAway {
      calendar = try client.calendars().first { $0.flag(.isDefault) }?.text(.id) ?? ""
    }
    if !target.isEmpty, target != calendar {
      let name = calendar.isEmpty ? text : "\(calendar)/\(uid)"
      revision = try client.move([name], to: target)
      calendar = target
    }
    let output = context.output
    if arguments.has(.json) {
      return try output.json([
        "uid": .string(uid), "calendar": .string(calendar), "revision": .integer(revision),
      ])
    }
    let title = displayLine(row?.text(.summary) ?? "")
    let place = names[calendar].map { " to \(displayLine($0))" } ?? ""
    try output.line("Restored \(title.isEmpty ? displayLine(uid) : title)\(place).")
    if isAway, target.isEmpty {
      output.warning(
        "its calendar \(row?.text(.calendar) ?? "") is gone: it is in the default one now (calctl move "
          + "\(EventReference(uid).text) CALENDAR puts it into another)")
    }
    if !calendar.isEmpty { context.warnIfHidden(calendar) }
  }

  /// The event of the trash that somebody means by its uid, with the id or the name of its
  /// calendar in front or not: of several the one that was removed last. nil where none is.
  private static func removed(
    _ text: String, _ names: [String: String], _ client: CalendarClient<CommandError>
  ) throws(CommandError) -> Row? {
    let rows = try client.trash()
    if let row = rows.first(where: { $0.text(.uid) == text }) { return row }
    let small = text.lowercased()
    return rows.first { row in
      let (uid, calendar) = (row.text(.uid), row.text(.calendar))
      guard text.hasSuffix("/\(uid)") else { return false }
      let front = small.dropLast(uid.count + 1)
      return front == calendar.lowercased() || front == (names[calendar] ?? "").lowercased()
    }
  }
}
