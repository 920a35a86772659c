package import CalendarModel
package import CivilTime

/// Collects the future alarms that will be delivered, one event at a time, so that the
/// caller can answer others in between.
///
/// An event that is changed meanwhile comes in its state at its turn; one that is removed
/// or new may be missing.
package final class PlannedWalk {
  private let rows: SeriesRows
  private let ledger: ReminderRows
  private let context: ZoneContext
  private let after: Timestamp
  private let through: Timestamp
  private let limit: Int
  /// The id of the only reminder that is looked for; nil: all are wanted.
  private let wanted: String?
  private var keys: ArraySlice<Int64>
  private var gathered: [OccurrenceAlarm] = []
  private var isTooMuch = false
  /// An event that has more alarms in that time than were looked at, with none among them that is
  /// wanted; nil where there is no such event. The only one wanted may be behind them.
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

  /// The alarms found so far, in no order; nil where there are more than the limit.
  package var alarms: [OccurrenceAlarm]? { isTooMuch ? nil : gathered }

  /// Looks at one more event; false where there is none, or no more is wanted.
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
      // It does not ring as long as nobody knows its zone.
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
  /// Returns a walk over the alarms with `after < instant <= through` that are to come
  /// and will be delivered. Nothing is taken.
  ///
  /// - Parameters:
  ///   - limit: the most that are wanted.
  ///   - id: of the only one that is wanted, as of ``CalendarModel/Reminder/id``: the walk ends
  ///     where it is found, and sees the first `limit` of each event; nil: all are wanted.
  /// - Returns: nil where there are more than ``mostSeriesLookedAt`` events to look at.
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
    defer { row.reset() }
    var keys: [Int64] = []
    while try row.step() { keys.append(row.integer(0)) }
    guard keys.count <= EventStore.mostSeriesLookedAt else { return nil }
    return PlannedWalk(
      self, keys, after: after, through: through, limit: limit, wanted: id)
  }

  /// More events than this are not looked at for one answer.
  package static let mostSeriesLookedAt = 20_000
}
