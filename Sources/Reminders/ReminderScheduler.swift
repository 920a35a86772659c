package import CalendarModel
package import CivilTime

/// Delivers each alarm when it falls due, and keeps its reminder until somebody has
/// acknowledged it.
///
/// It does not own the clock, which wakes others, too. Its owner calls
/// ``look()`` at ``nextWake`` or later, whenever the clock jumped, and also at
/// any other time: a tick does what is due by now, and nothing twice.
///
///     clock.wake = { _ in
///       scheduler.look()
///       clock.arm(at: min(scheduler.nextWake, …))
///     }
///     scheduler.onNextWakeChanged = { clock.arm(at: min($0, …)) }
///
/// Each step is in the ledger before it is shown: due, then announced, then
/// delivered. So an agent that dies in between announces a reminder again, and none
/// is lost. Only the last step, delivered, waits for the disk, so that the disk never
/// delays a reminder. An error of the ledger goes to ``onError``; what it did not write
/// is tried again, after 5 seconds and up to 5 minutes.
///
/// Thousands that are due at once do not block the thread: one tick handles a batch
/// of them, ``hasMore`` says so, and ``nextWake`` asks for another tick at once.
package final class ReminderScheduler {
  /// Told of each new ``nextWake`` outside ``look()``, and after it.
  package var onNextWakeChanged: ((Timestamp?) -> Void)?
  /// Up to when missed reminders of calendars are told, from the next look on; of one that is
  /// not here as usual.
  package var missedReminderPolicy: [CalendarID: MissedReminderPolicy] {
    get { queue.policy.missedReminderPolicy }
    set { queue.policy.missedReminderPolicy = newValue }
  }
  /// Called with what the ledger could not do during a tick.
  package var onError: ((any Error) -> Void)?
  /// Called after each tick in which the ledger could do everything.
  package var onLookWithoutError: (() -> Void)?
  /// Returns when the quiet time ends that an instant lies in; nil where it is not
  /// quiet, ``CivilTime/Timestamp/latest`` where there is no end. After a change of it
  /// there must be a ``look()``.
  package var quietEnd: (Timestamp) -> Timestamp? = { _ in nil }
  /// Whether it was quiet at an instant that has passed.
  package var wasQuiet: (Timestamp) -> Bool = { _ in false }
  /// Whether the notification of a reminder is on the screen, also that of an agent before this one.
  package var isOnScreen: (_ id: String) -> Bool = { _ in false }
  /// Whether it is that of its occurrence alone, and not one of many.
  package var isOnScreenAlone: (Reminder) -> Bool = { _ in false }
  /// When the next tick is due; nil if nothing is planned. It may lie in
  /// the past, when there was more to do than one look does.
  package private(set) var nextWake: Timestamp?

  let clock: any WallClock
  let ledger: any ReminderLedger
  unowned let sink: any ReminderSink
  var queue: ReminderQueue
  /// Those that went, as they went, of which nobody has been told so yet; by identifier.
  var untoldGone: [String: Reminder] = [:]
  /// Whether what the ledger holds is in the queue.
  private var isLoaded = false
  /// How many that were missed and not shown the ledger knows of; nil until it has been asked.
  private var writtenMissed: Int?
  private var isLooking = false
  /// Whether the last look left something for the next one.
  package private(set) var hasMore = false
  /// When the agent started, until what it had missed is told.
  private var stoppedUntil: Timestamp?
  private var toldCount = 0
  private var retry = RetryPace()
  private var batch: TickBatch
  private let stopwatch: (() -> Int64)?

  /// - Parameters:
  ///   - sink: it must outlive the scheduler.
  ///   - stopwatch: nanoseconds of a clock that never jumps, by which a tick
  ///     keeps to a fiftieth of a second; without one each deals with 100.
  package init(
    clock: any WallClock, ledger: any ReminderLedger, sink: any ReminderSink,
    policy: CatchUpPolicy = CatchUpPolicy(), stopwatch: (() -> Int64)? = nil
  ) {
    self.clock = clock
    self.ledger = ledger
    self.sink = sink
    self.stopwatch = stopwatch
    queue = ReminderQueue(policy: policy)
    // Any full batch is a digest.
    batch = TickBatch(fewest: policy.digestAbove + 1)
  }

  // MARK: The clock

  /// Looks at the clock for the first time: tells what fell due while no agent
  /// ran, and shows what nobody had acknowledged.
  package func start() {
    stoppedUntil = clock.now
    look()
  }

  /// Does what is to be done by now, or a batch of it; see ``hasMore``.
  package func look() {
    // A sink that calls back in the middle of a tick is part of it.
    guard !isLooking else { return }
    isLooking = true
    let now = clock.now
    let began = stopwatch?()
    hasMore = false
    retry.begin()
    attempt(writeDown)
    if !isLoaded { attempt(load) }
    attempt { try takeDue(now) }
    attempt { try takeReturning(now) }
    let actions = queue.tellings(
      at: now, graceSeconds: queue.policy.graceSeconds, stoppedUntil: stoppedUntil,
      moreFollow: hasMore, isQuiet: quietEnd(now) != nil)
    for reminder in queue.takeExpired() { sink.withdraw(reminder, reason: .expired) }
    for action in actions { carryOut(action) }
    if !hasMore { stoppedUntil = nil }
    attempt(writeDown)
    isLooking = false
    if let stopwatch, let began {
      batch.learn(nanoseconds: stopwatch() - began, isFull: hasMore)
    }
    finish(lookedAt: now)
  }

  /// Computes ``nextWake`` again, after a change of events or of the plan.
  package func planChanged() {
    finish()
  }

  /// Shows what nobody has acknowledged again: whoever shows notifications has
  /// come back and knows none.
  ///
  /// - Parameter unseen: the identifiers of those that nobody could show when they were delivered.
  package func notifierCameBack(unseen: Set<String> = []) {
    queue.forgetShown(unseen: unseen)
    look()
  }

  /// A notification is on the screen that tells of so many that were too old: those of
  /// ``ReminderSink/tellDigest(_:)``, which are shown again until it is.
  package func showed(missed count: Int) {
    guard count > 0 else { return }
    queue.showed(missed: count)
    look()
  }

  /// Shows those of many reminders again that nobody has acknowledged: what was to be done with them
  /// could not be written, or their notification has not come up.
  ///
  /// - Parameters:
  ///   - missed: how many more that notification was to count, as of ``ReminderDigest/tooOld``.
  ///   - unseen: the identifiers of those that nobody has seen yet.
  package func showAgain(ids: [String], missed: Int = 0, unseen: Set<String> = []) {
    queue.showAgain(ids, missed: missed, unseen: unseen)
    look()
  }

  /// The identifiers of the reminders that were announced and are shown when the quiet time ends.
  package var heldBack: Set<String> { queue.heldBack }

  /// When what is held back in quiet time can be shown.
  private func quietWake(_ now: Timestamp) -> Timestamp? {
    guard queue.holdsBack, let end = quietEnd(now), end < .latest else { return nil }
    return end
  }

  private func load() throws {
    queue.admit(try ledger.pendingReminders(), wasHeld: true)
    // The ledger does not have what was shown. What came in a quiet time and is not on the screen may have been shown
    // at its end, before the machine was off: then it is shown again, and together does no harm.
    if stoppedUntil != nil {
      // The reminders of a digest stay together.
      queue.holdBack { isOnScreen($0.id) ? !isOnScreenAlone($0) : wasQuiet($0.due) }
      queue.takeOver(isOnScreenAlone)
    }
    if writtenMissed == nil {
      let missed = try ledger.unshownMissed()
      queue.admit(unshownMissed: missed)
      writtenMissed = missed
    }
    isLoaded = true
  }

  private func takeDue(_ now: Timestamp) throws {
    let taken: [Reminder]
    do {
      taken = try ledger.takeDue(through: now, limit: batch.limit)
    } catch {
      // Should it have been written all the same, the next look finds it.
      isLoaded = false
      throw error
    }
    queue.admit(taken)
    if taken.count >= batch.limit { hasMore = true }
  }

  private func takeReturning(_ now: Timestamp) throws {
    let returning = queue.returning(at: now, limit: batch.limit)
    guard !returning.isEmpty else { return }
    try ledger.record(returning, at: now)
    queue.admitReturned(returning)
    for reminder in returning where !reminder.isPending {
      sink.withdraw(reminder, reason: .toldWithAnother)
    }
    if returning.count >= batch.limit { hasMore = true }
  }

  private func carryOut(_ action: ReminderQueue.Action) {
    switch action {
    // One that was settled by a callback in the meantime is over.
    case .tell(let reminder, let late):
      if isStillWanted(reminder) { sink.tell(reminder, lateSeconds: late) }
    case .signal(let reminder, let late, let isQuiet):
      if isStillWanted(reminder) {
        sink.signal(reminder, lateSeconds: late, isQuiet: isQuiet)
      }
    case .showAgain(let reminder, let isNew, let isHeard):
      if isStillWanted(reminder) { sink.showAgain(reminder, isNew: isNew, isHeard: isHeard) }
    case .tellDigest(var digest):
      digest.reminders.removeAll { !isStillWanted($0) }
      sink.tellDigest(digest)
    }
  }

  private func isStillWanted(_ reminder: Reminder) -> Bool {
    queue.reminder(id: reminder.id)?.state == .delivered
  }

  /// Writes the states that the ledger does not know.
  private func writeDown() throws {
    // Before them: counted twice is better than not at all.
    if let written = writtenMissed, written != queue.unshownMissed {
      try ledger.keep(unshownMissed: queue.unshownMissed)
      writtenMissed = queue.unshownMissed
    }
    let unwritten = queue.unwritten
    guard !unwritten.isEmpty else { return }
    try ledger.record(Array(unwritten.values), at: clock.now)
    queue.markWritten(unwritten)
  }

  private func attempt(_ step: () throws -> Void) {
    do {
      try step()
    } catch {
      // One report a tick is enough: a ledger that is gone fails at each step.
      if !retry.hasFailed { onError?(error) }
      retry.hasFailed = true
    }
  }

  /// Tells the owner what changed: the number of pending ones, the next wake.
  ///
  /// - Parameter looked: the instant of the look that this ends, if it does.
  func finish(lookedAt looked: Timestamp? = nil) {
    guard !isLooking else { return }
    // Of thousands it is told once.
    if !hasMore, queue.count != toldCount {
      toldCount = queue.count
      sink.pendingChanged(count: toldCount)
    }
    let now = looked ?? clock.now
    let hadFailed = retry.hasFailed
    var alarm: Timestamp?
    attempt {
      alarm = try ledger.nextAlarm()
      if let looked, let overdue = alarm, overdue <= looked, !hasMore {
        // It must not keep the agent busy.
        throw ReminderError.planStuck(at: overdue)
      }
    }
    if looked != nil || retry.hasFailed != hadFailed { retry.end(at: now) }
    if looked != nil, !retry.hasFailed { onLookWithoutError?() }
    var next = [alarm, queue.nextReturn, hasMore ? now : nil, quietWake(now)]
      .compactMap(\.self).min()
    if let instant = retry.instant {
      // What is overdue waits for the next attempt, or it would be made at once.
      next = next.map { $0 > now ? min($0, instant) : instant } ?? instant
    }
    guard next != nextWake else { return }
    nextWake = next
    onNextWakeChanged?(next)
  }
}
