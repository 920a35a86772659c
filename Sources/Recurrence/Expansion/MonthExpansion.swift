internal import CivilTime

/// The days of a month that BYMONTH, BYMONTHDAY and BYDAY allow, computed with bits.
///
/// Weekdays are bits of five weeks in a month that begins with a Monday: "FR" is five bits and
/// "2TU" is one. Rotating each week by the actual first weekday gives the days of a month.
struct MonthFilter: Sendable {
  /// Bit 1 to 12.
  private let months: UInt16
  /// Bit 0 is the first of the month.
  private let monthDays: UInt32
  /// Bit 31 is the last of the month.
  private let monthDaysFromEnd: UInt32
  /// Bit 0 is the first Monday, bit 7 the second.
  private let weekdays: UInt64
  /// Bit 0 is the last Sunday, bit 1 the last Saturday, bit 7 the last but one Sunday.
  private let weekdaysFromEnd: UInt64

  init(_ filter: DayFilter) {
    months = filter.months == 0 ? .max : filter.months
    monthDays = filter.hasMonthDays ? filter.monthDays : .max
    monthDaysFromEnd = filter.monthDaysFromEnd.bitReversed
    guard filter.hasWeekdays else {
      (weekdays, weekdaysFromEnd) = (.max, 0)
      return
    }
    var fromStart = UInt64(filter.weekdays) &* MonthFilter.mondays
    var fromEnd: UInt64 = 0
    // No month has a weekday six times.
    for (weekday, ordinal) in filter.numberedWeekdays where abs(ordinal) <= 5 {
      if ordinal > 0 {
        fromStart |= 1 << UInt64((ordinal - 1) * 7 + weekday - 1)
      } else {
        fromEnd |= 1 << UInt64((-ordinal - 1) * 7 + 7 - weekday)
      }
    }
    (weekdays, weekdaysFromEnd) = (fromStart, fromEnd)
  }

  /// Returns whether BYMONTH allows a month, 1 to 12.
  @inline(__always)
  func contains(month: Int) -> Bool { months & (1 << UInt16(truncatingIfNeeded: month)) != 0 }

  /// Returns the number of months until one that BYMONTH allows; 0 if it allows this one, 1 to 12.
  @inline(__always)
  func wait(atMonth month: Int) -> Int {
    let twoYears = UInt32(months) | UInt32(months) &<< 12
    return (twoYears &>> UInt32(truncatingIfNeeded: month)).trailingZeroBitCount
  }

  /// Returns the days of a month that BYMONTHDAY and BYDAY allow; bit 0 is the first.
  ///
  /// - Parameters:
  ///   - first: The day number of the first of the month.
  ///   - length: The number of its days.
  @inline(__always)
  func days(first: Int, length: Int) -> UInt32 {
    let length = UInt32(truncatingIfNeeded: length)
    let begin = UInt32(truncatingIfNeeded: weekdayIndex(first))
    let days = monthDays | monthDaysFromEnd &>> (32 &- length)
    var ofWeek = MonthFilter.turned(weekdays, by: begin)
    if weekdaysFromEnd != 0 {
      // From its end the month begins with its last weekday, and weeks run backwards from Sunday.
      let end = (begin &+ length &- 1) % 7
      ofWeek |= MonthFilter.turned(weekdaysFromEnd, by: 6 &- end).bitReversed &>> (32 &- length)
    }
    return days & ofWeek & (UInt32.max &>> (32 &- length))
  }

  /// Bit 0 of each of five weeks.
  private static let mondays: UInt64 = 0x1020_4081

  /// Rotates each week to begin 0 to 6 days later.
  @inline(__always)
  private static func turned(_ weeks: UInt64, by days: UInt32) -> UInt32 {
    let days = UInt64(days)
    let kept = 0x1020_4081 &* (0x7F &>> days)
    return UInt32(
      truncatingIfNeeded: (weeks &>> days) & kept | (weeks &<< (7 &- days)) & ~kept)
  }
}

extension UInt32 {
  /// The bits in reverse order.
  @inline(__always)
  var bitReversed: UInt32 {
    var bits = byteSwapped
    bits = (bits & 0x0F0F_0F0F) << 4 | (bits >> 4) & 0x0F0F_0F0F
    bits = (bits & 0x3333_3333) << 2 | (bits >> 2) & 0x3333_3333
    return (bits & 0x5555_5555) << 1 | (bits >> 1) & 0x5555_5555
  }
}

/// A month counted from year 0, the period of a monthly rule.
struct CountedMonth {
  private var year: UInt32
  /// 1 to 12.
  private var number: UInt32

  /// - Precondition: Not negative.
  @inline(__always)
  init(_ period: Int) {
    // Unsigned division takes a third of the time of a signed one.
    let months = UInt32(truncatingIfNeeded: period)
    (year, number) = (months / 12, months % 12 &+ 1)
  }

  @inline(__always)
  var month: Int { Int(number) }

  @inline(__always)
  var firstDay: Int { CivilDate.dayNumber(year: Int(year), month: month, day: 1) }

  /// 28 to 31.
  @inline(__always)
  var length: Int {
    if number == 2 { return CivilDate.isLeap(year: Int(year)) ? 29 : 28 }
    return Int(30 &+ ((number &+ (number &>> 3)) & 1))
  }

  /// Moves to the next month.
  @inline(__always)
  mutating func advance() {
    number &+= 1
    if number == 13 { (year, number) = (year &+ 1, 1) }
  }
}
