import CalendarBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let move = CommandSpec(
    name: "move",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: localized(
          "the ID of an event or a to-do, its beginning, or the title or a part of it; see IDs"),
        repeats: true),
      ArgumentSpec(
        name: "CALENDAR", isRequired: true,
        help: localized("the calendar to move to, its ID or its name")),
    ],
    options: [.yes, .json],
    summary: localized("move events and to-dos to another calendar"),
    details: [
      localized("A recurring event moves as a whole. If one of them cannot move, none does.")
    ],
    examples: [
      "calctl move q7k2m9xw4cjt8vrn5hzb work", "calctl move \"Team lunch\" work",
      "calctl move q7k2m9xw4cjt8vrn5hzb standup@example.org personal",
    ]
  ) { arguments, context throws(CommandError) in
    let references = arguments.positionals.dropLast().map(EventReference.init)
    let calendar = try CalendarLookup(context: context).id(
      arguments.positionals[arguments.positionals.count - 1], "CALENDAR")
    var events: [EventLookup.Found] = []
    let lookup = EventLookup(context: context)
    for reference in references {
      let found = try lookup.any(reference)
      if !found.occurrence.isEmpty {
        throw .usage(
          localized(
            "\"{id}\" is one occurrence, but an event moves as a whole", ["id": reference.text]),
          command: "move",
          hint: found.hintOfSeries(reference))
      }
      guard try lookup.confirms(found, reference, arguments) else {
        return try context.output.line(localized("Nothing was moved."))
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
    let name = displayLine(try context.calendarNames()[calendar] ?? calendar)
    var lines: [String] = []
    for found in events {
      let title =
        found.kind == .event
        ? try context.titleAndRepeats(found.event) : Output.title(found.event.text(.summary))
      lines.append(localized("Moved {title} to {calendar}.", ["title": title, "calendar": name]))
    }
    try output.lines(lines)
  }
}
