import CalendarModel
import CalendarStore
import CivilTime
import Reminders
import TestSupport

@testable import AgentSupport
@testable import CalendarService

// The agent, which is started, stopped, and dies.

extension SimulatedYear {
  var isAlive: Bool { scheduler != nil && ledger?.isDead == false }
  var plannedZone: PlannedZone {
    PlannedZone(name: zone, fingerprint: Int64(zones.version))
  }

  func open() throws {
    store = try EventStore(
      path: files.file("datebook.db"), zones: zones,
      localZone: { [unowned self] in zones[zone] })
  }

  func start() throws {
    try open()
    begin()
    try buryTheDead()
  }

  /// As the agent does when it has opened its store.
  func begin() {
    guard let store else { return }
    note("start")
    observe()
    // Where both the clock and the zone are others nobody knows which was first, and what was to come once
    // more for a moment may ring.
    moments.append((plannedRules, clock.now))
    plan()
    do {
      leftDue.formUnion(try store.pendingReminders().filter { $0.state == .due }.map(\.id))
      let planned = try store.plannedZone()
      if planned != plannedZone {
        let isDataNew = planned.map { $0.fingerprint != plannedZone.fingerprint } ?? false
        try store.replanAlarms(after: clock.now, by: plannedZone, isDataNew: isDataNew)
      }
      try planAnewIfBehind(store)
      let ledger = MortalLedger(store, in: files) { [unowned self] in noteWritten($0) }
      self.ledger = ledger
      expectBooksAgree()
      let scheduler = ReminderScheduler(clock: clock, ledger: ledger, sink: self)
      self.scheduler = scheduler
      scheduler.quietEnd = { [unowned self] in quiet.end(at: $0, zone: zones[zone]) }
      scheduler.wasQuiet = { [unowned self] in quiet.wasQuiet(at: $0, zone: zones[zone]) }
      scheduler.onError = { [unowned self, unowned ledger] error in
        if !ledger.isDead { complain("\(error)") }
      }
      scheduler.onNextWakeChanged = { [unowned self] in clock.arm(at: $0) }
      clock.wake = { [unowned self, unowned scheduler, unowned ledger] reason in
        do {
          if reason != .due, !ledger.isDead { try planAnewIfBehind(store) }
        } catch { complain("\(error)") }
        scheduler.look()
        // The dead arm nothing.
        clock.arm(at: isAlive ? scheduler.nextWake : nil)
      }
      scheduler.start()
      // What comes in masses comes in batches, one after the other.
      clock.deliver()
      if isAlive { watches.append((rules, clock.now, clock.now)) }
      try expectPlaced(after: "start")
    } catch {
      complain("\(error)")
    }
  }

  private func planAnewIfBehind(_ store: EventStore) throws {
    guard try store.latestAlarmInstant() > clock.now else { return }
    try store.replanAlarms(after: clock.now)
    ledger?.waited()
  }

  func stop() {
    clock.wake = nil
    clock.arm(at: nil)
    if scheduler != nil { count("stops") }
    note("end")
    scheduler = nil
    ledger = nil
    namesLost.formUnion(formerNames.ids)
    formerNames = ReminderIDAliases()
    store?.close()
    store = nil
  }

  /// What an agent that died leaves is its files; the next one finds them.
  func buryTheDead() throws {
    guard let ledger, ledger.isDead else { return }
    for telling in ledger.toldUnwritten { unfinished[telling, default: 0] += 1 }
    count("crashes")
    if !ledger.toldUnwritten.isEmpty { count("crashes between due and delivered") }
    stop()
    counts["stops", default: 1] -= 1
    if ledger.losesPower {
      count("power losses")
      try lose(ledger.ahead, of: ledger)
    }
    if flip() { try start() }
  }

  /// Power is gone: the files are as the disk has them for sure, and what was taken since then is planned as
  /// before.
  private func lose(_ taken: [Reminder], of ledger: MortalLedger) throws {
    guard let durable = ledger.durable else { return }
    for (name, octets) in durable { try files.write(octets, to: name) }
    if !taken.isEmpty { count("power losses that took back what was due") }
    for reminder in taken {
      guard let alarm = known.removeValue(forKey: reminder.id) else { continue }
      note("is lost", of: alarm)
      books[reminder.id] = nil
      if reminder.state == .closed(.calendarHidden) { silenced.remove(alarm.name) }
    }
  }
}
