import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime

extension AgendaReader {
  /// Returns the to-dos of some calendars in the order of ``ToDoItem/precedes(_:_:)``.
  ///
  /// A to-do whose zone is not installed has no time.
  ///
  /// - Parameters:
  ///   - names: the calendars; nil means every visible one.
  ///   - includesClosed: whether to include completed and cancelled to-dos.
  func toDos(
    in names: Set<CalendarID>?, includesClosed: Bool, now: Timestamp
  ) throws(CallError) -> [ToDoItem] {
    let found = try translated { () throws(StoreError) in
      try store.toDos(calendars: names ?? visibleCalendars)
    }
    var items: [ToDoItem] = []
    for series in found {
      guard let item = toDo(series, now: now) else { continue }
      if includesClosed || !item.toDo.isClosed { items.append(item) }
    }
    items.sort(by: ToDoItem.precedes)
    return items
  }

  private func toDo(_ series: EventSeries, now: Timestamp) -> ToDoItem? {
    do throws(CivilTimeError) {
      return try series.toDo(at: now, context: zones)
    } catch {
      onBadSeries(series, error)
      return ToDoItem(
        calendar: series.calendar, event: series.components[0], occurrence: nil)
    }
  }
}
