import CalendarBus
import DBus
import JSON
import Platform

extension CommandSpec {
  static let show = CommandSpec(
    name: "show",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: localized(
          "the ID of an event, a to-do or a journal entry, its beginning, or the title; see IDs"))
    ],
    options: [.json],
    summary: localized("print all about an event, a to-do or a journal entry"),
    details: [
      localized(
        """
        calctl looks for an event with that ID, then with an ID that begins so, then with that \
        title (in the future, else in the past); then for to-dos and journal entries likewise. If \
        several match, it lists them.
        """)
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
      guard case .notFound(_, near: []) = error,
        let other = try lookup.other(beginning: reference)
      else { throw error }
      if arguments.has(.json) { return try context.output.json(other.event) }
      return try context.output.other(other, in: context.calendar(other.calendar))
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
}
