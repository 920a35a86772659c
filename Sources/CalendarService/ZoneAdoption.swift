import CalendarModel
import CivilTime
import ICalendar

/// Brings the zones that come with an import together with those that are there.
///
/// Outlook calls every zone of its own "Customized Time Zone": a second one with
/// other rules must not move the events of the first.
struct ZoneAdoption {
  /// The zones to keep, under names that are free or mean the same.
  private(set) var adopted: [(id: String, zone: CustomZone)] = []
  /// Those that were not kept before.
  private(set) var adoptedAnew: [(id: String, zone: CustomZone)] = []
  private var renamed: [(old: String, new: String)] = []

  /// - Parameter present: the zones that the store keeps.
  init(_ zones: [CustomZone], present: [(id: String, component: String)]) {
    var taken = Dictionary(
      present.map { ($0.id, $0.component) }, uniquingKeysWith: { first, _ in first })
    for zone in zones {
      var name = zone.id
      var number = 2
      while let other = taken[name], other != zone.component {
        name = "\(zone.id) (\(number))"
        number += 1
      }
      if taken[name] == nil { adoptedAnew.append((name, zone)) }
      taken[name] = zone.component
      adopted.append((name, zone))
      if name != zone.id { renamed.append((zone.id, name)) }
    }
  }

  /// Returns a cancellation under the names that its zones have here.
  func apply(to cancellation: Cancellation) -> Cancellation {
    var cancellation = cancellation
    if case .zoned(let reading, let zone)? = cancellation.recurrenceID,
      let name = renamed.first(where: { $0.old == zone })?.new
    {
      cancellation.recurrenceID = .zoned(reading, zone: name)
    }
    return cancellation
  }

  /// Returns a series under the names that its zones have here.
  func apply(to series: EventSeries, zones: any Zones) -> EventSeries {
    guard !renamed.isEmpty else { return series }
    let result = renamed.reduce(series) { $0.renamingZone($1.old, to: $1.new) }
    guard result.components != series.components else { return series }
    func written(_ event: Event) -> Event {
      var event = event
      event.component = writeComponent(event, zones: zones)
      return event
    }
    return EventSeries(
      calendar: result.calendar, master: result.master.map(written),
      overrides: result.overrides.map(written))
  }
}
