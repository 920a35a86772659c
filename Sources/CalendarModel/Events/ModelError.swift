package import CivilTime
package import Messages

/// Why an event is impossible, or an edit refused.
package enum ModelError: UserError, Equatable, Sendable {
  /// The end is before the start.
  case endBeforeStart(start: String, end: String)
  /// One of start and end is a date, the other has a time.
  case mixedDateAndTime
  /// No event has this UID, or it has no such occurrence.
  case unknownEvent(uid: EventUID, recurrenceID: String)
  case unknownCalendar(CalendarID)
  case readOnlyCalendar(CalendarID)
  /// The scope needs an occurrence, and none is named.
  case occurrenceNeeded(EditScope)
  /// An edit would give a single occurrence a rule or recurrence dates.
  case recurrenceOfOne(uid: EventUID, recurrenceID: String)
  /// An edit of the rule or dates of an event of which only single occurrences are stored.
  case seriesNeeded(uid: EventUID)
  /// An edit of the start or end of an event of which only several single occurrences are stored.
  ///
  /// `recurrenceID` names one of them.
  case oneOfSeveralNeeded(uid: EventUID, count: Int, recurrenceID: String)
  /// The rule does not say how it moves with its start to another day or time.
  case ruleCannotFollow(rule: String, start: String)
  /// The rule takes its days from a start that would no longer exist after a split.
  case cannotSplit(uid: EventUID, recurrenceID: String)
  /// A time that has no instant.
  case time(CivilTimeError)
}

extension ModelError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    switch self {
    case .endBeforeStart(let start, let end):
      UserText("the end {end} is before the start {start}", ["end": end, "start": start])
    case .mixedDateAndTime: UserText("start and end must both be days, or both have a time")
    case .unknownEvent(let uid, recurrenceID: ""):
      UserText("no event has the UID \"{uid}\"", ["uid": uid.text])
    case .unknownEvent(let uid, let recurrenceID):
      UserText(
        "the event \"{uid}\" has no occurrence {occurrence}",
        ["uid": uid.text, "occurrence": recurrenceID])
    case .unknownCalendar(let id): UserText("no calendar has the ID \"{id}\"", ["id": id.text])
    case .readOnlyCalendar(let id): UserText("the calendar \"{id}\" is read-only", ["id": id.text])
    case .occurrenceNeeded(let scope):
      UserText(
        "the scope \"{scope}\" needs an occurrence; name one, or use the scope \"all\"",
        ["scope": scope.rawValue])
    case .recurrenceOfOne(let uid, let recurrenceID):
      UserText(
        """
        the occurrence {occurrence} of "{uid}" cannot get a rule or dates of its own; use the \
        scope "this-and-future" or "all"
        """, ["occurrence": recurrenceID, "uid": uid.text])
    case .seriesNeeded(let uid):
      UserText(
        """
        only single occurrences of "{uid}" are stored, not their series; they cannot get a rule \
        or dates: import the series, or add an event
        """, ["uid": uid.text])
    case .oneOfSeveralNeeded(let uid, let count, let recurrenceID):
      UserText(
        count,
        one: """
          {count} single occurrence of "{uid}" is stored, not its series; name it, such as \
          {occurrence}
          """,
        other: """
          {count} single occurrences of "{uid}" are stored, not their series; name one of them, \
          such as {occurrence}
          """, ["uid": uid.text, "occurrence": recurrenceID])
    case .ruleCannotFollow(let rule, let start):
      UserText(
        "the rule {rule} does not say how it moves to the start {start}; give a rule as well",
        ["rule": rule, "start": start])
    case .cannotSplit(let uid, let recurrenceID):
      UserText(
        """
        the rules of "{uid}" cannot continue by themselves from {occurrence} on; edit one \
        occurrence or all
        """, ["uid": uid.text, "occurrence": recurrenceID])
    case .time(let error): error.text
    }
  }

  package var description: String { text.english }
}
