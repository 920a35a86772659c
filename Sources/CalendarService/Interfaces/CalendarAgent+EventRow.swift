import CalendarBus
import CalendarModel
import CivilTime
import DBus

extension CalendarAgent {
  /// The answer of Get.
  func eventRow(
    _ series: EventSeries, at id: RecurrenceID?, _ reader: AgendaReader
  ) throws(CallError) -> Row {
    let found: (Occurrence, Event)?
    var exceptions: [Occurrence] = []
    do throws(CivilTimeError) {
      if let id {
        found = try series.occurrence(id, context: reader.zones).map { ($0, $0.event) }
      } else {
        found = try firstOccurrence(of: series, reader.zones)
        // A date that it has or lacks may be in a zone that is gone: the event itself is there all the same.
        exceptions =
          (try? series.changedOccurrences(after: clock.now, context: reader.zones)) ?? []
      }
    } catch {
      throw CallError(.invalidTime, "the event \"\(series.uid)\" cannot be placed: \(error)")
    }
    guard let (occurrence, event) = found else {
      throw CallError(
        ModelError.unknownEvent(uid: series.uid, recurrenceID: id?.text ?? ""))
    }
    return Row(
      occurrence, details: event, exceptions: exceptions, colors: reader.colors,
      ownAddresses: reader.ownAddresses)
  }

  /// The occurrence that DTSTART has, with the master's own fields; of a series
  /// without a master the first override.
  private func firstOccurrence(
    of series: EventSeries, _ zones: ZoneContext
  ) throws(CivilTimeError) -> (Occurrence, Event)? {
    guard var event = series.master else {
      return try series.occurrences(in: .always, context: zones, limit: 1).first
        .map { ($0, $0.event) }
    }
    let master = event
    event.recurrence = RecurrencePattern()
    let alone = EventSeries(
      calendar: series.calendar, master: event, revision: series.revision)
    return try alone.occurrence(nil, context: zones).map { ($0, master) }
  }
}
