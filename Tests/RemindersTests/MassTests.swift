import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import Reminders

/// A desk that many reminders come to, one look at a time.
private final class Desk: ReminderSink {
  let clock = ManualClock(now: Timeline.instant("08:00"))
  let ledger = MemoryLedger()
  private(set) lazy var scheduler = makeScheduler()
  var signals: [Reminder] = []
  var told: [Reminder] = []
  var shownAgain = 0
  /// Which were shown again without a sound.
  var heard: [String] = []
  var digests: [ReminderDigest] = []
  var withdrawn: [String] = []
  var snoozes: [String] = []
  var counts: [Int] = []
  /// What the stopwatch gains at each look.
  var lookNanoseconds: Int64 = 0

  init(_ count: Int, at time: String = "09:00") {
    for number in 0..<count {
      ledger.plan.append(.sample("r\(1000 + number)", due: Timeline.instant(time)))
    }
  }

  /// A new agent; it starts when told to.
  func restart() { scheduler = makeScheduler() }

  private func makeScheduler() -> ReminderScheduler {
    var nanoseconds: Int64 = 0
    return ReminderScheduler(clock: clock, ledger: ledger, sink: self) { [unowned self] in
      nanoseconds += lookNanoseconds
      return nanoseconds
    }
  }

  /// Starts it, and lets time pass without a wake.
  func start(at time: String = "09:00") {
    scheduler.start()
    clock.advance(to: Timeline.instant(time))
  }

  /// Looks until nothing is left; returns how many reminders each look told of.
  func lookOn() -> [Int] {
    var sizes: [Int] = []
    repeat {
      let before = signals.count + told.count
      scheduler.look()
      sizes.append(signals.count + told.count - before)
    } while scheduler.nextWake.map { $0 <= clock.now } ?? false
    return sizes
  }

  func tell(_ reminder: Reminder, lateSeconds: Int64) { told.append(reminder) }
  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool) { signals.append(reminder) }
  func tellDigest(_ digest: ReminderDigest) { digests.append(digest) }
  func reword(_ reminders: [Reminder]) {}
  func showAgain(_ reminder: Reminder, isNew: Bool, isHeard: Bool) {
    shownAgain += 1
    if isHeard { heard.append(reminder.id) }
  }
  func withdraw(_ reminder: Reminder, reason: WithdrawalReason) {
    withdrawn.append(reminder.summary)
  }
  func snoozed(_ reminder: Reminder) { snoozes.append(reminder.summary) }
  func pendingChanged(count: Int) { counts.append(count) }
}

@Suite struct `Masses of reminders at once` {
  @Test func `each look tells a batch, and one digest stands for all of them`() {
    let desk = Desk(250)
    desk.lookNanoseconds = 15_000_000
    desk.start()
    desk.scheduler.look()
    #expect(desk.signals.count == 100)
    #expect(desk.scheduler.hasMore)
    #expect(desk.scheduler.nextWake.map { $0 <= desk.clock.now } == true)
    #expect(desk.digests.isEmpty)
    #expect(desk.counts == [])
    #expect(desk.lookOn() == [100, 50])
    #expect(!desk.scheduler.hasMore)
    #expect(desk.scheduler.nextWake == nil)
    #expect(desk.signals.map(\.summary) == (1000..<1250).map { "r\($0)" })
    #expect(desk.digests.map(\.reminders) == [desk.signals])
    #expect(desk.counts == [250])
  }

  @Test func `a full batch that nothing follows is a digest all the same`() {
    let desk = Desk(100)
    desk.start()
    #expect(desk.lookOn() == [100, 0])
    #expect(desk.digests.map(\.reminders.count) == [100])
    #expect(desk.told.isEmpty)
  }

  @Test func `a batch is written before the next one is taken`() {
    let desk = Desk(250)
    desk.start()
    desk.scheduler.look()
    #expect(desk.ledger.rows.count == 100)
    #expect(desk.ledger.rows.values.allSatisfy { $0.state == .delivered })
  }

  @Test func `the digest counts what is too old in every batch`() {
    let desk = Desk(250)
    desk.ledger.plan.append(.sample("last", due: Timeline.instant("9/23:00")))
    desk.clock.advance(to: Timeline.instant("9/23:30"))
    desk.scheduler.start()
    _ = desk.lookOn()
    #expect(desk.signals.map(\.summary) == ["last"])
    #expect(desk.digests.map(\.tooOld) == [250])
    #expect(desk.digests[0].reminders.map(\.summary) == ["last"])
  }

  @Test func `all that fell due before the start is missed, in the last batch, too`() {
    let desk = Desk(250)
    desk.clock.advance(to: Timeline.instant("09:00:05"))
    desk.scheduler.start()
    desk.ledger.plan.append(.sample("new", due: desk.clock.now))
    _ = desk.lookOn()
    #expect(desk.signals.filter(\.isMissed).count == 250)
    #expect(desk.signals.last?.isMissed == false)
    desk.ledger.plan.append(.sample("later", due: desk.clock.now.adding(seconds: -5)))
    _ = desk.lookOn()
    #expect(desk.told.map(\.isMissed) == [false])
  }

  @Test func `one that is answered between two batches is not in the digest`() throws {
    let desk = Desk(250)
    desk.start()
    desk.scheduler.look()
    try desk.scheduler.dismiss(id: desk.signals[0].id)
    _ = desk.lookOn()
    #expect(desk.signals.count == 250)
    #expect(desk.digests.map(\.reminders.count) == [249])
    #expect(desk.counts == [249])
  }

  @Test func `a notifier that comes back between two batches gets one digest`() {
    let desk = Desk(250)
    desk.start()
    desk.scheduler.look()
    desk.scheduler.notifierCameBack()
    _ = desk.lookOn()
    #expect(desk.digests.map(\.reminders.count) == [250])
    #expect(Set(desk.digests[0].reminders).count == 250)
    #expect(desk.shownAgain == 0)
  }

  @Test func `an agent that dies between two batches shows all after its restart`() {
    let desk = Desk(250)
    desk.start()
    desk.scheduler.look()
    desk.restart()
    desk.scheduler.start()
    _ = desk.lookOn()
    #expect(desk.signals.count == 250)
    #expect(desk.digests.map(\.reminders.count) == [250])
  }

  @Test func `a ledger that fails between two batches keeps no digest back`() {
    let desk = Desk(250)
    desk.start()
    desk.scheduler.look()
    desk.ledger.mood = .failing
    desk.scheduler.look()
    #expect(desk.digests.map(\.reminders.count) == [100])
    desk.ledger.mood = .well
    desk.clock.advance(seconds: 5)
    _ = desk.lookOn()
    #expect(desk.digests.map(\.reminders.count) == [100, 150])
    #expect(desk.signals.count == 250)
  }

  @Test func `snoozes that end together come back in batches`() throws {
    let desk = Desk(250)
    desk.lookNanoseconds = 15_000_000
    desk.start()
    _ = desk.lookOn()
    try desk.scheduler.snoozeAll { _ in Timeline.instant("10:00") }
    desk.signals = []
    desk.clock.advance(to: Timeline.instant("10:00"))
    #expect(desk.lookOn() == [100, 100, 50])
    #expect(desk.digests.map(\.reminders.count) == [250, 250])
    #expect(desk.scheduler.pending.allSatisfy { $0.state == .delivered })
  }
}

@Suite struct `Answers to many reminders` {
  private func told(_ count: Int) -> Desk {
    let desk = Desk(count)
    desk.start()
    _ = desk.lookOn()
    desk.counts = []
    return desk
  }

  @Test func `many are dismissed in one write, and those that are over are passed over`() throws {
    let desk = told(20)
    let ids = desk.signals.map(\.id)
    try desk.scheduler.dismiss(id: ids[3])
    let records = desk.ledger.records
    try desk.scheduler.dismiss(ids: ids + ["nobody"])
    #expect(desk.ledger.records == records + 1)
    #expect(desk.withdrawn.count == 20)
    #expect(desk.counts == [19, 0])
  }

  @Test func `many are put off in one write, and those that are over are passed over`() throws {
    let desk = told(20)
    let ids = desk.signals.map(\.id)
    try desk.scheduler.dismiss(id: ids[3])
    let records = desk.ledger.records
    try desk.scheduler.snooze(ids: ids + ["nobody"]) { _ in Timeline.instant("09:10") }
    #expect(desk.ledger.records == records + 1)
    #expect(desk.snoozes.count == 19)
    #expect(desk.scheduler.nextWake == Timeline.instant("09:10"))
    #expect(desk.scheduler.pendingCount == 19)
  }

  @Test func `what thousands of ended ones are told by can wait, and they are over at once`() throws
  {
    let desk = told(20)
    let ended = desk.scheduler.pending.map { reminder in
      var reminder = reminder
      reminder.state = .closed(.calendarHidden)
      return reminder
    }
    let gone = desk.scheduler.close(ended)
    #expect(desk.withdrawn.isEmpty)
    #expect(desk.scheduler.pendingCount == 0)
    desk.scheduler.tellClosed(gone.prefix(5))
    #expect(desk.withdrawn.count == 5)
    // One that is pending again by then is not told as over.
    var back = ended[19]
    back.state = .delivered
    desk.scheduler.reopen([back])
    desk.scheduler.tellClosed(gone.dropFirst(5))
    #expect(desk.withdrawn.count == 19)
    #expect(desk.scheduler.pendingCount == 1)
  }

  private func ended(_ reminders: [Reminder]) -> [Reminder] {
    reminders.map { reminder in
      var reminder = reminder
      reminder.state = .closed(.calendarHidden)
      return reminder
    }
  }

  @Test func `of those that were not yet told to be over nobody is told that they are back`() throws
  {
    let desk = told(20)
    let all = desk.scheduler.pending
    var gone: [Reminder] = []
    desk.scheduler.follow([ReminderChanges(closed: ended(all), reworded: [], reopened: [])]) {
      []
    } tell: { closed, _ in
      gone = closed
    }
    desk.scheduler.tellClosed(gone.prefix(5))
    var returned: [Reminder] = []
    desk.scheduler.follow([ReminderChanges(closed: [], reworded: [], reopened: all)]) {
      []
    } tell: {
      desk.scheduler.tellClosed($0[...])
      returned = $1
    }
    desk.scheduler.tellClosed(gone.dropFirst(5))
    #expect(returned.map(\.summary) == desk.withdrawn)
    #expect(desk.withdrawn.count == 5)
    // What was owed then is not owed now.
    desk.scheduler.tellClosed(desk.scheduler.close(ended(all))[...])
    #expect(desk.withdrawn.count == 25)
    #expect(desk.scheduler.pendingCount == 0)
  }

  @Test func `of changes that come together the last says what is told`() throws {
    let desk = told(20)
    let all = desk.scheduler.pending
    func change(closed: [Reminder] = [], reopened: [Reminder] = []) -> ReminderChanges {
      ReminderChanges(closed: closed, reworded: [], reopened: reopened)
    }
    func follow(_ changes: [ReminderChanges]) -> (gone: Int, returned: [String]) {
      let before = desk.withdrawn.count
      var returned: [String] = []
      desk.scheduler.follow(changes) {
        []
      } tell: {
        desk.scheduler.tellClosed($0[...])
        returned = $1.map(\.id)
      }
      return (desk.withdrawn.count - before, returned)
    }
    let there = follow([change(closed: ended(all)), change(reopened: all)])
    #expect(there.gone == 0 && there.returned.isEmpty)
    let over = follow([change(reopened: all), change(closed: ended(all))])
    #expect(over.gone == 20 && over.returned.isEmpty)
    // They are over already: the change in the middle is told by nothing.
    let back = follow([
      change(reopened: all), change(closed: ended(all)), change(reopened: all),
    ])
    #expect(back.gone == 0)
    #expect(Set(back.returned) == Set(all.map(\.id)))
    #expect(desk.scheduler.pendingCount == 20)
  }

  @Test func `what waits again is shown and not heard, until whoever shows it is another`() throws {
    let desk = told(20)
    let digests = desk.digests.count
    let all = desk.scheduler.pending
    func comeBack(_ reminders: [Reminder]) {
      desk.scheduler.tellClosed(desk.scheduler.close(ended(reminders))[...])
      desk.scheduler.reopen(reminders)
    }
    comeBack(all)
    #expect(desk.digests.count == digests + 1)
    #expect(desk.digests.last?.isHeard == true)
    comeBack([all[3]])
    #expect(desk.heard == [all[3].id])
    desk.scheduler.notifierCameBack()
    #expect(desk.digests.last?.isHeard == false)
    #expect(desk.digests.last?.earlier.count == 20)
  }

  @Test func `a digest knows what of it was shown before`() throws {
    let desk = told(20)
    #expect(desk.digests.map(\.earlier) == [[]])
    desk.ledger.plan.append(.sample("new", due: Timeline.instant("09:30")))
    desk.scheduler.planChanged()
    desk.clock.advance(to: Timeline.instant("09:30"))
    desk.scheduler.notifierCameBack()
    let last = try #require(desk.digests.last)
    #expect(last.reminders.filter { !last.earlier.contains($0.id) }.map(\.summary) == ["new"])
    #expect(last.reminders.count == 21)
  }

  @Test func `answers to none, or that cannot be written, change nothing`() throws {
    let desk = told(20)
    let records = desk.ledger.records
    try desk.scheduler.dismiss(ids: [])
    #expect(desk.ledger.records == records)
    desk.ledger.mood = .failing
    #expect(throws: ReminderError.self) {
      try desk.scheduler.dismiss(ids: desk.signals.map(\.id))
    }
    #expect(desk.scheduler.pendingCount == 20)
    #expect(desk.withdrawn.isEmpty)
  }
}

@Suite struct `The order of pending reminders` {
  private static func sorted(_ reminders: some Sequence<Reminder>) -> [Reminder] {
    reminders.sorted { ($0.due, $0.summary, $0.id) < ($1.due, $1.summary, $1.id) }
  }

  @Test(arguments: 0..<20)
  func `it is that of instants, whatever was put off or answered`(seed: Int) {
    var state = UInt64(seed) &+ 1
    func dice(_ sides: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(sides))
    }
    var queue = ReminderQueue(policy: CatchUpPolicy())
    var expected: [String: Reminder] = [:]
    for step in 0..<600 {
      let due = Timeline.instant("09:00").adding(seconds: Int64(dice(50)))
      if dice(3) == 0 || expected.isEmpty {
        let reminder = Reminder.sample("r\(step % 7)-\(dice(200))", due: due)
        queue.admit([reminder])
        if expected[reminder.id] == nil { expected[reminder.id] = reminder }
      } else {
        let all = `The order of pending reminders`.sorted(expected.values)
        var reminder = all[dice(all.count)]
        reminder.state = dice(3) == 0 ? .snoozed : .acknowledged
        if reminder.isPending { reminder.due = due }
        queue.settle([reminder])
        expected[reminder.id] = reminder.isPending ? reminder : nil
      }
      #expect(queue.count == expected.count)
    }
    let all = `The order of pending reminders`.sorted(expected.values)
    #expect(queue.pending() == all)
    #expect(queue.pending(limit: 3) == Array(all.prefix(3)))
    #expect(queue.nextReturn == all.first { $0.state == .snoozed }?.due)
    let now = Timeline.instant("09:00:25")
    let back = all.filter { $0.state == .snoozed && $0.due <= now }
    #expect(queue.returning(at: now, limit: .max).map(\.id) == back.map(\.id))
    #expect(queue.returning(at: now, limit: 2).count == min(2, back.count))
  }

  @Test func `names of what is gone do not pile up`() {
    var order = DueOrder()
    var queue = ReminderQueue(policy: CatchUpPolicy())
    var reminder = Reminder.sample("a", due: Timeline.instant("09:00"))
    order.insert(DueOrder.Name("a", reminder))
    order.insert(DueOrder.Name("a", reminder))
    #expect(order.names.count == 1)
    queue.admit([reminder])
    reminder.state = .snoozed
    for second: Int64 in 1...1000 {
      reminder.due = Timeline.instant("09:00").adding(seconds: second)
      queue.settle([reminder])
    }
    #expect(queue.pending() == [reminder])
    #expect(queue.order.names.count < 100)
  }
}

@Suite struct `The batch of a tick` {
  private let long = TickBatch.budgetNanoseconds + 1
  private let short = TickBatch.budgetNanoseconds / 4

  @Test func `a look that took too long halves the next, down to a few`() {
    var batch = TickBatch(fewest: 6)
    var limits: [Int] = []
    for _ in 0..<4 {
      batch.learn(nanoseconds: long, isFull: true)
      limits.append(batch.limit)
    }
    #expect(limits == [50, 25, 20, 20])
  }

  @Test func `a short look doubles the next if it was full, up to five hundred`() {
    var batch = TickBatch(fewest: 6)
    batch.learn(nanoseconds: short, isFull: false)
    #expect(batch.limit == 100)
    for _ in 0..<4 { batch.learn(nanoseconds: short, isFull: true) }
    #expect(batch.limit == 500)
    batch.learn(nanoseconds: TickBatch.budgetNanoseconds, isFull: true)
    #expect(batch.limit == 500)
  }

  @Test func `looks that take long tell fewer at a time`() {
    let desk = Desk(300)
    desk.lookNanoseconds = long
    desk.start()
    #expect(desk.lookOn().prefix(3) == [50, 25, 20])
    #expect(desk.signals.count == 300)
  }
}
