package import CalendarModel
package import CivilTime
package import Messages

/// Why a step was not undone or redone, or an event not restored.
package enum UndoError: UserError, Equatable, Sendable {
  /// There is no step to undo.
  case nothingToUndo
  /// There is no step to redo.
  case nothingToRedo
  /// An event of the step was changed since: by sync, in a file, or by a later step not undone.
  case changedSince(EventUID)
  /// A calendar of the step was changed by a later step that is not undone.
  case calendarChangedSince(CalendarID)
  /// The event is not in the trash.
  case notInTrash(EventUID)
  /// The event in the trash is already in that calendar again.
  case presentAgain(EventUID, CalendarID)
  case store(StoreError)
}

extension UndoError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    switch self {
    case .nothingToUndo: UserText("nothing to undo")
    case .nothingToRedo:
      UserText("nothing to redo: nothing was undone, or something changed since then")
    case .changedSince(let uid):
      UserText(
        """
        the event "{uid}" was changed since then by sync, in a file, or by a later change that is \
        not undone; to keep that, nothing was done: change the event by hand, or call again for \
        the change before
        """, ["uid": uid.text])
    case .calendarChangedSince(let id):
      UserText(
        """
        the calendar {id} was changed by a later change that is not undone; call again for the \
        change before
        """, ["id": id.text])
    case .notInTrash(let uid):
      UserText(
        "uid: the trash has no event \"{uid}\"; removed events stay in it for 30 days",
        ["uid": uid.text])
    case .presentAgain(let uid, let calendar):
      UserText(
        "uid: the event \"{uid}\" is already in the calendar {calendar} again",
        ["uid": uid.text, "calendar": calendar.text])
    case .store(let error): error.text
    }
  }

  package var description: String { text.english }
}

/// A change by the user in the history.
package struct HistoryEntry: Equatable, Sendable {
  package let action: UndoAction
  /// The events that it changed, each once; in the history only the first ones.
  package let uids: [EventUID]
  /// The number of events that it changed.
  package let events: Int
  /// When the change was made.
  package let time: Timestamp
  package let isUndone: Bool
  /// The revision of the change, or of its last undo or redo.
  package let revision: UInt64
  /// nil if nothing about it is known any more.
  package let title: StepTitle?
}

extension EventStore {
  /// Whether ``undo(now:)`` has a step.
  package var canUndo: Bool { undoRows.canUndo }
  /// Whether ``redo(now:)`` has a step.
  package var canRedo: Bool { undoRows.canRedo }

  /// Undoes the last change by the user (origin local or import) that is not undone yet.
  ///
  /// Alarms that passed while an event was removed are delivered late, unless they are too old.
  /// Later alarms fire, and reminders that the change closed are pending again.
  ///
  /// A step with a conflict does not block earlier ones: the first call reports the conflict and
  /// changes nothing, later calls skip the step while the conflict lasts.
  ///
  /// - Throws: ``UndoError``; then nothing has changed, and the step remains.
  package func undo(now: Timestamp) throws(UndoError) -> (HistoryEntry, ChangeSet) {
    try turn(redo: false, now: now)
  }

  /// Redoes the last undone change, unless the user changed something since.
  ///
  /// Conflicts are handled as in ``undo(now:)``.
  ///
  /// - Throws: ``UndoError``; then nothing has changed, and the step remains.
  package func redo(now: Timestamp) throws(UndoError) -> (HistoryEntry, ChangeSet) {
    try turn(redo: true, now: now)
  }

  private func turn(
    redo: Bool, now: Timestamp
  ) throws(UndoError) -> (HistoryEntry, ChangeSet) {
    let steps = try asUndoError { () throws(StoreError) in try undoRows.upcoming(redo: redo) }
    var conflict: UndoError?
    for step in steps {
      do throws(UndoError) { return try turn(step, now: now) } catch {
        guard error.isConflict else { throw error }
        if !step.isRefused {
          try refuse(step)
          throw error
        }
        conflict = conflict ?? error
      }
    }
    throw conflict ?? (redo ? .nothingToRedo : .nothingToUndo)
  }

  private func turn(
    _ step: UndoRows.Step, now: Timestamp
  ) throws(UndoError) -> (HistoryEntry, ChangeSet) {
    try change(origin: .undo, now: now, wrapping: UndoError.store) { change throws(UndoError) in
      try check(step)
      let names = try asUndoError { () throws(StoreError) in
        let names = try log.touched(by: step.revision)
        try change.turn(step)
        return names
      }
      let uids = names.uids
      return HistoryEntry(
        action: step.action, uids: uids, events: step.action == .move ? uids.count : names.count,
        time: step.time, isUndone: !step.isUndone, revision: change.revision, title: nil)
    }
  }

  /// Checks that the events and calendars of a step are as the step left them.
  ///
  /// The rows show this even when the log no longer reaches back: a later change has written a
  /// later content revision, unless it was undone, which restores the old revision too.
  private func check(_ step: UndoRows.Step) throws(UndoError) {
    let changed = try asUndoError { () throws(StoreError) in
      try undoRows.changedEvent(since: step)
    }
    if let changed { throw .changedSince(changed) }
    let calendar = try asUndoError { () throws(StoreError) in
      try undoRows.calendarPassedOver(step)
    }
    if let calendar { throw .calendarChangedSince(calendar) }
  }

  func refuse(_ step: UndoRows.Step) throws(UndoError) {
    try asUndoError { () throws(StoreError) in
      try database.transaction { () throws(StoreError) in try undoRows.refuse(step) }
      try undoRows.lookAhead()
      undoRows.committed()
    }
  }

  /// Returns the latest changes that can be undone or redone, newest first.
  ///
  /// - Parameter uids: the most events to name for each.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func history(limit: Int, uids: Int = 100) throws(StoreError) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    for step in try undoRows.steps(limit: limit) {
      entries.append(
        HistoryEntry(
          action: step.action, uids: try log.touched(by: step.revision, limit: uids).uids,
          events: try log.count(of: step.revision, isMove: step.action == .move),
          time: step.time, isUndone: step.isUndone, revision: step.revision,
          title: try title(of: step)))
    }
    return entries
  }
}

extension UndoError {
  /// Whether the error is a conflict of the step, which lasts until something else changes.
  var isConflict: Bool {
    switch self {
    case .changedSince, .calendarChangedSince: true
    case .store(.calendarInUse), .store(.unknownCalendar), .store(.lastCalendar): true
    case .store, .nothingToUndo, .nothingToRedo, .notInTrash, .presentAgain: false
    }
  }
}

extension UndoRows {
  /// Selects the events of a revision, and whether each differs from what that left.
  private static let touched: StaticString = """
    SELECT changes.calendar, changes.uid, changes.change,
      (series.key IS NULL) <> (changes.change = 'removed') OR coalesce(series.content > ?1, 0)
      AS is_changed
    FROM changes
    LEFT JOIN calendars ON calendars.id = changes.calendar
    LEFT JOIN series ON series.calendar = calendars.key AND series.uid = changes.uid
    WHERE changes.revision = ?1
    """

  /// Returns an event that is not as the step left it; nil if there is none.
  fileprivate func changedEvent(since step: Step) throws(StoreError) -> EventUID? {
    let row = try database.statement(UndoRows.touched, "AND is_changed LIMIT 1")
    row.bind(1, Int64(step.revision))
    defer { row.reset() }
    return try row.step() ? EventUID(row.text(1)) : nil
  }

  /// The result of checking the events of a step, so far.
  struct Look {
    /// The last event that was checked.
    fileprivate(set) var last = SeriesName(calendar: CalendarID(""), uid: EventUID(""))
    /// An event that is not as the step left it.
    fileprivate(set) var changed: EventUID?
    /// How many events that the step left existing each calendar has.
    fileprivate(set) var counts: [CalendarID: Int] = [:]
    /// The calendars to which the step added events.
    fileprivate(set) var broughtTo: Set<CalendarID> = []
  }

  /// Checks the next events of a step, at most `limit`; false if there are none left.
  func look(_ look: inout Look, at step: Step, limit: Int) throws(StoreError) -> Bool {
    let row = try database.statement(
      UndoRows.touched,
      """
      AND (changes.calendar, changes.uid) > (?2, ?3)
      ORDER BY changes.calendar, changes.uid LIMIT ?4
      """)
    row.bind(1, Int64(step.revision))
    row.bind(2, look.last.calendar.text)
    row.bind(3, look.last.uid.text)
    row.bind(4, Int64(limit))
    defer { row.reset() }
    var goesOn = false
    while try row.step() {
      let name = SeriesName(calendar: CalendarID(row.text(0)), uid: EventUID(row.text(1)))
      let change = ChangeLog.Change(rawValue: row.text(2))
      look.last = name
      look.counts[name.calendar, default: 0] += change == .removed ? 0 : 1
      if change == .added { look.broughtTo.insert(name.calendar) }
      if row.bool(3), look.changed == nil { look.changed = name.uid }
      goesOn = true
    }
    return goesOn
  }

  /// Returns a calendar of a step that a later, skipped step has changed; nil if there is none.
  func calendarPassedOver(_ step: Step) throws(StoreError) -> CalendarID? {
    let row = try database.statement(
      """
      SELECT calendar_images.id FROM calendar_images WHERE step = ?1 AND EXISTS (
        SELECT 1 FROM calendar_images AS later JOIN undo_steps ON undo_steps.key = later.step
        WHERE later.id = calendar_images.id AND undo_steps.is_dropped = 0
          AND undo_steps.is_undone = ?2 AND (undo_steps.key > ?1) = (?2 = 0)
          AND undo_steps.key <> ?1)
      LIMIT 1
      """)
    row.bind(1, step.key)
    row.bind(2, step.isUndone)
    defer { row.reset() }
    return try row.step() ? CalendarID(row.text(0)) : nil
  }
}

extension EventStore {
  /// Returns the conflict of a step's calendars that finishing would meet; nil if there is none.
  ///
  /// - Parameter look: the complete check of its events, which found no conflict.
  func calendarConflict(
    of step: UndoRows.Step, _ look: UndoRows.Look
  ) throws(StoreError) -> UndoError? {
    if let calendar = try undoRows.calendarPassedOver(step) {
      return .calendarChangedSince(calendar)
    }
    var there = Set(calendarRows.all.map(\.info.id))
    var going: [CalendarID] = []
    for image in try calendarRows.images(of: step.key) {
      switch image {
      case .present(let calendar): there.insert(calendar.id)
      case .absent(let id): going.append(id)
      }
    }
    if let gone = look.counts.keys.first(where: { !there.contains($0) }) {
      return .store(.unknownCalendar(gone))
    }
    for id in going {
      guard let calendar = calendarRows[id] else { continue }
      let others = try seriesRows.count(in: calendar.key) - (look.counts[id] ?? 0)
      if others > 0 { return .store(.calendarInUse(id, events: others)) }
    }
    guard let last = going.last, there.isSubset(of: going) else { return nil }
    return .store(.lastCalendar(last))
  }
}

extension [SeriesName] {
  /// Each uid once, in order.
  var uids: [EventUID] {
    var seen: Set<EventUID> = []
    return map(\.uid).filter { seen.insert($0).inserted }
  }
}

/// Runs a database query, and converts its errors.
func asUndoError<Answer>(
  _ body: () throws(StoreError) -> Answer
) throws(UndoError) -> Answer {
  do throws(StoreError) { return try body() } catch { throw .store(error) }
}
