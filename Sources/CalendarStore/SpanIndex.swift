import CalendarModel
import CivilTime

/// Which series can touch which span: an R*Tree over minutes, and over those of a week and of a month.
///
/// It answers too much rather than too little: a series is found when the stretch
/// from its first start to its last end touches the span, to the minute. The
/// caller expands it and sees.
///
/// Of what recurs it knows the phases too: of a hundred thousand events 3000 go on around a day, and a hundred of
/// them are on it. What of a series has other phases is filed under its key with a minus.
///
/// Why not an index on start and end? Of 100,000 rows such a query reads half of
/// them (2.4 ms); the tree reads what it needs (7 µs).
///
/// Source: sqlite.org/rtree.html section 3.1.
struct SpanIndex {
  let database: Database

  /// The minutes in which a span lies, both included.
  private static func minutes(of span: TimeSpan) -> (first: Int64, last: Int64) {
    // An end on the minute still counts, for a moment that lies there. The last
    // number of each side stays free, so that "less" and "more" find what is
    // beyond the range.
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

  /// Files a series that is not there yet.
  func put(_ series: Int64, _ plan: SeriesRows.Plan) throws(StoreError) {
    try put(series, plan.extent, plan.phases)
    // Under another key: one event of a weekly series that was moved must not have the others looked for each day.
    if let others = plan.others { try put(-series, others, .any) }
  }

  /// Files a series in place of what is there of it.
  func replace(_ series: Int64, _ plan: SeriesRows.Plan) throws(StoreError) {
    if plan.others == nil { try removeOnly(-series) }
    try put(series, plan)
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

  func remove(_ series: Int64) throws(StoreError) {
    try removeOnly(series)
    try removeOnly(-series)
  }

  private func removeOnly(_ key: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM spans WHERE series = ?1")
    row.bind(1, key)
    try row.run()
  }

  /// Returns the span of a series as the index has it, which holds the real one;
  /// nil if it is not there.
  func span(of series: Int64) throws(StoreError) -> TimeSpan? {
    let row = try database.statement(
      "SELECT first_minute, last_minute FROM spans WHERE series = ?1")
    row.bind(1, series)
    defer { row.reset() }
    return try row.step() ? SpanIndex.span(from: row.integer(0), to: row.integer(1)) : nil
  }

  /// Returns the span that a statement answers with, which asks for the least and the
  /// greatest minute of what lies after the minute that is bound: what has no time lies
  /// in the first of all. nil where there is none.
  func union(_ row: Statement) throws(StoreError) -> TimeSpan? {
    row.bind(1, SpanIndex.minutes(of: TimeSpan(start: .earliest, end: .earliest)).last)
    defer { row.reset() }
    guard try row.step(), !row.isNull(0) else { return nil }
    return SpanIndex.span(from: row.integer(0), to: row.integer(1))
  }

  /// The span that a row of the index says.
  static func span(from first: Int64, to last: Int64) -> TimeSpan {
    let end = last == Int64(Int32.max) ? TimeSpan.always.end : Timestamp(seconds: last * 60)
    return TimeSpan(start: max(Timestamp(seconds: first * 60), .earliest), end: max(end, .earliest))
  }

  /// Returns the end of the minute within a span by which so many series are over, of those that begin in
  /// it; nil where there are fewer.
  ///
  /// The index files a series somewhat wider than it is, so that its end is beyond the real one, and its
  /// beginning says nothing of when it begins.
  func minute(inWhich count: Int, endIn span: TimeSpan) throws(StoreError) -> Timestamp? {
    let row = try database.statement(
      """
      SELECT last_minute FROM spans WHERE first_minute > ?1 AND last_minute <= ?2 AND series > 0
      ORDER BY last_minute LIMIT 1 OFFSET ?3
      """)
    let high = Int64(Int32.max) - 1
    row.bind(1, SpanIndex.clamp(SpanIndex.floorMinute(span.start.seconds), Int64(Int32.min), high))
    row.bind(
      2, SpanIndex.clamp(SpanIndex.floorMinute(span.end.seconds - 1), Int64(Int32.min), high))
    row.bind(3, Int64(count - 1))
    defer { row.reset() }
    return try row.step() ? Timestamp(seconds: row.integer(0) * 60) : nil
  }

  /// Returns the series that can touch a span, in no order.
  func series(touching span: TimeSpan) throws(StoreError) -> [Int64] {
    let phases = SeriesPhases.of(span)
    var found: [Int64] = []
    var others: [Int64] = []
    for (index, part) in phases.enumerated() {
      // Two parts of a span may have a series in common.
      let before = index == 0 ? [] : Set(found)
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

  private func forEach(
    _ span: TimeSpan, _ phases: SeriesPhases, _ body: (Int64) -> Void
  ) throws(StoreError) {
    let row = try database.statement(
      """
      SELECT series FROM spans
      WHERE first_minute <= ?2 AND last_minute > ?1 AND first_of_week <= ?5 AND last_of_week >= ?4
        AND first_of_month <= ?7 AND last_of_month >= ?6
      """)
    // The last minute of the question: the one with its last second, or for a
    // moment the one it lies in.
    let last = max(span.end.seconds - 1, span.start.seconds)
    let high = Int64(Int32.max) - 1
    row.bind(1, SpanIndex.clamp(SpanIndex.floorMinute(span.start.seconds), Int64(Int32.min), high))
    row.bind(2, SpanIndex.clamp(SpanIndex.floorMinute(last), Int64(Int32.min), high))
    row.bind(4, phases)
    defer { row.reset() }
    while try row.step() { body(row.integer(0)) }
  }
}

extension Statement {
  /// Binds the bounds of phases to four parameters in a row.
  fileprivate func bind(_ first: Int32, _ phases: SeriesPhases) {
    bind(first, phases.week.lowerBound)
    bind(first + 1, phases.week.upperBound)
    bind(first + 2, phases.month.lowerBound)
    bind(first + 3, phases.month.upperBound)
  }
}
