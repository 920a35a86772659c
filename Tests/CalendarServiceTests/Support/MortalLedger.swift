import CalendarModel
import CalendarStore
import CivilTime
import Reminders

/// The ledger of an agent that can die at each of its steps, before or after it is done: from
/// then on nothing is written and nobody hears anything.
final class MortalLedger: ReminderLedger {
  /// After so many more steps it dies; nil: it lives.
  var stepsToLive: Int?
  private(set) var isDead = false
  /// What was told and is not written as delivered.
  var toldUnwritten: Set<SimulatedYear.Telling> = []
  private let store: EventStore
  private let written: ([Reminder]) -> Void

  struct Dead: Error {}

  init(_ store: EventStore, written: @escaping ([Reminder]) -> Void) {
    self.store = store
    self.written = written
  }

  /// A step is done; whether it was one too many.
  func dies() -> Bool {
    guard let left = stepsToLive else { return isDead }
    stepsToLive = left - 1
    if left <= 1 { isDead = true }
    return isDead
  }

  func nextAlarm() throws -> Timestamp? {
    if isDead { throw Dead() }
    return try store.nextAlarm()
  }

  func takeDue(through now: Timestamp, limit: Int) throws -> [Reminder] {
    if isDead { throw Dead() }
    guard let next = try store.nextAlarm(), next <= now else { return [] }
    if dies() { throw Dead() }
    let taken = try store.takeDue(through: now, limit: limit)
    written(taken)
    if dies() { throw Dead() }
    return taken
  }

  func pendingReminders() throws -> [Reminder] {
    if isDead { throw Dead() }
    return try store.pendingReminders()
  }

  func reminder(id: String) throws -> Reminder? {
    if isDead { throw Dead() }
    return try store.reminder(id: id)
  }

  func record(_ reminders: [Reminder], at now: Timestamp) throws {
    if dies() { throw Dead() }
    try store.record(reminders, at: now)
    written(reminders)
    if dies() { throw Dead() }
  }

  func unshownMissed() throws -> Int {
    if isDead { throw Dead() }
    return Int(try store.told(.unshownMissed) ?? 0)
  }

  func keep(unshownMissed count: Int) throws {
    if dies() { throw Dead() }
    try store.put(.unshownMissed, Int64(count))
  }
}

extension SimulatedYear: ReminderSink {
  func tell(_ reminder: Reminder, lateSeconds: Int64) { heard(reminder, lateSeconds) }
  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool) {
    heard(reminder, lateSeconds)
  }
  func tellDigest(_ reminders: [Reminder], tooOld: Int) {}
  func reword(_ reminders: [Reminder]) {}
  func showAgain(_ reminder: Reminder) {}
  func withdraw(_ reminder: Reminder, reason: WithdrawalReason) {}
  func snoozed(_ reminder: Reminder) {}
  func pendingChanged(count: Int) {}
}

extension SimulatedYear {
  /// One of the times that a reminder is told: the first, or after a snooze.
  struct Telling: Hashable {
    /// ``Reminder/id``.
    let key: String
    let snoozes: Int
  }
}
