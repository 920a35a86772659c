import CalendarBus
import DBus
import JSON

extension CommandSpec {
  static let show = CommandSpec(
    name: "show",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true, help: "the event's ID, or the beginning of it; see IDs")
    ],
    options: [.json], summary: "everything about an event or a to-do",
    details: [
      """
      If no event has the ID, those whose ID begins with it are looked for, among all there are. A \
      single one is shown; several are listed, and none is guessed. Where other calendars have an \
      event of the same ID, "also in" names them.
      """
    ],
    examples: [
      "calctl show q7k2m9xw4cjt8vrn5hzb", "calctl show q7k2",
      "calctl show standup@example.org/20261123T083000Z",
      "calctl show Office/standup@example.org",
    ]
  ) { arguments, context throws(CommandError) in
    let reference = EventReference(arguments.positionals[0])
    let lookup = EventLookup(context: context)
    let found: EventLookup.Found
    do throws(CommandError) {
      found = try lookup.event(beginning: reference)
    } catch {
      guard case .notFound(_, near: []) = error, let toDo = try toDo(reference.text, context) else {
        throw error
      }
      if arguments.has(.json) { return try context.output.json(toDo) }
      return try context.output.toDo(toDo)
    }
    let event = found.event
    if arguments.has(.json) { return try context.output.json(event) }
    let names = try context.calendarNames()
    let others = try lookup.others(besides: found).map { other in
      let id = EventReference(
        calendar: other.calendar, uid: other.uid, occurrence: other.occurrence)
      return "\(names[other.calendar] ?? other.calendar) (\(id.text))"
    }
    let isFloating = event.text(.timeZone) == "floating"
    try context.output.event(
      event, in: context.calendar(event.text(.calendar)), others: others,
      zone: isFloating ? nil : try context.zone(reading: event.text(.timeZone)))
  }

  /// The to-do with this ID, or the only one whose ID begins with it; nil where there is none.
  private static func toDo(
    _ text: String, _ context: CommandContext
  ) throws(CommandError) -> Row? {
    // No to-do has the empty ID.
    if text.isEmpty { return nil }
    let client = try context.client()
    // Those of hidden calendars, too, as with events.
    let rows = try client.toDos(
      includesDone: true, calendars: client.calendars().map { $0.text(.id) })
    let (uid, _) = EventReference(text).readings[0]
    if let row = rows.first(where: { [text, uid].contains($0.text(.uid)) }) { return row }
    let near = rows.filter { $0.text(.uid).hasPrefix(text) }
    guard near.count > 1 else { return near.first }
    throw .notFound(
      "\(near.count) to-dos have an ID that begins so:",
      near: near.prefix(10).map { "\($0.text(.uid))  \($0.text(.summary))" })
  }
}
