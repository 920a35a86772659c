package import CalendarModel
package import CivilTime

/// An event in the trash.
package struct RemovedEvent: Equatable, Sendable {
  package let uid: EventUID
  /// Where it was; that calendar may be gone.
  package let calendar: CalendarID
  package let summary: String
  /// Its DTSTART.
  package let start: EventTime
  package let removed: Timestamp
  let image: Int64
}

// The trash is the images of what was removed in the last 30 days and is in no
// calendar now. So an event that moved to another calendar is not in it, one that
// came back has left it, and one whose return was taken back is in it again.

extension EventStore {
  /// Returns the events that were removed within 30 days and can be restored, those
  /// removed last first, each as it was then. One calendar's removal brings all of
  /// its events.
  package func trash(limit: Int, now: Timestamp) throws(StoreError) -> [RemovedEvent] {
    let row = try database.statement(
      """
      SELECT max(i.key) AS image, i.calendar, i.uid, i.removed_at, c.summary, c.start
      FROM series_images AS i
      JOIN component_images AS c
        ON c.key = (SELECT min(key) FROM component_images WHERE image = i.key)
      WHERE i.removed_at >= ?1 AND NOT EXISTS (
        SELECT 1 FROM series
        WHERE series.calendar IN (SELECT key FROM calendars) AND series.uid = i.uid)
      GROUP BY i.uid ORDER BY i.removed_at DESC, image DESC LIMIT ?2
      """)
    row.bind(1, oldestInTrash(now))
    row.bind(2, Int64(limit))
    return try removedEvents(row)
  }

  /// Returns the latest event of that uid in the trash, or which is in it but for
  /// being in a calendar again; nil if there is none.
  package func removedEvent(_ uid: EventUID, now: Timestamp) throws(StoreError) -> RemovedEvent? {
    let row = try database.statement(
      """
      SELECT i.key, i.calendar, i.uid, i.removed_at, c.summary, c.start
      FROM series_images AS i
      JOIN component_images AS c ON c.image = i.key
      WHERE i.removed_at >= ?1 AND i.uid = ?2 ORDER BY i.key DESC, c.key LIMIT 1
      """)
    row.bind(1, oldestInTrash(now))
    row.bind(2, uid.text)
    return try removedEvents(row).first
  }

  /// Puts an event of the trash back as it was when it was removed; a change of the
  /// user's like any other. What would have rung while it was away is past; what was
  /// pending when it went is pending again, if it is back in its calendar.
  ///
  /// - Parameter calendar: where it goes; the caller sees to it that it can be
  ///   written.
  /// - Throws: ``UndoError/presentAgain(_:_:)`` where a calendar has the uid.
  package func restore(
    _ event: RemovedEvent, to calendar: CalendarID, now: Timestamp
  ) throws(UndoError) -> ChangeSet {
    try change(origin: .local, now: now, wrapping: UndoError.store) { change throws(UndoError) in
      let present = try asUndoError { () throws(StoreError) in
        try change.series(event.uid, in: nil)
      }
      if let present { throw .presentAgain(event.uid, present.calendar) }
      change.action = .restore
      try asUndoError { () throws(StoreError) in
        try change.restore(
          event.image, SeriesName(calendar: calendar, uid: event.uid), changedAt: event.removed)
      }
    }.1
  }

  private func oldestInTrash(_ now: Timestamp) -> Int64 {
    now.adding(seconds: -UndoRows.trashSeconds).seconds
  }

  private func removedEvents(_ row: Statement) throws(StoreError) -> [RemovedEvent] {
    defer { row.reset() }
    var events: [RemovedEvent] = []
    while try row.step() {
      let start: EventTime
      do { start = try EventTimeText.read(row.bytes(5)) } catch {
        throw .corrupt(
          path: database.path, detail: "\(error.what) of the removed event \(row.text(2))")
      }
      events.append(
        RemovedEvent(
          uid: EventUID(row.text(2)), calendar: CalendarID(row.text(1)), summary: row.text(4),
          start: start, removed: Timestamp(seconds: row.integer(3)), image: row.integer(0)))
    }
    return events
  }
}
