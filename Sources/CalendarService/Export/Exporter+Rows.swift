import CalendarBus
import CalendarModel
import CivilTime
import ICalendar
import JSON

// JSON: an array of what Get, Todos and Kept answer of each event, to-do and so on, one line each.

extension Exporter {
  func beginRows(_ part: Int, _ output: inout [UInt8]) {
    if part == 0 { output.append(UInt8(ascii: "[")) }
  }

  /// - Parameter isOccurrence: whether it is one occurrence of a series, alone.
  func writeRow(of series: EventSeries, isOccurrence: Bool = false, _ output: inout [UInt8]) {
    output.append(contentsOf: (isFirstRow ? "\n" : ",\n").utf8)
    isFirstRow = false
    let row = row(of: series, isOccurrence) ?? Exporter.name(of: series)
    output.append(contentsOf: JSONWriter.octets(of: row.value.json))
    tally.count(series)
  }

  /// Returns the row of an event, a to-do or another entry; nil if its zone is not installed.
  private func row(of series: EventSeries, _ isOccurrence: Bool) -> Row? {
    let (zones, now) = (access.context.zoneContext, access.context.clock.now)
    switch series.kind {
    case .event:
      let one = isOccurrence ? try? series.occurrences(in: .always, context: zones, limit: 1) : []
      return try? access.agenda.reader().row(
        of: series, at: one?.first?.recurrenceID, now: now)
    case .toDo:
      guard let item = (try? series.toDo(at: now, context: zones)) ?? nil else { return nil }
      return Row(item, parent: parentUID(inComponent: series.components[0].component))
    case .journal, .freeBusy, .other: return Row(kept: series, zones: zones)
    }
  }

  /// The row of an event without a time.
  private static func name(of series: EventSeries) -> Row {
    var row = Row()
    row.set(.uid, series.uid.text)
    row.set(.calendar, series.calendar.text)
    row.setUnlessEmpty(.summary, series.components[0].summary)
    return row
  }
}
