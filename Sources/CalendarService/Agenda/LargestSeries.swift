import CalendarModel
import CivilTime
import Widgets

/// The event that happens most often among others: what stands in the way of an answer.
struct LargestSeries {
  private let series: String
  private let count: Int
  /// Whether it may happen more often than was counted.
  private let isMore: Bool

  /// - Returns: nil where no event happens more than once.
  init?(among occurrences: [Occurrence]) {
    var counts: [String: (count: Int, first: Occurrence)] = [:]
    for one in occurrences {
      counts["\(one.calendar.text)/\(one.uid.text)", default: (0, one)].count += 1
    }
    let most = counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    guard let most, most.value.count > 1 else { return nil }
    series = LargestSeries.name(most.key, most.value.first.event.summary)
    (count, isMore) = (most.value.count, false)
  }

  /// The one of many series that has most in a span; of those that flood it the first.
  init?(in span: TimeSpan, of all: [EventSeries], _ reader: AgendaReader) {
    var most: (count: Int, series: EventSeries)?
    var total = 0
    for series in all where series.isRecurring {
      let count = reader.place(series, in: span, limit: LargestSeries.flood).count
      if count > most?.count ?? 1 { most = (count, series) }
      total += count
      // Nobody waits longer for the reason than for the answer.
      if count == LargestSeries.flood || total > 100_000 { break }
    }
    guard let most else { return nil }
    series = LargestSeries.name(of: most.series)
    (count, isMore) = (most.count, most.count == LargestSeries.flood)
  }

  /// A series with so many is what floods an answer.
  private static let flood = 5000

  /// "the event \"work/tick\" (Tick) alone happens 4999 times there".
  var text: String {
    "the event \(series) alone happens \(isMore ? "at least " : "")\(count) times there"
  }

  /// "\"work/tick\" (Tick)": by calendar and uid, as calls take it, and its title.
  static func name(of series: EventSeries) -> String {
    name("\(series.calendar.text)/\(series.uid.text)", series.components[0].summary)
  }

  private static func name(_ id: String, _ summary: String) -> String {
    let title = summary.isEmpty ? "" : " (\(shortened(summary, toCharacters: 80)))"
    return "\"\(shortened(id, toCharacters: 300))\"\(title)"
  }
}
