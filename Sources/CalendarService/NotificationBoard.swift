import CalendarModel

/// Which notification on the screen stands for which reminders: decides what a
/// signal of the notification server means, and touches no bus.
///
/// A server tells of an action once or many times, closes a notification after
/// it or not, and sends signals of other programs' notifications along. So an
/// action counts once, a notification that we do not know is passed over, and a
/// close counts as seen only where a person did it and chose nothing before.
///
/// Source: Desktop Notifications Specification 1.2.
struct NotificationBoard {
  /// The actions that a notification has.
  enum Action: String {
    case snooze, dismiss
    /// A click on the notification itself: somebody has seen it.
    case open = "default"
  }

  enum Meaning: Equatable {
    case snooze([String])
    case dismiss([String])
  }

  /// By the server's number, the reminders that each stands for.
  private var shown: [UInt32: [String]] = [:]

  /// Takes down that a notification is on the screen.
  mutating func show(_ notification: UInt32, reminders: [String]) {
    shown[notification] = reminders
  }

  /// ActionInvoked(id, action). The notification stands for nothing after it, and
  /// is to be closed.
  mutating func invoked(_ notification: UInt32, _ action: String) -> Meaning? {
    guard let action = Action(rawValue: action),
      let reminders = shown.removeValue(forKey: notification)
    else { return nil }
    switch action {
    case .snooze: return .snooze(reminders)
    case .dismiss, .open: return .dismiss(reminders)
    }
  }

  /// NotificationClosed(id, reason): 1 expired, 2 by a person, 3 by us, 4 other.
  mutating func closed(_ notification: UInt32, reason: UInt32) -> Meaning? {
    guard let reminders = shown.removeValue(forKey: notification), reason == 2 else { return nil }
    return .dismiss(reminders)
  }

  /// Takes a reminder off; returns the notifications that stand for nothing any
  /// more and are to be closed.
  mutating func withdraw(_ reminder: String) -> [UInt32] {
    var empty: [UInt32] = []
    for (notification, reminders) in shown where reminders.contains(reminder) {
      let rest = reminders.filter { $0 != reminder }
      shown[notification] = rest.isEmpty ? nil : rest
      if rest.isEmpty { empty.append(notification) }
    }
    return empty
  }

  /// The server is gone, and with it every notification.
  mutating func clear() { shown.removeAll() }
}
