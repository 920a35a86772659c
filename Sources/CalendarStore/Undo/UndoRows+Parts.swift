import CalendarModel
import CivilTime

/// Steps that are made in batches.
extension UndoRows {
  /// The meaning of `undo_steps.is_dropped`.
  enum Stage: Int64 {
    /// It can be undone or redone. Some SQL statements contain this number.
    case whole = 0
    /// It was dropped, and its images are being deleted.
    case over = 1
    /// Its last batch is not written yet; see ``StagedChange``.
    case unfinished = 2
    /// It is no step, but holds series that wait for their batch.
    case waiting = 3
  }

  /// Begins a step that is made in batches, and returns its key.
  ///
  /// It is hidden until ``show(_:)``; undone steps can be redone until then.
  func beginParts(revision: UInt64, at now: Timestamp) throws(StoreError) -> Int64 {
    try insert(revision: revision, at: now, .unfinished)
  }

  /// Shows a step after its last batch.
  func show(_ step: Int64) throws(StoreError) {
    try dropUndone()
    try set(.whole, of: step)
  }

  /// Returns the step without its last batch, and when it was begun; nil if there is none.
  func unfinishedStep() throws(StoreError) -> (key: Int64, time: Timestamp)? {
    let row = try database.statement("SELECT key, at FROM undo_steps WHERE is_dropped = ?1")
    row.bind(1, Stage.unfinished.rawValue)
    defer { row.reset() }
    return try row.step() ? (row.integer(0), Timestamp(seconds: row.integer(1))) : nil
  }

  /// Begins to hold series that wait for their batch, to save memory, and returns the step's key.
  func beginWaiting(at now: Timestamp) throws(StoreError) -> Int64 {
    try insert(revision: 0, at: now, .waiting)
  }

  /// Stores a series until its batch.
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

  /// Drops the series that wait; they are deleted in batches later.
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

  /// Deletes a step that has no images any more.
  func delete(_ step: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM undo_steps WHERE key = ?1")
    row.bind(1, step)
    try row.run()
  }
}
