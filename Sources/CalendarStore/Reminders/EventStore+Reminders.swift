package import CalendarModel
package import CivilTime

extension EventStore {
  /// Called for each series whose alarms cannot be placed, with the reason.
  ///
  /// It may be called more than once, and inside a transaction.
  package var onUnplaced: ((EventSeries, CivilTimeError) -> Void)? {
    get { seriesRows.onUnplaced }
    set { seriesRows.onUnplaced = newValue }
  }

  /// Called for a moved series with too many past alarms, inside a transaction.
  ///
  /// Its reminders before the instant do not follow the move.
  package var onLeftBehind: ((EventSeries, _ before: Timestamp) -> Void)? {
    get { seriesRows.onLeftBehind }
    set { seriesRows.onLeftBehind = newValue }
  }

  /// The owner's mail addresses in lower case; invitations that they declined are not delivered.
  package var ownAddresses: [String] {
    get { seriesRows.ownAddresses }
    set { seriesRows.ownAddresses = newValue }
  }

  /// Returns the first alarm of all series that was not taken; nil if there is none.
  ///
  /// Snoozed reminders are not considered.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: one step in an index.
  package func nextAlarm() throws(StoreError) -> Timestamp? {
    try seriesRows.nextAlarm()
  }

  /// Takes due alarms, earliest first, as reminders in the ledger with the state `due`.
  ///
  /// An alarm whose key is in the ledger already is skipped. Alarms of hidden calendars and
  /// declined invitations become closed reminders, and are returned too. Each series is planned on.
  ///
  /// This is one transaction. When it returns, the reminders are safe from a crash and are not
  /// taken again. It does not wait for the disk: after a loss of power they may be taken again.
  /// ``record(_:at:)``, called after delivery, waits for both.
  ///
  /// - Parameter limit: the most reminders of one call; those of the next call are not earlier.
  /// - Returns: the reminders, sorted by instant, then summary. Fewer than `limit` means that
  ///   nothing is left.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  /// - Complexity: one expansion of each due series. A series whose zone is unknown does not block
  ///   others: ``onUnplaced`` is called, and its alarms become due once
  ///   ``replanAlarms(after:by:isDataNew:mistaken:)`` finds the zone.
  package func takeDue(through now: Timestamp, limit: Int) throws(StoreError) -> [Reminder] {
    guard let next = try seriesRows.nextAlarm(), next <= now, limit > 0 else { return [] }
    return try database.transactionAheadOfDisk { () throws(StoreError) in
      let taken = try seriesRows.takeDue(through: now, limit: limit, into: ledger)
      try seriesRows.keepLatestThrough()
      return taken
    }
  }

  /// Returns the pending reminders (due, delivered or snoozed), the soonest first.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func pendingReminders() throws(StoreError) -> [Reminder] {
    try ledger.pending()
  }

  /// Returns a reminder by ``Reminder/id``, in any state; nil if there is none.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func reminder(id: String) throws(StoreError) -> Reminder? {
    try ledger.reminder(id)
  }

  /// Returns the reminders whose ``Reminder/id`` begins with a prefix, in any state.
  ///
  /// - Parameter beginning: some hexadecimal digits in lower case.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func reminders(beginning: String, limit: Int) throws(StoreError) -> [Reminder] {
    try ledger.reminders(beginning: beginning, limit: limit)
  }

  /// Returns the reminders that were too old for delivery, latest first.
  ///
  /// Only the last 20,000 reminders are searched.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func missedReminders(limit: Int) throws(StoreError) -> [Reminder] {
    try ledger.missed(limit: limit)
  }

  /// Records the states of reminders in one transaction, as reached at `now`.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func record(_ reminders: [Reminder], at now: Timestamp) throws(StoreError) {
    guard !reminders.isEmpty else { return }
    try database.transaction { () throws(StoreError) in
      for reminder in reminders { try ledger.record(reminder, at: now) }
    }
  }

  /// Plans alarms again, after a change of the agent's zone or zone data, or a clock set back.
  ///
  /// An alarm is delivered once for its occurrence, even if the new zones move it:
  ///
  /// - One that was not delivered, and is before `now` in the new zones, is due at once.
  /// - One that was handled, and is ahead in the new zones, gets its new key in the ledger, closed
  ///   as moved.
  /// - Alarms that a clock that was ahead skipped or found too old are planned again from `now` on,
  ///   but not what it delivered.
  /// - Pending reminders of moved events show the new time.
  /// - What was delivered only because of a wrong clock or zone is planned again.
  ///
  /// - Parameters:
  ///   - planned: the new value of ``plannedZone()``; nil keeps the former.
  ///   - isDataNew: whether the data of any zone may have changed.
  ///   - mistaken: when reminders may have been delivered too early, by the wrong clock; nil if no
  ///     clock or zone was corrected.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  /// - Complexity: reads every series if new data move a zone that events name, otherwise those in
  ///   the agent's zone and those with alarms handled after `now`.
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

  /// Returns the zone by which alarms were planned last; nil for a new or older database.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func plannedZone() throws(StoreError) -> PlannedZone? {
    try seriesRows.marks.zone()
  }

  /// Returns the latest instant through which alarms of any event are or were handled.
  ///
  /// It is later than now if the clock was set back since.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: one row; O(number of series) in an older database until alarms are planned
  ///   again.
  package func latestAlarmInstant() throws(StoreError) -> Timestamp {
    try seriesRows.latestKnownInstant()
  }
}
