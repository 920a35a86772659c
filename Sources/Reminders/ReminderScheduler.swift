package import CalendarModel
package import CivilTime

/// Delivers each alarm when it falls due, and keeps its reminder until it is acknowledged.
///
/// It does not own the clock, which others use too. Its owner must call ``look()`` at ``nextWake``
/// or later, and whenever the clock jumped. Extra calls do no harm: a tick does what is due by now,
/// and nothing twice.
///
///     clock.wake = { _ in
///       scheduler.look()
///       clock.arm(at: min(scheduler.nextWake, …))
///     }
///     scheduler.onNextWakeChanged = { clock.arm(at: min($0, …)) }
///
/// Each step is in the ledger before it is shown: due, then announced, then delivered. So an agent
/// that crashes in between announces a reminder again, and none is lost. Only the state `delivered`
/// is written afterwards, so that the disk never delays a reminder. Errors of the ledger go to
/// ``onError``; a failed write is tried again after 5 seconds, later after up to 5 minutes.
///
/// Thousands that are due at once do not block the thread: one tick handles a batch, sets
/// ``hasMore``, and ``nextWake`` asks for another tick at once.
package final class ReminderScheduler {
  /// Called with each new ``nextWake``, when it changes outside ``look()`` or at the end of it.
  package var onNextWakeChanged: ((Timestamp?) -> Void)?
  /// How long missed reminders of a calendar are still delivered; other calendars use the default.
  ///
  /// A change takes effect at the next tick.
  package var missedReminderPolicy: [CalendarID: MissedReminderPolicy] {
    get { queue.policy.missedReminderPolicy }
    set { queue.policy.missedReminderPolicy = newValue }
  }
  /// Called with the first error of the ledger in a tick.
  package var onError: ((any Error) -> Void)?
  /// Called after each tick in which the ledger reported no error.
  package var onLookWithoutError: (() -> Void)?
  /// Returns when the quiet time at an instant ends.
  ///
  /// nil: it is not quiet; ``CivilTime/Timestamp/latest``: there is no end. After its answers
  /// change, call ``look()``.
  package var quietEnd: (Timestamp) -> Timestamp? = { _ in nil }
  /// Returns whether it was quiet at a past instant.
  package var wasQuiet: (Timestamp) -> Bool = { _ in false }
  /// Returns whether the notification of a reminder is on the screen, even an earlier agent's.
  package var isOnScreen: (_ id: String) -> Bool = { _ in false }
  /// Returns whether that notification is about its occurrence alone, and not a digest.
  package var isOnScreenAlone: (Reminder) -> Bool = { _ in false }
  /// When the next tick is due; nil if nothing is planned.
  ///
  /// It lies in the past when there was more to do than one tick does.
  package private(set) var nextWake: Timestamp?

  let clock: any WallClock
  let ledger: any ReminderLedger
  unowned let sink: any ReminderSink
  var queue: ReminderQueue
  /// Closed reminders whose end has not been reported yet, by identifier.
  var untoldGone: [String: Reminder] = [:]
  /// Whether the reminders of the ledger are in the queue.
  private var isLoaded = false
  /// The ledger's number of missed reminders that were not shown; nil until it is read.
  private var writtenMissed: Int?
  private var isLooking = false
  /// Whether the last tick left work for the next one.
  package private(set) var hasMore = false
  /// When the agent started; nil once everything missed before that is delivered.
  private var stoppedUntil: Timestamp?
  private var toldCount = 0
  private var retry = RetryPace()
  private var batch: TickBatch
  private let stopwatch: (() -> Int64)?

  /// - Parameters:
  ///   - sink: Must outlive the scheduler.
  ///   - stopwatch: Nanoseconds of a clock that never jumps, which limits a tick to about 20 ms.
  ///     Without it each tick handles 100 reminders.
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

  /// Runs the first tick, which also delivers what fell due while no agent ran.
  ///
  /// It shows again what nobody has acknowledged.
  package func start() {
    stoppedUntil = clock.now
    look()
  }

  /// Runs a tick: does what is due by now, or a batch of it; see ``hasMore``.
  package func look() {
    // A callback from the sink during a tick belongs to that tick.
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

  /// Shows everything unacknowledged again, because the notification server has restarted.
  ///
  /// - Parameter unseen: The identifiers of those that could not be shown when they were delivered.
  package func notifierCameBack(unseen: Set<String> = []) {
    queue.forgetShown(unseen: unseen)
    look()
  }

  /// Notes that a notification which counts this many missed reminders is on the screen.
  ///
  /// Those of ``ReminderSink/tellDigest(_:)`` are shown again until this is called.
  package func showed(missed count: Int) {
    guard count > 0 else { return }
    queue.showed(missed: count)
    look()
  }

  /// Shows some unacknowledged reminders again.
  ///
  /// Their answer could not be written, or their notification did not appear.
  ///
  /// - Parameters:
  ///   - missed: How many missed ones that notification counted; see ``ReminderDigest/tooOld``.
  ///   - unseen: The identifiers of those that nobody has seen yet.
  package func showAgain(ids: [String], missed: Int = 0, unseen: Set<String> = []) {
    queue.showAgain(ids, missed: missed, unseen: unseen)
    look()
  }

  /// The identifiers of announced reminders that are shown when the quiet time ends.
  package var heldBack: Set<String> { queue.heldBack }

  /// Returns when what is held back can be shown; nil if nothing is, or quiet time has no end.
  private func quietWake(_ now: Timestamp) -> Timestamp? {
    guard queue.holdsBack, let end = quietEnd(now), end < .latest else { return nil }
    return end
  }

  private func load() throws {
    queue.admit(try ledger.pendingReminders(), wasHeld: true)
    // The ledger does not record what was shown. What came in a quiet time and is not on the screen
    // may have been shown at its end, before a shutdown; showing it again, together, does no harm.
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
      // If the write succeeded all the same, the next tick finds it.
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
    // A callback may have settled the reminder in the meantime.
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

  /// Writes the states that the ledger does not have yet.
  private func writeDown() throws {
    // Written first: counting a reminder twice is better than not at all.
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
      // One report for each tick: a ledger that is gone fails at every step.
      if !retry.hasFailed { onError?(error) }
      retry.hasFailed = true
    }
  }

  /// Reports what changed: the number of pending reminders and the next wake.
  ///
  /// - Parameter looked: The time of the tick that this call ends; nil outside a tick.
  func finish(lookedAt looked: Timestamp? = nil) {
    guard !isLooking else { return }
    // Thousands that arrive together are reported once.
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
        // Retry with a delay, instead of keeping the agent busy.
        throw ReminderError.planStuck(at: overdue)
      }
    }
    if looked != nil || retry.hasFailed != hadFailed { retry.end(at: now) }
    if looked != nil, !retry.hasFailed { onLookWithoutError?() }
    var next = [alarm, queue.nextReturn, hasMore ? now : nil, quietWake(now)]
      .compactMap(\.self).min()
    if let instant = retry.instant {
      // Overdue work waits for the next attempt; otherwise it would be tried at once.
      next = next.map { $0 > now ? min($0, instant) : instant } ?? instant
    }
    guard next != nextWake else { return }
    nextWake = next
    onNextWakeChanged?(next)
  }
}
