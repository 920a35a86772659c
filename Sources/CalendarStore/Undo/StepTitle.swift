package import CalendarModel
import CivilTime

/// What identifies a step to people: its first event, or the calendar that it changed.
///
/// An event is named as it was before the step, or after it if the step added it: later changes do
/// not rename the steps before them.
package struct StepTitle: Equatable, Sendable {
  /// The summary of the event, or the name of the calendar; "" if it has none.
  package let title: String
  /// The event's DTSTART, or the start of the only occurrence that the step changed.
  ///
  /// nil for a calendar, and for a to-do without a time.
  package let start: EventTime?
  /// The calendar fields that the step changes or would redo, in the order of ``CalendarField``.
  ///
  /// Empty unless the step updates a calendar.
  package var changed: [CalendarField] = []
}

extension EventStore {
  /// Returns the title of a step; nil if nothing about it is known any more.
  ///
  /// - Complexity: a few steps in indexes. Of a recurring series that it changed, both states are
  ///   read.
  func title(of step: UndoRows.Step) throws(StoreError) -> StepTitle? {
    switch step.action {
    case .calendarAdd, .calendarUpdate, .calendarRemove: return try calendarTitle(of: step)
    case .add, .update, .remove, .move, .import, .restore: break
    }
    guard let name = try log.touched(by: step.revision, limit: 1).first else { return nil }
    let there = try image(of: step.key, name).map(StepState.image)
    let here = try stateHere(of: step, name)
    let isBefore = [.update, .remove, .move].contains(step.action)
    let (wanted, other) = isBefore == step.isUndone ? (here, there) : (there, here)
    if let title = try occurrenceTitle(wanted, other) { return title }
    for state in [wanted, there, here].compactMap(\.self) {
      if let title = try title(of: state) { return title }
    }
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

  // MARK: The states on both sides of a step

  /// A state of a series, by its key.
  private enum StepState {
    case image(Int64)
    case present(Int64)
  }

  private func image(of step: Int64, _ name: SeriesName) throws(StoreError) -> Int64? {
    let row = try database.statement(
      "SELECT key FROM series_images WHERE step = ?1 AND calendar = ?2 AND uid = ?3 LIMIT 1")
    row.bind(1, step)
    row.bind(2, name.calendar.text)
    row.bind(3, name.uid.text)
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Returns the state that the image of a step is not: after a step, or before an undone one.
  ///
  /// It is in the image of the next step that changed the series, undone ones among themselves, or
  /// else it is the present state. nil if the series was not there.
  private func stateHere(
    of step: UndoRows.Step, _ name: SeriesName
  ) throws(StoreError) -> StepState? {
    let row = try database.statement(
      """
      SELECT key FROM undo_steps
      WHERE is_dropped = 0 AND is_undone = ?1 AND revision > ?2 AND EXISTS (
        SELECT 1 FROM changes WHERE changes.revision = undo_steps.revision
          AND changes.calendar = ?3 AND changes.uid = ?4)
      ORDER BY revision LIMIT 1
      """)
    row.bind(1, step.isUndone)
    row.bind(2, Int64(step.revision))
    row.bind(3, name.calendar.text)
    row.bind(4, name.uid.text)
    let next = try row.step() ? row.integer(0) : nil
    row.reset()
    if let next { return try image(of: next, name).map(StepState.image) }
    guard let calendar = calendarRows[name.calendar] else { return nil }
    return try seriesRows.find(name.uid, in: calendar.key).map { .present($0.key) }
  }

  private func title(of state: StepState) throws(StoreError) -> StepTitle? {
    let row: Statement
    switch state {
    case .image(let key):
      row = try database.statement(
        """
        SELECT summary, start, anchor FROM component_images WHERE image = ?1 ORDER BY key LIMIT 1
        """)
      row.bind(1, key)
    case .present(let key):
      row = try database.statement(
        """
        SELECT summary, start, anchor FROM components WHERE series = ?1
        ORDER BY recurrence_id IS NOT NULL, key LIMIT 1
        """)
      row.bind(1, key)
    }
    return try title(row)
  }

  /// Returns the title of the only occurrence in which two states differ, as it is in the first.
  private func occurrenceTitle(
    _ state: StepState?, _ other: StepState?
  ) throws(StoreError) -> StepTitle? {
    guard let state, let other, let series = try recurringSeries(state),
      let former = try recurringSeries(other),
      let occurrence = series.onlyDifference(from: former)
    else { return nil }
    return StepTitle(title: occurrence.summary, start: occurrence.start)
  }

  /// Returns a series in one of its states; nil if it does not recur.
  private func recurringSeries(_ state: StepState) throws(StoreError) -> EventSeries? {
    switch state {
    case .image(let key):
      guard let image = try undoRows.image(key), try undoRows.isRecurring(image) else {
        return nil
      }
      return try seriesRows.series(of: image)
    case .present(let key):
      return try seriesRows.isRecurring(key) ? seriesRows.series(key) : nil
    }
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
