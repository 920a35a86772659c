import CalendarBus
import DBus
import Phrases
import Platform

extension CommandSpec {
  static let on = CommandSpec(
    name: "on",
    arguments: [
      ArgumentSpec(
        name: "SIGNAL", isRequired: true,
        help: localized("the signal to wait for, such as ReminderDue")),
      ArgumentSpec(
        name: "COMMAND", isRequired: true,
        help: localized("the program to run, with its arguments, after --"), repeats: true),
    ],
    options: [
      .value(
        "--match", "KEY=VALUE", repeats: true,
        localized("only signals that have this value, or a list with it; all must hold"))
    ],
    summary: localized("run a program for each signal of the agent"),
    details: [
      localized(
        """
        The signals are {signals}. The program gets the line of calctl watch on its standard \
        input, and runs without a shell; one run ends before the next begins. calctl waits while \
        the agent restarts, and ends with the session bus.
        """,
        ["signals": localizedList(Contract.broadcasts.map(\.name.text))]),
      localized(
        """
        What was missed since the same command ran last comes first, with "replayed": of \
        ReminderDue the reminders that are still due, of EventStarted the events that still run, \
        of EventsChanged one signal for all changes. Other signals are not replayed. A run that \
        was cut off is repeated.
        """),
    ],
    examples: [
      "calctl on ReminderDue -- notify-send Reminder",
      "calctl on EventStarted --match calendar=work -- ~/bin/mute",
    ]
  ) { arguments, context throws(CommandError) in
    let request = try SignalRequest(arguments, context)
    try SignalRunner(request, context, loop: try EventLoop.forCommand()).start()
  }
}

/// What `calctl on` waits for, and what it runs.
struct SignalRequest {
  let interface: InterfaceName
  let signal: MemberName
  let matches: [SignalMatch]
  /// The path of the program.
  let program: String
  let arguments: [String]

  /// - Throws: ``CommandError/usage(_:command:hint:)`` for an unknown signal or a match without
  ///   "="; ``CommandError/notFound(_:near:)`` if there is no such program.
  init(_ arguments: ParsedArguments, _ context: CommandContext) throws(CommandError) {
    let name = arguments.positionals[0]
    let tables = Contract.tables
    let known = Contract.broadcasts.map(\.name)
    guard let signal = known.first(where: { $0.text == name }),
      let interface = tables.first(where: { $0.signal(signal) != nil })?.name
    else {
      let words = known.map(\.text)
      throw .usage(
        localized("unknown signal \"{signal}\"", ["signal": name]), command: "on",
        hint: nearest(name, among: words).map { localized("did you mean {word}?", ["word": $0]) }
          ?? localizedList(words))
    }
    var matches: [SignalMatch] = []
    for text in arguments.all("--match") {
      guard let match = SignalMatch(text) else {
        throw .usage(
          localized(
            "{option}: \"{value}\" must be KEY=VALUE", ["option": "--match", "value": text]),
          command: "on", hint: localized("for example: {command}", ["command": "calendar=work"]))
      }
      matches.append(match)
    }
    let program = arguments.positionals[1]
    // A path, as a shell takes it.
    guard
      let path = program.contains("/")
        ? program : Platform.program(named: program, path: context.environment["PATH"])
    else {
      throw .notFound(localized("there is no program \"{program}\"", ["program": program]))
    }
    (self.interface, self.signal, self.matches) = (interface, signal, matches)
    self.program = path
    self.arguments = Array(arguments.positionals.dropFirst(2))
  }
}
