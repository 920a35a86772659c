import CalendarModel
import CivilTime

/// Series in rows, with what is worked out of them once: where they lie, and
/// when they ring next.
final class SeriesRows {
  let database: Database
  let calendars: CalendarRows
  let spans: SpanIndex
  /// The words of what is written here.
  let words: SearchUpdates
  let zones: any Zones
  private let localZone: () -> ZoneRules
  let plannedRules: PlannedRules
  let marks: PlanMarks
  /// The latest instant written as ``Row/alarmsThrough`` in this transaction.
  private var latestThrough = Timestamp.earliest
  /// Told of each series that could not be placed, and why.
  var onUnplaced: ((EventSeries, CivilTimeError) -> Void)?
  /// Told of each series that has moved and has rung so often that what rang before an instant did not go
  /// along.
  var onLeftBehind: ((EventSeries, _ before: Timestamp) -> Void)?
  /// The owner's mail addresses, in lower case: an invitation that they declined does
  /// not ring.
  var ownAddresses: [String] = []
  var cache = SeriesCache()
  /// The key of the last series that is to be seen; see ``StagedChange``.
  var shownThrough = Int64.max

  /// One row of `series`.
  struct Row {
    let key: Int64
    let calendar: Int64
    let uid: EventUID
    let alarmsThrough: Timestamp
    let nextAlarm: Timestamp?
    /// The one that changed the series last.
    let revision: UInt64

    /// Up to when alarms count as dealt with if the series is planned again: before
    /// this second (an alarm of it still rings, once), but not past one that is due
    /// and has not been taken.
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

  /// The zones as they are now.
  var context: ZoneContext { ZoneContext(zones: zones, local: localZone()) }

  /// Keeps the latest instant up to which alarms are dealt with; to be called at the
  /// end of each transaction that wrote series.
  func keepLatestThrough() throws(StoreError) {
    try marks.raise(latest: latestThrough.seconds)
    latestThrough = .earliest
  }

  // MARK: Reading

  /// Returns the row of a series; nil if the calendar has none of that uid.
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

  /// Returns the row with this key.
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

  /// Returns the row of the calendar that comes first, the default one before all, of those that have
  /// a series of that uid.
  private func first(_ uid: EventUID) throws(StoreError) -> Row? {
    // The index is of calendar and uid: it is asked for each calendar, in one statement for all.
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
      // One that is staged is not there yet.
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

  /// Returns the revision that changed a series last; nil if there is none.
  func revision(of uid: EventUID, in calendar: Int64) throws(StoreError) -> UInt64? {
    try find(uid, in: calendar)?.revision
  }

  /// Forgets what depends on the data of zones.
  func forgetDays() {
    cache.forgetDays()
  }

  /// Forgets what was read inside a transaction that was undone.
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

  /// What is worked out of a series when it is written.
  struct Plan: Sendable {
    /// Everything where the zone is not installed: it is found by every query,
    /// and whoever expands it says what is missing.
    var extent: TimeSpan
    var phases = SeriesPhases.any
    /// What of it has other phases.
    var others: TimeSpan?
    var nextAlarm: Timestamp?
    var isUnplaced: Bool
  }

  /// Works out where a series lies and its first alarm after `alarmsThrough`.
  func plan(_ series: EventSeries, alarmsThrough: Timestamp, context: ZoneContext) -> Plan {
    do throws(CivilTimeError) {
      return try SeriesRows.plan(
        series, alarmsThrough: alarmsThrough, defaults: defaults(of: series), context: context)
    } catch {
      onUnplaced?(series, error)
      return Plan(extent: .always, nextAlarm: nil, isUnplaced: true)
    }
  }

  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
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

  /// What the calendar of a series gives to events without alarms.
  func defaults(of series: EventSeries) -> DefaultAlarms {
    calendars.owner(series.calendar)?.defaults ?? .none
  }

  /// Two hours more at both ends for readings in a zone: new zone data that move
  /// its clock must not hide an event from the index.
  private static func padded(_ extent: TimeSpan, _ series: EventSeries) -> TimeSpan {
    guard series.isZoned, extent.end > .earliest else { return extent }
    return TimeSpan(
      start: max(extent.start.adding(seconds: -7200), .earliest),
      end: min(extent.end.adding(seconds: 7200), TimeSpan.always.end))
  }

  /// Writes a series that is not there yet and returns its span.
  func insert(
    _ written: EventSeries, in calendar: Int64, revision: UInt64, alarmsThrough: Timestamp,
    context: ZoneContext
  ) throws(StoreError) -> TimeSpan {
    try insert(
      prepared(written, alarmsThrough: alarmsThrough, context: context), in: calendar,
      revision: revision)
  }

  /// The same for one that was prepared.
  ///
  /// - Parameters:
  ///   - content: the revision that wrote what it holds; nil is this one.
  ///   - place: the key that it had, which it has again where no other has it: exports have their order by it.
  func insert(
    _ prepared: PreparedSeries, in calendar: Int64, revision: UInt64, content: UInt64? = nil,
    place: Int64? = nil
  ) throws(StoreError) -> TimeSpan {
    let key = try insertAlone(
      prepared, in: calendar, revision: revision, content: content, place: place)
    try insertComponents(prepared.components, key)
    return prepared.plan.extent
  }

  /// The same without its components, of which the first are to come in the same transaction. Returns its key.
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

  /// Returns a series as it goes into its rows.
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

  /// Writes a series in place of the one that is there and returns its span.
  ///
  /// - Parameter content: the revision that wrote what it holds; nil is this one.
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
    return plan.extent
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

  /// Writes the alarm's part of a plan.
  func write(_ plan: Plan, of key: Int64, alarmsThrough: Timestamp) throws(StoreError) {
    try write(
      nextAlarm: plan.nextAlarm, isUnplaced: plan.isUnplaced, of: key, alarmsThrough: alarmsThrough)
  }

  func write(
    nextAlarm: Timestamp?, isUnplaced: Bool, of key: Int64, alarmsThrough: Timestamp
  ) throws(StoreError) {
    latestThrough = max(latestThrough, alarmsThrough)
    // A row that says so already is not written again.
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
    try deleteComponents(key)
    let row = try database.statement("DELETE FROM series WHERE key = ?1")
    row.bind(1, key)
    try row.run()
  }

  /// Removes many series in a few statements.
  func remove(_ leaving: BulkDeletion) throws(StoreError) {
    cache.forgetAll()
    try leaving.delete()
  }
}
