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
  /// The scope is part of a series, and no occurrence says which.
  case occurrenceNeeded(EditScope)
  /// An edit of one occurrence that gives it a rule, or dates to recur at.
  case recurrenceOfOne(uid: EventUID, recurrenceID: String)
  /// An edit of rules or dates of an event of which only single occurrences are known.
  case seriesNeeded(uid: EventUID)
  /// A start or an end for the whole of an event of which several single occurrences are
  /// known, and nothing else; one of them by its RECURRENCE-ID.
  case oneOfSeveralNeeded(uid: EventUID, count: Int, recurrenceID: String)
  /// A rule whose parts do not say how it would follow its start to another day or
  /// time.
  case ruleCannotFollow(rule: String, start: String)
  /// A rule that cannot go on by itself from an occurrence on: it takes its days
  /// from a start that would no longer be there.
  case cannotSplit(uid: EventUID, recurrenceID: String)
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
    case .occurrenceNeeded(let scope):
      "the scope \"\(scope.rawValue)\" needs an occurrence; name one, or use the scope \"all\""
    case .recurrenceOfOne(let uid, let recurrenceID):
      "the occurrence \(recurrenceID) of \"\(uid)\" cannot get a rule or dates of its own; "
        + "use the scope \"this-and-future\" or \"all\""
    case .seriesNeeded(let uid):
      "of \"\(uid)\" only single occurrences are here, and not the series that they are of: they "
        + "cannot get a rule or dates; import the series, or add an event"
    case .oneOfSeveralNeeded(let uid, let count, let recurrenceID):
      "of \"\(uid)\" \(count) single occurrences are here, and not the series that they are of: "
        + "name the one that is meant, such as \(recurrenceID)"
    case .ruleCannotFollow(let rule, let start):
      "the rule \(rule) does not say how it follows its start to \(start); give a rule as well"
    case .cannotSplit(let uid, let recurrenceID):
      "the rules of \"\(uid)\" cannot go on by themselves from \(recurrenceID) on; "
        + "edit one occurrence or all"
    case .time(let error): error.description
    }
  }
}
