import CalendarModel
import CivilTime
import Platform
import Widgets

/// The event with the most occurrences in a range, which makes an answer too long.
struct LargestSeries {
  private let series: String
  private let count: Int
  /// Whether it may have more occurrences than were counted.
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

  /// Finds the series with the most occurrences in a span; the first that reaches the limit of the
  /// count.
  init?(in span: TimeSpan, of all: [EventSeries], _ reader: AgendaReader) {
    var most: (count: Int, series: EventSeries)?
    var total = 0
    for series in all where series.isRecurring {
      let count = reader.place(series, in: span, limit: LargestSeries.flood).count
      if count > most?.count ?? 1 { most = (count, series) }
      total += count
      // The reason should not take longer than the answer.
      if count == LargestSeries.flood || total > 100_000 { break }
    }
    guard let most else { return nil }
    series = LargestSeries.name(of: most.series)
    (count, isMore) = (most.count, most.count == LargestSeries.flood)
  }

  /// Occurrences of a series are counted up to this number.
  private static let flood = 5000

  /// "the event \"work/tick\" (Tick) alone happens 4999 times there".
  var text: String {
    isMore
      ? localized(
        count, one: "the event {event} alone happens at least {count} time there",
        other: "the event {event} alone happens at least {count} times there", ["event": series])
      : localized(
        count, one: "the event {event} alone happens {count} time there",
        other: "the event {event} alone happens {count} times there", ["event": series])
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
