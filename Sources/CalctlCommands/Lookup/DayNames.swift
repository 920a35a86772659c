import CivilTime

/// English names of days and months, short.
enum DayNames {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// "Sat 21 Nov 2026".
  static func full(_ date: CivilDate) -> String {
    let (year, month, day) = date.parts
    return "\(weekdays[date.weekday.rawValue - 1]) \(day) \(months[month - 1]) \(year)"
  }
}
