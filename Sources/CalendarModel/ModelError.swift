package import CivilTime

/// What makes an event impossible or an edit refused.
package enum ModelError: Error, Equatable, Sendable {
  /// The end lies before the start.
  case endBeforeStart(start: String, end: String)
  /// One of start and end is a day, the other has a time.
  case mixedDateAndTime
  /// No event has this uid, or it has no such occurrence.
  case unknownEvent(uid: EventUID, recurrenceID: String)
  case unknownCalendar(CalendarID)
  case readOnlyCalendar(CalendarID)
  /// A time that cannot be placed.
  case time(CivilTimeError)
}

extension ModelError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .endBeforeStart(let start, let end): "the end \(end) lies before the start \(start)"
    case .mixedDateAndTime: "start and end must both be days, or both have a time"
    case .unknownEvent(let uid, let recurrenceID):
      recurrenceID.isEmpty
        ? "no event has the uid \"\(uid)\""
        : "the event \"\(uid)\" has no occurrence \(recurrenceID)"
    case .unknownCalendar(let id): "no calendar has the id \"\(id)\""
    case .readOnlyCalendar(let id): "the calendar \"\(id)\" cannot be written"
    case .time(let error): error.description
    }
  }
}
