import CalendarModel
import CivilTime

// The reminders of an event go where it goes.

extension StoreChange {
  /// Ends the pending reminders of a series that it would not raise as it is now.
  func endReminders(of series: EventSeries) throws(StoreError) {
    for reminder in try reminders.pending(of: series.uid, in: series.calendar) {
      if let state = stateAfterChange(of: reminder, series) {
        try end(reminder, as: state)
      }
    }
  }

  /// Opens the reminders again that a change closed, where the series raises them as
  /// it is now: a snooze goes on, the others count as told.
  ///
  /// - Parameter closer: the revision of that change.
  func reopenReminders(of series: EventSeries, closedBy closer: UInt64) throws(StoreError) {
    for var reminder in try reminders.closed(of: series.uid, in: series.calendar, by: closer)
    where stateAfterChange(of: reminder, series) == nil {
      reminder.state = reminder.due > now ? .snoozed : .delivered
      try reminders.record(reminder, at: now)
      changes.reopenedReminders.append(reminder)
    }
  }

  /// Carries reminders over that were pending when a series went to another calendar:
  /// a snooze goes on, under the name that it has there.
  func carry(_ pending: [Reminder], to series: EventSeries) throws(StoreError) {
    for former in pending {
      let reminder = former.moved(to: series.calendar)
      guard stateAfterChange(of: reminder, series) == nil else { continue }
      try reminders.record(reminder, at: now)
      changes.reopenedReminders.append(reminder)
    }
  }

  func end(_ reminder: Reminder, as state: Reminder.State) throws(StoreError) {
    var ended = reminder
    ended.state = state
    try reminders.record(ended, at: now, closer: revision)
    changes.closedReminders.append(ended)
  }

  /// Returns the state in which a reminder ends when its series has become this
  /// one; nil if it stands.
  private func stateAfterChange(of reminder: Reminder, _ series: EventSeries) -> Reminder.State? {
    let key = reminder.key
    let isAcknowledged = series.components.contains { event in
      event.alarms.contains { alarm in
        alarm.id == key.alarm && alarm.acknowledged.map { $0 >= key.trigger } ?? false
      }
    }
    if isAcknowledged { return .acknowledged }
    let alarms: [OccurrenceAlarm]
    do throws(CivilTimeError) {
      alarms = try series.alarms(
        after: key.trigger.adding(seconds: -1), through: key.trigger,
        defaults: rows.defaults(of: series), context: context)
    } catch {
      // What cannot be placed cannot be judged.
      rows.onUnplaced?(series, error)
      return nil
    }
    // Alarms may have been numbered anew; what counts is that one rings then.
    return alarms.contains { $0.recurrenceID == key.recurrenceID } ? nil : .closed(.eventMoved)
  }
}

extension Reminder {
  fileprivate func moved(to calendar: CalendarID) -> Reminder {
    Reminder(
      key: ReminderKey(
        calendar: calendar, uid: key.uid, recurrenceID: key.recurrenceID, alarm: key.alarm,
        trigger: key.trigger),
      summary: summary, location: location, joinURL: joinURL, span: span, isAllDay: isAllDay,
      isPrivate: isPrivate, state: state, due: due, snoozes: snoozes, isMissed: isMissed)
  }
}
