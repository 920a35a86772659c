import CalendarModel
import CivilTime

/// The notifications on the screen whose events are still to start, and when their words are to
/// be others: ten, five and one minute before the start, and at it. More often would nag, and so
/// would the same words once more: what came 20 seconds before the start says "Now" already.
struct NearingStarts {
  private var shown: [UInt32: (reminder: Reminder, next: Timestamp)] = [:]

  private static let secondsBefore: [Int64] = [600, 300, 60, 0]

  /// The first instant at which some are to be others.
  var next: Timestamp? { shown.values.lazy.map(\.next).min() }

  /// Takes down that a notification of one reminder has come to the screen, or is to be shown
  /// once more.
  mutating func showed(_ reminder: Reminder, as notification: UInt32, at now: Timestamp) {
    guard !reminder.isAllDay, let next = NearingStarts.step(of: reminder, after: now) else {
      shown[notification] = nil
      return
    }
    shown[notification] = (reminder, next)
  }

  mutating func forget(_ notification: UInt32) { shown[notification] = nil }

  /// Returns those whose words are to be others by now, by number; each has its next step then.
  mutating func take(at now: Timestamp) -> [(notification: UInt32, reminder: Reminder)] {
    let due = shown.filter { $0.value.next <= now }.sorted { $0.key < $1.key }
    for (notification, entry) in due { showed(entry.reminder, as: notification, at: now) }
    return due.map { ($0.key, $0.value.reminder) }
  }

  private static func step(of reminder: Reminder, after now: Timestamp) -> Timestamp? {
    let start = reminder.span.start
    // What it says now, in the minutes of its words.
    let minutes = NotificationText.minutes(start.seconds - now.seconds)
    return secondsBefore.first { $0 / 60 < minutes }.map { start.adding(seconds: -$0) }
  }
}
