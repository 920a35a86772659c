import CalendarModel
import CivilTime

// An alarm of an all-day or floating event has another instant in each zone of the agent's, and so
// another key in the ledger. It is told once all the same, also where the clock ran days ahead in one
// zone, was set back, and comes to the same alarm in another:
//
//     in the former zone     A told, the clock ahead
//     set back, in this one       ·            A'  is due, and was told
//
// The ledger is asked when an alarm is about to be told, by the index on its keys: what lies far
// ahead is not read when the zone changes.

extension SeriesRows {
  /// Whether an alarm was taken before: here, in another zone of the agent's, or as a snooze that
  /// went out of this very ledger and came back in a file.
  func knows(
    _ alarm: OccurrenceAlarm, of series: EventSeries, _ ledger: ReminderRows
  ) throws(StoreError) -> Bool {
    if try ledger.knows(alarm) { return true }
    return try wasToldElsewhere(alarm, of: series, ledger)
  }

  /// Whether an alarm was taken while the agent's zone was another.
  ///
  /// What was told there is this alarm if the event, as it is now, would ring there at the
  /// instant that the ledger has: one that was moved since is to be told anew.
  ///
  /// - Complexity: a step in an index, and a walk to one instant for each time that the same
  ///   alarm of the occurrence was told in another zone.
  func wasToldElsewhere(
    _ alarm: OccurrenceAlarm, of series: EventSeries, _ ledger: ReminderRows
  ) throws(StoreError) -> Bool {
    guard let here = alarm.agentZone else { return false }
    for told in try ledger.told(alarm, elsewhereThan: here) {
      do throws(CivilTimeError) {
        let there = ZoneContext(zones: zones, local: try zones.rules(named: told.zone))
        // What was acknowledged since had rung.
        let rang = try series.withoutAcknowledgements.alarms(
          after: told.trigger.adding(seconds: -1), through: told.trigger,
          defaults: defaults(of: series), context: there)
        if rang.contains(where: { $0.isSame(as: alarm) }) { return true }
      } catch {
        // A zone that is not installed any more: told twice is better than not at all.
        continue
      }
    }
    return false
  }
}

extension ReminderRows {
  /// Returns when and in which zones an alarm was told that is not the one of now, at instants
  /// that may be this one's there.
  fileprivate func told(
    _ alarm: OccurrenceAlarm, elsewhereThan zone: String
  ) throws(StoreError) -> [(trigger: Timestamp, zone: String)] {
    let key = ReminderKey(alarm)
    let row = try database.statement(
      """
      SELECT trigger_at, zone FROM reminders
      WHERE uid = ?1 AND calendar = ?2 AND recurrence_id = ?3 AND alarm = ?4
        AND trigger_at BETWEEN ?5 AND ?6 AND zone NOT IN ('', ?7)
        AND NOT (state = 'closed' AND close_reason IN ('missed', 'calendar-hidden', 'declined')
          AND closed_by IS NULL)
      """)
    row.bind(1, key.uid.text)
    row.bind(2, key.calendar.text)
    row.bind(3, key.recurrenceID)
    row.bind(4, key.alarm)
    row.bind(5, key.trigger.adding(seconds: -ToldAlarms.furthestSeconds).seconds)
    row.bind(6, key.trigger.adding(seconds: ToldAlarms.furthestSeconds).seconds)
    row.bind(7, zone)
    defer { row.reset() }
    var told: [(trigger: Timestamp, zone: String)] = []
    while try row.step() { told.append((Timestamp(seconds: row.integer(0)), row.text(1))) }
    return told
  }
}
