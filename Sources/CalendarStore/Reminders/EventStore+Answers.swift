package import CalendarModel
import CivilTime

// What people did with the reminders of events, for whoever gives those events away.

extension EventStore {
  /// A slice of the ledger, by the events of which somebody has seen a reminder.
  package struct AnsweredEvents: Sendable {
    /// As of ``PlacedEvent``.
    package let fingerprints: Set<UInt64>
    /// Where the next slice begins; nil after the last.
    package let next: Int64?
  }

  /// Returns the events of a slice of the ledger of which a reminder was dismissed or snoozed;
  /// some of them may be gone.
  ///
  /// - Parameters:
  ///   - key: 0 for the first slice, then ``AnsweredEvents/next``.
  ///   - limit: How many reminders are looked at, about a microsecond each.
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

  /// Whether a reminder of an event was dismissed or snoozed.
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

  /// Returns an event by its number as it is given away, with what the ledger says of its
  /// alarms; see ``CalendarModel/EventSeries/answered(_:nextAlarm:context:)``. nil if it is gone.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func answeredSeries(ofEvent key: Int64) throws(StoreError) -> EventSeries? {
    guard let series = try series(ofEvent: key), let row = try seriesRows.row(key) else {
      return nil
    }
    let answers = try ledgerEntries(
      of: series.uid, in: series.calendar, recurrenceID: nil, limit: EventStore.mostAnswers
    ).compactMap { entry in
      entry.steps.last.map { AlarmAnswer(entry.reminder, at: $0.at) }
    }
    let next = try firstUntaken(of: series, row, answers)
    return series.answered(answers, nextAlarm: next, context: seriesRows.context)
  }

  /// The first alarm of an event that the ledger does not have: not the next one, where that was
  /// dismissed before it was due.
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
      // What cannot be placed does not ring.
      return next
    }
    for alarm in alarms where try !ledger.knows(alarm) { return alarm.instant }
    return nil
  }

  /// What lies further back says nothing that later answers do not.
  private static let mostAnswers = 5000
}

extension ReminderRows {
  /// Whether an alarm was taken before: here, at another instant by other zones, or as a snooze that
  /// went out of this very ledger and came back in a file, whose reminder comes back by itself.
  func knows(_ alarm: OccurrenceAlarm) throws(StoreError) -> Bool {
    if try isOwnSnooze(alarm) { return true }
    if try contains(ReminderKey(alarm)) { return true }
    return try knowsElsewhere(alarm)
  }

  /// Another Datebook's may be called like one of ours, where both have told the same reminder; it
  /// is ours where this ledger has put it off.
  func isOwnSnooze(_ alarm: OccurrenceAlarm) throws(StoreError) -> Bool {
    guard let id = alarm.alarm.snoozedReminder, let reminder = try reminder(id) else {
      return false
    }
    return reminder.snoozes > 0
  }
}
