import CalendarModel
import CivilTime

/// A cache of recurring series that have been read, and of the days of more of them.
///
/// A recurring series is in the answer to almost every question, and reading one
/// takes 6 µs. Only so many are kept (a few hundred kB); once it is full the
/// others are read each time, since throwing out the oldest would throw out all
/// of them on each pass. Of those the days remain, by which most need not be read at all.
struct SeriesCache {
  static let capacity = 512
  /// Of so many at most the days are kept: half a megabyte, in a table with room for 6144.
  static let dayCapacity = 6000

  private var series: [Int64: EventSeries] = [:]
  private var days: [Int64: SeriesDays] = [:]

  subscript(key: Int64) -> EventSeries? { series[key] }

  /// Whether a series is known to have no occurrence in a span.
  func misses(_ key: Int64, _ span: TimeSpan) -> Bool {
    days[key].map { !$0.mayTouch(span) } ?? false
  }

  /// - Parameter zones: by which its days are known.
  mutating func keep(_ one: EventSeries, _ key: Int64, zones: any Zones) {
    guard one.isRecurring else { return }
    if series.count < SeriesCache.capacity { series[key] = one }
    // Nothing is known of the days of a series whose zone is not installed.
    if days[key] == nil, let known = try? SeriesDays(one, zones: zones) {
      // A walk through the years comes by others than those of the years before.
      if days.count == SeriesCache.dayCapacity { days = [:] }
      days[key] = known
    }
  }

  /// Forgets a series that is being written.
  mutating func forget(_ key: Int64) {
    series[key] = nil
    days[key] = nil
  }

  /// Forgets everything, as after a change that was undone.
  mutating func forgetAll() {
    series = [:]
    days = [:]
  }

  /// Forgets what depends on the data of zones.
  mutating func forgetDays() {
    days = [:]
  }
}
