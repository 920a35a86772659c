internal import CivilTime

extension DayFilter {
  /// Returns the days of a month that are left, bit 0 for the first.
  ///
  /// BYMONTH, BYMONTHDAY and BYDAY are looked at; several parts leave what each
  /// of them leaves. Without BYMONTHDAY and BYDAY it is every day.
  ///
  /// - Parameter first: The day number of the first of the month.
  func days(ofMonth month: Int, year: Int, first: Int) -> UInt32 {
    if months != 0, months & (1 << UInt16(month)) == 0 { return 0 }
    let length = UInt32(CivilDate.length(ofMonth: month, year: year))
    var days = UInt32.max >> (32 - length)
    if monthDays | monthDaysFromEnd != 0 {
      days &= monthDays | (monthDaysFromEnd.bitReversed >> (32 - length))
    }
    if hasWeekdays {
      days &= weekdayBits(firstWeekday: UInt32(weekdayIndex(first)), length: length)
    }
    return days
  }

  private func weekdayBits(firstWeekday: UInt32, length: UInt32) -> UInt32 {
    var bits: UInt32 = 0
    if weekdays != 0 {
      // The week turned so that it begins as the month does, five times over.
      let week = (weekdays >> firstWeekday | weekdays << (7 - firstWeekday)) & 0x7F
      bits = UInt32(truncatingIfNeeded: UInt64(week) &* 0x1020_4081)
    }
    for (weekday, ordinal) in numberedWeekdays {
      let earliest = (weekday - 1 - Int(firstWeekday) + 7) % 7
      let index: Int
      if ordinal > 0 {
        index = earliest + 7 * (ordinal - 1)
      } else {
        let latest = earliest + (Int(length) - 1 - earliest) / 7 * 7
        index = latest + 7 * (ordinal + 1)
      }
      if index >= 0, index < Int(length) { bits |= 1 << UInt32(index) }
    }
    return bits
  }
}

extension UInt32 {
  /// The same bits in the other order.
  var bitReversed: UInt32 {
    var bits = byteSwapped
    bits = (bits & 0x0F0F_0F0F) << 4 | (bits >> 4) & 0x0F0F_0F0F
    bits = (bits & 0x3333_3333) << 2 | (bits >> 2) & 0x3333_3333
    return (bits & 0x5555_5555) << 1 | (bits >> 1) & 0x5555_5555
  }
}
