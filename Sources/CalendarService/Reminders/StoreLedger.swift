import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Reminders

/// The ledger of the scheduler in the store.
///
/// ``Storage`` notes whether writing succeeds, so that people can see why no reminder is delivered.
final class StoreLedger: ReminderLedger {
  private let store: EventStore
  private unowned let storage: Storage

  init(_ store: EventStore, in storage: Storage) {
    self.store = store
    self.storage = storage
  }

  func nextAlarm() throws -> Timestamp? { try store.nextAlarm() }

  func takeDue(through now: Timestamp, limit: Int) throws -> [Reminder] {
    try storage.noting(hasWritten: { !$0.isEmpty }) { () throws(StoreError) in
      try store.takeDue(through: now, limit: limit)
    }
  }

  func pendingReminders() throws -> [Reminder] { try store.pendingReminders() }

  func reminder(id: String) throws -> Reminder? { try store.reminder(id: id) }

  func record(_ reminders: [Reminder], at now: Timestamp) throws {
    guard !reminders.isEmpty else { return }
    try storage.noting(hasWritten: { true }) { () throws(StoreError) in
      try store.record(reminders, at: now)
    }
  }

  func unshownMissed() throws -> Int { Int(clamping: try store.told(.unshownMissed) ?? 0) }

  func keep(unshownMissed count: Int) throws {
    try storage.noting(hasWritten: { true }) { () throws(StoreError) in
      try store.put(.unshownMissed, Int64(count))
    }
  }
}
