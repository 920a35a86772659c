import CalendarModel
import CivilTime

@testable import ICalendar

/// Writes series as one file, as an export does.
///
/// - Parameter custom: The zones that came with them.
func written(
  _ series: [EventSeries], zones: any Zones, custom: [CustomZone] = [],
  head: CalendarWriter.Head? = nil
) -> [UInt8] {
  var writer = CalendarWriter(
    zones: zones,
    customZones: Dictionary(custom.map { ($0.id, $0.component) }) { first, _ in first })
  for one in series {
    let span = (try? one.extent(zones: zones)) ?? .always
    for event in one.components { withText(event) { writer.note($0, lying: span) } }
  }
  var output: [UInt8] = []
  writer.begin(head, to: &output)
  for event in series.flatMap(\.components) {
    withText(event) { writer.add($0, to: &output) }
  }
  writer.end(to: &output)
  return output
}

/// Writes series as text.
func writeCalendar(
  _ series: [EventSeries], zones: any Zones, custom: [CustomZone] = []
) -> String {
  String(decoding: written(series, zones: zones, custom: custom), as: UTF8.self)
}

private func withText(_ event: Event, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
  var text = event.component.isEmpty ? writeComponent(event) : event.component
  text.withUTF8(body)
}
