import CalendarModel
import CivilTime

/// What a table changes in the events that are there: the fields of its columns, where
/// they differ, and nothing else. So attendees and reminders, for which a table has no
/// columns, outlive a way through a spreadsheet.
struct ImportTable {
  private let table: EventTable
  private let zones: any Zones
  private let columns: Set<String>

  /// - Parameter columns: Those that the table has.
  init(columns: Set<String>, context: ZoneContext) {
    table = EventTable(zones: context)
    zones = context.zones
    self.columns = columns
  }

  /// Returns the series with what its rows say.
  func apply(_ incoming: EventSeries, to present: EventSeries) -> EventSeries {
    guard incoming.kind.isSame(as: present.kind) else { return incoming }
    func name(_ event: Event) -> String { event.recurrenceID.map(table.identifier) ?? "" }
    var rows = incoming.components
    func apply(_ event: Event) -> Event {
      guard let place = rows.firstIndex(where: { name($0) == name(event) }) else { return event }
      return merged(rows.remove(at: place), over: event)
    }
    let master = present.master.map(apply)
    let overrides = present.overrides.map(apply)
    let added = rows.first { $0.recurrenceID == nil }
    return EventSeries(
      calendar: present.calendar, master: master ?? added,
      overrides: overrides + rows.filter { $0.recurrenceID != nil }
    ).written(over: present, zones: zones)
  }

  private func merged(_ row: Event, over present: Event) -> Event {
    var event = present
    let (new, old) = (table.cells(row, calendar: ""), table.cells(present, calendar: ""))
    for (place, column) in EventTable.columns.enumerated()
    where columns.contains(column) && new[place] != old[place] {
      switch column {
      case "start", "end", "time-zone", "all-day":
        (event.start, event.end, event.anchor) = (row.start, row.end, row.anchor)
      case "summary": event.summary = row.summary
      case "location": event.location = row.location
      case "description": event.description = row.description
      case "url": event.url = row.url
      case "status":
        event.status = row.status
        if let toDo = row.toDo { event.setStatus(toDo.status) }
      case "busy": event.isBusy = row.isBusy
      case "class": event.classification = row.classification
      case "categories": event.categories = row.categories
      case "rrule": event.recurrence.rules = row.recurrence.rules
      default: break
      }
    }
    return event
  }
}

extension Event {
  /// Says how far a to-do has come, and leaves the rest that is known of it.
  fileprivate mutating func setStatus(_ status: ToDo.Status) {
    guard var toDo else { return }
    toDo.status = status
    kind = .toDo(toDo)
  }
}
