package import CalendarModel
package import CivilTime

extension EventStore {
  /// Told of each series that could not be placed in time when its alarms were
  /// planned or taken, and why; maybe more than once, and inside a transaction.
  package var onUnplaced: ((EventSeries, CivilTimeError) -> Void)? {
    get { seriesRows.onUnplaced }
    set { seriesRows.onUnplaced = newValue }
  }

  /// Told of each series that has moved and has rung so often that what rang before an instant was not
  /// looked at, and did not go along; inside a transaction.
  package var onLeftBehind: ((EventSeries, _ before: Timestamp) -> Void)? {
    get { seriesRows.onLeftBehind }
    set { seriesRows.onLeftBehind = newValue }
  }

  /// The owner's mail addresses, in lower case: an invitation that one of them has
  /// declined is not told.
  package var ownAddresses: [String] {
    get { seriesRows.ownAddresses }
    set { seriesRows.ownAddresses = newValue }
  }

  /// Returns the first alarm that has not been taken, over all series; nil if
  /// there is none. Snoozed reminders are not among them.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: one step in an index.
  package func nextAlarm() throws(StoreError) -> Timestamp? {
    try seriesRows.nextAlarm()
  }

  /// Takes the alarms that have fallen due, the earliest first: each becomes a
  /// reminder in state `due` in the ledger, unless its key has been there before,
  /// and its series is planned on. An alarm of a hidden calendar, and of an invitation
  /// that was declined, goes into the ledger as closed, and is returned so. One transaction; when this returns, the
  /// reminders are safe from a crash and will not be taken again. The disk is not waited for: where power
  /// is lost before it has them they are planned as before, and taken again; whoever has told them writes
  /// that down with ``record(_:at:)``, which waits for both.
  ///
  /// - Parameter limit: the most reminders of one call; the rest comes at the
  ///   next, with no instant earlier than those of this one.
  /// - Returns: the reminders, ordered by instant, then summary. Fewer than
  ///   `limit` means that nothing is left.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  /// - Complexity: for each series that is due, one walk over what it rings for. A
  ///   series whose zone cannot be read holds nothing up: ``onUnplaced`` is told, and
  ///   its alarms are due once ``replanAlarms(after:by:isDataNew:)`` finds the zone.
  package func takeDue(through now: Timestamp, limit: Int) throws(StoreError) -> [Reminder] {
    guard let next = try seriesRows.nextAlarm(), next <= now, limit > 0 else { return [] }
    return try database.transactionAheadOfDisk { () throws(StoreError) in
      let taken = try seriesRows.takeDue(through: now, limit: limit, into: ledger)
      try seriesRows.keepLatestThrough()
      return taken
    }
  }

  /// Returns the reminders that want attention (due, delivered or snoozed), the
  /// soonest first.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func pendingReminders() throws(StoreError) -> [Reminder] {
    try ledger.pending()
  }

  /// Returns a reminder by ``Reminder/id``, in whatever state it is.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func reminder(id: String) throws(StoreError) -> Reminder? {
    try ledger.reminder(id)
  }

  /// Returns the reminders whose ``Reminder/id`` begins so, in whatever state they are.
  ///
  /// - Parameter beginning: some hexadecimal digits, in lower case.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func reminders(beginning: String, limit: Int) throws(StoreError) -> [Reminder] {
    try ledger.reminders(beginning: beginning, limit: limit)
  }

  /// Returns the reminders that were too old to be delivered, the last one first, of the last 20,000 that fell due.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func missedReminders(limit: Int) throws(StoreError) -> [Reminder] {
    try ledger.missed(limit: limit)
  }

  /// Writes the states of reminders in one transaction, with `now` as the
  /// instant at which they came into them.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func record(_ reminders: [Reminder], at now: Timestamp) throws(StoreError) {
    guard !reminders.isEmpty else { return }
    try database.transaction { () throws(StoreError) in
      for reminder in reminders { try ledger.record(reminder, at: now) }
    }
  }

  /// Plans again every series that can still ring: after a change of the agent's
  /// zone or of the zone data, and after the clock was set back.
  ///
  /// An alarm is told once for its occurrence, also where the new zones put it at
  /// another instant. One that has not been told, and that they put before `now`, is
  /// due at once. One that has been dealt with and that they put ahead again is in the
  /// ledger under its new key, as closed because the event moved. What a clock that was
  /// ahead took for past is planned again from `now` on, with what it found too old to
  /// be told; what was delivered then is not told again. What waits of an event that the new zones put elsewhere says when
  /// that is. What was delivered only because of a wrong clock or zone is planned again.
  ///
  /// - Parameters:
  ///   - planned: what ``plannedZone()`` returns from then on; nil leaves it.
  ///   - isDataNew: whether the zone data are others, also those of other zones than the agent's.
  ///   - mistaken: when reminders may have been delivered too early, by the clock of then; nil
  ///     where no wrong clock or zone was corrected.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  /// - Complexity: where new data move a zone that an event names, every series is read; else those that go
  ///   with the agent's zone, and what was dealt with after `now`.
  @discardableResult
  package func replanAlarms(
    after now: Timestamp, by planned: PlannedZone? = nil, isDataNew: Bool = false,
    mistaken: ClosedRange<Timestamp>? = nil
  ) throws(StoreError) -> Replanned {
    try database.transaction { () throws(StoreError) in
      var early = EarlyReminders(missed: try ledger.forgetMissed(after: now))
      if let mistaken {
        try seriesRows.takeBack(&early, becameDueIn: mistaken, now: now, from: ledger)
      }
      var replanned = try seriesRows.replanAlarms(after: now, isDataNew: isDataNew, into: ledger)
      replanned.early = early
      if let planned { try seriesRows.marks.put(planned) }
      return replanned
    }
  }

  /// Returns by what the alarms were planned last; nil for a database in which that
  /// has not been written down yet: a new one, or one of an older program.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func plannedZone() throws(StoreError) -> PlannedZone? {
    try seriesRows.marks.zone()
  }

  /// Returns the latest instant up to which the alarms of any event have been dealt
  /// with, or were before it was removed: later than now where the clock was set back
  /// since.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: one row; in a database of an older program O(the number of series),
  ///   until the alarms are planned again.
  package func latestAlarmInstant() throws(StoreError) -> Timestamp {
    try seriesRows.latestKnownInstant()
  }
}
