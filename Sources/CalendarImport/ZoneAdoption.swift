package import CalendarModel
package import CivilTime
package import ICalendar

/// Brings the zones that come with an import together with those that are there.
///
/// Outlook calls every zone of its own "Customized Time Zone": a second one with
/// other rules must not move the events of the first.
package struct ZoneAdoption: Sendable {
  /// The zones to keep, under names that were free. One that is kept already stays as it came.
  package private(set) var adopted: [(id: String, zone: CustomZone)] = []
  private var renamed: [String: String] = [:]
  private var naming: ZoneNaming

  /// - Parameter present: the zones that the store keeps.
  package init(present: [(id: String, component: String)]) {
    naming = ZoneNaming(present: present)
  }

  /// Takes in a zone that comes, and returns the name that it has here.
  package mutating func take(_ zone: CustomZone) -> String {
    let (name, isNew) = naming.name(of: zone)
    if isNew { adopted.append((name, zone)) }
    if name != zone.id { renamed[zone.id] = name }
    return name
  }

  /// Returns a cancellation under the names that its zones have here.
  package func apply(to cancellation: Cancellation) -> Cancellation {
    var cancellation = cancellation
    if case .zoned(let reading, let zone)? = cancellation.recurrenceID, let name = renamed[zone] {
      cancellation.recurrenceID = .zoned(reading, zone: name)
    }
    return cancellation
  }

  /// Returns a series under the names that its zones have here.
  package func apply(to series: EventSeries, zones: any Zones) -> EventSeries {
    guard !renamed.isEmpty else { return series }
    let result = series.renamingZones(renamed)
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
