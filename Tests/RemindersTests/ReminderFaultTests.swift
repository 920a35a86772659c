import CalendarModel
import CivilTime
import Reminders
import TestSupport
import Testing

@Suite struct `A ledger that fails` {
  private func expect(
    _ plan: String, _ drawing: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let timeline = Timeline(plan)
    #expect(timeline.run(drawing) == Timeline.normal(drawing), sourceLocation: sourceLocation)
  }

  @Test func `what could not be taken is told at a later look`() {
    expect(
      "a 09:00",
      """
      08:00    | start |
      08:30    | fail  |
      09:00    |       | error
      09:00:04 |       |
      09:00:05 |       | error
      09:00:06 | heal  |
      09:00:15 |       | tell a 15 late; pending 1
      """)
  }

  @Test func `it is tried ever more seldom, and at least every five minutes`() {
    let timeline = Timeline("a 09:00")
    _ = timeline.run("08:00 | start |\n08:30 | fail |")
    let calls = timeline.ledger.calls
    _ = timeline.run("19:00 | |")
    // 10 hours hold 120 times 5 minutes, and each look asks a few things.
    #expect(timeline.ledger.calls - calls < 140 * 5)
    _ = timeline.run("19:01 | heal |")
    #expect(timeline.run("19:06 | |").contains("tell a"))
  }

  @Test func `a failed note that a reminder was told is made up for, and it is not told again`() {
    let timeline = Timeline("a 09:00")
    timeline.onTell = { [unowned timeline] _ in timeline.ledger.mood = .failing }
    let drawing = """
      08:00    | start |
      09:00    |       | tell a; error; pending 1
      09:00:01 | heal  |
      09:00:05 |       |
      09:00:06 | stop  |
      09:00:07 | start | again a; pending 1
      """
    #expect(timeline.run(drawing) == Timeline.normal(drawing))
    #expect(timeline.ledger.rows[timeline.id("a")]?.state == .delivered)
  }

  @Test func `what was written in spite of the error is found and told once`() {
    expect(
      "a 09:00",
      """
      08:00    | start     |
      08:30    | fail-late |
      09:00    |           | error
      09:00:01 | heal      |
      09:00:05 |           | tell a 5 late; pending 1
      10:00    |           |
      """)
  }

  @Test func `a snooze that could not end is told later`() {
    expect(
      "a 09:00",
      """
      08:00    | start          |
      09:00    |                | tell a; pending 1
      09:01    | snooze a 09:10 | snoozed a until 09:10
      09:02    | fail           |
      09:10    |                | error
      09:10:02 | heal           |
      09:10:05 |                | tell a 5 late
      """)
  }

  @Test func `an answer that cannot be written is refused and changes nothing`() {
    expect(
      "a 09:00",
      """
      08:00    | start          |
      09:00    |                | tell a; pending 1
      09:01    | fail           |
      09:02    | dismiss a      | refused
      09:03    | snooze a 10:00 | refused
      09:04    | heal           |
      09:05    | dismiss a      | withdraw a user; pending 0
      """)
  }

  @Test func `a late write does not undo an answer`() throws {
    let timeline = Timeline("a 09:00")
    timeline.onTell = { [unowned timeline] _ in timeline.ledger.mood = .failing }
    let drawing = """
      08:00    | start     |
      09:00    |           | tell a; error; pending 1
      09:00:01 | heal      |
      09:00:02 | dismiss a | withdraw a user; pending 0
      09:00:30 |           |
      """
    #expect(timeline.run(drawing) == Timeline.normal(drawing))
    #expect(timeline.ledger.rows[timeline.id("a")]?.state == .acknowledged)
  }

  @Test func `a start without a ledger is made up for`() {
    expect(
      "a 09:00, b 09:00",
      """
      08:00    | start |
      09:00    |       | tell a; tell b; pending 2
      09:01    | stop  |
      09:02    | fail  |
      09:03    | start | error
      09:03:02 | heal  |
      09:03:05 |       | again a; again b; pending 2
      """)
  }

  @Test func `a plan that gives nothing does not keep the agent busy`() {
    let timeline = Timeline("a 09:00")
    _ = timeline.run("08:00 | start |\n08:30 | stick |")
    let calls = timeline.ledger.calls
    #expect(timeline.run("09:00 | |") == "09:00 |  | error")
    _ = timeline.run("10:00 | |")
    #expect(timeline.ledger.calls - calls < 100)
  }
}

@Suite struct `Random lives of a reminder` {
  @Test(arguments: 0..<rounds(40, long: 200))
  func `each key is told once, and again only where a crash fell between`(seed: Int) throws {
    var dice = SeededGenerator(seed: UInt64(seed))
    let desk = CrashingDesk(clock: ManualClock(now: Timeline.instant("00:00")))
    let start = desk.clock.now
    for number in 0..<Int.random(in: 1...60, using: &dice) {
      let due = start.adding(seconds: Int64.random(in: 0..<(20 * 86_400), using: &dice))
      desk.ledger.plan.append(.sample("r\(number)", due: due))
    }
    desk.start()
    var latest = start
    for _ in 0..<60 {
      let step = Int64.random(in: 0..<(86_400), using: &dice)
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: desk.clock.set(to: desk.clock.now.adding(seconds: step * 2))
      case 1: desk.clock.set(to: desk.clock.now.adding(seconds: -step / 4))
      case 2: desk.crash()
      case 3: desk.tellsUntilCrash = Int.random(in: 1...3, using: &dice)
      case 4: desk.ledger.mood = .failing
      case 5: desk.ledger.mood = .failingAfterWrites
      default: desk.clock.advance(seconds: step)
      }
      if Bool.random(using: &dice) { desk.ledger.mood = .well }
      if desk.isDown { desk.start() }
      latest = max(latest, desk.clock.now)
    }
    desk.ledger.mood = .well
    desk.tellsUntilCrash = .max
    desk.clock.set(to: latest)
    if desk.isDown { desk.start() }
    desk.clock.advance(seconds: 600)
    let unplanned = desk.ledger.plan.filter { $0.due <= desk.clock.now }
    #expect(unplanned.isEmpty, "seed \(seed)")
    for (id, reminder) in desk.ledger.rows {
      let told = desk.told[id, default: 0]
      if reminder.state == .closed(.missed) {
        #expect(told == 0 || desk.toldAtCrash.contains(id), "seed \(seed), \(reminder.summary)")
      } else {
        #expect(reminder.state == .delivered, "seed \(seed), \(reminder.summary)")
        #expect(
          told == 1 || (told > 1 && desk.toldAtCrash.contains(id)),
          "seed \(seed), \(reminder.summary), told \(told) times")
      }
    }
  }
}

/// An agent that may die at any telling; what it told last may not be written.
private final class CrashingDesk: ReminderSink {
  let clock: ManualClock
  let ledger = MemoryLedger()
  var told: [String: Int] = [:]
  /// Told by an agent that died before the ledger knew.
  var toldAtCrash: Set<String> = []
  var tellsUntilCrash = Int.max
  private var scheduler: ReminderScheduler?
  private(set) var isDown = true

  init(clock: ManualClock) {
    self.clock = clock
  }

  func start() {
    isDown = false
    let scheduler = ReminderScheduler(clock: clock, ledger: ledger, sink: self)
    self.scheduler = scheduler
    scheduler.onNextWakeChanged = { [unowned self] in clock.arm(at: $0) }
    clock.wake = { [unowned self, unowned scheduler] _ in
      scheduler.look()
      if !isDown { clock.arm(at: scheduler.nextWake) }
    }
    scheduler.start()
    if isDown { crash() }
  }

  func crash() {
    for (id, reminder) in ledger.rows where reminder.state == .due && told[id] != nil {
      toldAtCrash.insert(id)
    }
    isDown = true
    clock.wake = nil
    clock.arm(at: nil)
    tellsUntilCrash = .max
    ledger.mood = .well
  }

  private func count(_ reminder: Reminder) {
    guard !isDown else { return }
    told[reminder.id, default: 0] += 1
    tellsUntilCrash -= 1
    if tellsUntilCrash == 0 {
      // From here on nothing reaches the disk.
      crash()
      ledger.mood = .failing
    }
  }

  func tell(_ reminder: Reminder, lateSeconds: Int64) { count(reminder) }
  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool) { count(reminder) }
  func tellDigest(_ digest: ReminderDigest) {}
  func reword(_ reminders: [Reminder]) {}
  func showAgain(_ reminder: Reminder, isNew: Bool, isHeard: Bool) {}
  func withdraw(_ reminder: Reminder, reason: WithdrawalReason) {}
  func snoozed(_ reminder: Reminder) {}
  func pendingChanged(count: Int) {}
}
