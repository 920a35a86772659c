package import CalendarModel
package import CivilTime

// How people answered the reminders of events, for exporting and sending those events.

extension EventStore {
  /// A batch of the ledger: the events with an answered reminder.
  package struct AnsweredEvents: Sendable {
    /// See ``EventStore/PlacedEvent/fingerprint``.
    package let fingerprints: Set<UInt64>
    /// Where the next batch begins; nil after the last.
    package let next: Int64?
  }

  /// Returns the events in a batch of the ledger with a dismissed or snoozed reminder.
  ///
  /// Some of them may be gone.
  ///
  /// - Parameters:
  ///   - key: 0 for the first batch, then ``AnsweredEvents/next``.
  ///   - limit: the most reminders to check, at about a microsecond each.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func answeredEvents(
    after key: Int64, limit: Int
  ) throws(StoreError) -> AnsweredEvents {
    let row = try database.statement(
      """
      SELECT key, uid, state IN ('acknowledged', 'snoozed') FROM reminders
      WHERE key > ?1 ORDER BY key LIMIT ?2
      """)
    row.bind(1, key)
    row.bind(2, Int64(limit))
    defer { row.reset() }
    var found: Set<UInt64> = []
    var (count, last) = (0, key)
    while try row.step() {
      count += 1
      last = row.integer(0)
      if row.bool(2) { found.insert(PlacedEvent.fingerprint(of: row.bytes(1))) }
    }
    return AnsweredEvents(fingerprints: found, next: count == limit ? last : nil)
  }

  /// Whether any reminder of an event was dismissed or snoozed.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func isAnswered(_ uid: EventUID, in calendar: CalendarID) throws(StoreError) -> Bool {
    let row = try database.statement(
      """
      SELECT 1 FROM reminders
      WHERE uid = ?1 AND calendar = ?2 AND state IN ('acknowledged', 'snoozed') LIMIT 1
      """)
    row.bind(1, uid.text)
    row.bind(2, calendar.text)
    defer { row.reset() }
    return try row.step()
  }

  /// Returns an event for export, with the answers to its reminders; nil if it is gone.
  ///
  /// See ``CalendarModel/EventSeries/answered(_:nextAlarm:context:)``.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func answeredSeries(ofEvent key: Int64) throws(StoreError) -> EventSeries? {
    guard let series = try series(ofEvent: key), let row = try seriesRows.row(key) else {
      return nil
    }
    let answers = try answers(to: series)
    let next = try firstUntaken(of: series, row, answers)
    return series.answered(answers, nextAlarm: next, context: seriesRows.context)
  }

  /// Returns the events of a calendar with a reminder that was dismissed since an instant.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func dismissedEvents(
    since instant: Timestamp, in calendar: CalendarID
  ) throws(StoreError) -> [EventUID] {
    let row = try database.statement(
      """
      SELECT DISTINCT uid FROM reminders
      WHERE calendar = ?1 AND state = 'acknowledged' AND acknowledged_at >= ?2
      """)
    row.bind(1, calendar.text)
    row.bind(2, instant.seconds)
    defer { row.reset() }
    var uids: [EventUID] = []
    while try row.step() { uids.append(EventUID(row.text(0))) }
    return uids
  }

  /// Returns an event with ACKNOWLEDGED for the reminders that were dismissed; nil if it has that
  /// already, or is gone.
  ///
  /// See ``CalendarModel/EventSeries/acknowledging(_:nextAlarm:context:)``.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func acknowledgedSeries(
    _ uid: EventUID, in calendar: CalendarID
  ) throws(StoreError) -> EventSeries? {
    guard let owner = calendarRows[calendar], let row = try seriesRows.find(uid, in: owner.key)
    else { return nil }
    let series = try seriesRows.load(row)
    let answers = try answers(to: series)
    let next = try firstUntaken(of: series, row, answers)
    return series.acknowledging(answers, nextAlarm: next, context: seriesRows.context)
  }

  private func answers(to series: EventSeries) throws(StoreError) -> [AlarmAnswer] {
    try ledgerEntries(
      of: series.uid, in: series.calendar, recurrenceID: nil, limit: EventStore.mostAnswers
    ).compactMap { entry in
      entry.steps.last.map { AlarmAnswer(entry.reminder, at: $0.at) }
    }
  }

  /// Returns the first alarm of an event that is not in the ledger.
  ///
  /// That is a later one than the next alarm if that was dismissed ahead.
  private func firstUntaken(
    of series: EventSeries, _ row: SeriesRows.Row, _ answers: [AlarmAnswer]
  ) throws(StoreError) -> Timestamp? {
    guard let next = row.nextAlarm else { return nil }
    let ahead = answers.count { $0.reminder.key.trigger >= next }
    if ahead == 0 { return next }
    let alarms: [OccurrenceAlarm]
    do throws(CivilTimeError) {
      alarms = try series.alarms(
        after: next.adding(seconds: -1), through: .latest, limit: ahead + 1,
        defaults: seriesRows.defaults(of: series), context: seriesRows.context
      ).alarms
    } catch {
      // Alarms that cannot be placed do not fire.
      return next
    }
    for alarm in alarms where try !ledger.knows(alarm) { return alarm.instant }
    return nil
  }

  /// The latest answers that are read; earlier ones add nothing.
  private static let mostAnswers = 5000
}

extension ReminderRows {
  /// Whether an alarm was delivered before.
  ///
  /// It may have had another instant in other zones, or be a snooze that was exported from this
  /// ledger and came back in a file, whose reminder is still here.
  func knows(_ alarm: OccurrenceAlarm) throws(StoreError) -> Bool {
    if try isOwnSnooze(alarm) { return true }
    if try reminder(ReminderKey(alarm)) != nil { return true }
    return try knowsElsewhere(alarm)
  }

  /// Whether an alarm is a snooze made by this ledger.
  ///
  /// A snooze of another Datebook may have the same id if both delivered the same reminder; it is
  /// ours if the reminder was snoozed here.
  func isOwnSnooze(_ alarm: OccurrenceAlarm) throws(StoreError) -> Bool {
    guard let id = alarm.alarm.snoozedReminder, let reminder = try reminder(id) else {
      return false
    }
    return reminder.snoozes > 0
  }
}
