import CivilTime
import Platform

/// The first weekday of the week in the user's locale.
///
/// It depends on the territory, which is read from the environment: the locale need not be
/// installed.
enum LocaleWeek {
  /// Returns the first weekday for the first of LC_ALL, LC_TIME and LANG that is set.
  ///
  /// It is Monday if that names no territory.
  ///
  ///     en_US.UTF-8 -> sunday      de_DE -> monday      C -> monday
  static func firstWeekday(_ environment: ProcessEnvironment) -> Weekday {
    let names = ["LC_ALL", "LC_TIME", "LANG"]
    guard let locale = names.lazy.compactMap({ environment.nonempty($0) }).first,
      let underscore = locale.firstIndex(of: "_")
    else { return .monday }
    let territory = locale[underscore...].dropFirst().prefix { $0.isLetter }
    return table.first { $0.territories.contains(territory) }?.first ?? .monday
  }

  /// The territories whose weeks do not begin on Monday.
  ///
  /// Source: Unicode CLDR, supplementalData.xml, weekData, firstDay.
  private static let table: [(first: Weekday, territories: Set<Substring>)] = [
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
