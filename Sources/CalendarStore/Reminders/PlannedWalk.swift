package import CalendarModel
package import CivilTime

/// Collects future alarms that will be delivered, one event at a time.
///
/// The caller can answer other requests in between. A changed event is read in its state at that
/// time; events added or removed meanwhile may be missing.
package final class PlannedWalk {
  private let rows: SeriesRows
  private let ledger: ReminderRows
  private let context: ZoneContext
  private let after: Timestamp
  private let through: Timestamp
  private let limit: Int
  /// The id of the only reminder to find; nil for all.
  private let wanted: String?
  private var keys: ArraySlice<Int64>
  private var gathered: [OccurrenceAlarm] = []
  private var isTooMuch = false
  /// An event with more alarms than were checked, none of them the wanted one; nil if none.
  ///
  /// The wanted alarm may be a later one of this event.
  package private(set) var cutEvent: Event?

  fileprivate init(
    _ store: EventStore, _ keys: [Int64], after: Timestamp, through: Timestamp, limit: Int,
    wanted: String?
  ) {
    self.wanted = wanted
    rows = store.seriesRows
    ledger = store.ledger
    context = rows.context
    self.keys = keys[...]
    self.after = after
    self.through = through
    self.limit = limit
  }

  /// The alarms found so far, in no order; nil if there are more than the limit.
  package var alarms: [OccurrenceAlarm]? { isTooMuch ? nil : gathered }

  /// Checks one more event; false if there is none, or if the walk is over.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func next() throws(StoreError) -> Bool {
    guard !isTooMuch, let key = keys.popFirst() else { return false }
    guard let row = try rows.row(key), let first = row.nextAlarm, first <= through,
      rows.calendars[key: row.calendar]?.info.isVisible ?? false
    else { return true }
    let series = try rows.load(row)
    let batch: AlarmBatch
    do throws(CivilTimeError) {
      batch = try series.alarms(
        after: max(after, first.adding(seconds: -1)), through: through, limit: limit + 1,
        defaults: rows.defaults(of: series), context: context)
    } catch {
      // Alarms in an unknown zone do not fire.
      return true
    }
    isTooMuch = wanted == nil && batch.through < through
    for alarm in batch.alarms where rows.silence(of: alarm) == nil {
      if let wanted, ReminderKey(alarm).id != wanted { continue }
      if try !ledger.knows(alarm) { gathered.append(alarm) }
    }
    if wanted != nil {
      if !gathered.isEmpty { return false }
      if batch.through < through { cutEvent = cutEvent ?? series.components.first }
    }
    isTooMuch = isTooMuch || gathered.count > limit
    return !isTooMuch
  }
}

extension EventStore {
  /// Returns a walk over the future alarms with `after < instant <= through`; takes none.
  ///
  /// - Parameters:
  ///   - limit: the most alarms.
  ///   - id: the ``CalendarModel/Reminder/id`` of the only wanted one, or nil for all. The walk
  ///     ends when it is found, and checks about `limit` alarms of each event.
  /// - Returns: nil if there are more than ``mostSeriesLookedAt`` events to check.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func plannedWalk(
    after: Timestamp, through: Timestamp, limit: Int, id: String? = nil
  ) throws(StoreError) -> PlannedWalk? {
    let row = try database.statement(
      """
      SELECT key FROM series WHERE next_alarm IS NOT NULL AND next_alarm <= ?1
      ORDER BY next_alarm, key LIMIT ?2
      """)
    row.bind(1, through.seconds)
    row.bind(2, Int64(EventStore.mostSeriesLookedAt + 1))
    let keys = try row.integers()
    guard keys.count <= EventStore.mostSeriesLookedAt else { return nil }
    return PlannedWalk(
      self, keys, after: after, through: through, limit: limit, wanted: id)
  }

  /// The most events that are checked for one request.
  package static let mostSeriesLookedAt = 20_000
}
