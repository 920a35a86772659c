import CalendarModel
import CivilTime

/// What a step did; the raw value is the word used on the bus.
package enum UndoAction: String, Hashable, Sendable, CaseIterable {
  case add, update, remove, move, `import`, restore
  case calendarAdd = "calendar-add"
  case calendarUpdate = "calendar-update"
  case calendarRemove = "calendar-remove"
}

/// The steps that can be undone and redone, with images of events and calendars.
///
/// A step is a revision of the change log, which names the events that it touched. An event that it
/// changed or removed has an image, a copy of its rows. Added events need none, so an import of a
/// hundred thousand new events stores only their names. Undoing exchanges the images with the
/// current state.
final class UndoRows {
  /// The most steps; the oldest are dropped first.
  static let keptSteps = 200

  let database: Database
  let log: ChangeLog
  let passedTime: RetentionClock
  /// The columns of a component without its keys, for copying.
  let columns: String
  /// Whether there is a step to undo.
  private(set) var canUndo = false
  private(set) var canRedo = false
  /// Whether ``EventStore/sweep(_:)`` may have work; unknown (true) when the database is opened.
  private(set) var hasGarbage = true
  /// The same after the change in progress.
  private var next = (undo: false, redo: false)
  var nextGarbage = true
  /// Whether the trash was counted, and is being reduced.
  var isTrashCounted = false
  /// The progress of counting the trash, if that is under way.
  var trashCount: TrashCount?

  /// A change by the user.
  struct Step {
    let key: Int64
    let action: UndoAction
    let time: Timestamp
    /// The revision of the change, or of its last undo or redo.
    let revision: UInt64
    let isUndone: Bool
    /// The size of its images and names in bytes, about.
    let octets: Int64
    /// Whether the last attempt to undo or redo it met a conflict.
    let isRefused: Bool
  }

  init(_ database: Database, log: ChangeLog) throws(StoreError) {
    self.database = database
    self.log = log
    passedTime = RetentionClock(database: database)
    // Taken from the table, so that a new column needs no further list.
    let row = try database.statement(
      """
      SELECT group_concat(name, ', ') FROM pragma_table_info('components')
      WHERE name NOT IN ('key', 'series')
      """)
    columns = try row.step() ? row.text(0) : ""
    row.reset()
    try lookAhead()
    committed()
  }

  // MARK: Steps

  private static let select: StaticString = """
    SELECT key, action, at, revision, is_undone, octets, is_refused FROM undo_steps
    WHERE is_dropped = 0
    """

  /// Returns the steps to undo, last made first, or to redo, last undone first.
  func upcoming(redo: Bool) throws(StoreError) -> [Step] {
    try steps(
      redo
        ? database.statement(UndoRows.select, "AND is_undone = 1 ORDER BY revision DESC")
        : database.statement(UndoRows.select, "AND is_undone = 0 ORDER BY revision DESC"))
  }

  /// Returns the latest steps, newest first.
  func steps(limit: Int) throws(StoreError) -> [Step] {
    let row = try database.statement(UndoRows.select, "ORDER BY key DESC LIMIT ?1")
    row.bind(1, Int64(limit))
    return try steps(row)
  }

  /// Returns the step with a key; nil if there is none, or if it was dropped.
  func step(_ key: Int64) throws(StoreError) -> Step? {
    let row = try database.statement(UndoRows.select, "AND key = ?1")
    row.bind(1, key)
    return try steps(row).first
  }

  private func steps(_ row: Statement) throws(StoreError) -> [Step] {
    defer { row.reset() }
    var steps: [Step] = []
    while try row.step() {
      // An action of a later version must not make the database unusable.
      let action = UndoAction(rawValue: row.text(1)) ?? .update
      steps.append(
        Step(
          key: row.integer(0), action: action, time: Timestamp(seconds: row.integer(2)),
          revision: UInt64(max(0, row.integer(3))), isUndone: row.bool(4),
          octets: row.integer(5), isRefused: row.bool(6)))
    }
    return steps
  }

  /// Begins a step and returns its key; undone steps cannot be redone any more.
  func begin(revision: UInt64, at now: Timestamp) throws(StoreError) -> Int64 {
    try dropUndone()
    return try insert(revision: revision, at: now, .whole)
  }

  func dropUndone() throws(StoreError) {
    try drop(
      database.statement(
        "UPDATE undo_steps SET is_dropped = 1 WHERE is_undone = 1 AND is_dropped = 0"))
  }

  func insert(
    revision: UInt64, at now: Timestamp, _ stage: Stage
  ) throws(StoreError) -> Int64 {
    let row = try database.statement(
      """
      INSERT INTO undo_steps (action, at, revision, is_undone, is_dropped)
      VALUES ('update', ?1, ?2, 0, ?3)
      """)
    row.bind(1, now.seconds)
    row.bind(2, Int64(revision))
    row.bind(3, stage.rawValue)
    try row.run()
    return database.lastKey
  }

  /// Ends a step, and drops steps beyond the limits.
  ///
  /// - Parameter octets: the size of its images and names in bytes.
  func end(_ step: Int64, action: UndoAction, octets: Int64) throws(StoreError) {
    let row = try database.statement(
      "UPDATE undo_steps SET action = ?2, octets = ?3 WHERE key = ?1")
    row.bind(1, step)
    row.bind(2, action.rawValue)
    row.bind(3, octets)
    try row.run()
    try bound(keeping: step, octets)
  }

  /// Records that a step was undone or redone, by this revision.
  func turn(_ step: Step, revision: UInt64, octets: Int64) throws(StoreError) {
    let row = try database.statement(
      """
      UPDATE undo_steps SET revision = ?2, is_undone = ?3, octets = ?4, is_refused = 0
      WHERE key = ?1
      """)
    row.bind(1, step.key)
    row.bind(2, Int64(revision))
    row.bind(3, !step.isUndone)
    row.bind(4, octets)
    try row.run()
    if try log.release(step.revision) { nextGarbage = true }
    try bound(keeping: step.key, octets)
  }

  /// Records that a step met a conflict, so that the next call skips it.
  func refuse(_ step: Step) throws(StoreError) {
    let row = try database.statement("UPDATE undo_steps SET is_refused = 1 WHERE key = ?1")
    row.bind(1, step.key)
    try row.run()
  }

  /// Runs a statement that drops steps; their images are deleted in batches later.
  func drop(_ dropping: Statement) throws(StoreError) {
    try dropping.run()
    if database.changedRows > 0 { nextGarbage = true }
  }

  /// Computes what can be undone and redone once the change in progress is committed.
  func lookAhead() throws(StoreError) {
    next = (try hasStep(isUndone: false), try hasStep(isUndone: true))
  }

  private func hasStep(isUndone: Bool) throws(StoreError) -> Bool {
    let row = try database.statement(
      """
      SELECT 1 FROM undo_steps WHERE is_undone = ?1 AND is_dropped = 0 AND is_refused = 0 LIMIT 1
      """)
    row.bind(1, isUndone)
    defer { row.reset() }
    return try row.step()
  }

  /// Called once the change is committed.
  func committed() {
    (canUndo, canRedo) = next
    hasGarbage = nextGarbage
  }

  /// Forgets a change that was rolled back.
  func rolledBack() {
    nextGarbage = hasGarbage
    isTrashCounted = false
    trashCount = nil
  }

  /// The state in memory.
  struct State {
    fileprivate let canUndo: Bool
    fileprivate let canRedo: Bool
    fileprivate let hasGarbage: Bool
  }

  var state: State { State(canUndo: canUndo, canRedo: canRedo, hasGarbage: hasGarbage) }

  /// Restores the state from before shared changes that were rolled back.
  func rolledBack(to state: State) {
    (canUndo, canRedo) = (state.canUndo, state.canRedo)
    next = (canUndo, canRedo)
    hasGarbage = state.hasGarbage
    nextGarbage = hasGarbage
    isTrashCounted = false
    trashCount = nil
  }
}
