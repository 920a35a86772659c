package import CivilTime

/// What a reader of a line knows besides the line.
package struct PhraseSetting: Sendable {
  /// The present on the clock of the zone that the line names, or else of the place.
  package let now: CivilDateTime
  /// The day on the clock of the place, from which "tomorrow" counts in every zone.
  var today: CivilDate
  /// Where nothing settles the order of a date, one that can be both is refused. Where nothing settles
  /// the first weekday, weeks begin on Monday, and what would be another day with weeks from Sunday on
  /// is refused.
  package var customs: TimeCustoms
  /// Whether what the line leaves open may be past, as for what is only looked at: "9:00" is
  /// today's, "fri" is today on a Friday, and "last friday" is read.
  package var takesPast = false
  /// The start of what the line ends: what the line leaves open is the first such time after it.
  /// nil if the line is no end.
  package var start: CivilDateTime?

  package init(now: CivilDateTime, customs: TimeCustoms = TimeCustoms()) {
    self.now = now
    today = now.date
    self.customs = customs
  }

  /// From when on a time counts that the line leaves open.
  var earliest: CivilDateTime { start ?? now }
}
