package import CalendarModel
package import CivilTime

// What people do with reminders.

extension ReminderScheduler {
  /// The reminders that are due or snoozed, the soonest first.
  package var pending: [Reminder] { queue.pending() }

  /// How many reminders are due or snoozed.
  ///
  /// - Complexity: one step.
  package var pendingCount: Int { queue.count }

  /// Returns the first of ``pending``.
  ///
  /// - Complexity: O(`limit`), and as many steps at most as reminders have gone
  ///   lately.
  package func pending(limit: Int) -> [Reminder] { queue.pending(limit: limit) }

  /// Returns those of ``pending`` after a place, at most `limit`: a page.
  ///
  /// - Complexity: as ``pending(limit:)``.
  package func pending(after place: PendingPlace?, limit: Int) -> [Reminder] {
    queue.pending(after: place, limit: limit)
  }

  /// Returns a reminder that is due or snoozed; nil if this one is not.
  package func pending(id: String) -> Reminder? { queue.reminder(id: id) }

  /// Returns a reminder in whatever state it is.
  ///
  /// - Throws: ``ReminderError/unknown(id:)`` or ``ReminderError/ledger(_:)``.
  package func reminder(id: String) throws(ReminderError) -> Reminder {
    if let reminder = queue.reminder(id: id) { return reminder }
    let found: Reminder?
    do { found = try ledger.reminder(id: id) } catch { throw .ledger(error) }
    guard let found else { throw .unknown(id: id) }
    return found
  }

  /// Puts a reminder off, also one that is snoozed or acknowledged already.
  ///
  /// - Returns: when it comes back.
  /// - Throws: ``ReminderError``; nothing is changed then.
  @discardableResult
  package func snooze(id: String, until: Timestamp) throws(ReminderError) -> Timestamp {
    let reminder = try reminder(id: id)
    if case .closed(let reason) = reminder.state, reason != .missed {
      throw .over(id: id, reason: reason)
    }
    try snooze([reminder], until: until)
    return until
  }

  /// Puts a reminder off by a length from now: days keep the time on the clock
  /// of `zone`.
  ///
  /// - Throws: ``ReminderError``; nothing is changed then.
  @discardableResult
  package func snooze(
    id: String, by length: CalendarDuration, zone: ZoneRules
  ) throws(ReminderError) -> Timestamp {
    try snooze(id: id, until: zone.adding(length, to: clock.now))
  }

  /// Whether a reminder is snoozed until the session is unlocked: an instant of
  /// ``CalendarModel/Reminder/untilUnlocked``.
  package var waitsForUnlock: Bool { queue.waitsForUnlock }

  /// Delivers now the reminders that were snoozed until the session is unlocked. What the ledger holds stays as it
  /// is until it is told, so that one who dies in between tells it at the next start.
  package func sessionUnlocked() {
    guard queue.waitsForUnlock else { return }
    queue.unlock(at: clock.now)
    look()
  }

  /// Puts off those of many reminders that are due, each until an instant of its own;
  /// what is snoozed stays so, and so does what has no such instant ahead. The others are
  /// over, and skipped.
  ///
  /// - Returns: how many were snoozed.
  /// - Throws: ``ReminderError``; nothing is changed then.
  @discardableResult
  package func snooze(
    ids: some Sequence<String>, until instant: (Reminder) -> Timestamp
  ) throws(ReminderError) -> Int {
    let now = clock.now
    let due = ids.compactMap { queue.reminder(id: $0) }
      .filter { $0.state != .snoozed && instant($0) > now }
    try snooze(due) { instant($0) }
    return due.count
  }

  /// Raises a reminder that no event has planned, as if it had fallen due now.
  ///
  /// - Throws: ``ReminderError/ledger(_:)``; nothing is changed then.
  package func raise(_ reminder: Reminder) throws(ReminderError) {
    do { try ledger.record([reminder], at: clock.now) } catch { throw .ledger(error) }
    queue.admit([reminder])
    look()
  }

  private func snooze(_ reminders: [Reminder], until: Timestamp) throws(ReminderError) {
    let now = clock.now
    guard until > now else { throw .snoozeInPast(until: until, now: now) }
    try snooze(reminders) { _ in until }
  }

  private func snooze(
    _ reminders: [Reminder], until: (Reminder) -> Timestamp
  ) throws(ReminderError) {
    let snoozed = reminders.map { reminder in
      var reminder = reminder
      reminder.state = .snoozed
      reminder.due = until(reminder)
      reminder.snoozes += 1
      return reminder
    }
    try settle(snoozed) { sink.snoozed($0) }
  }

  /// Acknowledges a reminder; nothing happens if it is over already.
  ///
  /// - Throws: ``ReminderError/unknown(id:)`` or ``ReminderError/ledger(_:)``;
  ///   nothing is changed then.
  package func dismiss(id: String) throws(ReminderError) {
    let reminder = try reminder(id: id)
    if reminder.isPending { try dismiss([reminder]) }
  }

  /// Acknowledges a reminder before it is due: it will not ring.
  ///
  /// - Parameter reminder: of an alarm that the ledger does not have.
  /// - Throws: ``ReminderError/ledger(_:)``; nothing is changed then.
  package func dismissAhead(_ reminder: Reminder) throws(ReminderError) {
    try dismiss([reminder])
  }

  /// Acknowledges those of many reminders that are due or snoozed, and passes
  /// over the others.
  ///
  /// - Returns: how many that were.
  /// - Throws: ``ReminderError/ledger(_:)``; nothing is changed then.
  @discardableResult
  package func dismiss(ids: some Sequence<String>) throws(ReminderError) -> Int {
    let pending = ids.compactMap { queue.reminder(id: $0) }
    try dismiss(pending)
    return pending.count
  }

  private func dismiss(_ reminders: [Reminder]) throws(ReminderError) {
    let dismissed = reminders.map { reminder in
      var reminder = reminder
      reminder.state = .acknowledged
      return reminder
    }
    try settle(dismissed) { sink.withdraw($0, reason: .user) }
  }

  private func settle(
    _ reminders: [Reminder], _ tell: (Reminder) -> Void
  ) throws(ReminderError) {
    guard !reminders.isEmpty else { return }
    do { try ledger.record(reminders, at: clock.now) } catch { throw .ledger(error) }
    queue.settle(reminders)
    for reminder in reminders { tell(reminder) }
    finish()
  }
}
