import CivilTime

/// A length of time in the units that people say: "a month", "2 weeks and 3 hours".
struct Length: Hashable, Sendable {
  var months = 0
  var days = 0
  var workdays = 0
  var seconds = 0

  static let minute = Length(seconds: 60)
  static let hour = Length(seconds: 3600)
  static let day = Length(days: 1)
  static let week = Length(days: 7)
  static let month = Length(months: 1)
  static let year = Length(months: 12)
  static let workday = Length(workdays: 1)

  /// The same length backwards; nil where it has working days.
  var negated: Length? {
    workdays == 0 ? Length(months: -months, days: -days, seconds: -seconds) : nil
  }

  /// Whether it is of days alone.
  var isWhole: Bool { seconds == 0 }

  static func + (left: Length, right: Length) -> Length {
    Length(
      months: left.months + right.months, days: left.days + right.days,
      workdays: left.workdays + right.workdays, seconds: left.seconds + right.seconds)
  }

  /// Returns it some hundredths of times; nil if that gives a part of a day or month.
  func times(hundredths: Int) -> Length? {
    guard hundredths >= 0, hundredths <= 1_000_000_000 else { return nil }
    func part(_ value: Int) -> Int? {
      value * hundredths % 100 == 0 ? value * hundredths / 100 : nil
    }
    guard let months = part(months), let workdays = part(workdays), let seconds = part(seconds)
    else { return nil }
    if let days = part(days) {
      return Length(months: months, days: days, workdays: workdays, seconds: seconds)
    }
    return nil
  }

  /// The day that far from another; nil out of range, or where it is not of days.
  func added(to date: CivilDate) -> CivilDate? {
    guard var day = date.adding(months: months)?.adding(days: days) else { return nil }
    for _ in 0..<min(workdays, 10_000) {
      repeat {
        guard let next = day.adding(days: 1) else { return nil }
        day = next
      } while day.weekday == .saturday || day.weekday == .sunday
    }
    return day
  }

  /// The exact duration; nil where it has months or working days.
  var duration: CalendarDuration? {
    months == 0 && workdays == 0 ? CalendarDuration(days: days, seconds: Int64(seconds)) : nil
  }
}
