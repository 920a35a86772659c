import Messages

/// A day of the proleptic Gregorian calendar, in the years 1 to 9999.
///
/// It is stored as a day number, which makes arithmetic and comparison fast; year, month and day
/// are computed.
package struct CivilDate: Hashable, Sendable {
  /// Days since 1970-01-01, which is day 0.
  package let dayNumber: Int32

  /// 0001-01-01.
  package static let earliest = CivilDate(unchecked: -719_162)
  /// 9999-12-31.
  package static let latest = CivilDate(unchecked: 2_932_896)
  /// 1970-01-01.
  package static let epoch = CivilDate(unchecked: 0)

  @inlinable
  init(unchecked dayNumber: Int32) {
    self.dayNumber = dayNumber
  }

  /// Creates the day with a number; nil outside the years 1 to 9999.
  @inlinable
  package init?(dayNumber: Int) {
    guard dayNumber >= -719_162, dayNumber <= 2_932_896 else { return nil }
    self.dayNumber = Int32(dayNumber)
  }

  /// Creates a day; nil if it does not exist: 30 February, month 13, year 0.
  @inlinable
  package init?(year: Int, month: Int, day: Int) {
    guard year >= 1, year <= 9999, month >= 1, month <= 12, day >= 1,
      day <= CivilDate.length(ofMonth: month, year: year)
    else { return nil }
    self.init(unchecked: Int32(CivilDate.dayNumber(year: year, month: month, day: day)))
  }

  /// Returns the day number of a date that is known to exist.
  ///
  /// The year is counted from March, so that the leap day is last and the lengths of months follow
  /// one formula. It starts at 1 March −400, so that nothing is negative.
  ///
  /// - Precondition: `year` is −399 to 1,000,000, `month` 1 to 12.
  @inlinable
  package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let isLastYear: UInt32 = month <= 2 ? 1 : 0
    let march = UInt32(truncatingIfNeeded: year &+ 400) &- isLastYear
    let monthFromMarch = UInt32(truncatingIfNeeded: month) &- 3 &+ 12 &* isLastYear
    let century = march / 100
    let days = 1461 &* march / 4 &- century &+ century / 4 &+ (153 &* monthFromMarch &+ 2) / 5
    return Int(days) &+ day &- 1 &- (719_468 &+ 146_097)
  }

  /// The year, the month (1–12) and the day of the month (1–31).
  ///
  /// Each quotient and remainder comes from one multiplication. Tests compare every day with
  /// ``dayNumber(year:month:day:)``.
  ///
  /// Source: Neri and Schneider, "Euclidean affine functions and their application to calendar
  /// algorithms", Software: Practice and Experience 53 (2023), section 8.
  @inlinable
  package var parts: (year: Int, month: Int, day: Int) {
    // Counted from 1 March of year 0, so that it is never negative.
    let quarters = 4 &* UInt32(bitPattern: dayNumber &+ 719_468) &+ 3
    let century = quarters / 146_097
    let quartersOfCentury = quarters % 146_097 | 3
    let product = 2_939_745 &* UInt64(quartersOfCentury)
    let yearOfCentury = UInt32(truncatingIfNeeded: product >> 32)
    let dayOfYear = UInt32(truncatingIfNeeded: product) / 2_939_745 / 4
    let monthAndDay = 2_141 &* dayOfYear &+ 197_913
    let isNextYear: UInt32 = dayOfYear >= 306 ? 1 : 0
    let year = 100 &* century &+ yearOfCentury &+ isNextYear
    let month = (monthAndDay >> 16) &- 12 &* isNextYear
    let day = (monthAndDay & 0xFFFF) / 2_141 &+ 1
    return (Int(year), Int(month), Int(day))
  }

  /// 1 to 9999.
  package var year: Int { parts.year }
  /// 1 to 12.
  package var month: Int { parts.month }
  /// Day of the month, 1 to 31.
  package var day: Int { parts.day }

  /// The day of the week; 0001-01-01 was a Monday.
  @inlinable
  package var weekday: Weekday {
    Weekday(rawValue: (Int(dayNumber) + 719_162) % 7 + 1)!
  }

  /// Day of the year, 1 to 366.
  package var dayOfYear: Int {
    Int(dayNumber) - CivilDate.dayNumber(year: year, month: 1, day: 1) + 1
  }

  /// Returns whether the year has a 29 February.
  @inlinable
  package static func isLeap(year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Returns the number of days in a month, 28 to 31.
  @inlinable
  package static func length(ofMonth month: Int, year: Int) -> Int {
    if month == 2 { return isLeap(year: year) ? 29 : 28 }
    return 30 + ((month + (month >> 3)) & 1)
  }

  /// Returns the day a number of days later; nil outside the years 1 to 9999.
  @inlinable
  package func adding(days: Int) -> CivilDate? {
    CivilDate(dayNumber: Int(dayNumber) + days)
  }

  /// Returns the same day of the month, a number of months later; nil outside years 1 to 9999.
  ///
  /// A month that is too short gives its last day: 31 January + 1 month is 28 February.
  package func adding(months: Int) -> CivilDate? {
    let (year, month, day) = parts
    let count = year * 12 + (month - 1) + months
    let (newYear, newMonth) = (count / 12, count % 12 + 1)
    guard newYear >= 1, newYear <= 9999, count >= 12 else { return nil }
    let length = CivilDate.length(ofMonth: newMonth, year: newYear)
    return CivilDate(year: newYear, month: newMonth, day: min(day, length))
  }

  /// Returns the number of days from `other` to this day; negative if `other` is later.
  @inlinable
  package func days(since other: CivilDate) -> Int {
    Int(dayNumber) - Int(other.dayNumber)
  }

  /// The last day up to this one that falls on `weekday`; nil before year 1.
  package func onOrBefore(_ weekday: Weekday) -> CivilDate? {
    adding(days: -self.weekday.days(since: weekday))
  }
}

extension CivilDate: Comparable {
  @inlinable
  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.dayNumber < right.dayNumber
  }
}

extension CivilDate: CustomStringConvertible {
  /// "2026-11-21", as in RFC 3339.
  package var description: String { FixedText.make { $0.add(self, signs: true) } }

  /// "20261121", as in RFC 5545.
  package var basicText: String { FixedText.make { $0.add(self, signs: false) } }

  /// Reads "20261121" (RFC 5545) or "2026-11-21" (RFC 3339).
  ///
  /// - Throws: ``CivilTimeError/malformed(text:reason:)`` for another form,
  ///   ``CivilTimeError/impossible(text:reason:)`` for a day that does not
  ///   exist.
  package init(text: some StringProtocol) throws(CivilTimeError) {
    let digits = Array(text.utf8)
    func malformed() -> CivilTimeError {
      .malformed(
        text: String(text),
        reason: UserText(
          "\"{text}\" is not a date like 2026-11-21 or 20261121", ["text": String(text)]))
    }
    let fields: (Int?, Int?, Int?)
    switch digits.count {
    case 8:
      fields = (number(digits[0..<4]), number(digits[4..<6]), number(digits[6..<8]))
    case 10 where digits[4] == UInt8(ascii: "-") && digits[7] == UInt8(ascii: "-"):
      fields = (number(digits[0..<4]), number(digits[5..<7]), number(digits[8..<10]))
    default:
      throw malformed()
    }
    guard let year = fields.0, let month = fields.1, let day = fields.2 else { throw malformed() }
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw .impossible(text: String(text), reason: fault(year: year, month: month, day: day))
    }
    self = date
  }
}

/// Explains which part of a date does not exist.
private func fault(year: Int, month: Int, day: Int) -> UserText {
  if year < 1 { return UserText("there is no year 0") }
  if month < 1 || month > 12 { return UserText("there is no month {month}", ["month": month]) }
  let length = CivilDate.length(ofMonth: month, year: year)
  return UserText(
    "month {month} of {year} has the days 1 to {last}, not {day}",
    ["month": month, "year": String(year), "last": length, "day": day])
}

/// Returns the value of ASCII digits; nil if there is any other character.
func number(_ digits: ArraySlice<UInt8>) -> Int? {
  guard !digits.isEmpty else { return nil }
  var value = 0
  for digit in digits {
    guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
    value = value * 10 + Int(digit - UInt8(ascii: "0"))
  }
  return value
}
