import CalendarModel
import CivilTime
import DBus
import Widgets

/// An event as GNOME Shell reads it.
struct ShellEvent: Equatable {
  /// "CALENDAR\nUID\nRECURRENCE-ID"; it ends with the second newline for what does not recur.
  let id: String
  /// Plain text.
  let summary: String
  /// Of an event of whole days the local midnights.
  let span: TimeSpan

  /// Rows of the type a(ssxxa{sv}).
  static func array(_ events: [ShellEvent]) -> Value {
    .array(
      "(ssxxa{sv})",
      events.map {
        .structure([
          .string($0.id), .string($0.summary), .int64($0.span.start.seconds),
          .int64($0.span.end.seconds), .row([]),
        ])
      })
  }
}

/// What lies in the weeks that the shell shows, series by series.
struct ShellEvents {
  /// The part of an id that all occurrences of a series have; it ends with a newline.
  typealias SeriesName = String

  private(set) var bySeries: [SeriesName: [ShellEvent]] = [:]

  /// A signal has no more rows than this, and no series in two of them.
  private static let rowsOfSignal = 1000

  /// - Parameter occurrences: those of `range` at least, in any order. What is cancelled is
  ///   passed over.
  init(_ occurrences: [Occurrence], in range: TimeSpan) {
    for occurrence in occurrences
    where occurrence.status != .cancelled && occurrence.event.status != .cancelled
      && range.overlaps(occurrence.span)
    {
      // A newline parts the fields; an id needs to be itself, and nothing more.
      let uid = occurrence.uid.text.split(
        separator: "\n", omittingEmptySubsequences: false
      ).joined(separator: " ")
      let series = occurrence.calendar.text + "\n" + uid + "\n"
      let title = displayLine(shortened(occurrence.event.summary, toCharacters: 200))
      bySeries[series, default: []].append(
        ShellEvent(
          id: series + (occurrence.recurrenceID?.text ?? ""), summary: title,
          span: occurrence.span))
    }
    for series in bySeries.keys {
      bySeries[series]?.sort { ($0.span.start, $0.id) < ($1.span.start, $1.id) }
    }
  }

  /// What to tell a shell that knows others.
  struct Change {
    /// Beginnings of ids; the shell drops all that have them.
    var removed: [String] = []
    /// The rows of a signal each. For the first occurrence of a series in a signal the shell drops
    /// all that it has of the series, so that all of them are in it.
    var updated: [[ShellEvent]] = []
  }

  func change(from told: [SeriesName: [ShellEvent]]) -> Change {
    var change = Change()
    for (series, before) in told.sorted(by: { $0.key < $1.key }) {
      let now = bySeries[series] ?? []
      // Occurrences are dropped by the shell itself when others of their series come; what takes the
      // place of a series without being one drops nothing.
      let dropsItself = now.contains { $0.id != series } || now.map(\.id) == before.map(\.id)
      if !dropsItself { change.removed.append(series) }
    }
    var rows: [ShellEvent] = []
    for (series, now) in bySeries.sorted(by: { $0.key < $1.key }) where told[series] != now {
      if rows.count + now.count > ShellEvents.rowsOfSignal, !rows.isEmpty {
        change.updated.append(rows)
        rows = []
      }
      rows += now
    }
    if !rows.isEmpty { change.updated.append(rows) }
    return change
  }
}
