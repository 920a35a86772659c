import CLinux
import Glibc

/// One thread that waits on descriptors and deadlines.
///
/// Each round waits in epoll_wait(2), calls the handlers of ready descriptors, runs the deadlines
/// that have passed, then the work from ``beforeOtherWork(_:)`` and ``beforeWaiting(_:)``. So a
/// descriptor that is always ready delays a deadline by one round at most. Without deadlines the
/// wait is unlimited: an idle loop never wakes up.
///
/// Handlers may add and cancel watches and deadlines, their own too. A cancelled one is not called
/// any more, even if it was ready in the same round. Everything happens on one thread.
///
/// Source: epoll(7).
package final class EventLoop {
  private let poll: FileDescriptor
  private var ready = [epoll_event](repeating: epoll_event(), count: 64)
  private var slots: [Int32: DescriptorSlot] = [:]
  private var generation: UInt32 = 0
  private var deadlines = DeadlineQueue()
  private var pending: [() -> Void] = []
  /// Work that runs before ``pending``.
  private var urgent: [() -> Void] = []
  private var isStopped = false
  private var isRunning = false

  /// How often epoll_wait(2) has returned; must not grow in an idle process.
  package private(set) var wakeups = 0

  /// - Throws: ``SystemError`` if there are too many descriptors.
  package init() throws(SystemError) {
    poll = FileDescriptor(owning: try SystemCalls.makePoll())
  }
}

// MARK: Descriptors

extension EventLoop {
  /// Calls `handler` in each round in which the descriptor is ready for `interest`, or has hung up.
  ///
  /// One descriptor may have several watches. Cancel a watch with ``cancel(_:)-(DescriptorWatch)``
  /// before the descriptor is closed. After a hangup, cancel or close, or the handler is called
  /// again in each round.
  ///
  /// - Throws: ``SystemError``: ``SystemError/Code/notPermitted`` for a regular
  ///   file or a directory, which are always ready.
  package func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> DescriptorWatch {
    let watch = DescriptorWatch(descriptor, interest, handler)
    let slot = slots[descriptor] ?? makeSlot(descriptor)
    slot.watches.append(watch)
    do {
      try update(slot)
    } catch {
      slot.watches.removeLast()
      if slot.watches.isEmpty { slots[descriptor] = nil }
      throw error
    }
    return watch
  }

  /// Changes what a watch waits for; an empty interest pauses it.
  ///
  /// - Throws: ``SystemError`` if the descriptor was closed meanwhile.
  package func change(_ watch: DescriptorWatch, to interest: Interest) throws(SystemError) {
    guard let slot = slots[watch.descriptor], !watch.isCancelled else { return }
    watch.interest = interest
    try update(slot)
  }

  /// Ends a watch: its handler is not called again. Cancelling twice does nothing.
  package func cancel(_ watch: DescriptorWatch) {
    guard let slot = slots[watch.descriptor], !watch.isCancelled else { return }
    watch.isCancelled = true
    slot.watches.removeAll { $0 === watch }
    // Fails only if the descriptor is already closed, and then epoll has forgotten it.
    try? update(slot)
    if slot.watches.isEmpty { slots[watch.descriptor] = nil }
  }

  private func makeSlot(_ descriptor: Int32) -> DescriptorSlot {
    generation &+= 1
    let slot = DescriptorSlot(descriptor, generation: generation)
    slots[descriptor] = slot
    return slot
  }

  /// Registers the combined interest of a descriptor's watches with epoll.
  private func update(_ slot: DescriptorSlot) throws(SystemError) {
    let interest = slot.watches.reduce(into: Interest()) { $0.formUnion($1.interest) }
    guard interest != slot.armed else { return }
    let operation =
      interest.isEmpty ? EPOLL_CTL_DEL : slot.armed.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    slot.armed = interest
    do {
      try SystemCalls.changePoll(
        poll.number, operation, slot.descriptor, events: interest.events, data: slot.key)
    } catch {
      slot.armed = []
      throw error
    }
  }

  private func tell(_ event: epoll_event) {
    // A handler of this round may have closed the descriptor and opened another with the same
    // number; the generation tells them apart.
    let descriptor = Int32(truncatingIfNeeded: event.data.u64)
    guard let slot = slots[descriptor], slot.key == event.data.u64 else { return }
    let readiness = Readiness(events: event.events)
    for watch in slot.watches where !watch.isCancelled {
      let told = readiness.intersection(watch.interest.told)
      if !told.isEmpty { watch.handler(told) }
    }
  }
}

// MARK: Deadlines

extension EventLoop {
  /// Runs `handler` once after a delay; time in suspend does not count.
  @discardableResult
  package func after(milliseconds: Int, _ handler: @escaping () -> Void) -> Deadline {
    let delay = Int64(clamping: max(0, milliseconds)).multipliedReportingOverflow(by: 1_000_000)
    let due = SystemCalls.monotonicNanoseconds().addingReportingOverflow(
      delay.overflow ? .max : delay.partialValue)
    return deadlines.insert(due: due.overflow ? .max : due.partialValue, handler)
  }

  /// Cancels a deadline: its handler is not called. Cancelling twice does nothing.
  package func cancel(_ deadline: Deadline) {
    deadlines.remove(deadline)
  }

  /// Runs `work` once, after the handlers of this round and before the next wait.
  ///
  /// Work that is added meanwhile runs in the round after.
  package func beforeWaiting(_ work: @escaping () -> Void) {
    pending.append(work)
  }

  /// Runs `work` like ``beforeWaiting(_:)``, but before all work of that.
  ///
  /// So a call that was read in this round does not wait for a chunk of long work.
  package func beforeOtherWork(_ work: @escaping () -> Void) {
    urgent.append(work)
  }
}

// MARK: Running

extension EventLoop {
  /// Runs rounds until ``stop()``; returns at once if that was called before.
  ///
  /// - Throws: ``SystemError`` if epoll itself fails.
  /// - Precondition: Not called from a handler.
  package func run() throws(SystemError) {
    try run { false }
  }

  /// Runs rounds until `condition` holds, which is checked before each wait, or until ``stop()``.
  ///
  /// - Throws: ``SystemError`` if epoll itself fails.
  /// - Precondition: Not called from a handler.
  package func run(until condition: () -> Bool) throws(SystemError) {
    precondition(!isRunning, "a handler must not run the loop that runs it")
    isRunning = true
    defer {
      isRunning = false
      isStopped = false
    }
    runPending()
    while !isStopped, !condition() { try runRound() }
  }

  /// Runs rounds until `condition` holds, at most for `limit` milliseconds.
  ///
  /// - Returns: Whether the condition held.
  /// - Throws: ``SystemError`` if epoll itself fails.
  package func run(
    withinMilliseconds limit: Int, until condition: () -> Bool
  ) throws(SystemError) -> Bool {
    var isOver = false
    let deadline = after(milliseconds: limit) { isOver = true }
    defer { cancel(deadline) }
    try run { isOver || condition() }
    return condition()
  }

  /// Makes `run` return after the current handler.
  package func stop() {
    isStopped = true
  }

  private func runRound() throws(SystemError) {
    let count = try SystemCalls.waitPoll(
      poll.number, into: &ready, milliseconds: millisecondsToWait())
    wakeups &+= 1
    for place in 0..<count where !isStopped { tell(ready[place]) }
    for deadline in deadlines.takeDue(at: SystemCalls.monotonicNanoseconds())
    where !deadline.isDone {
      if isStopped {
        deadlines.putBack(deadline)
      } else {
        deadline.run()
      }
    }
    if !isStopped { runPending() }
  }

  private func runPending() {
    let work = urgent + pending
    urgent.removeAll()
    pending.removeAll()
    for one in work { one() }
  }

  /// Returns the time until the next deadline, rounded up so that a wait does not end before it.
  private func millisecondsToWait() -> Int32 {
    if !pending.isEmpty || !urgent.isEmpty { return 0 }
    guard let due = deadlines.earliest else { return -1 }
    let nanoseconds = max(0, due - SystemCalls.monotonicNanoseconds())
    return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
  }
}
