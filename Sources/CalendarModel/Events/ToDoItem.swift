package import CivilTime

/// A to-do as a list shows it; a recurring one is listed once, with its next occurrence.
package struct ToDoItem: Hashable, Sendable {
  package let calendar: CalendarID
  /// The to-do of ``occurrence``: the override if there is one.
  package let event: Event
  package let toDo: ToDo
  /// The recurrence of the series, even if the item is an override.
  package let pattern: RecurrencePattern
  /// nil if it has no time, or its zone is not installed.
  package let occurrence: Occurrence?

  /// Returns nil if the event is not a to-do.
  ///
  /// - Parameter pattern: nil means the event's own.
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

  /// Whether the to-do has a DTSTART that is known.
  package var hasStart: Bool { occurrence != nil && event.anchor == .start }

  /// Whether it has a DUE, or a DURATION after its start.
  package var hasDue: Bool {
    occurrence != nil && (event.anchor == .due || event.end != .none)
  }

  /// When it is due, for a day its first instant; nil if it never is.
  package var due: Timestamp? { hasDue ? occurrence?.span.end : nil }

  /// Orders a list, as ``ToDoPlace`` does.
  package static func precedes(_ left: ToDoItem, _ right: ToDoItem) -> Bool {
    left.place < right.place
  }

  /// Its position in a list.
  package var place: ToDoPlace {
    ToDoPlace(
      isClosed: toDo.isClosed, due: due ?? .latest, rank: toDo.priority == 0 ? 10 : toDo.priority,
      summary: event.summary, uid: event.uid.text, calendar: calendar.text)
  }
}

/// A position in a list of to-dos, from which the next page continues.
///
/// It remains valid when other to-dos are added or removed. The order is: open before closed,
/// earlier due first (no due time last), higher priority first (none last), then summary, UID and
/// calendar.
package struct ToDoPlace: Hashable, Comparable, Sendable {
  package let isClosed: Bool
  /// ``CivilTime/Timestamp/latest`` if it is never due.
  package let due: Timestamp
  /// From 1, the highest priority, to 9; 10 is no priority.
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
  /// Returns the to-do as it is at `now`; nil if the series is not a to-do.
  ///
  /// A recurring to-do is shown with its first open occurrence that has not ended, else with its
  /// last one. (One with dates counts until its day is over.) Earlier occurrences count as done:
  /// iCalendar only says so for overrides.
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
      // Each override may be closed, so look at one occurrence more than there are overrides.
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
