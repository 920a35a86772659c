import CalendarBus
import JSON
import Widgets

extension CommandSpec {
  static let move = CommandSpec(
    name: "move",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true, help: "the whole IDs of the events or to-dos; see IDs",
        repeats: true),
      ArgumentSpec(
        name: "CALENDAR", isRequired: true, help: "the ID or the name of the calendar they go to"),
    ],
    options: [.json],
    summary: "move events and to-dos to another calendar",
    details: ["An event that repeats moves as a whole. All of them move, or none does."],
    examples: [
      "calctl move q7k2m9xw4cjt8vrn5hzb work",
      "calctl move q7k2m9xw4cjt8vrn5hzb standup@example.org personal",
    ]
  ) { arguments, context throws(CommandError) in
    let references = arguments.positionals.dropLast().map(EventReference.init)
    let calendar = try CalendarLookup(context: context).id(
      arguments.positionals[arguments.positionals.count - 1], "CALENDAR")
    var events: [EventLookup.Found] = []
    for reference in references {
      let found = try EventLookup(context: context).any(reference)
      if !found.occurrence.isEmpty {
        throw .usage(
          "\"\(reference.text)\" is one occurrence, and an event moves as a whole",
          command: "move", hint: "leave out /\(found.occurrence)")
      }
      events.append(found)
    }
    let revision: Int64
    do throws(CommandError) {
      revision = try context.client().move(events.map(\.name), to: calendar)
    } catch {
      throw error.renamed([("calendar", "CALENDAR"), ("uids", "ID")])
    }
    let output = context.output
    if arguments.has(.json) {
      return try output.json([
        "moved": .array(events.map { .string($0.uid) }), "calendar": .string(calendar),
        "revision": .integer(revision),
      ])
    }
    context.warnIfHidden(calendar)
    try output.lines(
      events.map { "Moved \(displayLine($0.event.text(.summary))) to \(displayLine(calendar))" })
  }
}
