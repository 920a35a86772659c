import CalendarModel
import CivilTime
import DBus
import Platform
import Widgets

/// An event in the form that shells read.
struct ShellEvent: Equatable {
  /// "CALENDAR\nUID\nRECURRENCE-ID"; the last is empty for an event that does not recur.
  let id: String
  /// Plain text.
  let summary: String
  /// From start to end; for an all-day event the local midnights.
  let span: TimeSpan
  let isAllDay: Bool
  /// The event's own, or else its calendar's.
  let color: EventColor
}

/// The events in the weeks that the shell shows, by series.
struct ShellEvents {
  /// The prefix of the IDs of all occurrences of a series; it ends with a newline.
  typealias SeriesName = String

  private(set) var bySeries: [SeriesName: [ShellEvent]] = [:]

  /// No events.
  init() {}

  /// - Parameters:
  ///   - occurrences: at least those in `range`, in any order; cancelled ones are ignored.
  ///   - calendars: their calendars, for the colors.
  init(_ occurrences: [Occurrence], in range: TimeSpan, calendars: [CalendarInfo]) {
    let colors = Dictionary(calendars.map { ($0.id, $0.color) }) { first, _ in first }
    for occurrence in occurrences
    where occurrence.status != .cancelled && occurrence.event.status != .cancelled
      && range.overlaps(occurrence.span)
    {
      // A newline separates the fields, so a uid must have none.
      let uid = occurrence.uid.text.split(
        separator: "\n", omittingEmptySubsequences: false
      ).joined(separator: " ")
      let series = occurrence.calendar.text + "\n" + uid + "\n"
      var title = displayLine(shortened(occurrence.event.summary, toCharacters: 200))
      if occurrence.count != 1 { title = titleText(title, times: occurrence.count, MessageCatalogue.language) }
      bySeries[series, default: []].append(
        ShellEvent(
          id: series + (occurrence.recurrenceID?.text ?? ""), summary: title,
          span: occurrence.span, isAllDay: occurrence.isAllDay,
          color: occurrence.color ?? colors[occurrence.calendar] ?? EventColor.palette[0]))
    }
    for series in bySeries.keys {
      bySeries[series]?.sort { ($0.span.start, $0.id) < ($1.span.start, $1.id) }
    }
  }
}
