import CalendarBus

// What a caller may send and ask for, as dbus/*.xml and dbus/README.md have it, refused in one way.

/// Limits of one event, in bytes of UTF-8 and in entries.
enum Limit {
  static let line = 2000
  static let description = 100_000
  static let rules = 10
  static let dates = 1000
  static let reminders = 20
  static let categories = 50
  static let uid = 255
}

extension Limit {
  /// How many calendars there may be: each question goes through all of them.
  static let calendars = 1000
}

/// Refuses more than is allowed.
///
/// - Parameters:
///   - name: the argument or key, with which the message begins.
///   - unit: what is counted, such as "bytes".
/// - Throws: ``CallError`` of the kind `limitsExceeded`.
func checkLimit(
  _ name: String, _ count: Int, _ unit: String, most: Int
) throws(CallError) {
  guard count > most else { return }
  throw CallError(.limitsExceeded, "\(name): \(count) \(unit), where \(most) are allowed")
}

/// Returns how many rows are wanted.
///
/// - Parameter fallback: what 0 stands for.
/// - Throws: ``CallError`` of the kind `limitsExceeded` for more than an answer has.
func rowLimit(_ asked: Int64, or fallback: Int) throws(CallError) -> Int {
  try checkLimit("limit", Int(clamping: asked), "rows", most: Contract.maximumRows)
  return asked == 0 ? fallback : Int(asked)
}
