package import CalendarModel
package import CivilTime

// Reminders answered by people.

extension ReminderScheduler {
  /// The reminders that are due or snoozed, the soonest first.
  package var pending: [Reminder] { queue.pending() }

  /// How many reminders are due or snoozed.
  ///
  /// - Complexity: one step.
  package var pendingCount: Int { queue.count }

  /// Returns the first of ``pending``.
  ///
  /// - Complexity: O(`limit`), plus the reminders that were removed lately.
  package func pending(limit: Int) -> [Reminder] { queue.pending(limit: limit) }

  /// Returns a page of ``pending``: at most `limit` reminders after a position.
  ///
  /// - Complexity: See ``pending(limit:)``.
  package func pending(after place: PendingPlace?, limit: Int) -> [Reminder] {
    queue.pending(after: place, limit: limit)
  }

  /// Returns a reminder that is due or snoozed; nil if it is neither.
  package func pending(id: String) -> Reminder? { queue.reminder(id: id) }

  /// Returns a reminder in any state.
  ///
  /// - Throws: ``ReminderError/unknown(id:)`` or ``ReminderError/ledger(_:)``.
  package func reminder(id: String) throws(ReminderError) -> Reminder {
    if let reminder = queue.reminder(id: id) { return reminder }
    let found: Reminder?
    do { found = try ledger.reminder(id: id) } catch { throw .ledger(error) }
    guard let found else { throw .unknown(id: id) }
    return found
  }

  /// Snoozes a reminder, even one that is already snoozed or acknowledged.
  ///
  /// - Returns: When it comes back.
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

  /// Whether a reminder is snoozed until the session is unlocked.
  ///
  /// Such a snooze ends at ``CalendarModel/Reminder/untilUnlocked``.
  package var waitsForUnlock: Bool { queue.waitsForUnlock }

  /// Delivers the reminders that were snoozed until the session is unlocked.
  ///
  /// The ledger keeps them as snoozed until they are delivered, so that an agent which crashes in
  /// between does not lose them.
  package func sessionUnlocked() {
    guard queue.waitsForUnlock else { return }
    queue.unlock(at: clock.now)
    look()
  }

  /// Snoozes those of many reminders that are due, each until an instant of its own.
  ///
  /// Skips those that are snoozed, are over, or have no such instant in the future.
  ///
  /// - Returns: How many were snoozed.
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

  /// Adds a reminder that no event has planned, as if it had fallen due now.
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

  /// Acknowledges a reminder; does nothing if it is already over.
  ///
  /// - Throws: ``ReminderError/unknown(id:)`` or ``ReminderError/ledger(_:)``;
  ///   nothing is changed then.
  package func dismiss(id: String) throws(ReminderError) {
    let reminder = try reminder(id: id)
    if reminder.isPending { try dismiss([reminder]) }
  }

  /// Acknowledges a reminder before it is due, so that it will not be delivered.
  ///
  /// - Parameter reminder: A reminder whose alarm the ledger no longer has.
  /// - Throws: ``ReminderError/ledger(_:)``; nothing is changed then.
  package func dismissAhead(_ reminder: Reminder) throws(ReminderError) {
    try dismiss([reminder])
  }

  /// Acknowledges those of many reminders that are due or snoozed; skips the others.
  ///
  /// - Returns: How many were acknowledged.
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
