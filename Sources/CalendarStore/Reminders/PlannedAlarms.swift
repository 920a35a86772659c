package import CalendarModel
import CivilTime

/// A future alarm, and whether it will be delivered.
package struct PlannedAlarm: Sendable {
  package let alarm: OccurrenceAlarm
  /// Why it will be closed in the ledger and not told, as things are; nil: it will be.
  package let silence: Reminder.CloseReason?
}

extension EventStore {
  /// Returns the next alarms of one event, told or not.
  ///
  /// - Parameters:
  ///   - recurrenceID: those of one occurrence alone; nil: of all.
  ///   - limit: the most that are wanted.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: some steps for each of them, also where an occurrence lies far ahead, and for each that
  ///   was delivered or dismissed before its time.
  package func plannedAlarms(
    of uid: EventUID, in calendar: CalendarID, recurrenceID: String?, limit: Int
  ) throws(StoreError) -> [PlannedAlarm] {
    try seriesRows.plannedAlarms(
      of: uid, in: calendar, recurrenceID: recurrenceID, limit: limit, ledger: ledger)
  }
}

extension SeriesRows {
  /// Returns why an alarm is not told although it is due; nil: it is.
  func silence(of alarm: OccurrenceAlarm) -> Reminder.CloseReason? {
    silence(of: alarm.occurrence)
  }

  /// Returns why the alarms of an occurrence are not told; nil: they are.
  func silence(of occurrence: Occurrence) -> Reminder.CloseReason? {
    if calendars[occurrence.calendar]?.info.isVisible == false { return .calendarHidden }
    return occurrence.event.isDeclined(by: ownAddresses) ? .declined : nil
  }

  fileprivate func plannedAlarms(
    of uid: EventUID, in calendar: CalendarID, recurrenceID: String?, limit: Int,
    ledger: ReminderRows
  ) throws(StoreError) -> [PlannedAlarm] {
    guard let owner = calendars[calendar], let row = try find(uid, in: owner.key),
      let first = row.nextAlarm
    else { return [] }
    let series = try load(row)
    var planned: [PlannedAlarm] = []
    var after = first.adding(seconds: -1)
    // By a clock that was ahead months of them may have been told.
    for _ in 0..<SeriesRows.mostBatches where planned.count < limit {
      guard let batch = alarms(of: series, recurrenceID, after: after, limit: 4 * limit) else {
        break
      }
      for alarm in batch.alarms where planned.count < limit {
        if let recurrenceID, alarm.recurrenceID != recurrenceID { continue }
        if try ledger.knows(alarm) { continue }
        planned.append(PlannedAlarm(alarm: alarm, silence: silence(of: alarm)))
      }
      if batch.alarms.isEmpty { break }
      after = batch.through
    }
    return planned
  }

  private static let mostBatches = 50

  /// Returns the first alarms after an instant, of one occurrence or of all; nil where nobody knows them.
  private func alarms(
    of series: EventSeries, _ recurrenceID: String?, after: Timestamp, limit: Int
  ) -> (alarms: [OccurrenceAlarm], through: Timestamp)? {
    do throws(CivilTimeError) {
      if let recurrenceID, let id = try? RecurrenceID(text: recurrenceID),
        let occurrence = try series.occurrence(id, context: context)
      {
        return (
          series.alarms(of: occurrence, after: after, defaults: defaults(of: series)), .latest
        )
      }
      let batch = try series.alarms(
        after: after, through: .latest, limit: limit, defaults: defaults(of: series),
        context: context)
      return (batch.alarms, batch.through)
    } catch {
      return nil
    }
  }
}
