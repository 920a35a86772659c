import CalendarModel
import CivilTime

// Delivery of the reminders that are due: each on its own, in a digest, or held back.
extension ReminderQueue {
  /// Returns what is to be delivered, in order, and counts it as delivered.
  ///
  /// Many reminders come in several batches. Each batch is signalled at once, and one digest shows
  /// all of them after the last.
  ///
  /// - Parameters:
  ///   - graceSeconds: How late a reminder may be before it counts as missed.
  ///   - stoppedUntil: What fell due before this instant counts as missed.
  ///   - moreFollow: Whether another batch follows.
  ///   - isQuiet: Whether only signals are wanted. These reminders are shown by the first call that
  ///     is not quiet.
  mutating func tellings(
    at now: Timestamp, graceSeconds: Int64, stoppedUntil: Timestamp? = nil, moreFollow: Bool,
    isQuiet: Bool = false
  ) -> [Action] {
    var fresh: [DueOrder.Name] = []
    var tooOld = missedToShow
    missedToShow = 0
    for id in untold {
      guard var reminder = reminders[id], reminder.state == .due else { continue }
      let isLate = now.seconds - reminder.due.seconds > graceSeconds
      if isLate || stoppedUntil.map({ reminder.due < $0 }) ?? false { reminder.isMissed = true }
      if policy.isTooOld(reminder, at: now) {
        reminder.state = .closed(.missed)
        remove(id)
        if leftDue.contains(id) { expired.append(reminder) }
        tooOld += 1
        unshownMissed += 1
      } else {
        reminder.state = .delivered
        reminders[id] = reminder
        fresh.append(DueOrder.Name(id, reminder))
        unshown.insert(id)
        heard.remove(id)
      }
      unwritten[id] = reminder
    }
    let old = toldBefore.compactMap { id in
      reminders[id].flatMap { $0.state == .delivered ? DueOrder.Name(id, $0) : nil }
    }
    untold = []
    leftDue = []
    toldBefore = []
    fresh.sort()
    defer { isShownAnew = false }
    let standing = old.filter { self.standing.contains($0.id) }
    self.standing = []
    if isQuiet {
      hold(old.filter { !standing.contains($0) } + fresh, tooOld: tooOld)
      return standing.sorted().compactMap(reminder).map { showingAgain($0) }
        + signals(fresh, isQuiet: true, now)
    }
    // At a start, what waited for the end of quiet time joins one digest of everything.
    let isStart = stoppedUntil != nil || isShownAnew
    let waiting = isStart ? heldBack.count : 0
    let isDigest =
      moreFollow || digest != nil || fresh.count + old.count + waiting + tooOld > policy.digestAbove
    guard isDigest else {
      let (released, joining) = releasing(beside: fresh + old)
      return released + tellingEach(fresh, old: (old + joining).sorted(), tooOld: tooOld, now)
    }
    var gathered = digest ?? GatheredDigest()
    gathered.add(names: old + fresh, tooOld: tooOld)
    // What was held back joins the same digest.
    if let held { gathered.add(names: held.names, tooOld: held.tooOld) }
    held = nil
    digest = moreFollow ? gathered : nil
    let signals = signals(fresh, isQuiet: false, now)
    if moreFollow { return signals }
    let shown = gathered.names.sorted().compactMap(reminder)
    // Earlier batches were already signalled.
    return signals + tellingTogether(shown, tooOld: gathered.tooOld)
  }

  /// Returns, once, the reminders that expired without being announced by this agent.
  ///
  /// An agent that crashed may have announced them.
  mutating func takeExpired() -> [Reminder] {
    defer { expired = [] }
    return expired
  }

  /// Holds back what is not to be shown now, together with a digest that had begun.
  mutating func hold(_ names: [DueOrder.Name], tooOld: Int) {
    var gathered = held ?? GatheredDigest()
    if let digest { gathered.add(names: digest.names, tooOld: digest.tooOld) }
    gathered.add(names: names, tooOld: tooOld)
    digest = nil
    held = gathered.names.isEmpty && gathered.tooOld == 0 ? nil : gathered
  }

  /// Shows together what was held back and still wants attention.
  ///
  /// A held-back reminder joins the notification of its occurrence if that is shown now anyway.
  ///
  ///
  ///     quiet          ████████████
  ///     a              15 min before
  ///     a                         5 min before    one notification of a
  ///     b, c           15 min before              a digest of b and c
  ///
  /// - Parameter single: The reminders that are shown in a notification of their own now.
  /// - Returns: The actions, and the held-back reminders that join one of `single`.
  private mutating func releasing(
    beside single: [DueOrder.Name]
  ) -> (actions: [Action], joining: [DueOrder.Name]) {
    guard let released = held else { return ([], []) }
    held = nil
    let taking = Set(single.compactMap(reminder).map(\.key.ofOccurrence))
    var others: [Reminder] = []
    var joining: [DueOrder.Name] = []
    for name in released.names.sorted() {
      guard let waiting = reminder(name), waiting.state == .delivered else { continue }
      if taking.contains(waiting.key.ofOccurrence) {
        joining.append(name)
      } else {
        others.append(waiting)
      }
    }
    releasedTogether.formUnion(others.lazy.map(\.id))
    return (tellingTogether(others, tooOld: released.tooOld), joining)
  }

  /// Shows the reminders of one occurrence as themselves, since they share a notification.
  ///
  /// Those of several occurrences, or any that were too old, make a digest.
  private mutating func tellingTogether(_ shown: [Reminder], tooOld: Int) -> [Action] {
    let isDigest = Set(shown.lazy.map(\.key.ofOccurrence)).count > 1 || tooOld > 0
    return isDigest ? [tellingDigest(shown, tooOld: tooOld)] : shown.map { showingAgain($0) }
  }

  private mutating func showingAgain(_ reminder: Reminder) -> Action {
    let isNew = unshown.remove(reminder.id) != nil
    return .showAgain(reminder, isNew: isNew, isHeard: heard.remove(reminder.id) != nil)
  }

  private mutating func tellingDigest(_ reminders: [Reminder], tooOld: Int) -> Action {
    var digest = ReminderDigest(
      reminders, isHeard: tooOld == 0 && !reminders.isEmpty, tooOld: tooOld)
    for id in reminders.lazy.map(\.id) {
      if unshown.remove(id) == nil { digest.earlier.insert(id) }
      if heard.remove(id) == nil { digest.isHeard = false }
    }
    return .tellDigest(digest)
  }

  private func signals(_ fresh: [DueOrder.Name], isQuiet: Bool, _ now: Timestamp) -> [Action] {
    fresh.compactMap { name in
      reminder(name).map { .signal($0, lateSeconds: late(name, now), isQuiet: isQuiet) }
    }
  }

  private mutating func tellingEach(
    _ fresh: [DueOrder.Name], old: [DueOrder.Name], tooOld: Int, _ now: Timestamp
  ) -> [Action] {
    var actions = old.compactMap(reminder).map { showingAgain($0) }
    for name in fresh {
      guard let reminder = reminder(name) else { continue }
      unshown.remove(name.id)
      actions.append(.tell(reminder, lateSeconds: late(name, now)))
    }
    // Reminders that were too old share one digest of their own.
    if tooOld > 0 { actions.append(tellingDigest([], tooOld: tooOld)) }
    return actions
  }

  private func late(_ name: DueOrder.Name, _ now: Timestamp) -> Int64 {
    max(0, now.seconds - name.due.seconds)
  }
}
