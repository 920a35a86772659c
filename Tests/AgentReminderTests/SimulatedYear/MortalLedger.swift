import CalendarModel
import CalendarStore
import CivilTime
import Reminders
import TestSupport

/// The ledger of an agent that can die at each of its steps, before or after it is done: from
/// then on nothing is written and nobody hears anything. Where power goes with it, what was written ahead
/// of the disk is lost, too.
final class MortalLedger: ReminderLedger {
  /// After so many more steps it dies; nil: it lives.
  var stepsToLive: Int?
  private(set) var isDead = false
  /// What was told and is not written as delivered.
  var toldUnwritten: Set<SimulatedYear.Telling> = []
  /// Whether power goes with it.
  var losesPower = false
  /// What the disk has for sure: the files by name, as they were before the first transaction that did not
  /// wait for it; nil where none has come since.
  private(set) var durable: [String: [UInt8]]?
  /// What was taken since then.
  private(set) var ahead: [Reminder] = []
  private let store: EventStore
  private let files: TemporaryDirectory
  private let written: ([Reminder]) -> Void

  struct Dead: Error {}

  /// - Parameter files: where the store has "datebook.db".
  init(_ store: EventStore, in files: TemporaryDirectory, written: @escaping ([Reminder]) -> Void) {
    self.store = store
    self.files = files
    self.written = written
  }

  /// A step is done; whether it was one too many.
  func dies() -> Bool {
    guard let left = stepsToLive else { return isDead }
    stepsToLive = left - 1
    if left <= 1 { isDead = true }
    return isDead
  }

  /// A transaction has waited for the disk, which has all before it as well.
  func waited() {
    durable = nil
    ahead = []
  }

  private func disk() -> [String: [UInt8]] {
    var octets: [String: [UInt8]] = [:]
    for name in ["datebook.db", "datebook.db-wal"] { octets[name] = files.read(name) }
    return octets
  }

  func nextAlarm() throws -> Timestamp? {
    if isDead { throw Dead() }
    return try store.nextAlarm()
  }

  func takeDue(through now: Timestamp, limit: Int) throws -> [Reminder] {
    if isDead { throw Dead() }
    guard let next = try store.nextAlarm(), next <= now else { return [] }
    if dies() { throw Dead() }
    if losesPower, stepsToLive != nil, durable == nil { durable = disk() }
    let taken = try store.takeDue(through: now, limit: limit)
    if durable != nil { ahead += taken }
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
    if !reminders.isEmpty { waited() }
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
    waited()
  }
}

extension SimulatedYear: ReminderSink {
  func tell(_ reminder: Reminder, lateSeconds: Int64) { heard(reminder, lateSeconds) }
  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool) {
    heard(reminder, lateSeconds)
  }
  func tellDigest(_ digest: ReminderDigest) {}
  func reword(_ reminders: [Reminder]) {}
  func showAgain(_ reminder: Reminder, isNew: Bool, isHeard: Bool) {}
  func withdraw(_ reminder: Reminder, reason: WithdrawalReason) { heardGone(reminder, reason) }
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
