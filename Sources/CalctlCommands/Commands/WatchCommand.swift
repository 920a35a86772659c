import CalendarBus
import DBus
import Platform

extension CommandSpec {
  static let watch = CommandSpec(
    name: "watch", arguments: [], options: [],
    summary: "what happens, as it happens: one line of JSON a signal",
    details: [
      """
      Each line has the key "signal" \
      (\(Contract.broadcasts.map(\.name.text).joined(separator: ", "))) and the signal's \
      arguments by their names on the bus. \
      It ends when its reader does, or the session's bus.
      """
    ],
    examples: ["calctl watch", "calctl watch | grep --line-buffered ReminderDue"]
  ) { _, context throws(CommandError) in
    try SignalWatcher(context, loop: try EventLoop.forCommand()).watch()
  }
}
