package import CivilTime

extension Event {
  /// The component that an event was read from.
  ///
  /// Only events are shown as occurrences, and only events and to-dos have reminders. The others
  /// are stored so that they can be exported again.
  package enum Kind: Hashable, Sendable {
    /// VEVENT.
    case event
    /// VTODO, with what only a to-do has.
    case toDo(ToDo)
    /// VJOURNAL.
    case journal
    /// VFREEBUSY.
    case freeBusy
    /// Any other component: VAVAILABILITY, X- and future ones.
    case other

    /// Its name in the database and in spreadsheet tables.
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

  /// The property that ``Event/start`` was read from; an event always has a DTSTART.
  package enum Anchor: String, Hashable, Sendable, CaseIterable {
    /// DTSTART.
    case start
    /// DUE, of a to-do without DTSTART.
    case due
    /// RECURRENCE-ID, of an override with neither: the original time of its occurrence.
    case recurrenceID = "recurrence-id"
    /// None of them: the time is not known, and ``Event/start`` means nothing.
    case none
  }

  /// The fields that only a to-do has; nil for other kinds.
  package var toDo: ToDo? {
    if case .toDo(let toDo) = kind { toDo } else { nil }
  }

  /// The start of an event without a time; see ``Anchor/none``.
  package static let noStart = EventTime.floating(
    ZoneRules.utc.reading(at: Timestamp(seconds: 0)))
}

extension Event.Kind {
  /// Whether both are the same kind of component, whatever their fields.
  package func isSame(as other: Event.Kind) -> Bool {
    switch (self, other) {
    case (.event, .event), (.toDo, .toDo), (.journal, .journal), (.freeBusy, .freeBusy),
      (.other, .other):
      true
    default: false
    }
  }
}

/// The progress and priority of a to-do.
///
/// Source: RFC 5545 sections 3.6.2, 3.8.1.8, 3.8.1.9, 3.8.1.11 and 3.8.2.1.
package struct ToDo: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable, CaseIterable {
    case needsAction = "needs-action"
    case inProcess = "in-process"
    case completed, cancelled
  }

  package var status: Status
  /// When it was completed; nil if that is not given.
  package var completed: Timestamp?
  /// 0 to 100.
  package var percentComplete: Int
  /// 1 is the highest, 9 the lowest, 0 undefined.
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

  /// Gives it another status, with what belongs to it.
  ///
  /// Source: RFC 5545 sections 3.8.1.8, 3.8.1.11 and 3.8.2.1.
  package mutating func set(_ status: Status, at now: Timestamp) {
    let wasClosed = isClosed
    self.status = status
    guard status == .completed else {
      completed = nil
      // What was left of a closed one is not known.
      if wasClosed || percentComplete >= 100 { percentComplete = 0 }
      return
    }
    completed = completed ?? now
    percentComplete = 100
  }

  /// Whether it is completed or cancelled, so that nobody needs to do anything.
  ///
  /// Reading: Programs mark a completed to-do with STATUS, COMPLETED or PERCENT-COMPLETE; each of
  /// them counts.
  package var isClosed: Bool {
    status == .completed || status == .cancelled || completed != nil || percentComplete >= 100
  }
}
