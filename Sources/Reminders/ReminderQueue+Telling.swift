import CalendarModel
import CivilTime

// What is told and shown of the reminders that are due: each by itself, in a digest, or held back.
extension ReminderQueue {
  /// Returns what is to be delivered, in order, and counts it as delivered.
  ///
  /// What comes in masses comes in several batches: each is signalled at once,
  /// and one digest shows all of them when the last is here.
  ///
  /// - Parameters:
  ///   - graceSeconds: how late a reminder may be before it counts as missed.
  ///   - stoppedUntil: what fell due before this instant counts as missed.
  ///   - moreFollow: whether there is another batch to be delivered.
  ///   - isQuiet: whether only signals are wanted. What they tell of is shown, with
  ///     what else there is to show, at the first telling that is not quiet.
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
    // What has waited for the end of quiet time has its digest in any case, and at a start there is one of all.
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
    // What was held back comes in the same one.
    if let held { gathered.add(names: held.names, tooOld: held.tooOld) }
    held = nil
    digest = moreFollow ? gathered : nil
    let signals = signals(fresh, isQuiet: false, now)
    if moreFollow { return signals }
    let shown = gathered.names.sorted().compactMap(reminder)
    // The signals of those before went out already.
    return signals + tellingTogether(shown, tooOld: gathered.tooOld)
  }

  /// Returns those that are over since the last call without being announced again, although an agent that died may have
  /// told them.
  mutating func takeExpired() -> [Reminder] {
    defer { expired = [] }
    return expired
  }

  /// Keeps what is not to be shown now, with a digest that had begun before.
  mutating func hold(_ names: [DueOrder.Name], tooOld: Int) {
    var gathered = held ?? GatheredDigest()
    if let digest { gathered.add(names: digest.names, tooOld: digest.tooOld) }
    gathered.add(names: names, tooOld: tooOld)
    digest = nil
    held = gathered.names.isEmpty && gathered.tooOld == 0 ? nil : gathered
  }

  /// Shows what was held back and still wants attention together.
  ///
  /// An occurrence is in one place: what rings at the very end, or is shown again then, takes along what was held
  /// back of it, to the notification that they share.
  ///
  ///     quiet          ████████████
  ///     a              15 min before
  ///     a                         5 min before    one notification of a
  ///     b, c           15 min before              a digest of b and c
  ///
  /// - Parameter single: what has a notification of its own now.
  /// - Returns: and those of them that go along with these.
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

  /// Shows one occurrence alone as what it is, however many reminders of it there are: they share a notification.
  /// More of them are one digest.
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
    // What is too old is shown by no notification of its own.
    if tooOld > 0 { actions.append(tellingDigest([], tooOld: tooOld)) }
    return actions
  }

  private func late(_ name: DueOrder.Name, _ now: Timestamp) -> Int64 {
    max(0, now.seconds - name.due.seconds)
  }
}
