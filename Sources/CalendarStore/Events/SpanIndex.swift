import CalendarModel
import CivilTime

/// The index of series by time.
///
/// A query returns candidates: series whose stretch from first start to last end touches the span,
/// to the minute. The caller expands them to check.
///
/// Most series happen once and last a few hours. These are found by the first minute in their row,
/// which is five times as fast to write as the tree.
///
/// The others are in an R*Tree over minutes, and over phases in the week and month. Of a hundred
/// thousand events, 3000 may recur around a day, and only a hundred of them on it. Occurrences with
/// other phases are filed separately, under the negative key.
///
/// Why not an index on start and end alone? Of 100,000 rows such a query reads half (2.4 ms); the
/// tree reads what it needs (7 µs).
///
/// Source: sqlite.org/rtree.html section 3.1.
struct SpanIndex {
  let database: Database

  /// Returns the first and last minute of a span, both included.
  private static func minutes(of span: TimeSpan) -> (first: Int64, last: Int64) {
    // An end on a full minute still counts, for an empty span there. The extreme Int32 values are
    // never stored, so that strict comparisons reach beyond the range.
    let first = clamp(floorMinute(span.start.seconds), Int64(Int32.min) + 1, Int64(Int32.max) - 1)
    let last = clamp(floorMinute(span.end.seconds) + 1, first, Int64(Int32.max))
    return (first, last)
  }

  private static func floorMinute(_ seconds: Int64) -> Int64 {
    seconds >= 0 ? seconds / 60 : (seconds - 59) / 60
  }

  private static func clamp(_ value: Int64, _ low: Int64, _ high: Int64) -> Int64 {
    min(max(value, low), high)
  }

  /// The longest series, in minutes, that is indexed by its row alone: three days.
  static let longestShort: Int64 = 4320

  /// Returns the minutes for a series' row; nil if the series belongs in the tree.
  static func shortMinutes(_ plan: SeriesRows.Plan) -> (first: Int64, last: Int64)? {
    let minutes = SpanIndex.minutes(of: plan.extent)
    return plan.others == nil && minutes.last - minutes.first <= longestShort ? minutes : nil
  }

  /// Adds a series whose row was just written with its ``shortMinutes(_:)``.
  func put(_ series: Int64, _ plan: SeriesRows.Plan) throws(StoreError) {
    guard SpanIndex.shortMinutes(plan) == nil else { return }
    try put(series, plan.extent, plan.phases)
    // A separate key: one moved override must not make the whole weekly series match every day.
    if let others = plan.others { try put(-series, others, .any) }
  }

  /// Replaces the index entries of a series.
  func replace(_ series: Int64, _ plan: SeriesRows.Plan) throws(StoreError) {
    let wasShort = try isShort(series)
    let minutes = SpanIndex.shortMinutes(plan)
    if !wasShort, minutes != nil || plan.others == nil { try removeOnly(-series) }
    if !wasShort, minutes != nil { try removeOnly(series) }
    if wasShort || minutes != nil { try write(minutes, of: series) }
    try put(series, plan)
  }

  /// Whether a series is indexed by its row alone.
  private func isShort(_ series: Int64) throws(StoreError) -> Bool {
    let row = try database.statement(
      "SELECT 1 FROM series WHERE key = ?1 AND first_minute IS NOT NULL")
    row.bind(1, series)
    defer { row.reset() }
    return try row.step()
  }

  private func write(
    _ minutes: (first: Int64, last: Int64)?, of series: Int64
  ) throws(StoreError) {
    let row = try database.statement(
      """
      UPDATE series SET first_minute = ?2, last_minute = ?3
      WHERE key = ?1 AND (first_minute IS NOT ?2 OR last_minute IS NOT ?3)
      """)
    row.bind(1, series)
    row.bind(2, minutes?.first)
    row.bind(3, minutes?.last)
    try row.run()
  }

  private func put(
    _ key: Int64, _ span: TimeSpan, _ phases: SeriesPhases
  ) throws(StoreError) {
    let (first, last) = SpanIndex.minutes(of: span)
    let row = try database.statement(
      """
      INSERT OR REPLACE INTO spans (series, first_minute, last_minute, first_of_week, last_of_week,
        first_of_month, last_of_month)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    row.bind(1, key)
    row.bind(2, first)
    row.bind(3, last)
    row.bind(4, phases)
    try row.run()
  }

  /// Removes a series from the tree; to be called before its row is deleted.
  func remove(_ series: Int64) throws(StoreError) {
    if try isShort(series) { return }
    try removeOnly(series)
    try removeOnly(-series)
  }

  private func removeOnly(_ key: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM spans WHERE series = ?1")
    row.bind(1, key)
    try row.run()
  }

  /// Returns the indexed span of a series, which contains the real one; nil if it has none.
  func span(of series: Int64) throws(StoreError) -> TimeSpan? {
    let row = try database.statement(
      """
      SELECT first_minute, last_minute FROM series WHERE key = ?1 AND first_minute IS NOT NULL
      UNION ALL SELECT first_minute, last_minute FROM spans WHERE series = ?1
      """)
    row.bind(1, series)
    defer { row.reset() }
    return try row.step() ? SpanIndex.span(from: row.integer(0), to: row.integer(1)) : nil
  }

  /// Returns the span of a statement that selects the least and greatest minute; nil if NULL.
  ///
  /// The statement must only consider series that end after its first parameter: a series without a
  /// time is indexed at the first minute of all.
  func union(_ row: Statement) throws(StoreError) -> TimeSpan? {
    row.bind(1, SpanIndex.minutes(of: TimeSpan(start: .earliest, end: .earliest)).last)
    defer { row.reset() }
    guard try row.step(), !row.isNull(0) else { return nil }
    return SpanIndex.span(from: row.integer(0), to: row.integer(1))
  }

  /// Returns a span to the minute, as the index has it: with its end, where an event may be that
  /// lasts no time.
  static func rounded(_ span: TimeSpan) -> TimeSpan {
    let minutes = minutes(of: span)
    return self.span(from: minutes.first, to: minutes.last)
  }

  /// Returns the span of an index row.
  static func span(from first: Int64, to last: Int64) -> TimeSpan {
    let end = last == Int64(Int32.max) ? TimeSpan.always.end : Timestamp(seconds: last * 60)
    return TimeSpan(start: max(Timestamp(seconds: first * 60), .earliest), end: max(end, .earliest))
  }

  /// Returns the end of the minute by which `count` series are over that begin and end in a span.
  ///
  /// nil if there are fewer. The index files series somewhat wider than they are, so the result may
  /// be later than the real end.
  func minute(inWhich count: Int, endIn span: TimeSpan) throws(StoreError) -> Timestamp? {
    let row = try database.statement(
      """
      SELECT last_minute FROM spans WHERE first_minute > ?1 AND last_minute <= ?2 AND series > 0
      UNION ALL
      SELECT last_minute FROM series
      WHERE first_minute > ?1 AND first_minute <= ?2 AND last_minute <= ?2
      ORDER BY last_minute LIMIT 1 OFFSET ?3
      """)
    bindInside(span, to: row)
    row.bind(3, Int64(count - 1))
    defer { row.reset() }
    return try row.step() ? Timestamp(seconds: row.integer(0) * 60) : nil
  }

  /// Returns the first series in the tree that begin within a span, by ascending indexed start.
  ///
  /// They may begin up to a day later than indexed, or at any time if an EXRULE excludes the first
  /// occurrences.
  func first(_ count: Int, beginningIn span: TimeSpan) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      """
      SELECT series FROM spans WHERE first_minute > ?1 AND first_minute <= ?2 AND series > 0
      ORDER BY first_minute LIMIT ?3
      """)
    bindInside(span, to: row)
    row.bind(3, Int64(count))
    return try row.integers()
  }

  /// As ``minute(inWhich:endIn:)``, for some series only, which are checked one by one.
  func minute(
    inWhich count: Int, of keys: [Int64], endIn span: TimeSpan
  ) throws(StoreError) -> Timestamp? {
    let row = try database.statement(
      """
      SELECT last_minute FROM series WHERE key = ?3 AND first_minute > ?1 AND last_minute <= ?2
      UNION ALL
      SELECT last_minute FROM spans WHERE series = ?3 AND first_minute > ?1 AND last_minute <= ?2
      """)
    bindInside(span, to: row)
    defer { row.reset() }
    var ends: [Int64] = []
    for key in keys {
      row.bind(3, key)
      if try row.step() { ends.append(row.integer(0)) }
      row.reset()
    }
    guard count > 0, ends.count >= count else { return nil }
    ends.sort()
    return Timestamp(seconds: ends[count - 1] * 60)
  }

  /// As ``minute(inWhich:endIn:)``, for the series of some calendars, given by their keys.
  func minute(
    inWhich count: Int, in calendars: Set<Int64>, endIn span: TimeSpan
  ) throws(StoreError) -> Timestamp? {
    let row = try database.statement(
      """
      SELECT spans.last_minute, series.calendar
      FROM spans CROSS JOIN series ON series.key = spans.series
      WHERE spans.first_minute > ?1 AND spans.last_minute <= ?2 AND spans.series > 0
      UNION ALL
      SELECT last_minute, calendar FROM series
      WHERE first_minute > ?1 AND first_minute <= ?2 AND last_minute <= ?2
      ORDER BY 1
      """)
    bindInside(span, to: row)
    defer { row.reset() }
    var left = count
    while try row.step() {
      guard calendars.contains(row.integer(1)) else { continue }
      left -= 1
      if left <= 0 { return Timestamp(seconds: row.integer(0) * 60) }
    }
    return nil
  }

  /// Binds ?1 and ?2, the minutes that enclose what begins and ends in a span.
  private func bindInside(_ span: TimeSpan, to row: Statement) {
    let high = Int64(Int32.max) - 1
    row.bind(1, SpanIndex.question(span).first)
    row.bind(
      2, SpanIndex.clamp(SpanIndex.floorMinute(span.end.seconds - 1), Int64(Int32.min), high))
  }

  /// Returns which of some series can touch a span; phases are not checked.
  func series(touching span: TimeSpan, of keys: [Int64]) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      """
      SELECT 1 FROM series WHERE key = ?3 AND first_minute <= ?2 AND last_minute > ?1
      UNION ALL
      SELECT 1 FROM spans WHERE series IN (?3, -?3) AND first_minute <= ?2 AND last_minute > ?1
      """)
    let (first, last) = SpanIndex.question(span)
    row.bind(1, first)
    row.bind(2, last)
    defer { row.reset() }
    var found: [Int64] = []
    for key in keys {
      row.bind(3, key)
      if try row.step() { found.append(key) }
      row.reset()
    }
    return found
  }

  /// Returns the keys of the series that can touch a span, in no order.
  func series(touching span: TimeSpan) throws(StoreError) -> [Int64] {
    let phases = SeriesPhases.of(span)
    var found = try shortSeries(touching: span)
    let shortCount = found.count
    var others: [Int64] = []
    for (index, part) in phases.enumerated() {
      // A series may be in two parts of a span.
      let before = index == 0 ? [] : Set(found[shortCount...])
      try forEach(span, part) { key in
        if key < 0 { return others.append(-key) }
        if index == 0 || !before.contains(key) { found.append(key) }
      }
    }
    guard !others.isEmpty else { return found }
    var seen = Set(found)
    for key in others where seen.insert(key).inserted { found.append(key) }
    return found
  }

  /// Returns the series that are indexed by their rows alone.
  private func shortSeries(touching span: TimeSpan) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      """
      SELECT key FROM series
      WHERE first_minute > ?1 - 4320 AND first_minute <= ?2 AND last_minute > ?1
      """)
    let (first, last) = SpanIndex.question(span)
    row.bind(1, first)
    row.bind(2, last)
    return try row.integers()
  }

  /// Returns the first and last minute of a query.
  private static func question(_ span: TimeSpan) -> (first: Int64, last: Int64) {
    // The last minute is that of the span's last second, or of an empty span's instant.
    let last = max(span.end.seconds - 1, span.start.seconds)
    let high = Int64(Int32.max) - 1
    return (
      clamp(floorMinute(span.start.seconds), Int64(Int32.min), high),
      clamp(floorMinute(last), Int64(Int32.min), high)
    )
  }

  private func forEach(
    _ span: TimeSpan, _ phases: SeriesPhases, _ body: (Int64) -> Void
  ) throws(StoreError) {
    let row = try database.statement(
      """
      SELECT series FROM spans
      WHERE first_minute <= ?2 AND last_minute > ?1 AND first_of_week <= ?5 AND last_of_week >= ?4
        AND first_of_month <= ?7 AND last_of_month >= ?6
      """)
    let (first, last) = SpanIndex.question(span)
    row.bind(1, first)
    row.bind(2, last)
    row.bind(4, phases)
    defer { row.reset() }
    while try row.step() { body(row.integer(0)) }
  }
}

extension Statement {
  /// Binds the bounds of phases to four consecutive parameters.
  fileprivate func bind(_ first: Int32, _ phases: SeriesPhases) {
    bind(first, phases.week.lowerBound)
    bind(first + 1, phases.week.upperBound)
    bind(first + 2, phases.month.lowerBound)
    bind(first + 3, phases.month.upperBound)
  }
}
