package import CalendarModel
package import CivilTime

/// A place between two pending reminders, where the next page of them begins: it
/// stays where it is when reminders come and go on either side of it.
package struct PendingPlace: Hashable, Sendable {
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
    self.init(due: reminder.due, summary: reminder.summary, id: reminder.id)
  }
}
