import CalendarBus
import DBus
import Platform

extension CommandSpec {
  static let watch = CommandSpec(
    name: "watch", arguments: [], options: [],
    summary: localized("print the agent's signals, one line of JSON each"),
    details: [
      localized(
        """
        Each line has the key "signal" ({signals}) and the arguments of the signal by their names. \
        calctl ends when its reader or the session bus does.
        """,
        ["signals": localizedList(Contract.broadcasts.map(\.name.text))])
    ],
    examples: ["calctl watch", "calctl watch | grep --line-buffered ReminderDue"]
  ) { _, context throws(CommandError) in
    try SignalWatcher(context, loop: try EventLoop.forCommand()).watch()
  }
}
