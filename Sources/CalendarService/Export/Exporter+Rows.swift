import CalendarBus
import CalendarModel
import CivilTime
import ICalendar
import JSON

// JSON: an array of the rows that Get, Todos and Kept have of each event, to-do and so on, a line each.

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

  /// Nil for what cannot be placed, since its zone is not installed.
  private func row(of series: EventSeries, _ isOccurrence: Bool) -> Row? {
    let (zones, now) = (agent.zoneContext, agent.clock.now)
    switch series.kind {
    case .event:
      let one = isOccurrence ? try? series.occurrences(in: .always, context: zones, limit: 1) : []
      return try? agent.eventRow(series, at: one?.first?.recurrenceID, agent.reader())
    case .toDo:
      guard let item = (try? series.toDo(at: now, context: zones)) ?? nil else { return nil }
      return Row(item, parent: parentUID(inComponent: series.components[0].component))
    case .journal, .freeBusy, .other: return Row(kept: series, zones: zones)
    }
  }

  /// What an event is named by.
  private static func name(of series: EventSeries) -> Row {
    var row = Row()
    row.set(.uid, series.uid.text)
    row.set(.calendar, series.calendar.text)
    row.setUnlessEmpty(.summary, series.components[0].summary)
    return row
  }
}
