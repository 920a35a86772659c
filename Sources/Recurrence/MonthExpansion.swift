internal import CivilTime

/// The days of a month that BYMONTH, BYMONTHDAY and BYDAY leave, found without
/// looking at one day after the other.
///
/// Weekdays are kept as bits of five weeks in a month that begins with a Monday:
/// "FR" is five bits and "2TU" is one. Turning each week by the weekday that a
/// month really begins with gives the days of that month.
struct MonthFilter: Sendable {
  /// Bit 1 to 12.
  private let months: UInt16
  /// Bit 0 is the first of the month.
  private let monthDays: UInt32
  /// Bit 0 is the last of the month.
  private let monthDaysFromEnd: UInt32
  /// Bit 0 is the first Monday, bit 7 the second.
  private let weekdays: UInt64
  /// Bit 0 is the last Sunday, bit 1 the last Saturday, bit 7 the last Sunday but one.
  private let weekdaysFromEnd: UInt64

  init(_ filter: DayFilter) {
    months = filter.months == 0 ? .max : filter.months
    monthDays = filter.hasMonthDays ? filter.monthDays : .max
    monthDaysFromEnd = filter.monthDaysFromEnd
    guard filter.hasWeekdays else {
      (weekdays, weekdaysFromEnd) = (.max, 0)
      return
    }
    var fromStart = UInt64(filter.weekdays) &* MonthFilter.mondays
    var fromEnd: UInt64 = 0
    // No month has a sixth of any weekday.
    for (weekday, ordinal) in filter.numberedWeekdays where abs(ordinal) <= 5 {
      if ordinal > 0 {
        fromStart |= 1 << UInt64((ordinal - 1) * 7 + weekday - 1)
      } else {
        fromEnd |= 1 << UInt64((-ordinal - 1) * 7 + 7 - weekday)
      }
    }
    (weekdays, weekdaysFromEnd) = (fromStart, fromEnd)
  }

  /// Returns whether BYMONTH leaves a month, 1 to 12.
  @inline(__always)
  func contains(month: Int) -> Bool { months & (1 << UInt16(truncatingIfNeeded: month)) != 0 }

  /// Returns the days of a month that are left, bit 0 for the first.
  ///
  /// - Parameter first: The day number of the first of the month.
  @inline(__always)
  func days(ofMonth month: Int, year: Int, first: Int) -> UInt32 {
    guard contains(month: month) else { return 0 }
    let length = UInt32(truncatingIfNeeded: CivilDate.length(ofMonth: month, year: year))
    let begin = UInt32(truncatingIfNeeded: weekdayIndex(first))
    var days = monthDays
    if monthDaysFromEnd != 0 { days |= monthDaysFromEnd.bitReversed &>> (32 &- length) }
    var ofWeek = MonthFilter.turned(weekdays, by: begin)
    if weekdaysFromEnd != 0 {
      // Seen from its end the month begins with its last weekday, and weeks run
      // backwards from Sunday.
      let end = (begin &+ length &- 1) % 7
      ofWeek |= MonthFilter.turned(weekdaysFromEnd, by: 6 &- end).bitReversed &>> (32 &- length)
    }
    return days & ofWeek & (UInt32.max &>> (32 &- length))
  }

  /// Bit 0 of each of five weeks.
  private static let mondays: UInt64 = 0x1020_4081

  /// Turns each week so that it begins so many days, 0 to 6, later.
  @inline(__always)
  private static func turned(_ weeks: UInt64, by days: UInt32) -> UInt32 {
    let days = UInt64(days)
    let kept = 0x1020_4081 &* (0x7F &>> days)
    return UInt32(
      truncatingIfNeeded: (weeks &>> days) & kept | (weeks &<< (7 &- days)) & ~kept)
  }
}

extension UInt32 {
  /// The same bits in the other order.
  @inline(__always)
  var bitReversed: UInt32 {
    var bits = byteSwapped
    bits = (bits & 0x0F0F_0F0F) << 4 | (bits >> 4) & 0x0F0F_0F0F
    bits = (bits & 0x3333_3333) << 2 | (bits >> 2) & 0x3333_3333
    return (bits & 0x5555_5555) << 1 | (bits >> 1) & 0x5555_5555
  }
}
