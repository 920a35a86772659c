import CalendarModel
import CivilTime

/// The rows of series, with derived data: their spans and next alarms.
final class SeriesRows {
  let database: Database
  let calendars: CalendarRows
  let spans: SpanIndex
  /// Pending updates of the search index.
  let words: SearchUpdates
  let zones: any Zones
  private let localZone: () -> ZoneRules
  let plannedRules: PlannedRules
  let marks: PlanMarks
  /// The latest ``Row/alarmsThrough`` written in this transaction.
  private var latestThrough = Timestamp.earliest
  /// Called for each series that cannot be placed in time, with the reason.
  var onUnplaced: ((EventSeries, CivilTimeError) -> Void)?
  /// Called for a moved series with too many past alarms.
  ///
  /// Its reminders before the instant do not follow the move.
  var onLeftBehind: ((EventSeries, _ before: Timestamp) -> Void)?
  /// The owner's mail addresses in lower case; invitations that they declined do not fire.
  var ownAddresses: [String] = []
  var cache = SeriesCache()
  /// The greatest visible series key; later ones are staged. See ``StagedChange``.
  var shownThrough = Int64.max

  /// One row of `series`.
  struct Row {
    let key: Int64
    let calendar: Int64
    let uid: EventUID
    let alarmsThrough: Timestamp
    let nextAlarm: Timestamp?
    /// The revision of the series' last change.
    let revision: UInt64

    /// Returns the instant through which alarms count as handled when the series is planned again.
    ///
    /// That is the second before `now`, whose own alarms still fire, but never past an alarm that
    /// is due and not taken.
    func alarmsPast(_ now: Timestamp) -> Timestamp {
      min(now, nextAlarm ?? now).adding(seconds: -1)
    }
  }

  init(
    _ database: Database, calendars: CalendarRows, zones: any Zones,
    localZone: @escaping () -> ZoneRules
  ) {
    self.database = database
    self.calendars = calendars
    self.zones = zones
    self.localZone = localZone
    plannedRules = PlannedRules(database: database)
    marks = PlanMarks(database: database)
    spans = SpanIndex(database: database)
    words = SearchUpdates(SearchIndex(database: database))
  }

  /// The present zones.
  var context: ZoneContext { ZoneContext(zones: zones, local: localZone()) }

  /// Stores the latest instant through which alarms are handled; ends each transaction with series.
  func keepLatestThrough() throws(StoreError) {
    try marks.raise(latest: latestThrough.seconds)
    latestThrough = .earliest
  }

  // MARK: Reading

  /// Returns the row of a series; nil if the calendar has no series with that uid.
  func find(_ uid: EventUID, in calendar: Int64) throws(StoreError) -> Row? {
    let row = try database.statement(
      """
      SELECT key, calendar, uid, alarms_through, next_alarm, revision FROM series
      WHERE calendar = ?1 AND uid = ?2
      """)
    row.bind(1, calendar)
    row.bind(2, uid.text)
    return try first(row)
  }

  /// Returns the row with a key; nil if there is none.
  func row(_ key: Int64) throws(StoreError) -> Row? {
    let row = try database.statement(
      "SELECT key, calendar, uid, alarms_through, next_alarm, revision FROM series WHERE key = ?1")
    row.bind(1, key)
    return try first(row)
  }

  /// Returns a series by its uid; see ``EventStore/series(_:in:)``.
  func series(_ uid: EventUID, in calendar: CalendarID?) throws(StoreError) -> EventSeries? {
    guard let calendar else { return try first(uid).map(load) }
    guard let owner = calendars[calendar] else { return nil }
    return try find(uid, in: owner.key).map(load)
  }

  /// Returns the first row with a uid, in the default calendar if possible, else by display order.
  private func first(_ uid: EventUID) throws(StoreError) -> Row? {
    // The "+" keeps SQLite on the index of calendar and uid, in one statement for all calendars.
    let statement = try database.statement(
      """
      SELECT key, calendar, uid, alarms_through, next_alarm, revision FROM series
      WHERE calendar IN (SELECT key FROM calendars) AND uid = ?1 AND +key <= ?2
      """)
    statement.bind(1, uid.text)
    statement.bind(2, shownThrough)
    defer { statement.reset() }
    var first: (rank: Int, row: Row)?
    while try statement.step() {
      // Staged calendars are not visible yet.
      guard let rank = calendars.rank(ofKey: statement.integer(1)) else { continue }
      if first.map({ rank < $0.rank }) ?? true { first = (rank, SeriesRows.row(of: statement)) }
    }
    return first?.row
  }

  private func first(_ row: Statement) throws(StoreError) -> Row? {
    defer { row.reset() }
    guard try row.step(), row.integer(0) <= shownThrough else { return nil }
    return SeriesRows.row(of: row)
  }

  static func row(of row: Statement) -> Row {
    Row(
      key: row.integer(0), calendar: row.integer(1), uid: EventUID(row.text(2)),
      alarmsThrough: Timestamp(seconds: row.integer(3)),
      nextAlarm: row.optionalInteger(4).map(Timestamp.init(seconds:)),
      revision: UInt64(max(0, row.integer(5))))
  }

  /// Returns the revision of a series' last change; nil if there is no such series.
  func revision(of uid: EventUID, in calendar: Int64) throws(StoreError) -> UInt64? {
    try find(uid, in: calendar)?.revision
  }

  /// Forgets cached days, which depend on zone data.
  func forgetDays() {
    cache.forgetDays()
  }

  /// Forgets what was cached inside a transaction that was rolled back.
  func rolledBack() {
    cache.forgetAll()
    plannedRules.rolledBack()
    latestThrough = .earliest
    words.forget()
  }

  func corrupt(_ detail: String) -> StoreError {
    database.damaged(detail)
  }

  // MARK: Writing

  /// What is derived from a series when it is written.
  struct Plan: Sendable {
    /// The span of all occurrences; ``TimeSpan/always`` if the zone is not installed.
    var extent: TimeSpan
    var phases = SeriesPhases.any
    /// The span of the occurrences with other phases, such as moved overrides.
    var others: TimeSpan?
    var nextAlarm: Timestamp?
    var isUnplaced: Bool
  }

  /// Computes the span of a series, and its first alarm after `alarmsThrough`.
  func plan(_ series: EventSeries, alarmsThrough: Timestamp, context: ZoneContext) -> Plan {
    do throws(CivilTimeError) {
      return try SeriesRows.plan(
        series, alarmsThrough: alarmsThrough, defaults: defaults(of: series), context: context)
    } catch {
      onUnplaced?(series, error)
      return Plan(extent: .always, nextAlarm: nil, isUnplaced: true)
    }
  }

  /// Computes a plan without a store.
  ///
  /// - Throws: ``CivilTimeError`` if a zone is not installed.
  static func plan(
    _ series: EventSeries, alarmsThrough: Timestamp, defaults: DefaultAlarms, context: ZoneContext
  ) throws(CivilTimeError) -> Plan {
    let (extent, nextAlarm) = try series.place(
      alarmsAfter: alarmsThrough, defaults: defaults, context: context)
    let days = series.isRecurring ? try SeriesDays(series, zones: context.zones) : nil
    return Plan(
      extent: SeriesRows.padded(extent, series), phases: days?.phases ?? .any, others: days?.others,
      nextAlarm: nextAlarm, isUnplaced: false)
  }

  /// Returns the default alarms of the series' calendar, for events without alarms.
  func defaults(of series: EventSeries) -> DefaultAlarms {
    calendars.owner(series.calendar)?.defaults ?? .none
  }

  /// Widens the span of a zoned series by two hours at both ends.
  ///
  /// Events stay within their indexed spans when new zone data shift the clock.
  private static func padded(_ extent: TimeSpan, _ series: EventSeries) -> TimeSpan {
    guard series.isZoned, extent.end > .earliest else { return extent }
    return TimeSpan(
      start: max(extent.start.adding(seconds: -7200), .earliest),
      end: min(extent.end.adding(seconds: 7200), TimeSpan.always.end))
  }

  /// Inserts a new series and returns its span.
  func insert(
    _ written: EventSeries, in calendar: Int64, revision: UInt64, alarmsThrough: Timestamp,
    context: ZoneContext
  ) throws(StoreError) -> TimeSpan {
    try insert(
      prepared(written, alarmsThrough: alarmsThrough, context: context), in: calendar,
      revision: revision)
  }

  /// Inserts a new series that is prepared, and returns its span.
  ///
  /// - Parameters:
  ///   - content: the revision that wrote this content; nil for `revision`.
  ///   - place: the key to use if it is free, so that a restored series keeps its position in
  ///     exports.
  func insert(
    _ prepared: PreparedSeries, in calendar: Int64, revision: UInt64, content: UInt64? = nil,
    place: Int64? = nil
  ) throws(StoreError) -> TimeSpan {
    let key = try insertAlone(
      prepared, in: calendar, revision: revision, content: content, place: place)
    try insertComponents(prepared.components, key)
    return SpanIndex.rounded(prepared.plan.extent)
  }

  /// Inserts a series without its components, and returns its key. The caller adds the components.
  func insertAlone(
    _ prepared: PreparedSeries, in calendar: Int64, revision: UInt64, content: UInt64? = nil,
    place: Int64? = nil
  ) throws(StoreError) -> Int64 {
    let key = try insert(
      prepared.series.uid, prepared.plan, in: calendar, revision: revision,
      content: content ?? revision, alarmsThrough: prepared.alarmsThrough, place: place)
    try spans.put(key, prepared.plan)
    try plannedRules.note(prepared.series, zones)
    return key
  }

  /// Prepares a series for its rows.
  func prepared(
    _ written: EventSeries, alarmsThrough: Timestamp, context: ZoneContext
  ) -> PreparedSeries {
    let series = written.counted()
    return PreparedSeries(
      series, plan(series, alarmsThrough: alarmsThrough, context: context),
      alarmsThrough: alarmsThrough)
  }

  private func insert(
    _ uid: EventUID, _ plan: Plan, in calendar: Int64, revision: UInt64, content: UInt64,
    alarmsThrough: Timestamp, place: Int64?
  ) throws(StoreError) -> Int64 {
    latestThrough = max(latestThrough, alarmsThrough)
    let row = try database.statement(
      """
      INSERT INTO series (calendar, uid, revision, alarms_through, next_alarm, is_unplaced, content,
        first_minute, last_minute, key)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    row.bind(10, try place.flatMap { (key) throws(StoreError) in try isFree(key) ? key : nil })
    let minutes = SpanIndex.shortMinutes(plan)
    row.bind(8, minutes?.first)
    row.bind(9, minutes?.last)
    row.bind(1, calendar)
    row.bind(2, uid.text)
    row.bind(3, Int64(revision))
    row.bind(4, alarmsThrough.seconds)
    row.bind(5, plan.nextAlarm?.seconds)
    row.bind(6, plan.isUnplaced)
    row.bind(7, Int64(content))
    try row.run()
    return database.lastKey
  }

  /// Overwrites a series and returns its new span.
  ///
  /// - Parameter content: the revision that wrote this content; nil for `revision`.
  func update(
    _ key: Int64, to written: EventSeries, revision: UInt64, content: UInt64? = nil,
    alarmsThrough: Timestamp, context: ZoneContext
  ) throws(StoreError) -> TimeSpan {
    try write(revision: revision, content: content ?? revision, of: key)
    let series = written.counted()
    let plan = plan(series, alarmsThrough: alarmsThrough, context: context)
    try write(plan, of: key, alarmsThrough: alarmsThrough)
    try spans.replace(key, plan)
    try plannedRules.note(series, zones)
    try replaceComponents(of: series, key)
    return SpanIndex.rounded(plan.extent)
  }

  private func write(
    revision: UInt64, content: UInt64, of key: Int64
  ) throws(StoreError) {
    let row = try database.statement(
      "UPDATE series SET revision = ?2, content = ?3 WHERE key = ?1")
    row.bind(3, Int64(content))
    row.bind(1, key)
    row.bind(2, Int64(revision))
    try row.run()
  }

  /// Writes the alarm part of a plan.
  func write(_ plan: Plan, of key: Int64, alarmsThrough: Timestamp) throws(StoreError) {
    try write(
      nextAlarm: plan.nextAlarm, isUnplaced: plan.isUnplaced, of: key, alarmsThrough: alarmsThrough)
  }

  func write(
    nextAlarm: Timestamp?, isUnplaced: Bool, of key: Int64, alarmsThrough: Timestamp
  ) throws(StoreError) {
    latestThrough = max(latestThrough, alarmsThrough)
    // The condition avoids rewriting an unchanged row.
    let row = try database.statement(
      """
      UPDATE series SET alarms_through = ?2, next_alarm = ?3, is_unplaced = ?4
      WHERE key = ?1 AND (alarms_through <> ?2 OR next_alarm IS NOT ?3 OR is_unplaced <> ?4)
      """)
    row.bind(1, key)
    row.bind(2, alarmsThrough.seconds)
    row.bind(3, nextAlarm?.seconds)
    row.bind(4, isUnplaced)
    try row.run()
  }

  func remove(_ key: Int64) throws(StoreError) {
    try spans.remove(key)
    try keepBase(ofRemoved: key)
    try deleteComponents(key)
    let row = try database.statement("DELETE FROM series WHERE key = ?1")
    row.bind(1, key)
    try row.run()
  }

  /// Removes many series with a few statements.
  func remove(_ leaving: BulkDeletion) throws(StoreError) {
    cache.forgetAll()
    try keepBasesOfLeaving()
    try leaving.delete()
  }
}
