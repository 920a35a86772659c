import CalendarModel
import CalendarStore
import CivilTime
import Reminders

/// The store as the scheduler wants it.
final class StoreLedger: ReminderLedger {
  private let store: EventStore

  init(_ store: EventStore) {
    self.store = store
  }

  func nextAlarm() throws -> Timestamp? { try store.nextAlarm() }

  func takeDue(through now: Timestamp, limit: Int) throws -> [Reminder] {
    try store.takeDue(through: now, limit: limit)
  }

  func pendingReminders() throws -> [Reminder] { try store.pendingReminders() }

  func reminder(id: String) throws -> Reminder? { try store.reminder(id: id) }

  func record(_ reminders: [Reminder], at now: Timestamp) throws {
    try store.record(reminders, at: now)
  }
}
