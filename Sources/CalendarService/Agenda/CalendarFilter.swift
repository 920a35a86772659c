import CalendarModel
import Widgets

/// The calendars and the detail that a caller, or the reader of a file for widgets, gets.
///
/// It applies before lists are counted and cut, so that these have as many rows as they may.
struct CalendarFilter: Hashable {
  /// nil means every visible calendar; a hidden one is never included.
  var calendars: Set<CalendarID>?
  var privacy = PrivacyLevel.titles

  /// Whether it admits everything that is visible.
  var isWhole: Bool { calendars == nil && privacy == .titles }

  /// - Parameter ownAddresses: the owner's addresses, which decide what is declined.
  func admits(_ occurrence: Occurrence, ownAddresses: [String]) -> Bool {
    admits(occurrence.calendar) && admits(occurrence.event, ownAddresses: ownAddresses)
  }

  func admits(_ event: Event, ownAddresses: [String]) -> Bool {
    privacy.admits(event, ownAddresses: ownAddresses)
  }

  /// Whether it can admit an occurrence of a series.
  func admitsSome(of series: EventSeries, ownAddresses: [String]) -> Bool {
    privacy == .titles || series.components.contains { admits($0, ownAddresses: ownAddresses) }
  }

  func admits(_ calendar: CalendarID) -> Bool { calendars?.contains(calendar) ?? true }
}
