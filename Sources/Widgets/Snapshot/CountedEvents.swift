package import CalendarModel
package import CivilTime

/// Which timed events count as current or next.
///
/// They are selected before anything is cut, so that other events take no room. The lists of days
/// and the month have all events.
package struct CountedEvents: Hashable, Sendable {
  /// Whether declined events count.
  package var includesDeclined: Bool
  /// The hours of the week that an event must overlap; nil for any.
  package var hours: WeeklyHours?

  package init(includesDeclined: Bool = false, hours: WeeklyHours? = nil) {
    self.includesDeclined = includesDeclined
    self.hours = hours
  }

  /// Returns whether an occurrence counts; a cancelled one never does.
  ///
  /// - Parameter ownAddresses: See ``Event/isDeclined(by:)``.
  package func contains(
    _ occurrence: Occurrence, ownAddresses: [String], zone: ZoneRules
  ) -> Bool {
    occurrence.status != .cancelled
      && (includesDeclined || !occurrence.event.isDeclined(by: ownAddresses))
      && hours?.touches(occurrence.span, zone: zone) ?? true
  }

  /// Returns whether a row of a snapshot counts; the hours do not apply to an all-day event.
  func contains(_ row: SnapshotEvent, zone: ZoneRules) -> Bool {
    guard row.status != .cancelled, includesDeclined || !row.isDeclined else { return false }
    guard !row.isAllDay, let hours else { return true }
    return hours.touches(row.span, zone: zone)
  }
}
