import CalendarBus
import Platform
import Widgets

extension CommandSpec {
  static let bar = CommandSpec(
    name: "bar", arguments: [],
    options: BarOptions.specs + [
      .flag("--follow", "keep running; print a record whenever the text changes"),
      BarAction.option,
    ],
    summary: "what runs and what is next, for a status bar",
    details: [
      """
      With --follow it sleeps until the text changes and ends when the bar does, or the session's \
      bus. While the agent is away for more than a few seconds the text says so. In i3bar and \
      swaybar the wheel shows the event before or after, a click the first one again, the middle button \
      opens its page and the right one joins its meeting; the button that goes back, or in i3bar a click with Shift \
      held down, snoozes the reminder that is due.
      """,
      """
      --do is for bars that run a command on a click. open and join are about the event that the bars \
      that follow name first, where next and previous have turned them, with the same --calendar, --hours, --declined, \
      --no-all-day, --ahead and --privacy; with the --format of a bar that runs the command again by itself, about the first one. \
      Addresses go to xdg-open, whatever program the agent's own notifications open them with.
      """,
      "The bars: "
        + BarFormat.all.map { "\($0.name) (\(localized($0.explanation)))" }.joined(separator: ", ")
        + ". Those that run the command again by themselves take no --follow: "
        + BarFormat.all.filter { !$0.follows }.map(\.name).joined(separator: ", ") + ".",
      """
      The classes for CSS, as of waybar, are none, idle, upcoming, soon, running and stale, and all-day, overlap, tentative, declined \
      and reminder beside them.
      """,
      """
      A template has fields in braces: \
      \(BarTemplate.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")). What \
      stands in brackets is left out where a field in it is empty. {{, }}, [[ and ]] are the \
      characters themselves. The whole is escaped for the bar, so that no title can command it.
      """,
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
        throw .usage("--do and --follow: one of them", command: "bar", hint: nil)
      }
      return try context.perform(action, options)
    }
    if arguments.has("--follow") {
      guard options.format.follows else {
        throw .usage(
          "--follow: \(options.format.name) runs the command again by itself", command: "bar",
          hint: "leave --follow out")
      }
      let loop = try EventLoop.forCommand()
      let clock = try asSystemError { () throws(SystemError) in try RealtimeClock(loop: loop) }
      return try BarFollower(context, loop: loop, clock: clock, options: options).follow()
    }
    let snapshot = try options.view.read(try options.view.text(try context.client()))
    let record = context.barRecord(
      snapshot, now: context.now, format: options.format, settings: options.settings)
    try context.output.line(record.text)
  }
}
