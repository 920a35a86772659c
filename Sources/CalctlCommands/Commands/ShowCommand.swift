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
          """
          the ID of an event, a to-do or a journal entry, its beginning, or the title or a part of \
          it; ID/OCCURRENCE or TITLE@DAY for one occurrence; see IDs
          """))
    ],
    options: [.json],
    summary: localized("print all about an event, a to-do or a journal entry"),
    examples: [
      "calctl show q7k2m9xw4cjt8vrn5hzb", "calctl show q7k2", "calctl show next",
      "calctl show standup@example.org/20261123T083000Z",
      "calctl show Office/standup@example.org",
    ]
  ) { arguments, context throws(CommandError) in
    let reference = EventReference(arguments.positionals[0])
    let lookup = EventLookup(context: context)
    let found = try lookup.any(reference, takesFirst: true)
    if found.kind != .event {
      if arguments.has(.json) { return try context.output.json(found.event) }
      return try context.output.other(found, in: context.calendar(found.calendar))
    }
    let event = found.event
    if arguments.has(.json) { return try context.output.json(event) }
    let names = try context.calendarNames()
    let others = try lookup.others(besides: found).map { other in
      let id = EventReference(
        calendar: other.calendar, uid: other.uid, occurrence: other.occurrence)
      return (names[other.calendar] ?? other.calendar).with(remark: id.text)
    }
    let isFloating = event.text(.timeZone) == "floating"
    try context.output.event(
      event, in: context.calendar(event.text(.calendar)), others: others,
      zone: isFloating ? nil : try context.zone(reading: event.text(.timeZone)))
  }
}
