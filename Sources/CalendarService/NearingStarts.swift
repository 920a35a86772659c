import CalendarModel
import CivilTime

/// The notifications on the screen whose words are to be others as time goes by, and when.
struct NearingStarts {
  private var shown: [UInt32: (reminder: Reminder, next: Timestamp)] = [:]

  /// The first instant at which some are to be others.
  var next: Timestamp? { shown.values.lazy.map(\.next).min() }

  /// Takes down that a notification of one reminder has come to the screen.
  ///
  /// - Parameters:
  ///   - reminder: nil of a digest.
  ///   - next: when its words are not true any more; nil: they stay so.
  mutating func showed(_ reminder: Reminder?, as notification: UInt32, until next: Timestamp?) {
    if let reminder, let next {
      shown[notification] = (reminder, next)
    } else {
      shown[notification] = nil
    }
  }

  mutating func forget(_ notification: UInt32) { shown[notification] = nil }

  /// Returns the notifications whose words are to be others by now, in order, with their reminders,
  /// and forgets them: they are shown once more.
  mutating func take(at now: Timestamp) -> [(notification: UInt32, reminder: Reminder)] {
    let due = shown.filter { $0.value.next <= now }.sorted { $0.key < $1.key }
    for (notification, _) in due { shown[notification] = nil }
    return due.map { ($0.key, $0.value.reminder) }
  }
}
