import CalendarBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let done = CommandSpec(
    name: "done",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: localized(
          """
          the ID of a to-do, its beginning, the title or a part of it, its number in the last list \
          of calctl todos on a terminal, or last for the open one added or changed last
          """),
        repeats: true)
    ],
    options: [.yes, .json],
    summary: localized("complete to-dos"),
    details: [
      localized(
        """
        Of a recurring to-do it completes the occurrence that calctl todos lists. calctl undo takes \
        it back.
        """)
    ],
    examples: ["calctl done \"Pay the rent\"", "calctl done \"Pay the rent\" 3"]
  ) { arguments, context throws(CommandError) in
    // Look up all first: if one is unknown, none is completed.
    var found: [EventLookup.Found] = []
    let lookup = EventLookup(context: context)
    for reference in arguments.positionals.map(EventReference.init) {
      let one = try lookup.toDo(reference)
      guard try lookup.confirms(one, reference, arguments) else {
        return try context.output.line(localized("Nothing was changed."))
      }
      found.append(one)
    }
    let client = try context.client()
    var changes = Row()
    changes.set(.status, "completed")
    var answers: [JSONValue] = []
    for one in found {
      let title = Output.title(one.event.text(.summary))
      if one.isClosed {
        context.output.warning(localized("{title} is done already", ["title": title]))
        continue
      }
      _ = try client.changeToDo(
        one.name, occurrence: one.event.text(.recurrenceID), changes: changes)
      answers.append(.object(["uid": .string(one.uid), "calendar": .string(one.calendar)]))
      if !arguments.has(.json) {
        try context.output.line(localized("Done: {title}", ["title": title]))
      }
    }
    if arguments.has(.json) { try context.output.json(.array(answers)) }
  }
}
