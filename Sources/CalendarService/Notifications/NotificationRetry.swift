import CalendarBus
import DBus

/// When a notification that was refused is asked for again, and what is said of it until then.
///
/// After half a second, and then after twice as long each time: ten times within some eight minutes. A
/// server that comes is shown everything by then, and one that takes another notification is asked once
/// more for what it had refused.
enum NotificationRetry {
  private static let most = 10
  private static let firstMilliseconds = 500

  /// Returns how long to wait after so many refusals, 1 or more; nil: it is not asked for by itself any
  /// more.
  static func milliseconds(after refusals: Int) -> Int? {
    refusals <= most ? firstMilliseconds << (refusals - 1) : nil
  }

  /// GNOME Shell's helper has the name some moments before there is an object that could be called: only
  /// that many refusals of one notification are worth a line in the log then.
  static let patience = 4

  /// KDE's server takes but so many notifications of a program within a second, and means "later".
  ///
  /// Source: plasma-workspace, libnotificationmanager/server_p.cpp, `ServerPrivate::Notify`.
  static let tooManyAtOnce: ErrorName =
    "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"

  /// What is wrong, a line; nil where nothing is.
  ///
  /// - Parameters:
  ///   - fault: why the last one that was new was not shown; nil: one was shown since.
  ///   - refused: of those that wait to be asked for again; what is only to come later is passed over.
  static func problem(_ fault: String?, refused: [NotificationRefusals]) -> String? {
    let refused = refused.filter(\.isProblem)
    let isTriedAgain = refused.contains { milliseconds(after: $0.count) != nil }
    let hope =
      refused.isEmpty
      ? "" : "; that is tried again" + (isTriedAgain ? " soon" : " with the next reminder")
    if let fault { return "\(Contract.noNotification) can be shown: \(fault)\(hope)" }
    return refused.first.map { first in
      let what = refused.count == 1 ? "a notification is" : "\(refused.count) notifications are"
      return "\(what) refused by the server, which shows others: \(first.reason)\(hope)"
    }
  }
}

/// How often a notification was refused, and what that means.
struct NotificationRefusals {
  private(set) var count = 0
  /// Why the last time, in the words of the server or the bus.
  private(set) var reason = ""
  /// Whether one of them meant more than "later", or that was said too often.
  private(set) var isProblem = false
  /// Whether a line in the log tells of it, or of another at that time.
  var isLogged = false

  mutating func add(_ error: DBusError) {
    count += 1
    reason = error.message
    isProblem =
      isProblem || error.name != NotificationRetry.tooManyAtOnce
      || count >= NotificationRetry.patience
  }
}
