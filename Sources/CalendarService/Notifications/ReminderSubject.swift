/// What a reminder is about, as far as its text depends on it.
enum ReminderSubject {
  case event
  /// A to-do with a due date.
  case toDo
  /// A to-do with a start but no due date: DTSTART without DUE and DURATION.
  case startingToDo
  /// A to-do without dates, with an absolute alarm. The reminder's time is that of the alarm.
  case undatedToDo

  var isToDo: Bool { self != .event }
}
