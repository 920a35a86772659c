package import CalendarModel
package import CivilTime
import Recurrence

/// Writes events as CSV for spreadsheets: a header line, then one line for each event and override.
///
/// Not included is what a cell cannot hold: attendees, reminders, the duration of an RDATE period,
/// and properties that the model does not know. Categories are joined by a comma and a space, so a
/// category that contains these comes back as two.
///
/// Source: RFC 4180 section 2.
package struct EventTable {
  private let zones: ZoneContext
  /// The zones that every program knows.
  private let installed: any Zones

  /// - Parameters:
  ///   - zones: All zones, including those that came with files.
  ///   - installed: The installed zones only.
  package init(zones: ZoneContext, installed: any Zones) {
    self.zones = zones
    self.installed = installed
  }

  /// The names of the columns: the keys of the bus where it has the same fields.
  package static let columns = [
    "calendar", "kind", "uid", "recurrence-id", "start", "end", "all-day", "time-zone", "summary",
    "location", "description", "url", "status", "busy", "class", "categories", "rrule", "exdate",
    "rdate",
  ]

  /// Writes the header line.
  package static func begin(_ output: inout [UInt8]) {
    endLine(columns, to: &output)
  }

  /// Writes the lines of a series, the master first; false for a component of an unknown kind.
  ///
  /// - Parameter calendar: The name of its calendar.
  package func add(_ series: EventSeries, calendar: String, to output: inout [UInt8]) -> Bool {
    if series.kind == .other { return false }
    for event in series.components {
      EventTable.endLine(cells(event, calendar: calendar), to: &output)
    }
    return true
  }

  /// Returns the cells of an event, in the order of ``columns``.
  package func cells(_ event: Event, calendar: String) -> [String] {
    let event = portable(event)
    // The model has the DUE of a to-do without DTSTART as its start.
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

  /// "2026-11-21", or "2026-11-21 09:30:00" on the event's clock.
  private static func text(_ time: EventTime) -> String {
    time.isDate ? time.reading.date.description : text(time.reading)
  }

  private static func text(_ reading: CivilDateTime) -> String {
    "\(reading.date) \(reading.time)"
  }

  /// Returns an instant on a clock, such as "2026-10-25 02:30:00+01:00".
  ///
  /// The offset is only added to the second of two equal readings.
  private static func text(_ instant: Timestamp, _ zone: ZoneRules) -> String {
    let reading = zone.reading(at: instant)
    let isFirst = zone.instant(of: reading) == instant
    return text(reading) + (isFirst ? "" : zone.offset(at: instant).description)
  }

  /// Returns a time on the clock of the start; unchanged if its zone is not installed.
  private func text(_ time: EventTime, onClockOf start: EventTime) -> String {
    guard !time.isDate, !start.isDate, time.zoneName != start.zoneName,
      let instant = try? time.instant(in: zones), let zone = try? start.zoneRules(in: zones)
    else { return EventTable.text(time) }
    return EventTable.text(instant, zone)
  }

  /// Returns the end on the clock of the start, for all-day events the day after the last.
  ///
  /// "" if its zone is not installed.
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

  /// Returns the name of a zone that only came with a file; nil for any other.
  package func ownZone(of event: Event) -> String? {
    guard case .zoned(_, let name) = event.start, (try? installed.rules(named: name)) == nil,
      (try? zones.zones.rules(named: name)) != nil
    else { return nil }
    return name
  }

  /// Whether an event is written in UTC because only its file knows its zone.
  ///
  /// Recurring events are not: in UTC their times would be wrong after a change of the offset.
  package func isInUTC(_ event: Event) -> Bool {
    !event.recurrence.isRecurring && event.recurrenceID == nil && ownZone(of: event) != nil
  }

  /// Returns the event in UTC if it must be written so.
  private func portable(_ event: Event) -> Event {
    guard isInUTC(event), let start = try? event.start.instant(in: zones) else { return event }
    var portable = event
    portable.start = .utc(start)
    if case .duration(let length) = event.end, let zone = try? event.start.zoneRules(in: zones) {
      portable.end = .time(.utc(zone.adding(length, to: start)))
    }
    return portable
  }

  /// Returns the occurrence of an override as on the bus; "" if its zone is not installed.
  package func identifier(_ time: EventTime) -> String {
    switch time {
    case .date(let date): date.basicText
    case .floating(let reading): reading.basicText
    case .utc(let instant): instant.basicText
    case .zoned: (try? time.instant(in: zones))?.basicText ?? ""
    }
  }

  /// Protects text that a spreadsheet would run as a formula, by an apostrophe before it.
  ///
  /// Such a formula could send other cells away.
  private static func harmless(_ text: String) -> String {
    // If the text has an apostrophe of its own, it gets another; reading removes one.
    isLikeFormula(text[...]) ? "'" + text : text
  }

  /// Whether a spreadsheet would take a text for a formula, apart from apostrophes before it.
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
  /// The words of the column "kind" and their components.
  package static let kinds = [
    (word: Event.Kind.event.word, component: "VEVENT"),
    (word: Event.Kind.toDo(ToDo()).word, component: "VTODO"),
    (word: Event.Kind.journal.word, component: "VJOURNAL"),
    (word: Event.Kind.freeBusy.word, component: "VFREEBUSY"),
  ]
}
