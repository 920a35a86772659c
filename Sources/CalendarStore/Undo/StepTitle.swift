package import CalendarModel
import CivilTime

/// What identifies a step to people: its first event, or the calendar that it changed.
package struct StepTitle: Equatable, Sendable {
  /// The summary of the event, or the name of the calendar; "" if it has none.
  package let title: String
  /// The event's DTSTART; nil for a calendar, and for a to-do without a time.
  package let start: EventTime?
  /// The calendar fields that the step changes or would redo, in the order of ``CalendarField``.
  ///
  /// Empty unless the step updates a calendar.
  package var changed: [CalendarField] = []
}

extension EventStore {
  /// Returns the title of a step; nil if nothing about it is known any more.
  ///
  /// An existing event has its present title, another one its last.
  ///
  /// - Complexity: a few steps in indexes.
  func title(of step: UndoRows.Step) throws(StoreError) -> StepTitle? {
    switch step.action {
    case .calendarAdd, .calendarUpdate, .calendarRemove: return try calendarTitle(of: step)
    case .add, .update, .remove, .move, .import, .restore: break
    }
    guard let name = try log.touched(by: step.revision, limit: 1).first else { return nil }
    let present = try database.statement(
      """
      SELECT summary, start, anchor FROM components WHERE series = (
        SELECT series.key FROM calendars JOIN series
        ON series.calendar = calendars.key AND series.uid = ?2 WHERE calendars.id = ?1)
      ORDER BY recurrence_id IS NOT NULL, key LIMIT 1
      """)
    present.bind(1, name.calendar.text)
    present.bind(2, name.uid.text)
    if let title = try title(present) { return title }
    let image = try database.statement(
      """
      SELECT summary, start, anchor FROM component_images WHERE image = (
        SELECT key FROM series_images WHERE step = ?1 AND calendar = ?2 AND uid = ?3 LIMIT 1)
      ORDER BY key LIMIT 1
      """)
    image.bind(1, step.key)
    image.bind(2, name.calendar.text)
    image.bind(3, name.uid.text)
    if let title = try title(image) { return title }
    if let title = try removedTitle(name.uid, from: name.calendar) { return title }
    // The event may have been moved since.
    let moved = try database.statement(
      """
      SELECT summary, start, anchor FROM components WHERE series = (
        SELECT series.key FROM calendars JOIN series
        ON series.calendar = calendars.key AND series.uid = ?1 LIMIT 1)
      ORDER BY recurrence_id IS NOT NULL, key LIMIT 1
      """)
    moved.bind(1, name.uid.text)
    if let title = try title(moved) { return title }
    return try removedTitle(name.uid, from: nil)
  }

  /// Returns the title of an event in the trash; nil if it is not there.
  ///
  /// - Parameter calendar: the calendar that it was in; nil for any.
  private func removedTitle(
    _ uid: EventUID, from calendar: CalendarID?
  ) throws(StoreError) -> StepTitle? {
    let row = try database.statement(
      """
      SELECT summary, start, anchor FROM component_images WHERE image = (
        SELECT max(key) FROM series_images
        WHERE uid = ?1 AND removed_on IS NOT NULL AND (?2 = '' OR calendar = ?2))
      ORDER BY key LIMIT 1
      """)
    row.bind(1, uid.text)
    row.bind(2, calendar?.text ?? "")
    return try title(row)
  }

  private func title(_ row: Statement) throws(StoreError) -> StepTitle? {
    defer { row.reset() }
    guard try row.step() else { return nil }
    // A start that cannot be decoded does not hide the step.
    let start = row.text(2) == "none" ? nil : try? EventTimeText.read(row.bytes(1))
    return StepTitle(title: row.text(0), start: start)
  }

  /// Returns the title of a step that changed a calendar.
  ///
  /// A step has images of two calendars if it also changed the default. The one that was added or
  /// removed is meant, otherwise the new default. An image has the state on the other side of the
  /// step.
  private func calendarTitle(of step: UndoRows.Step) throws(StoreError) -> StepTitle? {
    let row = try database.statement(
      """
      SELECT coalesce(calendars.name, CASE WHEN is_present THEN calendar_images.name END, (
        SELECT other.name FROM calendar_images AS other
        WHERE other.id = calendar_images.id AND other.is_present = 1
        ORDER BY other.key DESC LIMIT 1)), calendar_images.id
      FROM calendar_images LEFT JOIN calendars ON calendars.id = calendar_images.id
      WHERE step = ?1
      ORDER BY is_present, calendar_images.is_default = ?2 DESC, calendar_images.key LIMIT 1
      """)
    row.bind(1, step.key)
    row.bind(2, (step.action == .calendarRemove) != step.isUndone)
    defer { row.reset() }
    guard try row.step() else { return nil }
    var title = StepTitle(title: row.text(0), start: nil)
    if step.action == .calendarUpdate {
      title.changed = try changedFields(of: CalendarID(row.text(1)), by: step)
    }
    return title
  }

  /// Returns the fields of a calendar that a step changed.
  ///
  /// One state is in the step's own image. The other is in the image of the next step that changed
  /// the calendar, undone ones among themselves, or else it is the present state.
  private func changedFields(
    of calendar: CalendarID, by step: UndoRows.Step
  ) throws(StoreError) -> [CalendarField] {
    func image(of key: Int64) throws(StoreError) -> CalendarInfo? {
      for case .present(let info) in try calendarRows.images(of: key) where info.id == calendar {
        return info
      }
      return nil
    }
    guard let there = try image(of: step.key) else { return [] }
    let row = try database.statement(
      """
      SELECT undo_steps.key FROM calendar_images
      JOIN undo_steps ON undo_steps.key = calendar_images.step
      WHERE calendar_images.id = ?1 AND undo_steps.is_dropped = 0 AND undo_steps.is_undone = ?2
        AND undo_steps.revision > ?3
      ORDER BY undo_steps.revision LIMIT 1
      """)
    row.bind(1, calendar.text)
    row.bind(2, step.isUndone)
    row.bind(3, Int64(step.revision))
    let next = try row.step() ? row.integer(0) : nil
    row.reset()
    let here = if let next { try image(of: next) } else { calendarRows[calendar]?.info }
    return here.map { there.fields(otherIn: $0) } ?? []
  }
}
