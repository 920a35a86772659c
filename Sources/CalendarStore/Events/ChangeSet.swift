package import CalendarModel
package import CivilTime

/// Who made a change; the raw value is the word used on the bus.
package enum ChangeOrigin: String, Hashable, Sendable, CaseIterable {
  case local, sync, `import`, undo
  case externalFile = "external-file"
}

/// What one transaction changed.
package struct ChangeSet: Equatable, Sendable {
  /// The revision after the transaction; the one before if it changed nothing.
  package var revision: UInt64
  package var calendars: Set<CalendarID> = []
  /// Each changed event once, in the order of its first change.
  ///
  /// A moved event is listed under both calendars.
  package var names: [SeriesName] = []
  package var added = 0
  package var updated = 0
  package var removed = 0
  /// A span that contains every changed event, before and after the change; nil if none has a time.
  ///
  /// It may be wider than the events, and is rounded to minutes.
  package var span: TimeSpan?
  package var origin: ChangeOrigin
  /// Reminders that the change ended, in their new state.
  ///
  /// They are closed, or acknowledged if an acknowledged alarm came back with the event.
  package var closedReminders: [Reminder] = []
  /// Reminders that are pending again because their events were restored.
  ///
  /// Those that fell due while the event was gone, and are still to be delivered, have the state
  /// due.
  package var reopenedReminders: [Reminder] = []
  /// The former ids of reminders that moved with their events, by their new ids.
  ///
  /// Includes reminders that a hidden calendar or the like keeps closed.
  package var formerIDs: [String: String] = [:]
  /// Pending reminders with a new text or time because their events were edited.
  package var rewordedReminders: [Reminder] = []

  /// The calendars that were added, changed or removed, in display order.
  package var addedCalendars: [CalendarID] = []
  package var changedCalendars: [CalendarID] = []
  package var removedCalendars: [CalendarID] = []
  /// Whether calendar properties without a meaning here changed; see ``CalendarInfo/properties``.
  package var touchesProperties = false

  package var isEmpty: Bool { names.isEmpty && !touchesCalendars && !touchesProperties }

  /// The uids of ``names``, each once.
  package var uids: [EventUID] { firstUIDs(.max) }

  /// Returns at most `limit` of ``uids``, the first ones.
  package func firstUIDs(_ limit: Int) -> [EventUID] {
    var known: Set<EventUID> = []
    var first: [EventUID] = []
    for name in names {
      if first.count >= limit { break }
      if known.insert(name.uid).inserted { first.append(name.uid) }
    }
    return first
  }

  /// Whether a calendar itself changed, not just its events or its ``CalendarInfo/properties``.
  package var touchesCalendars: Bool {
    !(addedCalendars.isEmpty && changedCalendars.isEmpty && removedCalendars.isEmpty)
  }

  mutating func touch(_ touched: TimeSpan) {
    // A series without a time is indexed at the first minute of all.
    guard touched.end.seconds > Timestamp.earliest.seconds + 60 else { return }
    span = span?.union(touched) ?? touched
  }
}
