package import CalendarModel
import CivilTime

/// The result of planning the alarms again after the zone or its data changed.
package struct Replanned {
  /// Of how many events the next alarm has another instant than before.
  package var events: Int
  /// Those that wait whose occurrences are elsewhere, as the ledger has them now.
  package var reminders: [Reminder]
  /// What had become due too early.
  package var early = EarlyReminders()

  package init(events: Int, reminders: [Reminder]) {
    self.events = events
    self.reminders = reminders
  }
}

// Where an occurrence is by the zones of now whose reminder was delivered by others. The reminder stays what it is: its key
// has the instant at which it was delivered.

extension SeriesRows {
  /// Returns an occurrence by the zones of now; nil where they have none such.
  ///
  /// - Parameters:
  ///   - alarm: the ``CalendarModel/Alarm/id`` of an alarm of it.
  ///   - wallClockFingerprint: of that alarm; 0 where it has none.
  ///   - trigger: when other zones had that.
  ///   - recurrenceID: of the occurrence, by whatever zones; nil for the only one.
  /// - Complexity: a walk over some two days of the series.
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
    // Another one may be at that instant by now.
    if case .instant? = recurrenceID { return nil }
    if let occurrence = try series.occurrence(recurrenceID, context: context) { return occurrence }
    // A to-do has none but those of its alarms, and one at a moment of its own has stayed there.
    return try alarm(id, of: series, at: trigger, context)?.occurrence
  }

  /// Returns the alarm that a series raises at an instant, acknowledged or not; nil where it raises none then.
  private func alarm(
    _ id: String, of series: EventSeries, at trigger: Timestamp, _ context: ZoneContext
  ) throws(CivilTimeError) -> OccurrenceAlarm? {
    try series.withoutAcknowledgements.alarms(
      after: trigger.adding(seconds: -1), through: trigger, defaults: defaults(of: series),
      context: context
    ).first { $0.alarm.id == id }
  }

  /// The zones by which a reminder fell due: an event that goes with the agent's zone has not
  /// moved because that has.
  func contextOfTelling(_ reminder: Reminder) throws(CivilTimeError) -> ZoneContext {
    if reminder.zone.isEmpty || reminder.zone == context.local.name { return context }
    return ZoneContext(zones: zones, local: try zones.rules(named: reminder.zone))
  }

  /// Returns which occurrence a reminder was delivered for; nil for the only one.
  ///
  /// The key of one at a moment of its own does not say it: it is the one that came next by the clock of then.
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

  /// Lets reminders that wait say when their occurrences are by the zones of now. A snooze until the very start or end
  /// of one goes along.
  ///
  /// So it is with what an agent that died left due, too: whether that is too old is a matter of the clock of the person
  /// now; see ``MissedReminderPolicy``.
  ///
  /// - Parameter told: knows which clocks have changed.
  /// - Returns: those that say something else than before.
  func reschedule(_ told: inout ZoneChangeDeduplicator, at now: Timestamp) throws(StoreError) -> [Reminder] {
    var placed: [Reminder] = []
    for reminder in try told.ledger.pending() {
      let key = reminder.key
      // Most have a clock of their own, which is seldom another.
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
        // The plan meets that, too, and says so.
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
  /// Whether it is put off, or was when it was closed.
  func isSnoozed(at now: Timestamp) -> Bool {
    state == .snoozed || !isPending && isPutOff(at: now)
  }

  /// Returns the same reminder as one of an occurrence that is elsewhere now, or says something else: a snooze until the
  /// very start or end of it goes along, also one that was closed, with its calendar or the like, and would be over
  /// where the occurrence was.
  func rescheduled(by occurrence: Occurrence, at now: Timestamp) -> Reminder {
    var next = reworded(by: occurrence)
    if isSnoozed(at: now) || !isPending && due != key.trigger {
      next.due = snoozeEnd(goingTo: next.span, at: now)
    }
    return next
  }

  /// Comes back when another one of the same occurrence was to: one until the start or the end of that at that of its own.
  mutating func takeSnooze(of former: Reminder, at now: Timestamp) {
    snoozes = former.snoozes
    due =
      former.isSnoozed(at: now) ? former.snoozeEnd(goingTo: span, at: now) : key.trigger
  }

  /// Returns when a snooze ends whose occurrence is at another time from now on.
  private func snoozeEnd(goingTo next: TimeSpan, at now: Timestamp) -> Timestamp {
    // What goes on and has passed there comes back now, and is not late. What was over before does not.
    let earliest = isSnoozed(at: now) ? now : .earliest
    if due == span.start, next.start != span.start { return max(next.start, earliest) }
    if due == span.end, due != span.start, next.end != span.end { return max(next.end, earliest) }
    return due
  }
}
