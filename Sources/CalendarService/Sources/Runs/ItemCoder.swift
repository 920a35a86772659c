import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Messages
import Platform
import Sync

/// Reads the text of an item into a series, and writes a series as the text of an item.
struct ItemCoder {
  let context: AgentContext

  /// - Throws: ``UnusableItem`` if the text is not iCalendar, or has no component that can be read.
  func read(_ text: String, into calendar: CalendarID) throws(UnusableItem) -> CalendarReading {
    let reading: CalendarReading
    do throws(CalendarTextError) {
      reading = try readCalendar(
        Array(text.utf8), calendar: calendar, zones: context.zones, local: context.localZone)
    } catch {
      throw UnusableItem(text: error.text)
    }
    guard reading.series.count == 1, reading.skipped == 0 else {
      throw UnusableItem(
        text: reading.problems.first { $0.severity == .refused }?.message
          ?? UserText("it must have one event, and has {count}", ["count": reading.series.count]))
    }
    return reading
  }

  /// Returns a series as a server stores it: with the VTIMEZONE of each zone that it uses.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func text(of series: EventSeries, in store: EventStore) throws(CallError) -> String {
    let custom = try translated { () throws(StoreError) in try store.customZones() }
    var writer = CalendarWriter(
      zones: context.zones,
      customZones: Dictionary(
        custom.map { ($0.id, $0.component) }, uniquingKeysWith: { first, _ in first }))
    let texts = series.components.map { event in
      event.component.isEmpty ? writeComponent(event, zones: context.zones) : event.component
    }
    for var text in texts { text.withUTF8 { writer.note($0, lying: .always) } }
    var octets: [UInt8] = []
    writer.begin(nil, to: &octets)
    for var text in texts { text.withUTF8 { writer.add($0, to: &octets) } }
    writer.end(to: &octets)
    return String(decoding: octets, as: UTF8.self)
  }
}

/// An item that the agent cannot take over.
struct UnusableItem: UserError {
  let text: UserText
}
