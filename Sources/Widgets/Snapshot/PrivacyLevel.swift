package import CalendarModel

/// How much of the calendar somebody gets to see.
///
/// A level is applied in two steps. What it does not admit is left out before anything is counted,
/// cut or put into lanes, as if it were not in the calendar: an event that nobody is to know of takes no
/// room from one that is shown. The rows that are left say no more than they should.
package enum PrivacyLevel: String, CaseIterable, Hashable, Sendable {
  /// Everything.
  case titles
  /// When one is busy, and nothing else: no title, no place, no address, no
  /// calendar, no colour, and nothing by which an event could be asked for.
  case busy
  /// Not even that: days without events.
  case nothing

  /// What stands for a title.
  static let busyTitle = "Busy"
  /// What stands for the id of a calendar.
  static let busyCalendar = "busy"
  /// What stands for the colour of an event.
  static let busyColor = EventColor(red: 0x6b, green: 0x72, blue: 0x80)

  /// Whether anything is told of an event, its reminders among it: of the busy are none that
  /// leave the time free, are cancelled or were declined, and no to-dos.
  ///
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
    // The texts of the times have the zone of the event, which tells where it is.
    return SnapshotEvent(
      uid: "", calendar: PrivacyLevel.busyCalendar, summary: PrivacyLevel.busyTitle,
      start: row.start, end: row.end, isAllDay: row.isAllDay, status: row.status,
      color: PrivacyLevel.busyColor, count: row.count)
  }

  /// Its id stays: it can be put off and dismissed, and says nothing by itself.
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
