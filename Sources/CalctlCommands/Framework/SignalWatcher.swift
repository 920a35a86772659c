import CalendarBus
import DBus
import JSON

/// `calctl watch`: each signal of the agent as one line of JSON.
final class SignalWatcher: Follower {
  func watch() throws(CommandError) {
    try subscribe { [unowned self] message in
      if let line = SignalWatcher.line(message) {
        attempt { () throws(CommandError) in try context.output.json(line) }
      }
    }
    // Starts the agent if it is not running.
    _ = try client.timeZone()
    try run()
  }

  /// Returns a signal as JSON; nil for a signal that the contract does not have.
  ///
  /// Its keys are "signal", the arguments by their names in the contract, spelled like all keys
  /// ("recurrence-id"), and those of the details.
  static func line(_ message: Message) -> JSONValue? {
    guard let interface = message.interface, let member = message.member,
      let names = Contract.argumentNames(ofSignal: member, in: interface),
      let arguments = try? message.arguments()
    else { return nil }
    var object = JSONObject([("signal", .string(member.text))])
    for (name, value) in zip(names, arguments) {
      if name == "details", let pairs = value.asRow {
        for (key, value) in pairs { object[key] = value.json }
      } else {
        object[name.replacing("_", with: "-")] = value.json
      }
    }
    return .object(object)
  }
}
