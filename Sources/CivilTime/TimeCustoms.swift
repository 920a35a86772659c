/// How people of a territory write dates and times.
///
/// It depends on the territory alone, such as the US of en_US.UTF-8, so that no locale need be
/// installed. Source: Unicode CLDR 44, supplementalData.xml (weekData, timeData) and the short dates
/// of each territory's main language.
package struct TimeCustoms: Equatable, Sendable {
  /// The order of day and month in "3/4".
  package enum DateOrder: Sendable {
    case dayMonth, monthDay
  }

  /// nil where nothing settles it.
  package var dateOrder: DateOrder?
  /// Whether times are written on the 24-hour clock; nil where nothing settles it.
  package var usesTwentyFourHours: Bool?
  /// The first day of the week; nil where nothing settles it.
  package var firstWeekday: Weekday?

  package init(
    dateOrder: DateOrder? = nil, usesTwentyFourHours: Bool? = nil, firstWeekday: Weekday? = nil
  ) {
    self.dateOrder = dateOrder
    self.usesTwentyFourHours = usesTwentyFourHours
    self.firstWeekday = firstWeekday
  }

  /// The customs of a territory.
  ///
  /// - Parameter territory: Its code of ISO 3166-1, such as "US"; nil for a locale without one, such
  ///   as "C", whose times are on the 24-hour clock, as programs have written them ever since.
  package init(territory: String?) {
    guard let territory else {
      self.init(usesTwentyFourHours: true)
      return
    }
    self.init(
      // Canadians write both.
      dateOrder: territory == "CA"
        ? nil : Self.monthFirst.contains(territory) ? .monthDay : .dayMonth,
      usesTwentyFourHours: !Self.twelveHours.contains(territory),
      firstWeekday: Self.firstWeekdays.first { $0.territories.contains(territory) }?.first
        ?? .monday)
  }

  /// Territories that write the month before the day, with or without the year before both.
  private static let monthFirst: Set<String> = [
    "AS", "CN", "FM", "GU", "HU", "JP", "KP", "KR", "LT", "MH", "MN", "MP", "PH", "PR", "PW", "TW",
    "UM", "US", "VI",
  ]

  /// Territories whose times mostly have am and pm.
  private static let twelveHours: Set<String> = [
    "AE", "AG", "AS", "AU", "BB", "BD", "BH", "BM", "BS", "CA", "CO", "DM", "DO", "DZ", "EG", "ET",
    "FJ", "FM", "GD", "GH", "GU", "GY", "HK", "IN", "IQ", "JM", "JO", "KN", "KR", "KW", "KY", "LB",
    "LC", "LR", "LY", "MH", "MO", "MP", "MW", "MY", "NZ", "OM", "PA", "PG", "PH", "PK", "PR", "PS",
    "PW", "QA", "SA", "SB", "SD", "SG", "SL", "SY", "TC", "TN", "TT", "TW", "UM", "US", "VC", "VE",
    "VG", "VI", "YE", "ZM",
  ]

  /// The territories whose weeks do not begin on Monday.
  private static let firstWeekdays: [(first: Weekday, territories: Set<String>)] = [
    (.friday, ["MV"]),
    (
      .saturday,
      [
        "AF", "BH", "DJ", "DZ", "EG", "IQ", "IR", "JO", "KW", "LY", "OM", "QA", "SD", "SY",
      ]
    ),
    (
      .sunday,
      [
        "AG", "AS", "BD", "BR", "BS", "BT", "BW", "BZ", "CA", "CO", "DM", "DO", "ET", "GT", "GU",
        "HK", "HN", "ID", "IL", "IN", "JM", "JP", "KE", "KH", "KR", "LA", "MH", "MM", "MO", "MT",
        "MX", "MZ", "NI", "NP", "PA", "PE", "PH", "PK", "PR", "PT", "PY", "SA", "SG", "SV", "TH",
        "TT", "TW", "UM", "US", "VE", "VI", "WS", "YE", "ZA", "ZW",
      ]
    ),
  ]
}
