package import CalendarModel
import CivilTime

/// What people know a step of the history by: its first event, or the calendar that it
/// made, changed or removed.
package struct StepTitle: Equatable, Sendable {
  /// The summary of the event, or the name of the calendar; "" where it has none.
  package let title: String
  /// The event's DTSTART; nil for a calendar, and for a to-do that has none.
  package let start: EventTime?
  /// What the step changes in the calendar, or would change if it was redone, in the order of
  /// ``CalendarField``; empty for all that is no change of one.
  package var changed: [CalendarField] = []
}

extension EventStore {
  /// Returns what a step is known by; nil where nothing of it is known any more.
  ///
  /// An event is told as it is, one that is not there as it was last.
  ///
  /// - Complexity: some steps in indexes.
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
    // It may have been moved since.
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

  /// What is known of an event in the trash, where there is one.
  ///
  /// - Parameter calendar: which it was in; nil for any.
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
    // What cannot be read is no reason not to list the step.
    let start = row.text(2) == "none" ? nil : try? EventTimeText.read(row.bytes(1))
    return StepTitle(title: row.text(0), start: start)
  }

  /// A step has two calendars where another became the default with it. Meant is the one that
  /// was added or removed, else the one that became it: an image has how they were on the other
  /// side of the step.
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

  /// Returns what differs between the two sides of a step in one of its calendars.
  ///
  /// On the one it is as the step's image has it, on the other as that of the step which comes next does: the next one
  /// that was made, or, of those taken back, the one that was undone next, which is redone first. Where none
  /// has touched the calendar it is there as it is now.
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
