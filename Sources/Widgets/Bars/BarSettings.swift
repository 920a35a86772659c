/// The settings of the text of a bar.
package struct BarSettings: Hashable, Sendable {
  /// The most columns of the text, at least 1; the title is cut to leave room for the time.
  ///
  /// A Chinese character takes two.
  package var maximumColumns: Int
  /// How many events the text names if they fit without cutting, at least 1.
  package var count: Int
  /// How many events are skipped before those that are named; the last is never skipped.
  package var skip: Int
  /// The template for an event; nil means "Standup in 12 min +1".
  package var template: BarTemplate?
  /// An event that begins within this time is "soon".
  package var soonSeconds: Int64
  /// Within this time it counts down by the minute.
  ///
  /// Further away it shows the time of day, which saves a wakeup each minute.
  package var countdownSeconds: Int64
  /// An event that begins later than this is not mentioned.
  package var lookAheadSeconds: Int64
  /// Whether all-day events of today are shown when there is no other event.
  package var showsAllDay: Bool
  /// Which events count; a snapshot must be requested with the same value, as it holds few events.
  package var counted: CountedEvents
  /// The privacy level of the snapshot; where events are hidden, the day is not described either.
  package var privacy: PrivacyLevel

  /// How many rows of `next` a snapshot needs for these settings; nil if its default is enough.
  package var nextRows: Int? {
    let rows = count + skip
    return rows > SnapshotSettings.defaultNextCount
      ? min(rows, SnapshotSettings.nextCounts.upperBound) : nil
  }

  /// The default of ``maximumColumns``.
  package static let defaultColumns = 60
  /// The range of ``maximumColumns``.
  package static let columns: ClosedRange<UInt32> = 1...1000
  /// The range of ``count``.
  package static let counts: ClosedRange<UInt32> = 1...20
  /// The default and the range of ``lookAheadSeconds``, in hours.
  package static let defaultLookAheadHours: UInt32 = 72
  package static let lookAheadHours: ClosedRange<UInt32> = 1...8784

  package init(
    maximumColumns: Int = BarSettings.defaultColumns, count: Int = 1, skip: Int = 0,
    template: BarTemplate? = nil, soonSeconds: Int64 = 15 * 60,
    countdownSeconds: Int64 = 3 * 3600,
    lookAheadSeconds: Int64 = Int64(BarSettings.defaultLookAheadHours) * 3600,
    showsAllDay: Bool = true, counted: CountedEvents = CountedEvents(),
    privacy: PrivacyLevel = .titles
  ) {
    self.maximumColumns = max(1, maximumColumns)
    self.count = max(1, count)
    self.skip = max(0, skip)
    self.template = template
    self.soonSeconds = max(0, soonSeconds)
    self.countdownSeconds = max(0, countdownSeconds)
    self.lookAheadSeconds = max(0, lookAheadSeconds)
    self.showsAllDay = showsAllDay
    self.counted = counted
    self.privacy = privacy
  }
}
