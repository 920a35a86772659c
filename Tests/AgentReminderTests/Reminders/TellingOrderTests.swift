import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Reminders
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// Writes down what the files have of the reminders in the moment in which one is told: what the next
/// agent would find if this one died there. (Whether the disk has it, too, is of account where the machine dies.)
private final class Witness: ReminderSink {
  private let files: TemporaryDirectory
  private(set) var found: [String] = []
  private(set) var failure: (any Error)?

  init(_ files: TemporaryDirectory) {
    self.files = files
  }

  private func look(_ reminder: Reminder) {
    do {
      let copy = try TemporaryDirectory()
      _ = try Subprocess.run(
        "cp", [files.file("datebook.db"), files.file("datebook.db-wal"), copy.path])
      let store = try EventStore(
        path: copy.file("datebook.db"), zones: FixedZones.shared, localZone: { .utc })
      let state = try store.reminder(id: reminder.id)?.state
      found.append("\(reminder.summary) \(state.map { "\($0)" } ?? "nowhere")")
    } catch {
      failure = error
    }
  }

  func tell(_ reminder: Reminder, lateSeconds: Int64) { look(reminder) }
  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool) { look(reminder) }
  func tellDigest(_ digest: ReminderDigest) {}
  func reword(_ reminders: [Reminder]) {}
  func showAgain(_ reminder: Reminder, isNew: Bool, isHeard: Bool) {}
  func withdraw(_ reminder: Reminder, reason: WithdrawalReason) {}
  func snoozed(_ reminder: Reminder) {}
  func pendingChanged(count: Int) {}
}

@Suite struct `The order in which a reminder is told` {
  @Test(arguments: [1, 7])
  func `the file of the ledger has it before anybody hears of it`(number: Int) throws {
    let files = try TemporaryDirectory()
    let start = try Timestamp(text: "20261121T090000Z")
    let clock = ManualClock(now: start.adding(seconds: -3600))
    let store = try EventStore(
      path: files.file("datebook.db"), zones: FixedZones.shared, localZone: { .utc })
    try store.change(origin: .local, now: clock.now) { change throws(StoreError) in
      for index in 0..<number {
        var event = Event(uid: EventUID("\(index)"), start: .utc(start), summary: "\(index)")
        event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
        try change.put(EventSeries(calendar: CalendarID("personal"), master: event))
      }
    }
    let witness = Witness(files)
    let ledger = MortalLedger(store, in: files) { _ in }
    let scheduler = ReminderScheduler(clock: clock, ledger: ledger, sink: witness)
    scheduler.start()
    clock.advance(to: start)
    scheduler.look()
    #expect(witness.failure == nil)
    #expect(witness.found == (0..<number).map { "\($0) due" })
    // A snooze that ends is due in the file, too, before it is told again.
    try scheduler.snooze(
      id: try #require(scheduler.pending.first).id, until: start.adding(seconds: 60))
    clock.advance(to: start.adding(seconds: 60))
    scheduler.look()
    #expect(witness.found.last == "0 due")
    #expect(witness.found.count == number + 1)
  }

  @Test func `the signal goes out before the notification and before a hook is run`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.files.makeDirectory("hooks")
    try agent.files.makeDirectory("hooks/reminder-due.d")
    try agent.files.write(
      """
      #!/bin/sh
      exec dbus-send --bus='\(agent.bus.address)' / org.example.Hook.HookRan

      """, to: "hooks/reminder-due.d/tell", mode: 0o700)
    try agent.settle()
    try agent.addStandup()
    let monitor = try Subprocess(
      "dbus-monitor", ["--session", "--profile"], environment: agent.bus.environment)
    let watch = try agent.loop.watch(monitor.descriptor, for: .read) { _ in monitor.pump() }
    defer { agent.loop.cancel(watch) }
    func members() -> [Substring] {
      String(decoding: monitor.output, as: UTF8.self).split(separator: "\n")
        .compactMap { $0.split(separator: "\t").last }
    }
    try agent.wait(for: "the monitor") { members().contains { $0.hasPrefix("Name") } }
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let wanted: Set<Substring> = ["ReminderDue", "Notify", "HookRan"]
    try agent.wait(for: "all three") { wanted.isSubset(of: members()) }
    #expect(members().first { wanted.contains($0) } == "ReminderDue")
    #expect(server.shown.count == 1)
  }
}
