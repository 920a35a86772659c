package import CalendarModel

/// The effect of one change of events on reminders, with the states in which it wrote them to the ledger.
package struct ReminderChanges {
  let closed: [Reminder]
  let reworded: [Reminder]
  /// They say what their events say now, too. What is due fell due while its event was away, and has not been told.
  let reopened: [Reminder]
  /// What those were called before that go along with their events, by what they are called now; some of them do not
  /// wait.
  let formerIDs: [String: String]

  package init(
    closed: [Reminder], reworded: [Reminder], reopened: [Reminder],
    formerIDs: [String: String] = [:]
  ) {
    self.closed = closed
    self.reworded = reworded
    self.reopened = reopened
    self.formerIDs = formerIDs
  }
}

// What edits of events do to reminders.

extension ReminderScheduler {
  /// Takes in what changes of events, one after the other, have made of reminders in the end.
  ///
  /// What is closed goes first: reopening some runs a tick, which must not tell others that a
  /// later change has closed. It is told last: what is open again under another name takes the place of its
  /// notification.
  ///
  /// - Parameters:
  ///   - rename: lets what is on the screen have its present ID; returns the identifiers of that.
  ///   - tell: tells of those that went, by ``tellClosed(_:)``, and of those that wait again: now, or some at
  ///     a time, what ``stillWaits(_:)`` by then. Of one that was not told to be gone nobody is told that it is back,
  ///     nor of one whose snooze has ended, which is told as due.
  package func follow(
    _ all: [ReminderChanges], rename: () -> Set<String>,
    tell: (_ gone: [Reminder], _ returned: [Reminder]) -> Void
  ) {
    let closed = all.flatMap(\.closed)
    let gone = close(closed)
    for changes in all { queue.rename(changes.formerIDs) }
    var closedLater: Set<String> = []
    var reopened: [Reminder] = []
    // As the last change has them.
    var reworded: [String: Reminder] = [:]
    for changes in all.reversed() {
      reopened += changes.reopened.filter { !closedLater.contains($0.id) }
      closedLater.formUnion(changes.closed.map(\.id))
      for reminder in changes.reworded + changes.reopened where reworded[reminder.id] == nil {
        reworded[reminder.id] = reminder
      }
    }
    reword(Array(reworded.values))
    // Also what went with a change before these ones, where it was a slice of thousands.
    // What nobody has heard of yet is told as due.
    let returned = reopened.filter { $0.state != .due && untoldGone[$0.id] == nil }
    reopen(reopened, shown: rename())
    tell(gone, returned.filter { stillWaits($0) != nil })
    planChanged()
  }

  /// Returns a reminder that waits again as it is now; nil where it is over since, or has come back from a snooze: that
  /// was delivered.
  ///
  /// - Parameter returned: the same as ``follow(_:rename:tell:)`` had it.
  package func stillWaits(_ returned: Reminder) -> Reminder? {
    guard let reminder = queue.reminder(id: returned.id),
      returned.state != .snoozed || reminder.state == .snoozed
    else { return nil }
    return reminder
  }

  /// Takes in reminders that are pending again, as the ledger has them: a change of
  /// their events was undone. They are shown again without a sound, and not announced again; of those
  /// whose end was not reported yet, nothing is reported.
  ///
  /// - Parameter shown: the identifiers of those that are on the screen, as ones that they had before:
  ///   there they say what they say now.
  package func reopen(_ reminders: [Reminder], shown: Set<String> = []) {
    guard !reminders.isEmpty else { return }
    for reminder in reminders { untoldGone[reminder.id] = nil }
    queue.admit(reminders, shown: shown, isHeard: true)
    look()
    if !shown.isEmpty { reword(reminders.filter { shown.contains($0.id) }) }
  }

  /// Lets reminders that wait say what their events say now, as the ledger has it: what is on the
  /// screen follows, and nothing is announced again. A snooze until a start or an end moves with it.
  package func reword(_ reminders: [Reminder]) {
    let reworded = take(reminders).filter { $0.state == .delivered }
    if !reworded.isEmpty { sink.reword(reworded) }
  }

  /// Lets reminders that wait say what these say, and what is put off come back when these do.
  ///
  /// - Returns: those that are here.
  private func take(_ placed: [Reminder]) -> [Reminder] {
    let putOff = placed.filter { new in
      guard new.state == .snoozed, let former = queue.reminder(id: new.id) else { return false }
      // Who has put it off again since has the last word.
      return former.state == .snoozed && former.snoozes == new.snoozes && former.due != new.due
    }
    let reworded = queue.reword(placed)
    queue.settle(putOff)
    for reminder in putOff { sink.snoozed(reminder) }
    return reworded
  }

  /// Takes in what other zones have made of reminders that wait, as the ledger has it: those of all-day and floating
  /// events are at other instants, and a snooze until a start or an end moves with it. Nothing is announced again, but all that
  /// is on the screen says when it is by the clock of now.
  package func zonesChanged(_ placed: [Reminder]) {
    _ = take(placed)
    let told = queue.pending().filter { $0.state == .delivered }
    if !told.isEmpty { sink.reword(told) }
    look()
  }

  /// Takes away reminders that became due only because of a wrong clock or zone: the ledger has
  /// them snoozed as before, or forgets them, and they become due again when their time comes.
  ///
  /// - Parameter missed: how many were found too old only because of that.
  /// - Returns: how many of these have been shown.
  package func takeBack(_ early: [Reminder], missed: Int) -> Int {
    let known = early.filter { queue.reminder(id: $0.id) != nil }
    queue.settle(early.filter { $0.state == .snoozed })
    queue.forget(early.lazy.filter { $0.state != .snoozed }.map(\.id))
    let shown = queue.forget(missed: missed)
    for reminder in known {
      if reminder.state == .snoozed {
        sink.snoozed(reminder)
      } else {
        sink.withdraw(reminder, reason: .early)
      }
    }
    finish()
    return shown
  }

  /// Takes away reminders that a change of their events has ended, with the
  /// states in which the change wrote them to the ledger.
  ///
  /// - Returns: those that it knew, for ``tellClosed(_:)``: each is a signal, and there may be thousands.
  package func close(_ reminders: [Reminder]) -> [Reminder] {
    let known = reminders.filter { queue.reminder(id: $0.id) != nil }
    for reminder in known { untoldGone[reminder.id] = reminder }
    queue.settle(reminders)
    finish()
    return known
  }

  /// Tells of some reminders that ``close(_:)`` took away, but for those that have been pending again since.
  package func tellClosed(_ reminders: ArraySlice<Reminder>) {
    for id in reminders.lazy.map(\.id) {
      guard let reminder = untoldGone.removeValue(forKey: id), queue.reminder(id: id) == nil else {
        continue
      }
      switch reminder.state {
      case .closed(.eventRemoved): sink.withdraw(reminder, reason: .eventRemoved)
      case .closed(.eventMoved): sink.withdraw(reminder, reason: .eventMoved)
      case .closed(.missed): sink.withdraw(reminder, reason: .expired)
      case .closed(.calendarHidden): sink.withdraw(reminder, reason: .calendarHidden)
      case .closed(.declined): sink.withdraw(reminder, reason: .declined)
      case .closed(.cancelled): sink.withdraw(reminder, reason: .cancelled)
      case .closed(.completed): sink.withdraw(reminder, reason: .completed)
      case .acknowledged: sink.withdraw(reminder, reason: .otherClient)
      case .due, .delivered, .snoozed: break
      }
    }
  }
}
