package import CalendarModel
package import CivilTime

/// Who made a change; the word on the bus.
package enum ChangeOrigin: String, Hashable, Sendable, CaseIterable {
  case local, sync, `import`, undo
  case externalFile = "external-file"
}

/// What one transaction changed.
package struct ChangeSet: Equatable, Sendable {
  /// The revision after it; the one before if nothing changed.
  package var revision: UInt64
  package var calendars: Set<CalendarID> = []
  /// Each event once, in the order in which they were touched first. One that has gone from one
  /// calendar to another is there under both names.
  package var names: [SeriesName] = []
  package var added = 0
  package var updated = 0
  package var removed = 0
  /// A span that holds the time before and after the change of every event
  /// touched, to the minute and wider; nil if nothing changed that has a time.
  package var span: TimeSpan?
  package var origin: ChangeOrigin
  /// Reminders that the change took along, in their new state: closed, or
  /// acknowledged where the event came back with an acknowledged alarm.
  package var closedReminders: [Reminder] = []
  /// Reminders that are pending again, since their events are as they were; and, as due, what fell due while
  /// they were away and is to be delivered.
  package var reopenedReminders: [Reminder] = []
  /// The identifiers that some of them had before, among those closed, by those of now: they have gone
  /// along with their events. Also of those that a hidden calendar or the like keeps closed.
  package var formerIDs: [String: String] = [:]
  /// Reminders that go on waiting and say something else than before: their events were edited.
  package var rewordedReminders: [Reminder] = []

  /// The calendars that came, changed and went, in the order of lists.
  package var addedCalendars: [CalendarID] = []
  package var changedCalendars: [CalendarID] = []
  package var removedCalendars: [CalendarID] = []
  /// Whether properties that mean nothing here came to a calendar, or went: see
  /// ``CalendarInfo/properties``.
  package var touchesProperties = false

  package var isEmpty: Bool { names.isEmpty && !touchesCalendars && !touchesProperties }

  /// The uids of ``names``, each once.
  package var uids: [EventUID] { firstUIDs(.max) }

  /// Returns the first of ``uids``, at most so many.
  package func firstUIDs(_ limit: Int) -> [EventUID] {
    var known: Set<EventUID> = []
    var first: [EventUID] = []
    for name in names {
      if first.count >= limit { break }
      if known.insert(name.uid).inserted { first.append(name.uid) }
    }
    return first
  }

  /// Whether a calendar itself changed, in what is said of it, and not just its events.
  package var touchesCalendars: Bool {
    !(addedCalendars.isEmpty && changedCalendars.isEmpty && removedCalendars.isEmpty)
  }

  mutating func touch(_ touched: TimeSpan) {
    // What has no time is filed in the first minute of all.
    guard touched.end.seconds > Timestamp.earliest.seconds + 60 else { return }
    span = span?.union(touched) ?? touched
  }
}
