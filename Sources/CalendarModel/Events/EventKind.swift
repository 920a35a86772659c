package import CivilTime

extension Event {
  /// Which component it came in.
  ///
  /// Only events are occurrences and only events and to-dos ring; the others are
  /// kept for the one who exports them again.
  package enum Kind: Hashable, Sendable {
    /// VEVENT.
    case event
    /// VTODO, with what only a to-do has.
    case toDo(ToDo)
    /// VJOURNAL.
    case journal
    /// VFREEBUSY.
    case freeBusy
    /// A component that we do not know: VAVAILABILITY, X- and what is yet to come.
    case other

    /// Its name in tables, of the database and for spreadsheets.
    package var word: String {
      switch self {
      case .event: "event"
      case .toDo: "to-do"
      case .journal: "journal"
      case .freeBusy: "free-busy"
      case .other: "other"
      }
    }
  }

  /// Which property ``Event/start`` was read from. An event has a DTSTART always,
  /// the others may do without.
  package enum Anchor: String, Hashable, Sendable, CaseIterable {
    /// DTSTART.
    case start
    /// DUE, of a to-do without DTSTART.
    case due
    /// RECURRENCE-ID, of an override with neither: it is when its occurrence was.
    case recurrenceID = "recurrence-id"
    /// None of them: ``Event/start`` says nothing, and no time is known.
    case none
  }

  /// What only a to-do has; nil for the other kinds.
  package var toDo: ToDo? {
    if case .toDo(let toDo) = kind { toDo } else { nil }
  }

  /// The start of what has none: see ``Anchor/none``.
  package static let noStart = EventTime.floating(
    ZoneRules.utc.reading(at: Timestamp(seconds: 0)))
}

extension Event.Kind {
  /// Whether two are of one kind, whatever is known of each.
  package func isSame(as other: Event.Kind) -> Bool {
    switch (self, other) {
    case (.event, .event), (.toDo, .toDo), (.journal, .journal), (.freeBusy, .freeBusy),
      (.other, .other):
      true
    default: false
    }
  }
}

/// How far a to-do has come.
///
/// Source: RFC 5545 sections 3.6.2, 3.8.1.8, 3.8.1.9, 3.8.1.11 and 3.8.2.1.
package struct ToDo: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable, CaseIterable {
    case needsAction = "needs-action"
    case inProcess = "in-process"
    case completed, cancelled
  }

  package var status: Status
  /// When it was done; nil if that is not given.
  package var completed: Timestamp?
  /// 0 to 100.
  package var percentComplete: Int
  /// 1 is the highest, 9 the lowest, 0 none.
  package var priority: Int

  package init(
    status: Status = .needsAction, completed: Timestamp? = nil, percentComplete: Int = 0,
    priority: Int = 0
  ) {
    self.status = status
    self.completed = completed
    self.percentComplete = percentComplete
    self.priority = priority
  }

  /// Whether nobody needs to do anything any more: it is done or given up.
  ///
  /// Reading: programs mark a done to-do in one, two or all three ways; each of
  /// them counts.
  package var isClosed: Bool {
    status == .completed || status == .cancelled || completed != nil || percentComplete >= 100
  }
}
