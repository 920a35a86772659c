import CalendarModel
import CivilTime

/// Knows whether an alarm was told while the agent's zone was another.
///
/// A floating or all-day occurrence is the same one in every zone, at another
/// instant. An occurrence's alarm is told once, wherever one flies: not again
/// where its instant has passed already when the zone changes, nor where it still
/// lies ahead. One that nobody has acknowledged stays pending all the same.
struct ToldAlarms {
  let database: Database
  /// The agent's zone of before.
  let zone: ZoneRules

  /// No zone puts an alarm further from where another had it.
  static let furthestSeconds: Int64 = 26 * 3600

  /// Returns whether the ledger has an alarm from when the occurrence lay where
  /// the former zone put it. An event that has been moved on the clock since is
  /// another matter, and so is a later repeat of the alarm.
  func contain(_ alarm: OccurrenceAlarm) throws(StoreError) -> Bool {
    let occurrence = alarm.occurrence
    // What has a zone of its own stays where it is.
    guard occurrence.event.start.zoneName == nil else { return false }
    let row = try database.statement(
      """
      SELECT span_start FROM reminders
      WHERE uid = ?1 AND calendar = ?2 AND recurrence_id = ?3 AND alarm = ?4
      """)
    row.bind(1, occurrence.uid.text)
    row.bind(2, occurrence.calendar.text)
    row.bind(3, alarm.recurrenceID)
    row.bind(4, alarm.alarm.id)
    defer { row.reset() }
    var count = 0
    while try row.step() {
      let reading = zone.reading(at: Timestamp(seconds: row.integer(0)))
      let isSame =
        occurrence.isAllDay
        ? reading.date == occurrence.start.date : reading == occurrence.start
      if isSame { count += 1 }
    }
    return count > alarm.repetition
  }
}
