package import CalendarModel
package import CivilTime
package import ICalendar

/// Maps the zones of an import to those in the store.
///
/// Outlook names every custom zone "Customized Time Zone": a second one with other rules must not
/// move the events of the first.
package struct ZoneAdoption: Sendable {
  /// The new zones to store, under unused names; stored zones are not changed.
  package private(set) var adopted: [(id: String, zone: CustomZone)] = []
  private var renamed: [String: String] = [:]
  private var naming: ZoneNaming

  /// Prepares the mapping.
  ///
  /// - Parameter present: the zones in the store.
  package init(present: [(id: String, component: String)]) {
    naming = ZoneNaming(present: present)
  }

  /// Adds an imported zone, and returns its name here.
  package mutating func take(_ zone: CustomZone) -> String {
    let (name, isNew) = naming.name(of: zone)
    if isNew { adopted.append((name, zone)) }
    if name != zone.id { renamed[zone.id] = name }
    return name
  }

  /// Returns a cancellation with the mapped names of its zones.
  package func apply(to cancellation: Cancellation) -> Cancellation {
    var cancellation = cancellation
    if case .zoned(let reading, let zone)? = cancellation.recurrenceID, let name = renamed[zone] {
      cancellation.recurrenceID = .zoned(reading, zone: name)
    }
    return cancellation
  }

  /// Returns a series with the mapped names of its zones.
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
