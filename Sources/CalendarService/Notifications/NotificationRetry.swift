import CalendarBus
import DBus
import Platform

/// The retries of refused notifications, and the problem to report until they succeed.
///
/// The first is after half a second, each later one after twice as long: ten within some eight
/// minutes. Refused notifications are also sent again when the server accepts another one.
enum NotificationRetry {
  private static let most = 10
  private static let firstMilliseconds = 500

  /// Returns how long to wait after a number of refusals, 1 or more; nil means no more retries.
  static func milliseconds(after refusals: Int) -> Int? {
    refusals <= most ? firstMilliseconds << (refusals - 1) : nil
  }

  /// How many refusals of one notification make a temporary error a problem.
  ///
  /// For example, GNOME Shell's helper owns the name shortly before its object exists.
  static let patience = 4

  /// KDE's server limits the notifications of a program within a second; this error means "later".
  ///
  /// Source: plasma-workspace, libnotificationmanager/server_p.cpp, `ServerPrivate::Notify`.
  static let tooManyAtOnce: ErrorName =
    "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"

  /// Returns the problem, in one line; nil if there is none.
  ///
  /// - Parameters:
  ///   - fault: why the last new notification was not shown; nil if one was shown since.
  ///   - refused: the refusals of notifications that wait for a retry; mere delays are ignored.
  static func problem(_ fault: String?, refused: [NotificationRefusals]) -> String? {
    let refused = refused.filter(\.isProblem)
    let isTriedSoon = refused.contains { milliseconds(after: $0.count) != nil }
    if let fault {
      // Clients find this problem by its first words, which are not translated.
      let problem =
        if refused.isEmpty {
          fault
        } else if isTriedSoon {
          localized("{reason}; it is tried again soon", ["reason": fault])
        } else {
          localized("{reason}; it is tried again with the next reminder", ["reason": fault])
        }
      return "\(Contract.noNotification): \(problem)"
    }
    guard let reason = refused.first?.reason else { return nil }
    return isTriedSoon
      ? localized(
        refused.count,
        one: """
          the server refuses {count} notification, but shows others: {reason}; it is tried again \
          soon
          """,
        other: """
          the server refuses {count} notifications, but shows others: {reason}; they are tried \
          again soon
          """, ["reason": reason])
      : localized(
        refused.count,
        one: """
          the server refuses {count} notification, but shows others: {reason}; it is tried again \
          with the next reminder
          """,
        other: """
          the server refuses {count} notifications, but shows others: {reason}; they are tried \
          again with the next reminder
          """, ["reason": reason])
  }
}

/// How often a notification was refused, and why.
struct NotificationRefusals {
  private(set) var count = 0
  /// The last message of the server or the bus.
  private(set) var reason = ""
  /// Whether a refusal meant more than "later", or "later" came too often.
  private(set) var isProblem = false
  /// Whether the refusal is in the log, maybe with another one.
  var isLogged = false

  mutating func add(_ error: DBusError) {
    count += 1
    reason = localized(error.text)
    isProblem =
      isProblem || error.name != NotificationRetry.tooManyAtOnce
      || count >= NotificationRetry.patience
  }
}
