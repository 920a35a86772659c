package import CalendarModel
package import CivilTime

/// Which timed events count as those that run and those that come next.
///
/// It is asked before anything is cut: what does not count takes no room from what does. Days, and the month, have all
/// of them.
package struct CountedEvents: Hashable, Sendable {
  /// Whether those count that the owner has declined.
  package var includesDeclined: Bool
  /// The hours of the week that an event has to touch; nil is any.
  package var hours: WeeklyHours?

  package init(includesDeclined: Bool = false, hours: WeeklyHours? = nil) {
    self.includesDeclined = includesDeclined
    self.hours = hours
  }

  /// Whether an occurrence counts; one that is cancelled never does.
  ///
  /// - Parameter ownAddresses: as for ``Event/isDeclined(by:)``.
  package func contains(
    _ occurrence: Occurrence, ownAddresses: [String], zone: ZoneRules
  ) -> Bool {
    occurrence.status != .cancelled
      && (includesDeclined || !occurrence.event.isDeclined(by: ownAddresses))
      && hours?.touches(occurrence.span, zone: zone) ?? true
  }

  /// Whether a row that a bar may name does; of whole days the hours are not asked.
  func contains(_ row: SnapshotEvent, zone: ZoneRules) -> Bool {
    guard row.status != .cancelled, includesDeclined || !row.isDeclined else { return false }
    guard !row.isAllDay, let hours else { return true }
    return hours.touches(row.span, zone: zone)
  }
}
