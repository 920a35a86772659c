import CalendarModel
import CivilTime

/// A step that is made in parts.
extension UndoRows {
  /// What `is_dropped` says of a step.
  enum Stage: Int64 {
    /// It can be taken back, or redone. Statements that look for those alone have the number in them.
    case whole = 0
    /// It is over, and what it kept is being cleared away.
    case over = 1
    /// Its last part has not come; see ``StagedChange``.
    case unfinished = 2
    /// It is none, and holds what waits for a part.
    case waiting = 3
  }

  /// Begins a step that is made in parts, and returns its key. Nobody comes upon it before
  /// ``show(_:)``, and what was undone can be redone as long as that has not come.
  func beginParts(revision: UInt64, at now: Timestamp) throws(StoreError) -> Int64 {
    try insert(revision: revision, at: now, .unfinished)
  }

  /// Lets a step that was made in parts be seen, with the last of them.
  func show(_ step: Int64) throws(StoreError) {
    try dropUndone()
    try set(.whole, of: step)
  }

  /// Returns the step of which the last part has not come, and when it was begun; nil where
  /// there is none.
  func unfinishedStep() throws(StoreError) -> (key: Int64, time: Timestamp)? {
    let row = try database.statement("SELECT key, at FROM undo_steps WHERE is_dropped = ?1")
    row.bind(1, Stage.unfinished.rawValue)
    defer { row.reset() }
    return try row.step() ? (row.integer(0), Timestamp(seconds: row.integer(1))) : nil
  }

  /// Begins what holds series that wait for their part, and returns its key. Many of them would take up much memory.
  func beginWaiting(at now: Timestamp) throws(StoreError) -> Int64 {
    try insert(revision: 0, at: now, .waiting)
  }

  /// Keeps a series until its part comes.
  func keepWaiting(_ series: EventSeries, step: Int64) throws(StoreError) {
    let row = try database.statement(
      "INSERT INTO series_images (step, calendar, uid) VALUES (?1, ?2, ?3)")
    row.bind(1, step)
    row.bind(2, series.calendar.text)
    row.bind(3, series.uid.text)
    try row.run()
    let image = database.lastKey
    let component = try database.statement(parts: ComponentRow.insertImage)
    try ComponentRow.forEach(of: series) { (row) throws(StoreError) in
      component.bind(1, image)
      try row.run(component)
    }
  }

  /// Lets go of what waits, which is cleared away bit by bit.
  func dropWaiting() throws(StoreError) {
    let row = try database.statement(
      "UPDATE undo_steps SET is_dropped = ?2 WHERE is_dropped = ?1")
    row.bind(1, Stage.waiting.rawValue)
    row.bind(2, Stage.over.rawValue)
    try drop(row)
  }

  private func set(_ stage: Stage, of step: Int64) throws(StoreError) {
    let row = try database.statement("UPDATE undo_steps SET is_dropped = ?2 WHERE key = ?1")
    row.bind(1, step)
    row.bind(2, stage.rawValue)
    try row.run()
  }

  /// Forgets a step that keeps nothing any more.
  func delete(_ step: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM undo_steps WHERE key = ?1")
    row.bind(1, step)
    try row.run()
  }
}
