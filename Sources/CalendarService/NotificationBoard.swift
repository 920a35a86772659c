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

  private struct Shown {
    var reminders: [String]
    var isAnswered = false
  }

  private var shown: [UInt32: Shown] = [:]

  /// Takes down that a notification is on the screen.
  mutating func show(_ notification: UInt32, reminders: [String]) {
    shown[notification] = Shown(reminders: reminders)
  }

  /// ActionInvoked(id, action).
  mutating func invoked(_ notification: UInt32, _ action: String) -> Meaning? {
    guard let entry = shown[notification], !entry.isAnswered,
      let action = Action(rawValue: action)
    else { return nil }
    shown[notification]?.isAnswered = true
    switch action {
    case .snooze: return .snooze(entry.reminders)
    case .dismiss, .open: return .dismiss(entry.reminders)
    }
  }

  /// NotificationClosed(id, reason): 1 expired, 2 by a person, 3 by us, 4 other.
  mutating func closed(_ notification: UInt32, reason: UInt32) -> Meaning? {
    guard let entry = shown.removeValue(forKey: notification), !entry.isAnswered, reason == 2
    else { return nil }
    return .dismiss(entry.reminders)
  }

  /// Takes a reminder off; returns the notifications that stand for nothing any
  /// more and are to be closed.
  mutating func withdraw(_ reminder: String) -> [UInt32] {
    var empty: [UInt32] = []
    for (notification, entry) in shown where entry.reminders.contains(reminder) {
      let rest = entry.reminders.filter { $0 != reminder }
      if rest.isEmpty {
        shown[notification] = nil
        empty.append(notification)
      } else {
        shown[notification]?.reminders = rest
      }
    }
    return empty
  }

  /// Forgets a notification; false if it was not on the screen.
  mutating func remove(_ notification: UInt32) -> Bool {
    shown.removeValue(forKey: notification) != nil
  }

  /// The server is gone, and with it every notification.
  mutating func clear() { shown.removeAll() }
}
