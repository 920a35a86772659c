import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Widgets

// Events at the same time.

extension EventWarnings {
  /// The most events that are named.
  private static let mostNamed = 3

  /// Returns the warning for timed events that take up the same time as an occurrence.
  func ofOverlaps(_ occurrence: Occurrence?) -> [String] {
    guard let occurrence, occurrence.takesHours, occurrence.span.end > now else { return [] }
    let overlapping = others(occurrence.span).filter { other in
      other.takesHours && !other.isOfSameSeries(as: occurrence)
        && other.span.start < occurrence.span.end && occurrence.span.start < other.span.end
    }
    if overlapping.isEmpty { return [] }
    var names = overlapping.prefix(EventWarnings.mostNamed).map { name($0, next: occurrence) }
    let more = overlapping.count - names.count
    if more > 0 { names.append(localized("{number} more", ["number": more])) }
    return [localized("it overlaps with {events}", ["events": localizedClauses(names)])]
  }

  /// Returns the next occurrence of a series that is not over, or the one that is named.
  func next(_ series: EventSeries, _ id: RecurrenceID?) -> Occurrence? {
    guard series.isRecurring, id == nil else { return only(series, id) }
    let ahead = TimeSpan(start: now, end: TimeSpan.always.end)
    return (try? series.occurrences(in: ahead, context: zones, limit: 1))?.first
  }

  /// "Standup, 10:00–10:15"; "Long run, Sun 29 Nov 2026, 07:00–08:00" if it begins on a later day.
  private func name(_ other: Occurrence, next occurrence: Occurrence) -> String {
    let title = other.event.summary.isEmpty ? localized("(no title)") : other.event.summary
    let zone = zones.local
    let start = zone.reading(at: other.span.start)
    let day = zone.reading(at: occurrence.span.start).date
    let isLater = start.date > day
    var time = TimeText.current.span(
      from: start, to: zone.reading(at: other.span.end), on: isLater ? start.date : day)
    if isLater { time = TimeText.current.shortDate(start.date, at: time) }
    return localized("{title}, {time}", ["title": title, "time": time])
  }
}

extension Occurrence {
  /// Whether it takes up time, and not whole days: an imported birthday may be busy.
  fileprivate var takesHours: Bool { takesUpTime && !isAllDay }

  fileprivate func isOfSameSeries(as other: Occurrence) -> Bool {
    event.uid == other.event.uid && calendar == other.calendar
  }
}

extension AgendaSource {
  /// Returns the occurrences in a span, without those that the user has declined; none if they
  /// cannot be read.
  func overlapping(_ span: TimeSpan) -> [Occurrence] {
    guard let reader = try? reader() else { return [] }
    let filter = AgendaReader.Filter(
      includesDeclined: false, ownAddresses: reader.store.ownAddresses)
    return (try? reader.occurrences(in: span, filter: filter, atMost: 1000)) ?? []
  }
}
