import CalendarBus
import CivilTime
import Widgets

extension CommandSpec {
  static let why = CommandSpec(
    name: "why",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: "an event's ID or that of a reminder, or the beginning of it; see IDs")
    ],
    options: [.json], summary: "why an event rang, will ring, or does not",
    details: [
      """
      What became of its last 200 reminders, and when the next 10 ring. A reminder is known also \
      when its event is gone.
      """
    ],
    examples: [
      "calctl why q7k2m9xw4cjt8vrn5hzb", "calctl why standup@example.org/20261123T083000Z",
    ]
  ) { arguments, context throws(CommandError) in
    let rows = try found(arguments.positionals[0], context)
    if arguments.has(.json) { return try context.output.json(rows) }
    try context.output.why(rows)
  }

  /// The event of that ID, one that is gone, the only one whose ID begins so, or that of
  /// the only reminder whose ID begins so.
  private static func found(
    _ text: String, _ context: CommandContext
  ) throws(CommandError) -> [Row] {
    let client = try context.client()
    let reference = EventReference(text)
    for (uid, occurrence) in reference.readings {
      do throws(CommandError) {
        return try client.why(uid, occurrence: occurrence)
      } catch  where error.isNotFound {
        continue
      } catch {
        throw error
      }
    }
    let reminders = try ReminderLookup(context: context).rows(beginning: text)
    if reminders.count == 1 {
      return try client.why(
        reminders[0].text(.uid), occurrence: reminders[0].text(.recurrenceID))
    }
    let event = try EventLookup(context: context).event(beginning: reference)
    return try client.why(event.uid, occurrence: event.occurrence)
  }
}

extension Output {
  /// Prints what became of reminders, and what is to come, a line each:
  ///
  ///     Standup
  ///       rang 08:45, 15 min before; dismissed at 08:46
  ///       will ring Tue 24 Nov 2026, 08:45, 15 min before
  func why(_ rows: [Row]) throws(CommandError) {
    let words = WhyWords(moment: moment, zone: try zone())
    var text: [String] = []
    if let title = rows.last?.text(.summary), !title.isEmpty {
      text.append(heading(displayLine(title)))
    }
    var rest = rows[...]
    while let first = rest.first {
      // The steps of one reminder stand together.
      let id = first.text(.id)
      let steps = id.isEmpty ? rest.prefix(1) : rest.prefix { $0.text(.id) == id }
      rest = rest.dropFirst(steps.count)
      text.append("  " + displayLine(try words.line(Array(steps))))
    }
    if rows.isEmpty { text.append("Nothing is known of its reminders.") }
    try lines(text)
  }
}
