import CalendarModel
import CivilTime

/// Which series can touch which span: those that are short, by their first minute; the others in an R*Tree over
/// minutes, and over those of a week and of a month.
///
/// It answers too much rather than too little: a series is found when the stretch
/// from its first start to its last end touches the span, to the minute. The
/// caller expands it and sees.
///
/// Most series happen once, and lie in a few hours. What begins in a span or up to ``shortMinutes`` before it is
/// a stretch of an index over their rows, which takes a fifth of the time of the tree to write.
///
/// Of what recurs the tree knows the phases too: of a hundred thousand events 3000 go on around a day, and a hundred
/// of them are on it. What of a series has other phases is filed under its key with a minus.
///
/// Why not an index on start and end alone? Of 100,000 rows such a query reads half of
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

  /// How long a series is at most, in minutes, that is in its row alone: a day wherever in the
  /// world it is, and some more.
  static let longestShort: Int64 = 4320

  /// The minutes of a series that are in its row; nil where it is in the tree.
  static func shortMinutes(_ plan: SeriesRows.Plan) -> (first: Int64, last: Int64)? {
    let minutes = SpanIndex.minutes(of: plan.extent)
    return plan.others == nil && minutes.last - minutes.first <= longestShort ? minutes : nil
  }

  /// Files a series whose row has just been made with its ``shortMinutes(_:)``.
  func put(_ series: Int64, _ plan: SeriesRows.Plan) throws(StoreError) {
    guard SpanIndex.shortMinutes(plan) == nil else { return }
    try put(series, plan.extent, plan.phases)
    // Under another key: one event of a weekly series that was moved must not have the others looked for each day.
    if let others = plan.others { try put(-series, others, .any) }
  }

  /// Files a series in place of what is there of it.
  func replace(_ series: Int64, _ plan: SeriesRows.Plan) throws(StoreError) {
    let wasShort = try isShort(series)
    let minutes = SpanIndex.shortMinutes(plan)
    if !wasShort, minutes != nil || plan.others == nil { try removeOnly(-series) }
    if !wasShort, minutes != nil { try removeOnly(series) }
    if wasShort || minutes != nil { try write(minutes, of: series) }
    try put(series, plan)
  }

  /// Whether a series is in its row alone.
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

  /// To be called before the row of a series goes.
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

  /// Returns the span of a series as the index has it, which holds the real one;
  /// nil if it is not there.
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

  /// Returns the series that begin first within a span, the first one first: of those that go on for
  /// longer than ``longestShort``, or are placed by their phases. They may begin up to a day later than the
  /// index says, and where an EXRULE takes the first occurrences away at any time.
  func first(_ count: Int, beginningIn span: TimeSpan) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      """
      SELECT series FROM spans WHERE first_minute > ?1 AND first_minute <= ?2 AND series > 0
      ORDER BY first_minute LIMIT ?3
      """)
    bindInside(span, to: row)
    row.bind(3, Int64(count))
    defer { row.reset() }
    var found: [Int64] = []
    while try row.step() { found.append(row.integer(0)) }
    return found
  }

  /// As ``minute(inWhich:endIn:)``, of some series alone, each of which is looked at by itself.
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

  /// The same of the series of some calendars, by their keys.
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

  /// Binds what the first minute is after and the last one at most, of what begins in a span and is
  /// over in it.
  private func bindInside(_ span: TimeSpan, to row: Statement) {
    let high = Int64(Int32.max) - 1
    row.bind(1, SpanIndex.question(span).first)
    row.bind(
      2, SpanIndex.clamp(SpanIndex.floorMinute(span.end.seconds - 1), Int64(Int32.min), high))
  }

  /// Returns which of some series can touch a span, without a look at their phases.
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

  /// Returns the series that can touch a span, in no order.
  func series(touching span: TimeSpan) throws(StoreError) -> [Int64] {
    let phases = SeriesPhases.of(span)
    var found = try shortSeries(touching: span)
    let shortCount = found.count
    var others: [Int64] = []
    for (index, part) in phases.enumerated() {
      // Two parts of a span may have a series in common.
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

  /// Returns those that are in their rows alone.
  private func shortSeries(touching span: TimeSpan) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      """
      SELECT key FROM series
      WHERE first_minute > ?1 - 4320 AND first_minute <= ?2 AND last_minute > ?1
      """)
    let (first, last) = SpanIndex.question(span)
    row.bind(1, first)
    row.bind(2, last)
    defer { row.reset() }
    var found: [Int64] = []
    while try row.step() { found.append(row.integer(0)) }
    return found
  }

  /// The first and the last minute of a question.
  private static func question(_ span: TimeSpan) -> (first: Int64, last: Int64) {
    // The last one is that with its last second, or for a moment the one it lies in.
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
  /// Binds the bounds of phases to four parameters in a row.
  fileprivate func bind(_ first: Int32, _ phases: SeriesPhases) {
    bind(first, phases.week.lowerBound)
    bind(first + 1, phases.week.upperBound)
    bind(first + 2, phases.month.lowerBound)
    bind(first + 3, phases.month.upperBound)
  }
}
