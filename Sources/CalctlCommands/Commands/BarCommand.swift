import CalendarBus
import Platform
import Widgets

extension CommandError {
  /// Whether the agent cannot read its database, or is paused.
  fileprivate var isStorageFailure: Bool {
    if case .refused(CallError.Kind.storageFailed.rawValue, _) = self { true } else { false }
  }
}

extension CommandSpec {
  static let bar = CommandSpec(
    name: "bar", arguments: [],
    options: BarOptions.specs + [
      .flag("--follow", localized("keep running; print a line whenever the text changes")),
      BarAction.option,
    ],
    summary: localized("the current and the next event, for a status bar"),
    details: [
      localized(
        """
        With --follow, calctl ends when the bar or the session bus does. While the agent is away or \
        paused, the text says so. In i3bar and swaybar a left click lists the week in a terminal, the \
        wheel shows the next or previous event, the middle button opens the event's page, the right one \
        joins its meeting; the back button, or in i3bar Shift and a click, snoozes the reminder \
        that is due.
        """),
      localized(
        """
        --do is for bars that run a command on a click. open and join act on the first event of \
        the bars that follow, as next and previous have moved them: give both commands the same \
        --calendar, --hours, --declined, --no-all-day, --ahead and --privacy. With a --format that \
        takes no --follow they act on the first event. Addresses are opened with xdg-open; where \
        an event has none, a notification says so. week opens the program in TERMINAL, \
        xdg-terminal-exec, or a terminal that is installed.
        """),
      localized(
        "Bars: {bars}. These run calctl again by themselves, without --follow: {others}.",
        [
          "bars": localizedList(
            BarFormat.all.map {
              localized("{name} ({explanation})", ["name": $0.name, "explanation": $0.explanation])
            }),
          "others": localizedList(BarFormat.all.filter { !$0.follows }.map(\.name)),
        ]),
      localized(
        """
        CSS classes, for example in waybar: none, idle, upcoming, soon, running or stale; besides \
        them all-day, overlap, tentative, declined, reminder, quiet and source-problem. While a \
        reminder is due, the text is about it, of several about the one whose event is nearest; in \
        quiet time it begins with ☾. During a meeting \
        the next one is shown when it begins within 15 minutes.
        """),
      localized(
        """
        A template has these fields: {fields}. Text in brackets is left out when a field in it is \
        empty. {doubled} are the characters themselves. The result is escaped for the bar.
        """,
        [
          "fields": localizedList(BarTemplate.Field.allCases.map { "{\($0.rawValue)}" }),
          "doubled": "{{ }} [[ ]]",
        ]),
    ],
    examples: [
      "calctl bar", "calctl bar --format waybar --follow",
      "calctl bar --format tmux --max-width 30 --count 2",
      "calctl bar --calendar work --hours \"mon-fri 9:00-17:00\"",
      "calctl bar --template \"{start} {summary}[ @ {location}][ +{count}]\"",
    ]
  ) { arguments, context throws(CommandError) in
    let options = try BarOptions(
      arguments, calendars: arguments.calendars(context))
    if let action = arguments.value(BarAction.option.name).flatMap(BarAction.init(rawValue:)) {
      guard !arguments.has("--follow") else {
        throw .exclusive("--do", "--follow", command: "bar")
      }
      return try context.perform(action, options)
    }
    if arguments.has("--follow") {
      guard options.format.follows else {
        throw .usage(
          localized(
            "{bar} runs calctl again by itself; leave out --follow", ["bar": options.format.name]),
          command: "bar", hint: nil)
      }
      let loop = try EventLoop.forCommand()
      let clock = try asSystemError { () throws(SystemError) in try RealtimeClock(loop: loop) }
      return try BarFollower(context, loop: loop, clock: clock, options: options).follow()
    }
    do throws(CommandError) {
      let snapshot = try options.view.read(try options.view.text(try context.client()))
      let record = context.barRecord(
        snapshot, now: context.now, format: options.format, settings: options.settings)
      try context.output.line(record.text)
    } catch  where error.isStorageFailure {
      // A bar would show nothing, or the record before.
      context.output.warning(error)
      try context.output.line(options.format.record(.stale(in: MessageCatalogue.language)))
    }
  }
}
