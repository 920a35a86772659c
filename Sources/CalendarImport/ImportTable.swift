package import CalendarModel
package import CivilTime
import ICalendar
package import Messages
import Recurrence
package import Tables

/// Applies a table to present events: only fields of its columns, and only where they differ.
///
/// Attendees and reminders, for which a table has no columns, thus survive a round trip through a
/// spreadsheet.
///
/// A new start or rule of a series edits all its occurrences: excluded dates and overrides follow
/// as in any other edit.
package struct ImportTable {
  /// Why a row cannot be applied.
  package struct Refusal: Error {
    package let reason: UserText

    fileprivate init(_ reason: UserText) { self.reason = reason }
  }

  private let table: EventTable
  private let context: ZoneContext
  private let now: Timestamp
  private let ownAddresses: [String]
  private let shape: TableShape
  private var columns: Set<String> { shape.columns }

  /// Prepares to apply a table.
  ///
  /// - Parameters:
  ///   - now: becomes LAST-MODIFIED of events whose times change.
  ///   - ownAddresses: as for ``EditContext``.
  package init(
    _ shape: TableShape, context: ZoneContext, installed: any Zones, now: Timestamp,
    ownAddresses: [String]
  ) {
    table = EventTable(zones: context, installed: installed)
    self.context = context
    self.now = now
    self.ownAddresses = ownAddresses
    self.shape = shape
  }

  /// Whether the table says which calendar an event belongs to.
  package func namesCalendar(of uid: EventUID) -> Bool {
    columns.contains("calendar") && !shape.unplaced.contains(uid.text)
  }

  /// Returns the series with the values of its rows.
  ///
  /// - Throws: ``Refusal`` if its times or rules cannot be changed so, or if its kind would change
  ///   although the table has no column for that.
  package func apply(
    _ incoming: EventSeries, to present: EventSeries
  ) throws(Refusal) -> EventSeries {
    guard incoming.kind.isSame(as: present.kind) else {
      if columns.contains("kind") { return incoming }
      throw Refusal(
        UserText(
          """
          kind: the stored entry is of the kind {kind}; the rows of a table without the column \
          "kind" are events
          """, ["kind": present.kind.word]))
    }
    func name(_ event: Event) -> String { event.recurrenceID.map(table.identifier) ?? "" }
    var rows = Array(incoming.components)
    func row(of event: Event) -> Event? {
      rows.firstIndex { name($0) == name(event) }.map { rows.remove(at: $0) }
    }
    var overrides: [Event] = []
    for override in present.overrides {
      let row = row(of: override)
      overrides.append(
        try row.map { row throws(Refusal) in try merged(row, override) } ?? override)
    }
    guard let master = present.master else {
      return EventSeries(
        calendar: present.calendar, master: rows.first { $0.recurrenceID == nil },
        overrides: overrides + rows.filter { $0.recurrenceID != nil }
      ).written(over: present, zones: context.zones)
    }
    var (new, change) = (master, EventChange())
    var dates: (excluded: [EventTime]?, added: [AddedDate]?)?
    if let row = row(of: master) {
      let differing = differing(row, master)
      apply(row, to: &new, differing)
      if master.kind == .event {
        change = try times(of: row, over: master, differing)
        if differing.contains("rrule") { change.rules = row.recurrence.rules }
        if !differing.isDisjoint(with: ["exdate", "rdate"]) {
          dates = (
            differing.contains("exdate") ? row.recurrence.excluded : nil,
            differing.contains("rdate") ? row.recurrence.added : nil
          )
        }
      } else {
        new = try merged(row, master)
        if differing.contains("rrule") { new.recurrence.rules = row.recurrence.rules }
      }
    }
    overrides += rows.filter { $0.recurrenceID != nil }
    let series = EventSeries(
      calendar: present.calendar, master: new, overrides: overrides,
      countedEnds: new.recurrence == master.recurrence ? present.countedEnds : [])
    let moved = try edited(series, change)
    guard let dates, var last = moved.master else {
      return moved.written(over: present, zones: context.zones)
    }
    // The dates in a row are those of the edited series.
    last.recurrence.excluded = dates.excluded ?? last.recurrence.excluded
    last.recurrence.added = dates.added ?? last.recurrence.added
    return EventSeries(calendar: moved.calendar, master: last, overrides: moved.overrides)
      .written(over: present, zones: context.zones)
  }

  /// Returns the series with other times or rules.
  private func edited(
    _ series: EventSeries, _ change: EventChange
  ) throws(Refusal) -> EventSeries {
    guard change.start != nil || change.end != nil || change.rules != nil else { return series }
    let edited: EventSeries?
    do throws(ModelError) {
      edited = try series.editing(
        change, at: nil, scope: .all,
        context: EditContext(
          zones: context, now: now, newUID: series.uid, ownAddresses: ownAddresses)
      ).series
    } catch {
      throw Refusal(UserText(error))
    }
    guard let edited else {
      throw Refusal(UserText("no occurrence of \"{uid}\" would be left", ["uid": series.uid.text]))
    }
    return edited
  }

  // MARK: Columns

  /// Returns the columns in which a row differs from an event.
  private func differing(_ row: Event, _ present: Event) -> Set<String> {
    let (new, old) = (table.cells(row, calendar: ""), table.cells(present, calendar: ""))
    var differing: Set<String> = []
    for (place, column) in EventTable.columns.enumerated()
    where columns.contains(column) && new[place] != old[place] {
      differing.insert(column)
    }
    // All names of UTC are equal.
    if isUTC(row.start), isUTC(present.start) { differing.remove("time-zone") }
    return differing
  }

  private func isUTC(_ time: EventTime) -> Bool { time.zoneName.map(isNameOfUTC) ?? false }

  /// Returns an override with all values of its row, except rules.
  private func merged(_ row: Event, _ present: Event) throws(Refusal) -> Event {
    let differing = differing(row, present)
    var event = present
    apply(row, to: &event, differing)
    guard event.kind == .event else {
      placeDue(row, in: &event, differing)
      return event
    }
    let change = try times(of: row, over: present, differing)
    if let start = change.start {
      do throws(CivilTimeError) {
        event.end = try event.end.moved(from: event.start, to: start, context: context)
      } catch {
        throw Refusal(UserText(ModelError.time(error)))
      }
      event.start = start
    }
    if let end = change.end { event.end = end }
    return event
  }

  private func apply(_ row: Event, to event: inout Event, _ differing: Set<String>) {
    for column in differing {
      switch column {
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
      default: break
      }
    }
  }

  // MARK: Times

  /// Returns the new start and end of an event, as far as they differ.
  ///
  /// Without a column "end" it keeps its duration. If the end only follows the start, it keeps its
  /// form.
  private func times(
    of row: Event, over present: Event, _ differing: Set<String>
  ) throws(Refusal) -> EventChange {
    var change = EventChange()
    let isMoved = differing.contains("start") || differing.contains("time-zone")
    if isMoved { change.start = placed(row.start, as: present.start) }
    guard columns.contains("end"), isMoved || differing.contains("end") else { return change }
    let end: EventEnd =
      if case .time(let time) = row.end { .time(placed(time, as: present.start)) } else { row.end }
    var (told, kept) = (present, present)
    (told.start, told.end) = (change.start ?? present.start, end)
    kept.start = told.start
    do throws(CivilTimeError) {
      kept.end = try present.end.moved(from: present.start, to: kept.start, context: context)
    } catch {
      throw Refusal(UserText(ModelError.time(error)))
    }
    let place = EventTable.columns.firstIndex(of: "end") ?? 0
    let isKept = table.cells(told, calendar: "")[place] == table.cells(kept, calendar: "")[place]
    if !isKept { change.end = end }
    return change
  }

  /// Returns a time of a row; without a column for the zone it takes the event's, and UTC its name.
  private func placed(_ time: EventTime, as present: EventTime) -> EventTime {
    if isUTC(time), isUTC(present) { return present.withReading(time.reading) }
    guard !columns.contains("time-zone"), !present.isDate, case .floating(let reading) = time
    else { return time }
    return present.withReading(reading)
  }

  /// Sets the start and due date of a to-do; without a column "end" the due date stays.
  ///
  /// Each may be missing.
  private func placeDue(_ row: Event, in event: inout Event, _ differing: Set<String>) {
    guard !differing.isDisjoint(with: ["start", "end", "time-zone"]) else { return }
    func parts(_ event: Event) -> (start: EventTime?, due: EventEnd) {
      switch event.anchor {
      case .start, .recurrenceID: (event.start, event.end)
      case .due: (nil, .time(event.start))
      case .none: (nil, .none)
      }
    }
    let (old, new) = (parts(event), parts(row))
    let clock = old.start ?? event.start
    let hasClock = event.anchor != .none
    var (start, due) = (old.start, old.due)
    if differing.contains("start") || differing.contains("time-zone") {
      start = new.start.map { hasClock ? placed($0, as: clock) : $0 }
    }
    if columns.contains("end") {
      due =
        if case .time(let time) = new.due { .time(hasClock ? placed(time, as: clock) : time) } else
        {
          new.due
        }
    }
    switch (start, due) {
    case (let start?, _): (event.anchor, event.start, event.end) = (.start, start, due)
    case (nil, .time(let time)): (event.anchor, event.start, event.end) = (.due, time, .none)
    case (nil, _): (event.anchor, event.start, event.end) = (.none, Event.noStart, .none)
    }
  }
}

extension Event {
  /// Sets the status of a to-do, and keeps its other properties.
  fileprivate mutating func setStatus(_ status: ToDo.Status) {
    guard var toDo else { return }
    toDo.status = status
    kind = .toDo(toDo)
  }
}
