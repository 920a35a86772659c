package import CalendarModel
package import CivilTime

/// The position of a pending reminder in the order of delivery: by instant, then summary. The next page begins
/// after it, and it stays valid when reminders before or after it come and go.
package struct PendingPlace: Comparable, Hashable, Sendable {
  package let due: Timestamp
  package let summary: String
  package let id: String

  package init(due: Timestamp, summary: String, id: String) {
    self.due = due
    self.summary = summary
    self.id = id
  }

  /// The place after a reminder.
  package init(after reminder: Reminder) {
    self.init(reminder.id, reminder)
  }

  /// - Parameter id: the identifier of the reminder, which costs more than to hand it on.
  init(_ id: String, _ reminder: Reminder) {
    self.init(due: reminder.due, summary: reminder.summary, id: id)
  }

  package static func < (left: PendingPlace, right: PendingPlace) -> Bool {
    (left.due, left.summary, left.id) < (right.due, right.summary, right.id)
  }
}
