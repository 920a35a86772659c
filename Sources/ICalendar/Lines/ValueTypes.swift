import CalendarModel
import CivilTime
import Messages

/// A fault in a value: a word for programs, a reason for people, and the octet at fault.
struct ValueFault: Error {
  let word: String
  let reason: UserText
  /// The position in the octets of the component.
  let offset: Int
}

// DATE, DATE-TIME, DURATION, PERIOD, UTC-OFFSET and INTEGER, read from octets.
// Source: RFC 5545 section 3.3.
extension Component {
  /// Reads `count` digits; nil if there is any other character.
  private func digits(at start: Int, count: Int) -> Int? {
    var value = 0
    for octet in octets[start..<start + count] {
      guard octet.isDigit else { return nil }
      value = value * 10 + Int(octet - 0x30)
    }
    return value
  }

  /// Reads a DATE: "20261121".
  func date(_ range: Range<Int>) throws(ValueFault) -> CivilDate {
    let start = range.lowerBound
    guard range.count == 8, let year = digits(at: start, count: 4),
      let month = digits(at: start + 4, count: 2), let day = digits(at: start + 6, count: 2)
    else {
      throw ValueFault(
        word: range.isEmpty ? "empty" : "bad-date",
        reason: UserText("\"{value}\" is not a date like 20261121", ["value": excerpt(range)]),
        offset: start)
    }
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw ValueFault(
        word: "bad-date",
        reason: UserText("there is no day \"{value}\"", ["value": excerpt(range)]),
        offset: start)
    }
    return date
  }

  /// Reads the "093000" of a DATE-TIME.
  private func timeOfDay(_ range: Range<Int>) throws(ValueFault) -> TimeOfDay {
    let start = range.lowerBound
    guard range.count == 6, let hour = digits(at: start, count: 2),
      let minute = digits(at: start + 2, count: 2), let second = digits(at: start + 4, count: 2),
      let time = TimeOfDay(hour: hour, minute: minute, second: second)
    else {
      throw ValueFault(
        word: "bad-time",
        reason: UserText(
          "\"{value}\" is not a time like 093000 or 093000Z", ["value": excerpt(range)]),
        offset: start)
    }
    return time
  }

  /// A DATE or DATE-TIME before its zone is known.
  enum Reading {
    case date(CivilDate)
    case local(CivilDateTime)
    case utc(Timestamp)
  }

  /// Reads a DATE or a DATE-TIME, told apart by form: programs often get VALUE wrong.
  ///
  /// - Parameter isDate: Whether VALUE=DATE is given; of a DATE-TIME only the date is taken then.
  /// - Throws: ``ValueFault`` if it is neither.
  func reading(_ range: Range<Int>, isDate: Bool = false) throws(ValueFault) -> Reading {
    let range = trimmed(range)
    let start = range.lowerBound
    guard range.count > 8, octets[start + 8].upperCased == UInt8(ascii: "T") else {
      return .date(try date(range))
    }
    let day = try date(start..<start + 8)
    var end = range.upperBound
    let isUTC = octets[end - 1].upperCased == UInt8(ascii: "Z")
    if isUTC { end -= 1 }
    let reading = CivilDateTime(day, try timeOfDay(start + 9..<max(end, start + 9)))
    if isDate { return .date(day) }
    return isUTC ? .utc(Timestamp(reading, offset: .utc)) : .local(reading)
  }

  /// Reads an instant in UTC, also without a Z; a date means its midnight.
  ///
  /// - Throws: ``ValueFault`` if it is neither.
  func instant(_ range: Range<Int>) throws(ValueFault) -> Timestamp {
    switch try reading(range) {
    case .date(let date): Timestamp(CivilDateTime(date, .midnight), offset: .utc)
    case .local(let reading): Timestamp(reading, offset: .utc)
    case .utc(let instant): instant
    }
  }

  /// Reads a UTC-OFFSET: "+0100", "-0330", "+001932".
  ///
  /// "+5730" is read as 57 minutes and 30 seconds, as some servers write them.
  /// "-0000" is UTC.
  ///
  /// Source: RFC 5545 section 3.3.14.
  func offset(_ range: Range<Int>) throws(ValueFault) -> UTCOffset {
    let range = trimmed(range)
    let fault = ValueFault(
      word: range.isEmpty ? "empty" : "bad-offset",
      reason: UserText(
        "\"{value}\" is not an offset from UTC like +0100", ["value": excerpt(range)]),
      offset: range.lowerBound)
    guard range.count == 5 || range.count == 7 else { throw fault }
    let sign = octets[range.lowerBound]
    let start = range.lowerBound + 1
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      var hours = digits(at: start, count: 2), var minutes = digits(at: start + 2, count: 2),
      var seconds = range.count == 7 ? digits(at: start + 4, count: 2) : 0
    else { throw fault }
    if range.count == 5, hours > 24 { (hours, minutes, seconds) = (0, hours, minutes) }
    guard hours < 24, minutes < 60, seconds < 60 else { throw fault }
    let size = Int32(hours * 3600 + minutes * 60 + seconds)
    return UTCOffset(seconds: sign == UInt8(ascii: "-") ? -size : size)
  }

  /// Reads an INTEGER of one to ten digits; nil for anything else.
  func integer(_ range: Range<Int>) -> Int? {
    let range = trimmed(range)
    guard (1...10).contains(range.count) else { return nil }
    return digits(at: range.lowerBound, count: range.count)
  }

  /// Reads a DURATION: "PT15M", "-P1W", "+P1DT2H".
  ///
  /// Forms that programs write are read as well: "P1W2D" (nine days), "PT1D" (a day), "P1DT" (a
  /// day), "P15M" (minutes; iCalendar has no months), "P" and "PT" (nothing).
  ///
  /// Source: RFC 5545 section 3.3.6.
  func duration(_ range: Range<Int>) throws(ValueFault) -> CalendarDuration {
    let range = trimmed(range)
    func fault(_ reason: UserText) -> ValueFault {
      ValueFault(
        word: range.isEmpty ? "empty" : "bad-duration", reason: reason, offset: range.lowerBound)
    }
    let malformed = fault(
      UserText(
        "\"{value}\" is not a duration like PT15M, P1D or -P1DT2H", ["value": excerpt(range)]))
    let tooLong = fault(
      UserText("\"{value}\" is longer than 9,999 years", ["value": excerpt(range)]))
    var position = range.lowerBound
    var isNegative = false
    if position < range.upperBound,
      octets[position] == UInt8(ascii: "-") || octets[position] == UInt8(ascii: "+")
    {
      isNegative = octets[position] == UInt8(ascii: "-")
      position += 1
    }
    guard position < range.upperBound, octets[position].upperCased == UInt8(ascii: "P") else {
      throw malformed
    }
    position += 1
    var (days, seconds) = (0, 0)
    var isTime = false
    // Units are in descending order, each at most once.
    var rank = 0
    while position < range.upperBound {
      if !isTime, octets[position].upperCased == UInt8(ascii: "T") {
        isTime = true
        position += 1
        continue
      }
      let start = position
      while position < range.upperBound, octets[position].isDigit { position += 1 }
      guard position > start, position < range.upperBound else { throw malformed }
      guard position - start <= 12, let value = digits(at: start, count: position - start) else {
        throw tooLong
      }
      let unit: Int
      switch octets[position].upperCased {
      case UInt8(ascii: "W") where !isTime:
        (unit, days) = (1, days + value * 7)
      case UInt8(ascii: "D"):
        (unit, days) = (2, days + value)
      case UInt8(ascii: "H") where isTime:
        (unit, seconds) = (3, seconds + value * 3600)
      case UInt8(ascii: "M"):
        (unit, seconds) = (4, seconds + value * 60)
      case UInt8(ascii: "S") where isTime:
        (unit, seconds) = (5, seconds + value)
      default: throw malformed
      }
      guard unit > rank else { throw malformed }
      rank = unit
      position += 1
    }
    guard days <= 3_652_059, seconds <= 3_652_059 * 86_400 else {
      throw tooLong
    }
    return CalendarDuration(
      days: isNegative ? -days : days, seconds: Int64(isNegative ? -seconds : seconds))
  }

  /// Whether a readable DURATION has no number, as "PT" and "-P".
  func hasNoLength(_ range: Range<Int>) -> Bool {
    let range = trimmed(range)
    return !range.isEmpty && !octets[range].contains(where: \.isDigit)
  }

  /// Returns at most 60 octets of a value for a message.
  func excerpt(_ range: Range<Int>) -> String {
    range.count <= 60 ? string(range) : string(range.prefix(60)) + "…"
  }
}

extension String {
  /// At most 60 characters of the text; see ``Component/excerpt(_:)``.
  var excerpt: String { utf8.count <= 60 ? self : prefix(60) + "…" }
}
