import CivilTime

/// A time of day as it is written; a bare one may be in either half of the day.
struct ClockReading: Hashable, Sendable {
  var hour: Int
  var minute: Int
  var second = 0
  /// Whether nothing says which half of the day it is in: "3", "half past three", "3:30".
  var isBare = false
  /// Whether it has a colon or a dot, so that it may be on the 24-hour clock: "3:30".
  var isDigital = false
  /// Whether it is surely on the 24-hour clock where that is usual: "03:30".
  var isPadded = false
  /// 1 for a midnight that ends the day.
  var daysLater = 0

  static let noon = ClockReading(hour: 12, minute: 0)
  static let midnight = ClockReading(hour: 0, minute: 0)

  /// A time on the 24-hour clock, bare where it can be in either half; nil if it is none.
  init?(_ hour: Int, _ minute: Int = 0, second: Int = 0, isDigital: Bool = false) {
    guard (0...24).contains(hour), (0...59).contains(minute), (0...59).contains(second),
      hour < 24 || minute == 0
    else { return nil }
    self.init(hour: hour % 24, minute: minute, second: second)
    daysLater = hour == 24 ? 1 : 0
    isBare = (1...12).contains(hour)
    self.isDigital = isDigital
  }

  init(hour: Int, minute: Int, second: Int = 0) {
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Returns it in the morning or afternoon; nil for an hour that has no such half, like 15.
  func inHalf(isAfternoon: Bool) -> ClockReading? {
    guard (1...12).contains(hour) else { return nil }
    var clock = self
    clock.hour = hour % 12 + (isAfternoon ? 12 : 0)
    clock.isBare = false
    clock.isDigital = false
    return clock
  }

  /// Returns it as it stands on the 24-hour clock.
  var exact: ClockReading {
    var clock = self
    clock.isBare = false
    return clock
  }

  /// Minutes from midnight; more than a day for a midnight that ends the day.
  var minutes: Int { daysLater * 1440 + hour * 60 + minute }

  var time: TimeOfDay { TimeOfDay(hour: hour, minute: minute, second: second) ?? .midnight }

  /// Returns it some minutes later, in the same half of the day, or bare as before.
  func adding(minutes more: Int) -> ClockReading {
    var clock = self
    let total = (hour * 60 + minute + more + 1440) % 1440
    clock.hour = total / 60
    clock.minute = total % 60
    if clock.isBare {
      // "Quarter to one" is 12:45.
      if clock.hour == 0 { clock.hour = 12 }
      if clock.hour > 12 { clock.hour -= 12 }
    }
    return clock
  }
}
