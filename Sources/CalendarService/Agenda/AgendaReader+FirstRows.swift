import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform

// The first rows of days with too many rows for the cache, read in batches if need be.

extension AgendaReader {
  /// Reads a batch of the rows that ``overview(of:now:next:excerpt:counted:)`` needs.
  ///
  /// - Parameters:
  ///   - filters: the filters of the overviews; the first ``AgendaCache/mostFilters`` are read.
  ///   - nanoseconds: how long the batch takes, about.
  func gather(
    _ days: TimeSpan, now: Timestamp, for filters: [CalendarFilter], nanoseconds: Int64
  ) throws(CallError) -> Gathered {
    let wasTooFull = cache.isTooFull(in: days)
    let gathered = try gather(days, nanoseconds: nanoseconds)
    guard gathered == .tooFull else { return gathered }
    if !wasTooFull { return .more }
    for filter in filters.prefix(AgendaCache.mostFilters)
    where cache.firstRows(of: days, filter) == nil {
      try readFirstRows(of: days, now: now, filter, nanoseconds: nanoseconds)
      return .more
    }
    return .tooFull
  }

  /// Returns the first rows of each day, for days with too many rows for the cache.
  ///
  /// - Parameter now: an instant whose day gets more rows; nil for none.
  func firstRows(
    of days: TimeSpan, now: Timestamp?, _ filter: CalendarFilter
  ) throws(CallError) -> Set<Occurrence> {
    if let kept = cache.firstRows(of: days, filter) { return kept }
    if cache.isTooFull(in: days) {
      try readFirstRows(of: days, now: now, filter, nanoseconds: nil)
      return cache.firstRows(of: days, filter) ?? []
    }
    // The cache is for the snapshot's days, not for these.
    let reading = try reading(days, now: now, filter)
    try read(reading, nanoseconds: nil)
    return reading.rows()
  }

  private func readFirstRows(
    of days: TimeSpan, now: Timestamp?, _ filter: CalendarFilter, nanoseconds: Int64?
  ) throws(CallError) {
    let reading: FirstRowsOfDays
    if let begun = cache.readingFirstRows, begun.filter == filter, begun.days == days {
      reading = begun
    } else {
      reading = try self.reading(days, now: now, filter)
      cache.begin(reading)
    }
    do throws(CallError) {
      try read(reading, nanoseconds: nanoseconds)
    } catch {
      // Without that batch it is incomplete.
      cache.readingFirstRows = nil
      throw error
    }
    guard reading.isRead else { return }
    cache.keep(firstRows: reading.rows(), of: days, filter)
    cache.hasReadMany = true
  }

  private func reading(
    _ days: TimeSpan, now: Timestamp?, _ filter: CalendarFilter
  ) throws(CallError) -> FirstRowsOfDays {
    let keys = try translated { () throws(StoreError) in try store.seriesKeys(touching: days) }
    return FirstRowsOfDays(
      filter, of: keys, in: days, spans: self.days(of: days), now: now,
      zone: zones.local)
  }

  private func read(_ reading: FirstRowsOfDays, nanoseconds: Int64?) throws(CallError) {
    let (begin, before) = (SystemCalls.monotonicNanoseconds(), reading.steps)
    defer { cache.note(steps: reading.steps - before) }
    while !reading.isRead {
      try forEachSeries(of: reading.filter, withKeys: reading.nextKeys()) { series, isWanted in
        reading.add(series, where: isWanted)
      }
      if let nanoseconds, SystemCalls.monotonicNanoseconds() - begin > nanoseconds { return }
    }
  }

  private func days(of span: TimeSpan) -> [TimeSpan] {
    var days: [TimeSpan] = []
    var start = span.start
    while start < span.end, let date = zones.local.reading(at: start).date.adding(days: 1) {
      let end = zones.local.startOfDay(date)
      guard end > start else { break }
      days.append(TimeSpan(start: start, end: min(end, span.end)))
      start = end
    }
    return days
  }
}
