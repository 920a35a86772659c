import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Platform

extension AgendaReader {
  /// Returns the row that Get answers with, of an event or one of its occurrences.
  ///
  /// - Throws: ``CallError`` of the kinds `invalidTime` if its zone is not installed, and
  ///   `notFound` if it has no such occurrence.
  func row(
    of series: EventSeries, at id: RecurrenceID?, now: Timestamp
  ) throws(CallError) -> Row {
    let found: (Occurrence, Event)?
    var exceptions: [Occurrence] = []
    do throws(CivilTimeError) {
      if let id {
        found = try series.occurrence(id, context: zones).map { ($0, $0.event) }
      } else {
        found = try firstOccurrence(of: series)
        // The event itself is readable even if the zone of an override is not installed.
        exceptions =
          (try? series.changedOccurrences(after: now, context: zones)) ?? []
      }
    } catch {
      throw CallError(
        .invalidTime,
        localized(
          "the event \"{id}\" has no valid time: {reason}",
          ["id": series.uid.text, "reason": error.text]))
    }
    guard let (occurrence, event) = found else {
      throw CallError(
        ModelError.unknownEvent(uid: series.uid, recurrenceID: id?.text ?? ""))
    }
    return Row(
      occurrence, details: event, exceptions: exceptions, colors: colors,
      ownAddresses: ownAddresses)
  }

  /// Returns the occurrence at DTSTART with the master's own fields, or else the first override.
  private func firstOccurrence(
    of series: EventSeries
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
