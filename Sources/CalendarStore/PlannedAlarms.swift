package import CalendarModel
package import CivilTime

/// An alarm that is still to come, and whether it will be told.
package struct PlannedAlarm: Sendable {
  package let alarm: OccurrenceAlarm
  /// Why it will be closed in the ledger and not told, as things are; nil: it will be.
  package let silence: Reminder.CloseReason?
}

extension EventStore {
  /// Returns the alarms with `after < instant <= through` that are to come and will be
  /// told, in the order in which they will: by instant, then summary, then identifier.
  /// Nothing is taken.
  ///
  /// - Parameter limit: the most that are wanted.
  /// - Returns: nil where there are more, or more than ``mostSeriesLookedAt`` events to
  ///   look at.
  /// - Complexity: a walk through each event that rings before `through`.
  package func plannedAlarms(
    after: Timestamp, through: Timestamp, limit: Int
  ) throws(StoreError) -> [OccurrenceAlarm]? {
    try seriesRows.plannedAlarms(after: after, through: through, limit: limit, ledger: ledger)
  }

  /// Returns the next alarms of one event, told or not.
  ///
  /// - Parameters:
  ///   - recurrenceID: those of one occurrence alone; nil: of all.
  ///   - limit: the most that are wanted.
  /// - Complexity: for one occurrence a walk through those before it, of at most
  ///   5,000 alarms.
  package func plannedAlarms(
    of uid: EventUID, in calendar: CalendarID, recurrenceID: String?, limit: Int
  ) throws(StoreError) -> [PlannedAlarm] {
    try seriesRows.plannedAlarms(
      of: uid, in: calendar, recurrenceID: recurrenceID, limit: limit, ledger: ledger)
  }

  /// More events than this are not looked at for one answer: it would keep others waiting.
  package static let mostSeriesLookedAt = 20_000
}

extension SeriesRows {
  /// Returns why an alarm is not told although it is due; nil: it is.
  func silence(of alarm: OccurrenceAlarm) -> Reminder.CloseReason? {
    if calendars[alarm.occurrence.calendar]?.info.isVisible == false { return .calendarHidden }
    return alarm.occurrence.event.isDeclined(by: ownAddresses) ? .declined : nil
  }

  fileprivate func plannedAlarms(
    after: Timestamp, through: Timestamp, limit: Int, ledger: ReminderRows
  ) throws(StoreError) -> [OccurrenceAlarm]? {
    let context = context
    let rows = try dueRows(through: through, limit: EventStore.mostSeriesLookedAt + 1)
    guard rows.count <= EventStore.mostSeriesLookedAt else { return nil }
    var planned: [OccurrenceAlarm] = []
    for row in rows {
      guard let first = row.nextAlarm, calendars[key: row.calendar]?.info.isVisible ?? false
      else { continue }
      let series = try load(row)
      let batch: AlarmBatch
      do throws(CivilTimeError) {
        batch = try series.alarms(
          after: max(after, first.adding(seconds: -1)), through: through, limit: limit + 1,
          defaults: defaults(of: series), context: context)
      } catch {
        // It does not ring as long as nobody knows its zone.
        continue
      }
      for alarm in batch.alarms where silence(of: alarm) == nil {
        if try !ledger.contains(ReminderKey(alarm)) { planned.append(alarm) }
      }
      if planned.count > limit || batch.through < through { return nil }
    }
    // An identifier is worked out, so that it is only asked for among equals.
    planned.sort { left, right in
      if left.instant != right.instant { return left.instant < right.instant }
      let (one, other) = (left.occurrence.event.summary, right.occurrence.event.summary)
      return one != other ? one < other : ReminderKey(left).id < ReminderKey(right).id
    }
    return planned
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
    var walked = 0
    while planned.count < limit, walked < 5000 {
      let batch: AlarmBatch
      do throws(CivilTimeError) {
        batch = try series.alarms(
          after: after, through: .latest, limit: 500, defaults: defaults(of: series),
          context: context)
      } catch {
        break
      }
      for alarm in batch.alarms where planned.count < limit {
        if let recurrenceID, alarm.recurrenceID != recurrenceID { continue }
        if try ledger.contains(ReminderKey(alarm)) { continue }
        planned.append(PlannedAlarm(alarm: alarm, silence: silence(of: alarm)))
      }
      if batch.through >= .latest { break }
      walked += batch.alarms.count
      after = batch.through
    }
    return planned
  }
}
