import CalendarBus
import CalendarModel
import CalendarStore
import DBus

/// Calendars and the history: which one a caller means, and who is told of changes.
extension CalendarAgent {
  /// Returns the calendar that a caller means: by id, or the default one for "".
  func writableCalendar(_ name: String) throws(CallError) -> CalendarID {
    try writableCalendarInfo(name).id
  }

  /// The same with what is known of it.
  func writableCalendarInfo(_ name: String) throws(CallError) -> CalendarInfo {
    let calendars = try reader().calendars
    let found =
      name.isEmpty
      ? calendars.first(where: \.isDefault) ?? calendars.first
      : calendars.first { $0.id.text == name }
    guard let found else {
      throw CallError(.notFound, "calendar: no calendar has the id \"\(name)\"")
    }
    guard !found.isReadOnly else { throw CallError(ModelError.readOnlyCalendar(found.id)) }
    return found
  }

  /// Tells which calendars came, changed and went.
  func tellCalendars(_ changes: ChangeSet) {
    // What came before is told before.
    announcer.flush()
    emit(
      Contract.calendarsTable, "CalendarsChanged",
      [
        .uint64(changes.revision), .strings(changes.addedCalendars.map(\.text)),
        .strings(changes.changedCalendars.map(\.text)),
        .strings(changes.removedCalendars.map(\.text)),
      ])
  }
}
