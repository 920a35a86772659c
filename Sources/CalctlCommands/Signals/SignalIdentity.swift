import JSON

/// What makes a signal the same one when it is found again; see ``MissedSignals``.
enum SignalIdentity {
  /// Returns a line of text; nil for a signal that is never replayed.
  static func text(_ signal: JSONValue) -> String? {
    switch signal["signal"]?.stringValue {
    case "ReminderDue": text(signal, ["id", "snoozes"])
    case "EventStarted": text(signal, ["calendar", "uid", "recurrence-id", "start"])
    case "EventsChanged": text(signal, ["revision"])
    default: nil
    }
  }

  private static func text(_ signal: JSONValue, _ keys: [String]) -> String {
    keys.map { key in
      guard let value = signal[key] else { return key == "snoozes" ? "0" : "" }
      return value.stringValue ?? JSONWriter.text(of: value)
    }.joined(separator: "\t")
  }
}
