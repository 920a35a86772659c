package import CalendarModel
import CivilTime

/// A future alarm, and whether it will be delivered.
package struct PlannedAlarm: Sendable {
  package let alarm: OccurrenceAlarm
  /// Why it will be closed instead of delivered, as things are now; nil if it will be delivered.
  package let silence: Reminder.CloseReason?
}

extension EventStore {
  /// Returns the next alarms of an event, including those that will not be delivered.
  ///
  /// - Parameters:
  ///   - recurrenceID: selects one occurrence; nil for all.
  ///   - limit: the most that are returned.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: some steps for each of them, and for each that was delivered or dismissed ahead.
  package func plannedAlarms(
    of uid: EventUID, in calendar: CalendarID, recurrenceID: String?, limit: Int
  ) throws(StoreError) -> [PlannedAlarm] {
    try seriesRows.plannedAlarms(
      of: uid, in: calendar, recurrenceID: recurrenceID, limit: limit, ledger: ledger)
  }
}

extension SeriesRows {
  /// Returns why a due alarm is not delivered; nil if it is.
  func silence(of alarm: OccurrenceAlarm) -> Reminder.CloseReason? {
    silence(of: alarm.occurrence)
  }

  /// Returns why the alarms of an occurrence are not delivered; nil if they are.
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
    // With a clock that was ahead, months of them may have been delivered.
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

  /// Returns the next alarms after an instant; nil if the series cannot be placed.
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
