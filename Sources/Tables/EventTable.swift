package import CalendarModel
package import CivilTime
import Recurrence

/// Events as a table for spreadsheets: a line with the names of the columns, then one
/// for each event and for each occurrence that was changed by itself, CRLF at the end
/// of each.
///
/// It leaves out what a cell cannot hold: attendees, reminders, the length of an added date
/// that has one of its own, and what the model does not know. A category with a comma and a blank in it
/// comes back as two: they stand in one cell, with just these between them, so that people can read and change it.
///
/// Source: RFC 4180 section 2.
package struct EventTable {
  private let zones: ZoneContext
  /// The zones that everybody has.
  private let installed: any Zones

  /// - Parameters:
  ///   - zones: with those that came along with events.
  ///   - installed: without them.
  package init(zones: ZoneContext, installed: any Zones) {
    self.zones = zones
    self.installed = installed
  }

  /// The names of the columns, which are keys of the bus where it has the same.
  package static let columns = [
    "calendar", "kind", "uid", "recurrence-id", "start", "end", "all-day", "time-zone", "summary",
    "location", "description", "url", "status", "busy", "class", "categories", "rrule", "exdate",
    "rdate",
  ]

  /// Adds the line with the names.
  package static func begin(_ output: inout [UInt8]) {
    endLine(columns, to: &output)
  }

  /// Adds the lines of a series, the master first; false for a component that nobody knows,
  /// which has none.
  ///
  /// - Parameter calendar: The name of its calendar.
  package func add(_ series: EventSeries, calendar: String, to output: inout [UInt8]) -> Bool {
    // Nobody knows what would stand in the cells of such a thing.
    if series.kind == .other { return false }
    for event in series.components {
      EventTable.endLine(cells(event, calendar: calendar), to: &output)
    }
    return true
  }

  /// The cells of an event, in the order of ``columns``.
  package func cells(_ event: Event, calendar: String) -> [String] {
    let event = portable(event)
    // Of a to-do that has but a DUE, that is its start in the model.
    let hasStart = event.anchor != .none && event.anchor != .due
    let end = event.anchor == .due ? EventTable.text(event.start) : hasStart ? end(of: event) : ""
    return [
      EventTable.harmless(calendar), event.kind.word, EventTable.harmless(event.uid.text),
      event.recurrenceID.map(identifier) ?? "",
      hasStart ? EventTable.text(event.start) : "", end,
      event.start.isDate ? "true" : "false",
      event.anchor == .none ? "" : event.start.zoneName ?? "",
      EventTable.harmless(event.summary), EventTable.harmless(event.location),
      EventTable.harmless(event.description), EventTable.harmless(event.url),
      event.toDo?.status.rawValue ?? event.status.rawValue, event.isBusy ? "true" : "false",
      event.classification.rawValue,
      EventTable.harmless(event.categories.joined(separator: ", ")),
      event.recurrence.rules.map(\.text).joined(separator: "\n"),
      event.recurrence.excluded.map { text($0, onClockOf: event.start) }.joined(separator: "\n"),
      event.recurrence.added.map { text($0.start, onClockOf: event.start) }
        .joined(separator: "\n"),
    ]
  }

  /// "2026-11-21", or "2026-11-21 09:30:00" on the clock of the event.
  private static func text(_ time: EventTime) -> String {
    time.isDate ? time.reading.date.description : text(time.reading)
  }

  private static func text(_ reading: CivilDateTime) -> String {
    "\(reading.date) \(reading.time)"
  }

  /// An instant on a clock, with the offset where the clock shows the same twice and this is the
  /// second time: "2026-10-25 02:30:00+01:00".
  private static func text(_ instant: Timestamp, _ zone: ZoneRules) -> String {
    let reading = zone.reading(at: instant)
    let isFirst = zone.instant(of: reading) == instant
    return text(reading) + (isFirst ? "" : zone.offset(at: instant).description)
  }

  /// A time on the clock of another; as it stands where its zone is not installed.
  private func text(_ time: EventTime, onClockOf start: EventTime) -> String {
    guard !time.isDate, !start.isDate, time.zoneName != start.zoneName,
      let instant = try? time.instant(in: zones), let zone = try? start.zoneRules(in: zones)
    else { return EventTable.text(time) }
    return EventTable.text(instant, zone)
  }

  /// The end on the clock of the start, for days the day after the last; "" where its
  /// zone is not installed.
  private func end(of event: Event) -> String {
    let start = event.start
    do throws(CivilTimeError) {
      switch event.end {
      case .none:
        guard case .date(let day) = start else { return EventTable.text(start) }
        return event.kind == .event ? (day.adding(days: 1) ?? day).description : ""
      case .time(let time) where time.zoneName == start.zoneName: return EventTable.text(time)
      case .time(let time):
        return try EventTable.text(time.instant(in: zones), start.zoneRules(in: zones))
      case .duration(let length):
        if case .date(let day) = start {
          let days = length.days + Int((length.seconds + 86_399) / 86_400)
          return (day.adding(days: days) ?? day).description
        }
        let zone = try start.zoneRules(in: zones)
        return EventTable.text(zone.adding(length, to: try start.instant(in: zones)), zone)
      }
    } catch {
      return ""
    }
  }

  /// The name of a zone that came with a file, which nobody else knows; nil for any other.
  package func ownZone(of event: Event) -> String? {
    guard case .zoned(_, let name) = event.start, (try? installed.rules(named: name)) == nil,
      (try? zones.zones.rules(named: name)) != nil
    else { return nil }
    return name
  }

  /// Whether an event is written in UTC for having such a zone. What repeats is not: its times would be
  /// others where the zone changes.
  package func isInUTC(_ event: Event) -> Bool {
    !event.recurrence.isRecurring && event.recurrenceID == nil && ownZone(of: event) != nil
  }

  /// The event with the same instants in UTC, where it is written so.
  private func portable(_ event: Event) -> Event {
    guard isInUTC(event), let start = try? event.start.instant(in: zones) else { return event }
    var portable = event
    portable.start = .utc(start)
    if case .duration(let length) = event.end, let zone = try? event.start.zoneRules(in: zones) {
      portable.end = .time(.utc(zone.adding(length, to: start)))
    }
    return portable
  }

  /// Which occurrence an override stands for, as on the bus; "" where its zone is not
  /// installed.
  package func identifier(_ time: EventTime) -> String {
    switch time {
    case .date(let date): date.basicText
    case .floating(let reading): reading.basicText
    case .utc(let instant): instant.basicText
    case .zoned: (try? time.instant(in: zones))?.basicText ?? ""
    }
  }

  /// Text that a spreadsheet takes for text: what begins like a formula, which could
  /// send other cells away when it is opened, gets an apostrophe in front.
  private static func harmless(_ text: String) -> String {
    // An apostrophe of the text's own gets another, so that reading takes away but one.
    isLikeFormula(text[...]) ? "'" + text : text
  }

  /// Whether a spreadsheet would take a text for a formula; apostrophes before it do not
  /// count.
  static func isLikeFormula(_ text: Substring) -> Bool {
    switch text.utf8.first(where: { $0 != UInt8(ascii: "'") }) {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D:
      true
    default: false
    }
  }

  private static func endLine(_ cells: [String], to output: inout [UInt8]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      let needsQuotes = cell.utf8.contains {
        $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
      }
      guard needsQuotes else {
        output.append(contentsOf: cell.utf8)
        continue
      }
      output.append(UInt8(ascii: "\""))
      for octet in cell.utf8 {
        if octet == UInt8(ascii: "\"") { output.append(octet) }
        output.append(octet)
      }
      output.append(UInt8(ascii: "\""))
    }
    output.append(0x0D)
    output.append(0x0A)
  }
}

extension EventTable {
  /// The words of the column "kind", and the components that they stand for.
  package static let kinds = [
    (word: Event.Kind.event.word, component: "VEVENT"),
    (word: Event.Kind.toDo(ToDo()).word, component: "VTODO"),
    (word: Event.Kind.journal.word, component: "VJOURNAL"),
    (word: Event.Kind.freeBusy.word, component: "VFREEBUSY"),
  ]
}
