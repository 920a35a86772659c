import CalendarModel
import CivilTime

/// A cache of recurring series, and of the days on which more of them occur.
///
/// Nearly every query matches recurring series, and reading one takes 6 µs. Once the cache is full
/// (a few hundred kB), more series are read each time: evicting the oldest would evict all of them
/// on each pass. Their cached days show that most need not be read at all.
struct SeriesCache {
  static let capacity = 512
  /// The most series whose days are cached: half a megabyte, in a table with room for 6144.
  static let dayCapacity = 6000

  private var series: [Int64: EventSeries] = [:]
  private var days: [Int64: SeriesDays] = [:]

  subscript(key: Int64) -> EventSeries? { series[key] }

  /// Whether a series certainly has no occurrence in a span.
  func misses(_ key: Int64, _ span: TimeSpan) -> Bool {
    days[key].map { !$0.mayTouch(span) } ?? false
  }

  /// Caches a series if it is recurring.
  ///
  /// - Parameter zones: used to compute the days.
  mutating func keep(_ one: EventSeries, _ key: Int64, zones: any Zones) {
    guard one.isRecurring else { return }
    if series.count < SeriesCache.capacity { series[key] = one }
    // The days of a series whose zone is not installed are unknown.
    if days[key] == nil, let known = try? SeriesDays(one, zones: zones) {
      // Start again when full: a walk through the years meets other series than before.
      if days.count == SeriesCache.dayCapacity { days = [:] }
      days[key] = known
    }
  }

  /// Forgets a series that is about to be written.
  mutating func forget(_ key: Int64) {
    series[key] = nil
    days[key] = nil
  }

  /// Forgets everything, for example after a rollback.
  mutating func forgetAll() {
    series = [:]
    days = [:]
  }

  /// Forgets the days, which depend on zone data.
  mutating func forgetDays() {
    days = [:]
  }
}
