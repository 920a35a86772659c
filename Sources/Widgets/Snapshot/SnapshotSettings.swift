package import CivilTime

/// How much a ``SnapshotV1`` holds.
package struct SnapshotSettings: Hashable, Sendable {
  /// The number of days before and after today, 0 to 366.
  package let daysBefore: Int
  package let daysAfter: Int
  /// The number of rows of `next`, within ``nextCounts``.
  package var nextCount: Int
  /// The most bytes of the JSON text, at least 49,152; rows that do not fit are only counted.
  package let maximumOctets: Int
  /// The first weekday of the month's rows.
  package let firstWeekday: Weekday
  /// Whether the screen is light or dark; nil if unknown.
  package var scheme: ColorScheme?
  /// Of the month's markers of releases.
  package let thresholds: DayMarker.Thresholds

  /// The default and the range of ``nextCount``.
  package static let defaultNextCount = 5
  package static let nextCounts = 1...100

  /// Makes settings; limits each number to its range.
  package init(
    daysBefore: Int = 14, daysAfter: Int = 14, nextCount: Int = SnapshotSettings.defaultNextCount,
    maximumOctets: Int = 65_536,
    firstWeekday: Weekday = .monday, scheme: ColorScheme? = nil,
    thresholds: DayMarker.Thresholds = DayMarker.Thresholds()
  ) {
    self.daysBefore = min(max(daysBefore, 0), 366)
    self.daysAfter = min(max(daysAfter, 0), 366)
    self.nextCount = min(
      max(nextCount, SnapshotSettings.nextCounts.lowerBound), SnapshotSettings.nextCounts.upperBound
    )
    self.maximumOctets = max(maximumOctets, 49_152)
    self.firstWeekday = firstWeekday
    self.scheme = scheme
    self.thresholds = thresholds
  }
}

/// How many rows fit into each list of a snapshot.
struct SnapshotLimits {
  let perDay: Int
  let today: Int
  let now: Int
  let next: Int
  let reminders: Int
  let calendars: Int
  let sources: Int
  /// The lanes of the month; nil leaves the month out.
  let lanes: Int?

  /// The limits from most to fewest rows; the first ones that make the document fit are used.
  ///
  /// Distant days are cut first, today and the running events last.
  static let steps = [
    SnapshotLimits(
      perDay: 20, today: 50, now: 10, next: 100, reminders: 20, calendars: 50,
      sources: 20, lanes: 3),
    SnapshotLimits(
      perDay: 10, today: 50, now: 10, next: 100, reminders: 20, calendars: 50,
      sources: 20, lanes: 3),
    SnapshotLimits(
      perDay: 6, today: 30, now: 10, next: 20, reminders: 20, calendars: 50, sources: 20, lanes: 3),
    SnapshotLimits(
      perDay: 4, today: 20, now: 10, next: 10, reminders: 10, calendars: 50, sources: 10, lanes: 2),
    SnapshotLimits(
      perDay: 2, today: 20, now: 5, next: 5, reminders: 10, calendars: 50, sources: 10, lanes: 1),
    SnapshotLimits(
      perDay: 1, today: 10, now: 3, next: 3, reminders: 5, calendars: 20, sources: 5, lanes: 1),
    SnapshotLimits(
      perDay: 0, today: 5, now: 2, next: 2, reminders: 2, calendars: 20, sources: 3, lanes: 0),
    // One row has at most 21,000 bytes, if everything in it must be escaped.
    SnapshotLimits(
      perDay: 0, today: 0, now: 0, next: 1, reminders: 0, calendars: 0, sources: 0, lanes: nil),
  ]
}
