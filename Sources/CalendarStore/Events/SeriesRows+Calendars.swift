import CalendarModel
import CivilTime

// Queries for the series of some calendars only.

extension SeriesRows {
  /// Up to this many series, each is checked by itself instead of scanning a span.
  static let fewSeries = 2000

  /// Whether a set contains every calendar; nil stands for all.
  func areAll(_ wanted: Set<CalendarID>?) -> Bool {
    guard let wanted else { return true }
    return calendars.all.allSatisfy { wanted.contains($0.info.id) }
  }

  /// Returns the keys of the series in some calendars.
  ///
  /// nil if the set contains every calendar, or if there are more than ``fewSeries``.
  func few(in wanted: Set<CalendarID>?) throws(StoreError) -> [Int64]? {
    guard let wanted, !areAll(wanted) else { return nil }
    var keys: [Int64] = []
    let row = try database.statement("SELECT key FROM series WHERE calendar = ?1 LIMIT ?2")
    for id in wanted {
      guard let calendar = calendars[id] else { continue }
      row.bind(1, calendar.key)
      row.bind(2, Int64(SeriesRows.fewSeries + 1 - keys.count))
      keys += try row.integers()
      if keys.count > SeriesRows.fewSeries { return nil }
    }
    return keys
  }

  /// Returns the keys of the series that can touch a span, in no order.
  ///
  /// Some may be of other calendars. A long span has many, and there the calendar of each is
  /// checked first: to read an unwanted series takes ten times as long.
  func keys(touching span: TimeSpan, in wanted: Set<CalendarID>?) throws(StoreError) -> [Int64] {
    let isLong = span.end.seconds - span.start.seconds > SeriesRows.longSpan
    if isLong, let few = try few(in: wanted) { return try spans.series(touching: span, of: few) }
    let found = try spans.series(touching: span)
    guard isLong, let wanted, !areAll(wanted) else { return found }
    let owners = keys(of: wanted)
    let row = try database.statement("SELECT calendar FROM series WHERE key = ?1")
    defer { row.reset() }
    var kept: [Int64] = []
    for key in found {
      row.bind(1, key)
      if try row.step(), owners.contains(row.integer(0)) { kept.append(key) }
      row.reset()
    }
    return kept
  }

  /// Forty days in seconds.
  private static let longSpan: Int64 = 40 * 86_400

  /// Returns when `count` series are over; see ``EventStore/minute(inWhich:endIn:calendars:few:)``.
  func minute(
    inWhich count: Int, endIn span: TimeSpan, calendars wanted: Set<CalendarID>?
  ) throws(StoreError) -> Timestamp? {
    guard let wanted, !areAll(wanted) else {
      return try spans.minute(inWhich: count, endIn: span)
    }
    return try spans.minute(inWhich: count, in: keys(of: wanted), endIn: span)
  }

  private func keys(of wanted: Set<CalendarID>) -> Set<Int64> {
    Set(wanted.compactMap { calendars[$0]?.key })
  }
}
