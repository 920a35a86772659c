package import CalendarModel
package import CivilTime

/// An event in the trash.
package struct RemovedEvent: Equatable, Sendable {
  package let uid: EventUID
  /// The calendar that it was in, which may be gone.
  package let calendar: CalendarID
  package let summary: String
  /// Its DTSTART.
  package let start: EventTime
  package let removed: Timestamp
  /// Its position in the list.
  package let place: TrashPlace

  var image: Int64 { place.image }

  package var removedImage: RemovedImage { RemovedImage(key: image, removed: removed) }
}

/// A reference to an event in the trash, without its content.
package struct RemovedImage: Equatable, Sendable {
  let key: Int64
  package let removed: Timestamp
}

/// A position in the list of the trash, from which the next page continues.
///
/// It stays valid when events enter or leave the trash.
package struct TrashPlace: Hashable, Sendable {
  /// The ``RetentionClock`` time at which the event before it was removed.
  package let passed: Int64
  package let image: Int64

  package init(passed: Int64, image: Int64) {
    self.passed = passed
    self.image = image
  }
}

// The trash consists of the images of events that were removed within 30 days and are not in their
// calendar now. A moved event was not removed; a restored one has left the trash, and is in it
// again if that is undone. Two calendars may each have an event with the same uid.

extension EventStore {
  /// Returns the events in the trash, those removed last first, each as it was then.
  ///
  /// They were removed within 30 days of ``RetentionClock`` time. Removing a calendar adds all its
  /// events.
  ///
  /// - Parameter place: returns only those after it; nil for the first page.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: O(limit) steps in an index, and one for each restored event.
  package func trash(
    after place: TrashPlace? = nil, limit: Int
  ) throws(StoreError) -> [RemovedEvent] {
    let row = try database.statement(
      """
      SELECT i.key, i.calendar, i.uid, i.removed_at, c.summary, c.start, i.removed_on
      FROM series_images AS i INDEXED BY series_images_removed
      JOIN component_images AS c
        ON c.key = (SELECT min(key) FROM component_images WHERE image = i.key)
      WHERE i.removed_on >= ?1 AND i.removed_on <= ?3 AND (i.removed_on < ?3 OR i.key < ?4)
      AND NOT EXISTS (
        SELECT 1 FROM series JOIN calendars ON calendars.key = series.calendar
        WHERE calendars.id = i.calendar AND series.uid = i.uid)
      AND NOT EXISTS (
        SELECT 1 FROM series_images AS later
        WHERE later.uid = i.uid AND later.calendar = i.calendar AND later.removed_on IS NOT NULL
          AND later.key > i.key)
      ORDER BY i.removed_on DESC, i.key DESC LIMIT ?2
      """)
    row.bind(1, try oldestInTrash())
    row.bind(2, Int64(limit))
    row.bind(3, place?.passed ?? .max)
    row.bind(4, place?.image ?? .max)
    return try removedEvents(row)
  }

  /// Returns the event in the trash with a uid; nil if there is none.
  ///
  /// Of several it is the one removed last from a calendar that lacks the event now, else one that
  /// was restored.
  ///
  /// - Parameter calendar: the calendar that it was removed from; nil for any.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func removedEvent(
    _ uid: EventUID, from calendar: CalendarID? = nil
  ) throws(StoreError) -> RemovedEvent? {
    let row = try database.statement(
      """
      SELECT i.key, i.calendar, i.uid, i.removed_at, c.summary, c.start, i.removed_on
      FROM series_images AS i
      JOIN component_images AS c
        ON c.key = (SELECT min(key) FROM component_images WHERE image = i.key)
      WHERE i.uid = ?2 AND i.removed_on >= ?1 AND (?3 IS NULL OR i.calendar = ?3)
      ORDER BY EXISTS (
        SELECT 1 FROM series JOIN calendars ON calendars.key = series.calendar
        WHERE calendars.id = i.calendar AND series.uid = i.uid), i.key DESC
      LIMIT 1
      """)
    row.bind(1, try oldestInTrash())
    row.bind(2, uid.text)
    row.bind(3, calendar?.text)
    return try removedEvents(row).first
  }

  /// Returns everything that was removed within 30 days; nil if that is more than `limit`.
  ///
  /// It includes restored events, and is in the order of removal.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: one step in an index for each.
  package func removedImages(
    limit: Int
  ) throws(StoreError) -> [(name: SeriesName, removed: RemovedImage)]? {
    let row = try database.statement(
      """
      SELECT key, calendar, uid, removed_at FROM series_images INDEXED BY series_images_removed
      WHERE removed_on >= ?1 ORDER BY removed_on, key LIMIT ?2
      """)
    row.bind(1, try oldestInTrash())
    row.bind(2, Int64(limit) + 1)
    defer { row.reset() }
    var images: [(name: SeriesName, removed: RemovedImage)] = []
    while try row.step() {
      if images.count == limit { return nil }
      images.append(
        (
          SeriesName(calendar: CalendarID(row.text(1)), uid: EventUID(row.text(2))),
          RemovedImage(key: row.integer(0), removed: Timestamp(seconds: row.integer(3)))
        ))
    }
    return images
  }

  /// Whether anything was removed within 30 days, including restored events.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func hasTrash() throws(StoreError) -> Bool {
    let row = try database.statement(
      "SELECT 1 FROM series_images WHERE removed_on >= ?1 LIMIT 1")
    row.bind(1, try oldestInTrash())
    defer { row.reset() }
    return try row.step()
  }

  /// Returns an event in the trash as it was when removed; nil if it has left the trash.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func series(of event: RemovedEvent) throws(StoreError) -> EventSeries? {
    try series(of: event.removedImage)
  }

  /// Returns an event in the trash as it was when removed; nil if it has left the trash.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func series(of removed: RemovedImage) throws(StoreError) -> EventSeries? {
    try undoRows.image(removed.key).map { image throws(StoreError) in
      try seriesRows.series(of: image)
    }
  }

  /// Restores an event from the trash, as a change by the user.
  ///
  /// Reminders that fell due while it was away are delivered late, unless they are too old.
  /// Reminders that were pending when it was removed are pending again if it returns to its
  /// calendar.
  ///
  /// - Parameter calendar: the calendar to restore it to; the caller checks that it is writable.
  /// - Throws: ``UndoError/presentAgain(_:_:)`` if that calendar has the uid,
  ///   ``UndoError/notInTrash(_:)`` if the event has left the trash, or ``UndoError/store(_:)``.
  package func restore(
    _ event: RemovedEvent, to calendar: CalendarID, now: Timestamp
  ) throws(UndoError) -> ChangeSet {
    try change(origin: .local, now: now, wrapping: UndoError.store) { change throws(UndoError) in
      let (present, image) = try asUndoError { () throws(StoreError) in
        (try change.series(event.uid, in: calendar), try undoRows.image(event.image))
      }
      if present != nil { throw .presentAgain(event.uid, calendar) }
      guard let image else { throw .notInTrash(event.uid) }
      change.action = .restore
      try asUndoError { () throws(StoreError) in
        _ = try change.restore(
          image, as: SeriesName(calendar: calendar, uid: event.uid), content: change.revision,
          awaySince: event.removed)
      }
    }.1
  }

  /// Returns the calendar that an event was moved to when its reminders in another one ended.
  ///
  /// nil if it was removed, or if the log no longer has the move.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func destination(
    of uid: EventUID, from calendar: CalendarID
  ) throws(StoreError) -> CalendarID? {
    let row = try database.statement(
      """
      SELECT changes.calendar FROM reminders
      JOIN changes ON changes.revision = closed_by AND changes.uid = reminders.uid
      WHERE reminders.uid = ?1 AND reminders.calendar = ?2 AND state = 'closed'
        AND close_reason = 'event-removed' AND change = 'added' AND changes.calendar <> ?2
      ORDER BY closed_by DESC LIMIT 1
      """)
    row.bind(1, uid.text)
    row.bind(2, calendar.text)
    defer { row.reset() }
    return try row.step() ? CalendarID(row.text(0)) : nil
  }

  private func oldestInTrash() throws(StoreError) -> Int64 {
    try undoRows.passedTime.seconds() - UndoRows.trashSeconds
  }

  private func removedEvents(_ row: Statement) throws(StoreError) -> [RemovedEvent] {
    defer { row.reset() }
    var events: [RemovedEvent] = []
    while try row.step() {
      let start: EventTime
      do { start = try EventTimeText.read(row.bytes(5)) } catch {
        throw database.damaged("\(error.what) of the removed event \(row.text(2))")
      }
      events.append(
        RemovedEvent(
          uid: EventUID(row.text(2)), calendar: CalendarID(row.text(1)), summary: row.text(4),
          start: start, removed: Timestamp(seconds: row.integer(3)),
          place: TrashPlace(passed: row.integer(6), image: row.integer(0))))
    }
    return events
  }
}
