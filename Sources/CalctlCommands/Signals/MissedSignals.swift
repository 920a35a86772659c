import CalendarBus
import DBus
import JSON
import Platform

/// Finds the signals that the agent sent while nobody listened, by what it knows now.
struct MissedSignals {
  let client: CalendarClient<CommandError>

  /// Returns the present state as signals, oldest first; none for a signal that is not replayed.
  ///
  /// - Parameter last: The identity of the last known one.
  /// - Throws: Errors of the agent.
  func found(
    _ request: SignalRequest, after last: String?
  ) throws(CommandError) -> [JSONValue] {
    switch request.signal {
    case "ReminderDue": try reminders()
    case "EventStarted": try events()
    case "EventsChanged": try changes(since: last.flatMap { UInt64($0) })
    default: []
    }
  }

  /// Reminders that are due and not answered; a snoozed one comes by itself.
  private func reminders() throws(CommandError) -> [JSONValue] {
    try client.pendingReminders().filter { $0.text(.state) == "due" }
      .map { MissedSignals.signal("ReminderDue", $0.value.json, without: ["state"]) }
  }

  /// Events that run now.
  private func events() throws(CommandError) -> [JSONValue] {
    var options = Row()
    options.set(.includeDeclined, false)
    let rows = try client.occurrences(from: "now", to: "1m", options: options).rows
    let now = SystemCalls.realtimeSeconds()
    return rows.filter { $0.number(.start) <= now && $0.number(.end) > now }.map { row in
      MissedSignals.signal("EventStarted", row.value.json, without: [])
    }
  }

  /// One signal for all changes since a revision.
  private func changes(since revision: UInt64?) throws(CommandError) -> [JSONValue] {
    let (present, isComplete, rows) = try client.changes(since: revision ?? 0)
    guard revision != nil else {
      return [["signal": "EventsChanged", "revision": .integer(present)]]
    }
    guard !rows.isEmpty || !isComplete else { return [] }
    func texts(_ key: RowKey) -> JSONValue {
      var seen: Set<String> = []
      return .array(
        rows.map { $0.text(key) }.filter { seen.insert($0).inserted }.map { .string($0) })
    }
    return [
      [
        "signal": "EventsChanged", "revision": .integer(present), "calendars": texts(.calendar),
        "uids": texts(.uid), "replayed": .bool(true),
      ]
    ]
  }

  private static func signal(
    _ name: String, _ row: JSONValue, without dropped: [String]
  ) -> JSONValue {
    var object = JSONObject([("signal", .string(name))])
    for member in row.objectValue?.members ?? [] where !dropped.contains(member.name) {
      object[member.name] = member.value
    }
    object["replayed"] = .bool(true)
    return .object(object)
  }
}
