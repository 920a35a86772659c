package import CalendarModel

/// How much of the calendar is shown to others.
///
/// First, hidden events are left out before anything is counted, cut or put into lanes, so that
/// they take no room. Then the other rows are reduced to what may be shown.
package enum PrivacyLevel: String, CaseIterable, Hashable, Sendable {
  /// Everything.
  case titles
  /// Only busy times: no title, location, address, calendar, color or UID.
  case busy
  /// Nothing: days without events.
  case nothing

  /// The title of a busy time in documents, the same in every language; see ``displayTitle``.
  static let busyTitle = "Busy"
  /// The ID of the calendar of a busy time.
  static let busyCalendar = "busy"
  /// The color of a busy time.
  static let busyColor = EventColor(red: 0x6b, green: 0x72, blue: 0x80)

  /// Returns whether an event and its reminders are shown at all.
  ///
  /// With ``busy``, events that are free, cancelled or declined and to-dos are not.
  ///
  /// - Parameter ownAddresses: See ``Event/isDeclined(by:)``.
  /// - Parameter ownAddresses: as for ``Event/isDeclined(by:)``.
  package func admits(_ event: Event, ownAddresses: [String]) -> Bool {
    switch self {
    case .titles: true
    case .busy:
      event.isBusy && event.status != .cancelled && event.toDo == nil
        && !event.isDeclined(by: ownAddresses)
    case .nothing: false
    }
  }

  func shown(_ row: SnapshotEvent) -> SnapshotEvent {
    guard self == .busy else { return row }
    // No text times: they have the zone of the event, which reveals its place.
    return SnapshotEvent(
      uid: "", calendar: PrivacyLevel.busyCalendar, summary: PrivacyLevel.busyTitle,
      start: row.start, end: row.end, isAllDay: row.isAllDay, status: row.status,
      color: PrivacyLevel.busyColor, count: row.count)
  }

  /// Keeps the ID, which is needed to snooze and dismiss, and reveals nothing by itself.
  func shown(_ row: SnapshotReminder) -> SnapshotReminder {
    guard self == .busy else { return row }
    return SnapshotReminder(
      id: row.id, uid: "", calendar: PrivacyLevel.busyCalendar, summary: PrivacyLevel.busyTitle,
      start: row.start, end: row.end, isAllDay: row.isAllDay, due: row.due, state: row.state,
      snoozes: row.snoozes, isMissed: row.isMissed)
  }

  func shown(_ row: MonthEvent) -> MonthEvent {
    guard self == .busy else { return row }
    return MonthEvent(
      uid: "", calendar: PrivacyLevel.busyCalendar, summary: PrivacyLevel.busyTitle,
      start: row.start, end: row.end, isAllDay: row.isAllDay, isTentative: row.isTentative,
      color: PrivacyLevel.busyColor, count: row.count)
  }
}
