import CalendarModel

/// Recurring series that have been read, ready for the next question.
///
/// A recurring series is in the answer to almost every question, and reading one
/// takes 6 µs. Only so many are kept (a few hundred kB); once it is full the
/// others are read each time, since throwing out the oldest would throw out all
/// of them on each pass.
struct SeriesCache {
  static let capacity = 512

  private var series: [Int64: EventSeries] = [:]

  subscript(key: Int64) -> EventSeries? { series[key] }

  mutating func keep(_ one: EventSeries, _ key: Int64) {
    guard one.isRecurring, series.count < SeriesCache.capacity else { return }
    series[key] = one
  }

  /// Forgets a series that is being written.
  mutating func forget(_ key: Int64) {
    series[key] = nil
  }

  /// Forgets everything, as after a change that was undone.
  mutating func forgetAll() {
    series = [:]
  }
}
