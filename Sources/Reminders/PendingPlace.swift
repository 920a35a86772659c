package import CalendarModel
package import CivilTime

/// The position of a pending reminder in the order of delivery: by instant, then summary.
///
/// A page of reminders begins after such a position. It stays valid when reminders come and go.
package struct PendingPlace: Comparable, Hashable, Sendable {
  package let due: Timestamp
  package let summary: String
  package let id: String

  package init(due: Timestamp, summary: String, id: String) {
    self.due = due
    self.summary = summary
    self.id = id
  }

  /// Creates the position of a reminder; the next page begins after it.
  package init(after reminder: Reminder) {
    self.init(reminder.id, reminder)
  }

  /// - Parameter id: The reminder's identifier, passed in because computing it again is costly.
  init(_ id: String, _ reminder: Reminder) {
    self.init(due: reminder.due, summary: reminder.summary, id: id)
  }

  package static func < (left: PendingPlace, right: PendingPlace) -> Bool {
    (left.due, left.summary, left.id) < (right.due, right.summary, right.id)
  }
}
