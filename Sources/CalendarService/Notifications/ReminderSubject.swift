/// What a reminder is of, as far as other words tell of it.
enum ReminderSubject {
  case event
  /// What is to be done by a moment, which has no start.
  case toDo
  /// What is to be done from a moment on, and by none: DTSTART without DUE and DURATION.
  case startingToDo
  /// What is to be done, and by no moment: an absolute alarm tells of it. The reminder has the moment of that in
  /// place of its own.
  case undatedToDo

  var isToDo: Bool { self != .event }
}
