package import CivilTime

/// What a reader of a line knows besides the line.
package struct PhraseSetting: Sendable {
  /// The order of day and month in "3/4": of the locale.
  package enum DateOrder: Sendable {
    case dayMonth, monthDay
  }

  /// The present on the clock of the place.
  package let now: CivilDateTime
  /// nil where nothing settles it: then a date that can be both is refused.
  package var dateOrder: DateOrder?
  /// Whether "3:30" is on the 24-hour clock; nil where nothing settles it.
  package var usesTwentyFourHours: Bool?
  /// The first day of the week; nil where nothing settles it: then weeks begin on Monday, and what
  /// would be another day with weeks from Sunday on is refused.
  package var firstWeekday: Weekday?
  /// Whether what the line leaves open may be past, as for what is only looked at: "9:00" is
  /// today's, "fri" is today on a Friday, and "last friday" is read.
  package var takesPast = false
  /// The start of what the line ends: what the line leaves open is the first such time after it.
  /// nil if the line is no end.
  package var start: CivilDateTime?

  package init(
    now: CivilDateTime, dateOrder: DateOrder? = nil, usesTwentyFourHours: Bool? = nil,
    firstWeekday: Weekday? = nil
  ) {
    self.now = now
    self.dateOrder = dateOrder
    self.usesTwentyFourHours = usesTwentyFourHours
    self.firstWeekday = firstWeekday
  }

  var today: CivilDate { now.date }

  /// From when on what the line leaves open counts.
  var earliest: CivilDateTime { start ?? now }
}
