import CalendarModel
import CivilTime

/// What a step did; the word on the bus.
package enum UndoAction: String, Hashable, Sendable, CaseIterable {
  case add, update, remove, move, `import`, restore
  case calendarAdd = "calendar-add"
  case calendarUpdate = "calendar-update"
  case calendarRemove = "calendar-remove"
}

/// The steps that can be taken back and done again, with the images of what was
/// there on their other side.
///
/// A step is a revision of the change log, which has the names of the events
/// that it touched. An event that it changed or removed has an image, which is a
/// copy of its rows; one that it added needs none. So an import of a hundred
/// thousand new events keeps nothing more than its names. Taking a step back turns
/// it round: the images come in place of what is there, which becomes its image.
final class UndoRows {
  /// How many steps are kept; the oldest go first.
  static let keptSteps = 200

  let database: Database
  private let log: ChangeLog
  /// What a component is copied by.
  private let columns: String
  /// Whether there is a step to take back, and one to do again.
  private(set) var canUndo = false
  private(set) var canRedo = false
  /// The same, as the change that is under way leaves it.
  private var next = (undo: false, redo: false)

  /// A change of the user's.
  struct Step {
    let key: Int64
    let action: UndoAction
    let time: Timestamp
    /// Of the change, or of the one that took it back.
    let revision: UInt64
    let isUndone: Bool
  }

  init(_ database: Database, log: ChangeLog) throws(StoreError) {
    self.database = database
    self.log = log
    // The tables say it themselves, so that a new column needs no third list.
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

  private static let select: StaticString =
    "SELECT key, action, at, revision, is_undone FROM undo_steps"

  /// Returns the step that comes next: the last one made, or, to do again, the
  /// last one that was taken back.
  func next(redo: Bool) throws(StoreError) -> Step? {
    let row =
      redo
      ? try database.statement(UndoRows.select, "WHERE is_undone = 1 ORDER BY key LIMIT 1")
      : try database.statement(UndoRows.select, "WHERE is_undone = 0 ORDER BY key DESC LIMIT 1")
    return try steps(row).first
  }

  /// Returns the latest steps, the newest first.
  func steps(limit: Int) throws(StoreError) -> [Step] {
    let row = try database.statement(UndoRows.select, "ORDER BY key DESC LIMIT ?1")
    row.bind(1, Int64(limit))
    return try steps(row)
  }

  private func steps(_ row: Statement) throws(StoreError) -> [Step] {
    defer { row.reset() }
    var steps: [Step] = []
    while try row.step() {
      // A word of a later version must not keep the whole database shut.
      let action = UndoAction(rawValue: row.text(1)) ?? .update
      steps.append(
        Step(
          key: row.integer(0), action: action, time: Timestamp(seconds: row.integer(2)),
          revision: UInt64(max(0, row.integer(3))), isUndone: row.bool(4)))
    }
    return steps
  }

  /// Begins a step and returns its key. What was taken back cannot be done again
  /// from now on.
  func begin(revision: UInt64, at now: Timestamp) throws(StoreError) -> Int64 {
    try drop(database.statement(UndoRows.select, "WHERE is_undone = 1"))
    let row = try database.statement(
      "INSERT INTO undo_steps (action, at, revision, is_undone) VALUES ('update', ?1, ?2, 0)")
    row.bind(1, now.seconds)
    row.bind(2, Int64(revision))
    try row.run()
    return database.lastKey
  }

  /// Ends a step that was begun, and lets go of those that are too many.
  func end(_ step: Int64, action: UndoAction) throws(StoreError) {
    let row = try database.statement("UPDATE undo_steps SET action = ?2 WHERE key = ?1")
    row.bind(1, step)
    row.bind(2, action.rawValue)
    try row.run()
    let old = try database.statement(UndoRows.select, "ORDER BY key DESC LIMIT -1 OFFSET ?1")
    old.bind(1, Int64(UndoRows.keptSteps))
    try drop(old)
  }

  /// Notes that a step was taken back, or done again, by this revision.
  func turn(_ step: Step, revision: UInt64) throws(StoreError) {
    let row = try database.statement(
      "UPDATE undo_steps SET revision = ?2, is_undone = ?3 WHERE key = ?1")
    row.bind(1, step.key)
    row.bind(2, Int64(revision))
    row.bind(3, !step.isUndone)
    try row.run()
    try log.release(step.revision)
  }

  private func drop(_ dropped: Statement) throws(StoreError) {
    let row = try database.statement("DELETE FROM undo_steps WHERE key = ?1")
    for step in try steps(dropped) {
      try log.release(step.revision)
      row.bind(1, step.key)
      try row.run()
    }
  }

  /// Works out what can be taken back when the change that is under way is durable.
  func lookAhead() throws(StoreError) {
    next = (try next(redo: false) != nil, try next(redo: true) != nil)
  }

  /// To be called once it is.
  func committed() {
    (canUndo, canRedo) = next
  }

  // MARK: Images

  /// Keeps how a series is now, and returns the key of its image.
  ///
  /// - Parameter step: nil keeps it for the trash alone.
  func keep(_ series: Int64, _ name: SeriesName, step: Int64?) throws(StoreError) -> Int64 {
    let row = try database.statement(
      "INSERT INTO series_images (step, calendar, uid) VALUES (?1, ?2, ?3)")
    row.bind(1, step)
    row.bind(2, name.calendar.text)
    row.bind(3, name.uid.text)
    try row.run()
    let image = database.lastKey
    let components = try database.statement(
      composed: """
        INSERT INTO component_images (image, \(columns))
        SELECT ?1, \(columns) FROM components WHERE series = ?2 ORDER BY key
        """)
    components.bind(1, image)
    components.bind(2, series)
    try components.run()
    return image
  }

  /// Gives a series that has none the components of an image.
  func copy(_ image: Int64, to series: Int64) throws(StoreError) {
    let row = try database.statement(
      composed: """
        INSERT INTO components (series, \(columns))
        SELECT ?1, \(columns) FROM component_images WHERE image = ?2 ORDER BY key
        """)
    row.bind(1, series)
    row.bind(2, image)
    try row.run()
  }

  /// Returns the images of a step by the names of their events.
  func images(of step: Int64) throws(StoreError) -> [SeriesName: Int64] {
    let row = try database.statement("SELECT key, calendar, uid FROM series_images WHERE step = ?1")
    row.bind(1, step)
    defer { row.reset() }
    var images: [SeriesName: Int64] = [:]
    while try row.step() {
      let name = SeriesName(calendar: CalendarID(row.text(1)), uid: EventUID(row.text(2)))
      images[name] = row.integer(0)
    }
    return images
  }

  func forget(_ image: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM series_images WHERE key = ?1")
    row.bind(1, image)
    try row.run()
  }

  // MARK: The trash

  /// How long what was removed is kept.
  static let trashSeconds: Int64 = 30 * 86_400

  /// Notes that the event of an image is in the trash from now on.
  func markRemoved(_ image: Int64, at now: Timestamp) throws(StoreError) {
    let row = try database.statement("UPDATE series_images SET removed_at = ?2 WHERE key = ?1")
    row.bind(1, image)
    row.bind(2, now.seconds)
    try row.run()
  }

  /// Lets go of images that no step holds, but for what is in the trash.
  func purge(at now: Timestamp) throws(StoreError) {
    try database.statement(
      "DELETE FROM series_images WHERE step IS NULL AND removed_at IS NULL"
    ).run()
    let row = try database.statement(
      "DELETE FROM series_images WHERE step IS NULL AND removed_at < ?1")
    row.bind(1, now.adding(seconds: -UndoRows.trashSeconds).seconds)
    try row.run()
  }
}
