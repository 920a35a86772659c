import CalendarModel
import Widgets

/// What of the calendar somebody gets: the reader of a file for widgets, or a caller.
///
/// It is taken before anything is counted or cut, so that a list holds as much of it as there is
/// room for.
struct CalendarFilter: Hashable {
  /// nil is every calendar that is shown; one that is hidden is never in it.
  var calendars: Set<CalendarID>?
  var privacy = PrivacyLevel.titles

  /// Whether it is all there is to see.
  var isWhole: Bool { calendars == nil && privacy == .titles }

  /// - Parameter ownAddresses: the owner's, by which one knows what was declined; here and below.
  func admits(_ occurrence: Occurrence, ownAddresses: [String]) -> Bool {
    admits(occurrence.calendar) && admits(occurrence.event, ownAddresses: ownAddresses)
  }

  func admits(_ event: Event, ownAddresses: [String]) -> Bool {
    privacy.admits(event, ownAddresses: ownAddresses)
  }

  /// Whether one of its occurrences can be in it.
  func admitsSome(of series: EventSeries, ownAddresses: [String]) -> Bool {
    privacy == .titles || series.components.contains { admits($0, ownAddresses: ownAddresses) }
  }

  func admits(_ calendar: CalendarID) -> Bool { calendars?.contains(calendar) ?? true }
}
