import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Platform

extension AgendaReader {
  /// Returns what Get answers of an event, or of one occurrence of it.
  ///
  /// - Throws: ``CallError`` of the kinds `invalidTime`, where its zone is not installed, and `notFound`, where it
  ///   has no such occurrence.
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
        // An override may be in a zone that is not installed: the event itself is readable all the
        // same.
        exceptions =
          (try? series.changedOccurrences(after: now, context: zones)) ?? []
      }
    } catch {
      throw CallError(
        .invalidTime,
        localized(
          "the event \"{id}\" has no valid time: {reason}",
          ["id": series.uid.text, "reason": "\(error)"]))
    }
    guard let (occurrence, event) = found else {
      throw CallError(
        ModelError.unknownEvent(uid: series.uid, recurrenceID: id?.text ?? ""))
    }
    return Row(
      occurrence, details: event, exceptions: exceptions, colors: colors,
      ownAddresses: ownAddresses)
  }

  /// The occurrence that DTSTART has, with the master's own fields; of a series
  /// without a master the first override.
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
