package import CivilTime
package import DBus

/// Reminders and quiet time.
extension CalendarClient {
  /// Returns the last 100 missed reminders, the latest first.
  package func missedReminders() throws(Failure) -> [Row] {
    try rows(Contract.reminders, "Missed", [.uint32(0)])
  }

  /// - Parameter hours: How far ahead; 0 means 24.
  package func upcomingReminders(hours: UInt32) throws(Failure) -> [Row] {
    try rows(Contract.reminders, "Upcoming", [.uint32(hours)])
  }

  package func why(_ uid: String, occurrence: String) throws(Failure) -> [Row] {
    try rows(Contract.reminders, "Why", [.string(uid), .string(occurrence)])
  }

  /// - Returns: The ID of the new reminder.
  package func testReminder() throws(Failure) -> String {
    try call(Contract.reminders, "Test").first?.asString ?? ""
  }

  /// - Returns: When quiet time ends; 0: it is not quiet; the greatest integer: without end.
  package func setQuiet(until: String) throws(Failure) -> Int64 {
    try call(Contract.calendar, "SetQuiet", [.string(until)]).first?.asInteger ?? 0
  }

  /// - Returns: See ``setQuiet(until:)``.
  package func quietUntil() throws(Failure) -> Int64 {
    let answer = try call(
      "org.freedesktop.DBus.Properties", "Get",
      [.string(Contract.calendar.text), .string("QuietUntil")])
    return answer.first?.unwrapped.asInteger ?? 0
  }

  /// - Returns: When it comes back.
  package func snooze(_ id: String, until: String) throws(Failure) -> Timestamp {
    let answer = try call { () throws(DBusError) in try .snooze(id, until: until) }
    return Timestamp(seconds: answer.first?.asInteger ?? 0)
  }

  /// - Returns: How many were snoozed.
  package func snoozeAll(until: String) throws(Failure) -> Int64 {
    try call(Contract.reminders, "SnoozeAll", [.string(until)]).first?.asInteger ?? 0
  }

  package func dismiss(_ id: String) throws(Failure) {
    _ = try call(Contract.reminders, "Dismiss", [.string(id)])
  }

  /// - Returns: How many were dismissed.
  package func dismissAll() throws(Failure) -> Int64 {
    try call(Contract.reminders, "DismissAll").first?.asInteger ?? 0
  }
}

extension Message {
  /// The call of ``CalendarClient/snooze(_:until:)``, for callers that do not wait for the answer.
  ///
  /// - Throws: See ``DBus/Message/call(_:_:_:_:_:)``.
  package static func snooze(_ id: String, until: String) throws(DBusError) -> Message {
    try .call(
      Contract.busName, Contract.path, Contract.reminders, "Snooze",
      [.string(id), .string(until)])
  }
}
