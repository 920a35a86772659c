package import CalendarModel
package import CivilTime

/// Which timed events count as current or next.
///
/// It is applied before anything is cut, so that other events take no room from these. Days, and
/// the month, have all events.
package struct CountedEvents: Hashable, Sendable {
  /// Whether events count that the owner has declined.
  package var includesDeclined: Bool
  /// The hours of the week that an event must overlap; nil is any.
  package var hours: WeeklyHours?

  package init(includesDeclined: Bool = false, hours: WeeklyHours? = nil) {
    self.includesDeclined = includesDeclined
    self.hours = hours
  }

  /// Whether an occurrence counts; a cancelled one never does.
  ///
  /// - Parameter ownAddresses: as for ``Event/isDeclined(by:)``.
  package func contains(
    _ occurrence: Occurrence, ownAddresses: [String], zone: ZoneRules
  ) -> Bool {
    occurrence.status != .cancelled
      && (includesDeclined || !occurrence.event.isDeclined(by: ownAddresses))
      && hours?.touches(occurrence.span, zone: zone) ?? true
  }

  /// Whether a row of a snapshot counts; the hours do not matter for an all-day event.
  func contains(_ row: SnapshotEvent, zone: ZoneRules) -> Bool {
    guard row.status != .cancelled, includesDeclined || !row.isDeclined else { return false }
    guard !row.isAllDay, let hours else { return true }
    return hours.touches(row.span, zone: zone)
  }
}
