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

  package init(
    now: CivilDateTime, dateOrder: DateOrder? = nil, usesTwentyFourHours: Bool? = nil
  ) {
    self.now = now
    self.dateOrder = dateOrder
    self.usesTwentyFourHours = usesTwentyFourHours
  }

  var today: CivilDate { now.date }
}
