import CalendarBus
import Platform

// The limits of calls, as dbus/*.xml and dbus/README.md document them.

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
  /// The most calendars: each query examines all of them.
  static let calendars = 1000
}

/// What a limit counts.
enum LimitedUnit {
  case bytes, dates, entries, rows, rules

  /// Returns the message for more than are allowed.
  func excess(_ count: Int, most: Int) -> String {
    switch self {
    case .bytes:
      localized(
        count, one: "{count} byte is too long; at most {limit} are allowed",
        other: "{count} bytes are too long; at most {limit} are allowed", ["limit": most])
    case .dates:
      localized(
        count, one: "{count} date is too many; at most {limit} are allowed",
        other: "{count} dates are too many; at most {limit} are allowed", ["limit": most])
    case .entries:
      localized(
        count, one: "{count} entry is too many; at most {limit} are allowed",
        other: "{count} entries are too many; at most {limit} are allowed", ["limit": most])
    case .rows:
      localized(
        count, one: "{count} row is too many; at most {limit} are allowed",
        other: "{count} rows are too many; at most {limit} are allowed", ["limit": most])
    case .rules:
      localized(
        count, one: "{count} rule is too many; at most {limit} are allowed",
        other: "{count} rules are too many; at most {limit} are allowed", ["limit": most])
    }
  }
}

/// Refuses more than are allowed.
///
/// - Parameter name: the argument or key, for the error.
/// - Throws: ``CallError`` of the kind `limitsExceeded`.
func checkLimit(
  _ name: String, _ count: Int, _ unit: LimitedUnit, most: Int
) throws(CallError) {
  guard count > most else { return }
  throw CallError(.limitsExceeded, about: name, unit.excess(count, most: most))
}

/// Returns the number of wanted rows.
///
/// - Parameter fallback: the meaning of 0.
/// - Throws: ``CallError`` of the kind `limitsExceeded` for more than an answer can have.
func rowLimit(_ asked: Int64, or fallback: Int) throws(CallError) -> Int {
  try checkLimit("limit", Int(clamping: asked), .rows, most: Contract.maximumRows)
  return asked == 0 ? fallback : Int(asked)
}
