package import CalendarModel
import CivilTime

/// The result of planning alarms again after the zone or its data changed.
package struct Replanned {
  /// The number of events whose next alarm moved to another instant.
  package var events: Int
  /// The pending reminders whose occurrences have moved, in their new state.
  package var reminders: [Reminder]
  /// The reminders that had become due too early.
  package var early = EarlyReminders()

  package init(events: Int, reminders: [Reminder]) {
    self.events = events
    self.reminders = reminders
  }
}

// Moving pending reminders to the present zones. A reminder's key keeps the instant at which it was
// delivered.

extension SeriesRows {
  /// Returns an occurrence in the present zones; nil if they have none.
  ///
  /// - Parameters:
  ///   - alarm: the ``CalendarModel/Alarm/id`` of one of its alarms.
  ///   - wallClockFingerprint: that of the alarm; 0 if it has none.
  ///   - trigger: the instant of the alarm in former zones.
  ///   - recurrenceID: the occurrence, as named in any zones; nil for the only one.
  /// - Complexity: expands about two days of the series.
  func occurrence(
    of series: EventSeries, alarm id: String, wallClockFingerprint: Int64, near trigger: Timestamp,
    _ recurrenceID: RecurrenceID?
  ) throws(CivilTimeError) -> Occurrence? {
    if wallClockFingerprint != 0 {
      let alarms = try series.withoutAcknowledgements.alarms(
        after: trigger.adding(seconds: -ZoneChangeDeduplicator.furthestSeconds),
        through: trigger.adding(seconds: ZoneChangeDeduplicator.furthestSeconds),
        defaults: defaults(of: series), context: context)
      if let alarm = alarms.first(where: { $0.wallClockFingerprint == wallClockFingerprint }) { return alarm.occurrence }
    }
    // Another occurrence may be at that instant now.
    if case .instant? = recurrenceID { return nil }
    if let occurrence = try series.occurrence(recurrenceID, context: context) { return occurrence }
    // A to-do only has occurrences for its alarms; an absolute alarm has stayed where it was.
    return try alarm(id, of: series, at: trigger, context)?.occurrence
  }

  /// Returns the alarm of a series at an instant, acknowledged or not; nil if there is none.
  private func alarm(
    _ id: String, of series: EventSeries, at trigger: Timestamp, _ context: ZoneContext
  ) throws(CivilTimeError) -> OccurrenceAlarm? {
    try series.withoutAcknowledgements.alarms(
      after: trigger.adding(seconds: -1), through: trigger, defaults: defaults(of: series),
      context: context
    ).first { $0.alarm.id == id }
  }

  /// Returns the zones in which a reminder became due.
  ///
  /// An event in the agent's zone has not moved if only that zone has changed.
  func contextOfTelling(_ reminder: Reminder) throws(CivilTimeError) -> ZoneContext {
    if reminder.zone.isEmpty || reminder.zone == context.local.name { return context }
    return ZoneContext(zones: zones, local: try zones.rules(named: reminder.zone))
  }

  /// Returns the occurrence that a reminder was delivered for; nil for the only one.
  ///
  /// The key of an absolute alarm does not name it: it is the occurrence that came next at that
  /// time.
  private func recurrenceID(
    of reminder: Reminder, _ series: EventSeries
  ) throws(CivilTimeError) -> RecurrenceID? {
    let key = reminder.key
    if !key.recurrenceID.isEmpty { return try RecurrenceID(text: key.recurrenceID) }
    guard reminder.wallClockFingerprint == 0, series.isRecurring || !series.overrides.isEmpty else {
      return nil
    }
    return try alarm(key.alarm, of: series, at: key.trigger, contextOfTelling(reminder))?
      .occurrence.recurrenceID
  }

  /// Updates pending reminders to the times of their occurrences in the present zones.
  ///
  /// A snooze until the start or end of its occurrence moves with it. This includes reminders that
  /// an earlier agent left due: whether they are too old is judged by the present time; see
  /// ``MissedReminderPolicy``.
  ///
  /// - Parameter told: knows which zones have changed.
  /// - Returns: the reminders that were changed.
  func reschedule(_ told: inout ZoneChangeDeduplicator, at now: Timestamp) throws(StoreError) -> [Reminder] {
    var placed: [Reminder] = []
    for reminder in try told.ledger.pending() {
      let key = reminder.key
      // Most depend on a zone of their own, which seldom changes.
      if reminder.zone.isEmpty, !told.haveNamedMoved { continue }
      guard let owner = calendars[key.calendar], let row = try find(key.uid, in: owner.key) else {
        continue
      }
      let series = try load(row)
      guard told.mayHaveMoved(series) else { continue }
      let found: Occurrence?
      do throws(CivilTimeError) {
        found = try occurrence(
          of: series, alarm: key.alarm, wallClockFingerprint: reminder.wallClockFingerprint, near: key.trigger,
          recurrenceID(of: reminder, series))
      } catch {
        // Planning meets the same error, and reports it.
        continue
      }
      guard let found else { continue }
      let next = reminder.rescheduled(by: found, at: now)
      if next == reminder { continue }
      if next.due != reminder.due { try told.ledger.record(next, at: now) }
      try told.ledger.reword(next)
      placed.append(next)
    }
    return placed
  }
}

extension Reminder {
  /// Whether it is snoozed, or was when it was closed.
  func isSnoozed(at now: Timestamp) -> Bool {
    state == .snoozed || !isPending && isPutOff(at: now)
  }

  /// Returns the reminder for an occurrence that has moved or changed.
  ///
  /// A snooze until its start or end moves with it, also that of a closed reminder.
  func rescheduled(by occurrence: Occurrence, at now: Timestamp) -> Reminder {
    var next = reworded(by: occurrence)
    if isSnoozed(at: now) || !isPending && due != key.trigger {
      next.due = snoozeEnd(goingTo: next.span, at: now)
    }
    return next
  }

  /// Takes over the snooze of another reminder for the same occurrence, moved to this one's time.
  mutating func takeSnooze(of former: Reminder, at now: Timestamp) {
    snoozes = former.snoozes
    due =
      former.isSnoozed(at: now) ? former.snoozeEnd(goingTo: span, at: now) : key.trigger
  }

  /// Returns when a snooze ends after its occurrence moved.
  private func snoozeEnd(goingTo next: TimeSpan, at now: Timestamp) -> Timestamp {
    // A current snooze whose new end has passed ends now, and is not late; an ended one stays
    // ended.
    let earliest = isSnoozed(at: now) ? now : .earliest
    if due == span.start, next.start != span.start { return max(next.start, earliest) }
    if due == span.end, due != span.start, next.end != span.end { return max(next.end, earliest) }
    return due
  }
}
