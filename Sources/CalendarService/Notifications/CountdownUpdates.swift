import CalendarModel
import CivilTime

/// The notifications on the screen whose text changes with time, such as a countdown, and when.
struct CountdownUpdates {
  /// What the text of a notification is about.
  enum Source: Equatable {
    case single(Reminder)
    /// All reminders of the notification.
    case digest
  }

  private var shown: [UInt32: (source: Source, next: Timestamp)] = [:]

  /// The first instant at which a text changes.
  var next: Timestamp? { shown.values.lazy.map(\.next).min() }

  /// Records that a notification is on the screen.
  ///
  /// - Parameter next: when its text changes; nil for never.
  mutating func showed(_ source: Source, as notification: UInt32, until next: Timestamp?) {
    shown[notification] = next.map { (source, $0) }
  }

  mutating func forget(_ notification: UInt32) { shown[notification] = nil }

  /// Removes and returns the notifications whose text changes by now, in order.
  ///
  /// The caller shows them again.
  mutating func take(at now: Timestamp) -> [(notification: UInt32, source: Source)] {
    let due = shown.filter { $0.value.next <= now }.sorted { $0.key < $1.key }
    for (notification, _) in due { shown[notification] = nil }
    return due.map { ($0.key, $0.value.source) }
  }
}
