package import CivilTime

/// One to-do as a list shows it. One that recurs is listed once, with its next
/// occurrence.
package struct ToDoItem: Hashable, Sendable {
  package let calendar: CalendarID
  /// The to-do as it holds for ``occurrence``: the override where there is one.
  package let event: Event
  package let toDo: ToDo
  /// How often it comes again, of whichever occurrence the item is.
  package let pattern: RecurrencePattern
  /// nil for one without any time, and for one whose zone is not installed.
  package let occurrence: Occurrence?

  /// - Parameter pattern: nil is that of the event.
  /// - Returns: nil for what is no to-do.
  package init?(
    calendar: CalendarID, event: Event, pattern: RecurrencePattern? = nil, occurrence: Occurrence?
  ) {
    guard let toDo = event.toDo else { return nil }
    self.calendar = calendar
    self.event = event
    self.pattern = pattern ?? event.recurrence
    self.toDo = toDo
    self.occurrence = occurrence
  }

  /// Whether ``occurrence`` begins at a DTSTART.
  package var hasStart: Bool { occurrence != nil && event.anchor == .start }

  /// Whether ``occurrence`` ends at a DUE, or a DURATION after its start.
  package var hasDue: Bool {
    occurrence != nil && (event.anchor == .due || event.end != .none)
  }

  /// When it is due; of a day its first instant. nil if it never is.
  package var due: Timestamp? { hasDue ? occurrence?.span.end : nil }

  /// The order of a list: that of ``ToDoPlace``.
  package static func precedes(_ left: ToDoItem, _ right: ToDoItem) -> Bool {
    left.place < right.place
  }

  /// Where it is in a list.
  package var place: ToDoPlace {
    ToDoPlace(
      isClosed: toDo.isClosed, due: due ?? .latest, rank: toDo.priority == 0 ? 10 : toDo.priority,
      summary: event.summary, uid: event.uid.text, calendar: calendar.text)
  }
}

/// A place in a list of to-dos, where the next page of them begins: it stays where it is when
/// others come and go on either side of it.
///
/// Open ones come first, then those that are due earlier (those that never are last), those of a higher
/// priority (those without last), and then it goes by summary, uid and calendar.
package struct ToDoPlace: Hashable, Comparable, Sendable {
  package let isClosed: Bool
  /// ``CivilTime/Timestamp/latest`` for what is never due.
  package let due: Timestamp
  /// From 1, the highest priority, to 10, none.
  package let rank: Int
  package let summary: String
  package let uid: String
  package let calendar: String

  package init(
    isClosed: Bool, due: Timestamp, rank: Int, summary: String, uid: String, calendar: String
  ) {
    self.isClosed = isClosed
    self.due = due
    self.rank = rank
    self.summary = summary
    self.uid = uid
    self.calendar = calendar
  }

  package static func < (left: ToDoPlace, right: ToDoPlace) -> Bool {
    if left.isClosed != right.isClosed { return right.isClosed }
    if left.due != right.due { return left.due < right.due }
    return (left.rank, left.summary, left.uid, left.calendar)
      < (right.rank, right.summary, right.uid, right.calendar)
  }
}

extension EventSeries {
  /// Returns the to-do as it is at `now`; nil for what is no to-do.
  ///
  /// Of one that recurs the first open occurrence comes that has not ended (one of
  /// a day: that is not over), and after all of them the last one. iCalendar does
  /// not say which occurrences before are done, unless each has an override.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func toDo(at now: Timestamp, context: ZoneContext) throws(CivilTimeError) -> ToDoItem? {
    let event = components[0]
    guard event.toDo != nil, event.anchor != .none else {
      return ToDoItem(calendar: calendar, event: event, occurrence: nil)
    }
    let expansion = try SeriesExpansion(self, context: context)
    var occurrence: Occurrence?
    if isRecurring {
      let start =
        event.start.isDate
        ? context.local.startOfDay(context.local.reading(at: now).date) : now
      // Each override may close one.
      occurrence = expansion.occurrences(
        in: TimeSpan(start: start, end: TimeSpan.always.end), limit: overrides.count + 1
      ).first { $0.event.toDo?.isClosed == false }
      occurrence = occurrence ?? expansion.lastOccurrence()
    } else {
      occurrence = expansion.occurrences(in: .always, limit: 1).first
    }
    return ToDoItem(
      calendar: calendar, event: occurrence?.event ?? event, pattern: event.recurrence,
      occurrence: occurrence)
  }
}
