package import CalendarModel

/// The effect of one change of events on reminders, in the states that the change recorded.
package struct ReminderChanges {
  let closed: [Reminder]
  let reworded: [Reminder]
  /// Reminders that are pending again, with their new texts.
  ///
  /// Those in state `due` fell due while their event was deleted, and have not been delivered.
  let reopened: [Reminder]
  /// The former identifiers of reminders that follow their events, by new identifier.
  ///
  /// Some of these reminders are not pending.
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

// Edits of events.

extension ReminderScheduler {
  /// Takes over the combined effect of consecutive changes of events.
  ///
  /// Closed reminders are removed first, because reopening runs a tick, which must not deliver one
  /// that a later change closed. They are reported last, because a reopened reminder may take over
  /// the notification of a closed one.
  ///
  /// - Parameters:
  ///   - rename: Gives notifications on the screen their new identifiers, and returns those.
  ///   - tell: Reports the closed ones through ``tellClosed(_:)``, and the returned ones that
  ///     ``stillWaits(_:)`` confirms; at once or in batches. A reminder is not reported as returned
  ///     if its end was never reported, or if its snooze has ended: it is delivered as due.
  package func follow(
    _ all: [ReminderChanges], rename: () -> Set<String>,
    tell: (_ gone: [Reminder], _ returned: [Reminder]) -> Void
  ) {
    let closed = all.flatMap(\.closed)
    let gone = close(closed)
    for changes in all { queue.rename(changes.formerIDs) }
    var closedLater: Set<String> = []
    var reopened: [Reminder] = []
    // The last change wins.
    var reworded: [String: Reminder] = [:]
    for changes in all.reversed() {
      reopened += changes.reopened.filter { !closedLater.contains($0.id) }
      closedLater.formUnion(changes.closed.map(\.id))
      for reminder in changes.reworded + changes.reopened where reworded[reminder.id] == nil {
        reworded[reminder.id] = reminder
      }
    }
    reword(Array(reworded.values))
    // Includes what an earlier batch of the same large change closed. A reminder that was never
    // announced is delivered as due.
    let returned = reopened.filter { $0.state != .due && untoldGone[$0.id] == nil }
    reopen(reopened, shown: rename())
    tell(gone, returned.filter { stillWaits($0) != nil })
    planChanged()
  }

  /// Returns the present state of a reminder that is pending again.
  ///
  /// - Parameter returned: The reminder as ``follow(_:rename:tell:)`` passed it to `tell`.
  /// - Returns: nil if it has been closed since, or its snooze has ended: then it was delivered.
  package func stillWaits(_ returned: Reminder) -> Reminder? {
    guard let reminder = queue.reminder(id: returned.id),
      returned.state != .snoozed || reminder.state == .snoozed
    else { return nil }
    return reminder
  }

  /// Adds reminders that are pending again, because a change of their events was undone.
  ///
  /// They are shown without a sound and not announced again. If their end was not reported yet,
  /// nothing is reported.
  ///
  /// - Parameter shown: The identifiers of those that are on the screen under former identifiers;
  ///   their texts are updated there.
  package func reopen(_ reminders: [Reminder], shown: Set<String> = []) {
    guard !reminders.isEmpty else { return }
    for reminder in reminders { untoldGone[reminder.id] = nil }
    queue.admit(reminders, shown: shown, isHeard: true)
    look()
    if !shown.isEmpty { reword(reminders.filter { shown.contains($0.id) }) }
  }

  /// Updates the texts of pending reminders after a change of their events.
  ///
  /// Notifications on the screen follow, and nothing is announced again. A snooze until a start or
  /// an end moves with it.
  package func reword(_ reminders: [Reminder]) {
    let reworded = take(reminders).filter { $0.state == .delivered }
    if !reworded.isEmpty { sink.reword(reworded) }
  }

  /// Updates the texts of pending reminders, and the ends of snoozes.
  ///
  /// - Returns: Those of them that are pending.
  private func take(_ placed: [Reminder]) -> [Reminder] {
    let putOff = placed.filter { new in
      guard new.state == .snoozed, let former = queue.reminder(id: new.id) else { return false }
      // A later snooze by the user wins.
      return former.state == .snoozed && former.snoozes == new.snoozes && former.due != new.due
    }
    let reworded = queue.reword(placed)
    queue.settle(putOff)
    for reminder in putOff { sink.snoozed(reminder) }
    return reworded
  }

  /// Moves pending reminders after a change of time zones, as the ledger has recorded them.
  ///
  /// Those of all-day and floating events have new instants, and a snooze until a start or an end
  /// moves with it. Nothing is announced again; what is on the screen shows the new times.
  package func zonesChanged(_ placed: [Reminder]) {
    _ = take(placed)
    let told = queue.pending().filter { $0.state == .delivered }
    if !told.isEmpty { sink.reword(told) }
    look()
  }

  /// Removes reminders that became due only because of a wrong clock or zone.
  ///
  /// The ledger has recorded them as snoozed, or has forgotten them; they become due again later.
  ///
  /// - Parameter missed: How many were closed as missed only because of that.
  /// - Returns: How many of the `missed` have been shown.
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

  /// Removes reminders that a change of their events has closed, in the states it recorded.
  ///
  /// - Returns: Those that were pending, for ``tellClosed(_:)``: each sends a signal.
  package func close(_ reminders: [Reminder]) -> [Reminder] {
    let known = reminders.filter { queue.reminder(id: $0.id) != nil }
    for reminder in known { untoldGone[reminder.id] = reminder }
    queue.settle(reminders)
    finish()
    return known
  }

  /// Reports reminders that ``close(_:)`` removed, except those that are pending again since.
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
