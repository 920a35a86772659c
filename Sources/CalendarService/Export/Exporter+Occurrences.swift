import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Tables

// Single occurrences, which are written without the rest of their event.

extension Exporter {
  /// Notes the zones that an occurrence alone needs.
  func note(_ occurrence: EventSeries, in calendar: Int) {
    guard request.format == .ics else { return }
    let lies = (try? occurrence.extent(zones: access.context.zones)) ?? .always
    forEachText(of: occurrence) {
      octets.chosen += $0.count
      writer.note($0, lying: lies, in: calendar)
    }
  }

  /// Writes some occurrences of an event, each alone.
  ///
  /// - Parameter isNoted: whether the zones that they need are known.
  func write(
    _ occurrences: [EventSeries], of one: Chosen, isNoted: Bool, _ output: inout [UInt8]
  ) {
    for series in occurrences {
      if request.format == .csv {
        let name = request.calendars[one.calendar].name
        if table.add(series, calendar: name, to: &output) { tally.count(series, in: table) }
        continue
      }
      if request.format == .json {
        writeRow(of: series, isOccurrence: true, &output)
        continue
      }
      let lies = isNoted ? nil : (try? series.extent(zones: access.context.zones)) ?? .always
      forEachText(of: series) {
        tally.count(component: $0)
        writer.add($0, lyingUnnoted: lies, to: &output)
      }
    }
  }

  /// Returns those of some occurrences that an event has.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`, or for an event whose times are invalid.
  func occurrences(
    _ ids: [RecurrenceID], of key: Int64, _ store: EventStore
  ) throws(CallError) -> [ChosenOccurrence] {
    let series = try translated { () throws(StoreError) in try store.answeredSeries(ofEvent: key) }
    guard let series else { return [] }
    var found: [ChosenOccurrence] = []
    for id in ids {
      do throws(ModelError) { found.append((id, try alone(id, of: series))) } catch .unknownEvent {
        continue
      } catch {
        throw CallError(error)
      }
    }
    return found
  }

  private func alone(
    _ id: RecurrenceID, of series: EventSeries
  ) throws(ModelError) -> EventSeries {
    try series.alone(at: id, context: access.context.zoneContext)
      .written(over: series, zones: access.context.zones)
  }

  /// Returns the chosen occurrences of a changed event as they are now, and notes those that it no
  /// longer has.
  func stillThere(
    _ chosen: [ChosenOccurrence], of key: Int64, _ store: EventStore
  ) throws(StoreError) -> [ChosenOccurrence] {
    guard let series = try store.answeredSeries(ofEvent: key) else { return [] }
    var found: [ChosenOccurrence] = []
    for (id, _) in chosen {
      do throws(ModelError) { found.append((id, try alone(id, of: series))) } catch {
        tally.noteGone(id, of: .init(series), error)
      }
    }
    return found
  }
}
