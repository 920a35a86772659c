import CalendarBus

extension CommandSpec {
  static let add = CommandSpec(
    name: "add",
    arguments: [ArgumentSpec(name: "TITLE", isRequired: true, help: "what people read")],
    options: [
      .value("--start", "WHEN", "when it begins; a bare date makes an all-day event (required)"),
      .value("--end", "WHEN", "when it ends, or how long it lasts: 45m (one hour, or one day)"),
      .flag("--all-day", "takes whole days"),
      .value("--repeat", "RRULE", repeats: true, "a recurrence rule, such as FREQ=WEEKLY;COUNT=10"),
      .value("--reminder", "BEFORE", repeats: true, "ring so long before the start: 15m, 1d"),
      .value("--location", "TEXT", "where it is"),
      .value("--description", "TEXT", "more words"),
      .value("--url", "URL", "an address"),
      .value("--time-zone", "ZONE", "an IANA zone, or \"floating\" (the agent's zone)"),
      .value("--calendar", "ID", "the calendar it goes to (the default one)"),
      CommandTable.json,
    ],
    summary: "add an event",
    examples: [
      "calctl add \"Lunch with Ana\" --start \"tomorrow 12:30\" --end 45m --reminder 15m",
      "calctl add Standup --start \"mon 9:30\" --end 15m --repeat \"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR\"",
      "calctl add \"Summer holiday\" --start 2027-07-19 --end 2027-08-02 --all-day",
    ]
  ) { arguments, context throws(CommandError) in
    guard let start = arguments.value("--start") else {
      throw .usage("--start is missing", command: "add", hint: "--start \"tomorrow 14:00\"")
    }
    var event = Row()
    event.set(.summary, arguments.positionals[0])
    event.set(.start, start)
    event.set(.end, arguments.value("--end") ?? "")
    if arguments.has("--all-day") { event.set(.allDay, true) }
    let rules = arguments.all("--repeat")
    if !rules.isEmpty { event.set(.rrule, rules.joined(separator: "\n")) }
    let reminders = arguments.all("--reminder")
    if !reminders.isEmpty { event.set(.reminders, reminders) }
    for (option, key) in [
      ("--location", RowKey.location), ("--description", .description), ("--url", .url),
      ("--time-zone", .timeZone),
    ] {
      if let value = arguments.value(option) { event.set(key, value) }
    }
    let client = try context.client()
    let added = try client.add(event, calendar: arguments.value("--calendar") ?? "")
    let stored = try client.event(added.uid, occurrence: "")
    if arguments.has("--json") { return try context.output.json(stored) }
    try context.output.line(
      "Added \(context.output.safe(stored.text(.summary))): \(context.output.when(stored))")
    try context.output.line("id \(added.uid)")
  }

  static let show = CommandSpec(
    name: "show", arguments: [.eventID], options: [CommandTable.json],
    summary: "everything about an event",
    examples: [
      "calctl show q7k2m9xw4cjt8vrn5hzb", "calctl show standup@example.org/20261123T083000Z",
    ]
  ) { arguments, context throws(CommandError) in
    let id = EventReference(arguments.positionals[0])
    let event = try id.resolve { (uid, occurrence) throws(CommandError) in
      try context.client().event(uid, occurrence: occurrence)
    }
    if arguments.has("--json") { return try context.output.json(event) }
    try context.output.event(event)
  }

  static let remove = CommandSpec(
    name: "rm", arguments: [.eventID],
    options: [
      .value(
        "--scope", "WORD",
        "this, this-and-future or all (all; with an occurrence in the ID: this)")
    ],
    summary: "remove an event, or one occurrence of it",
    examples: [
      "calctl rm q7k2m9xw4cjt8vrn5hzb",
      "calctl rm standup@example.org/20261123T083000Z --scope this-and-future",
    ]
  ) { arguments, context throws(CommandError) in
    let id = EventReference(arguments.positionals[0])
    let scope = arguments.value("--scope") ?? ""
    let removed = try id.resolve { (uid, occurrence) throws(CommandError) in
      let client = try context.client()
      let event = try client.event(uid, occurrence: occurrence)
      _ = try client.remove(uid, occurrence: occurrence, scope: scope)
      return event
    }
    try context.output.line("Removed \(context.output.safe(removed.text(.summary))).")
  }
}

extension ArgumentSpec {
  static let eventID = ArgumentSpec(
    name: "ID", isRequired: true,
    help: "the event's uid; UID/RECURRENCE-ID is one occurrence (see agenda --json)")
}

/// What people write for an event or one occurrence of it: "UID" or
/// "UID/RECURRENCE-ID".
struct EventReference: Equatable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Splits at the last "/" where a recurrence id follows it: a uid may hold a
  /// "/" itself.
  func resolve<Answer>(
    _ body: (_ uid: String, _ occurrence: String) throws(CommandError) -> Answer
  ) throws(CommandError) -> Answer {
    guard let slash = text.lastIndex(of: "/") else { return try body(text, "") }
    let occurrence = String(text[text.index(after: slash)...])
    let looksRight =
      occurrence.utf8.count >= 8
      && occurrence.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x54 || $0 == 0x5a }
    return try looksRight ? body(String(text[..<slash]), occurrence) : body(text, "")
  }
}
