package import CivilTime

/// One to-do as a list shows it. One that recurs is listed once, with its next
/// occurrence.
package struct ToDoItem: Hashable, Sendable {
  package let calendar: CalendarID
  /// The to-do as it holds for ``occurrence``: the override where there is one.
  package let event: Event
  package let toDo: ToDo
  /// nil for one without any time, and for one whose zone is not installed.
  package let occurrence: Occurrence?

  /// - Returns: nil for what is no to-do.
  package init?(calendar: CalendarID, event: Event, occurrence: Occurrence?) {
    guard let toDo = event.toDo else { return nil }
    self.calendar = calendar
    self.event = event
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

  /// The order of a list: open ones first, then by due (those that never are
  /// last), by priority (those without last), by summary and uid.
  package static func precedes(_ left: ToDoItem, _ right: ToDoItem) -> Bool {
    if left.toDo.isClosed != right.toDo.isClosed { return right.toDo.isClosed }
    let dues = (left.due ?? .latest, right.due ?? .latest)
    if dues.0 != dues.1 { return dues.0 < dues.1 }
    if left.toDo.rank != right.toDo.rank { return left.toDo.rank < right.toDo.rank }
    return (left.event.summary, left.event.uid.text, left.calendar.text)
      < (right.event.summary, right.event.uid.text, right.calendar.text)
  }
}

extension ToDo {
  fileprivate var rank: Int { priority == 0 ? 10 : priority }
}

extension EventSeries {
  /// Returns the to-do as it stands at `now`; nil for what is no to-do.
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
      calendar: calendar, event: occurrence?.event ?? event, occurrence: occurrence)
  }
}
