import CivilTime
import Messages

/// Dates in digits, times of day, offsets and epoch seconds: the parts of moments.
extension PhraseScanner {
  /// Whether eight digits without a unit follow, or four digits and a hyphen.
  var isAtISODate: Bool {
    guard number != nil else { return false }
    if token.digits == 8 { return !isAtLength }
    guard token.digits == 4 else { return false }
    var ahead = self
    ahead.advance()
    return ahead.isAt("-") && !ahead.token.isApart
  }

  /// Reads "2026-11-21" or "20261121".
  mutating func readISODate() throws(PhraseError) -> CivilDate {
    let start = token.start
    let isBasic = token.digits == 8
    var end = token.end
    advance()
    if !isBasic {
      for _ in 0..<2 {
        guard !token.isApart, skip("-"), number != nil, token.digits == 2, !token.isApart else {
          throw fault(
            UserText("expected month and day in two digits each, found {found}", ["found": found]),
            example: "2026-11-21")
        }
        end = token.end
        advance()
      }
    }
    do {
      return try CivilDate(text: slice(start, end))
    } catch {
      guard case .impossible(_, let reason) = error else {
        throw fault(error.text, at: start, example: "2026-11-21")
      }
      throw fault(reason, at: start, example: "2026-11-21")
    }
  }

  /// Reads "14:00", "9:30:15", "9am", "9:30 pm", "noon" or "midnight".
  ///
  /// - Parameter allowsBasic: Whether "1400" and "140000" are times, too.
  /// - Returns: nil, and nothing is consumed, if something else follows.
  /// - Throws: ``PhraseError`` for a time that does not exist.
  mutating func readTimeOfDay(allowsBasic: Bool = false) throws(PhraseError) -> TimeOfDay? {
    if let word, let named = PhraseWords.hours.first(where: { $0.word == word }) {
      advance()
      return TimeOfDay(hour: named.hour, minute: 0)
    }
    guard var hour = number else { return nil }
    let first = token
    var ahead = self
    ahead.advance()
    if allowsBasic, first.digits == 4 || first.digits == 6 {
      self = ahead
      let value = first.digits == 6 ? hour : hour * 100
      return try time(value / 10_000, value / 100 % 100, value % 100, at: first)
    }
    guard first.digits <= 2 else { return nil }
    var (minute, second) = (0, 0)
    let hasMinutes = ahead.isAt(":") && !ahead.token.isApart
    if hasMinutes {
      minute = try ahead.readTwoDigits()
      if ahead.isAt(":"), !ahead.token.isApart, ahead.hasNumberNext {
        second = try ahead.readTwoDigits()
        if ahead.isAt("."), !ahead.token.isApart { try ahead.skipFraction() }
      }
    }
    if let half = ahead.word, half == "am" || half == "pm" {
      guard (1...12).contains(hour) else {
        throw fault(
          UserText("there is no {time}", ["time": "\(hour) \(half)"]), at: first.start,
          example: "9:30pm")
      }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
      ahead.advance()
    } else if !hasMinutes {
      return nil
    }
    self = ahead
    return try time(hour, minute, second, at: first)
  }

  /// Consumes "24:00" or "24:00:00", the midnight at the end of a day; otherwise returns false.
  mutating func skipEndOfDay() -> Bool {
    guard number == 24, token.digits == 2 else { return false }
    var ahead = self
    ahead.advance()
    var fields = 0
    while ahead.isAt(":"), !ahead.token.isApart {
      ahead.advance()
      guard ahead.number == 0, ahead.token.digits == 2, !ahead.token.isApart else { return false }
      ahead.advance()
      fields += 1
    }
    guard fields == 1 || fields == 2 else { return false }
    self = ahead
    return true
  }

  /// Reads "Z", "UTC", "+01:00", "+0100" or "-03"; nil if something else follows.
  mutating func readOffset() throws(PhraseError) -> UTCOffset? {
    if skip(word: "z") || skip(word: "utc") { return .utc }
    guard isAt("+") || isAt("-") else { return nil }
    let isWest = isAt("-")
    let position = token.start
    advance()
    guard var hours = number, !token.isApart, token.digits == 2 || token.digits == 4 else {
      throw fault(
        UserText("expected an offset from UTC, found {found}", ["found": found]), example: "+01:00")
    }
    var minutes = 0
    let isWhole = token.digits == 4
    if isWhole { (hours, minutes) = (hours / 100, hours % 100) }
    advance()
    if !isWhole, isAt(":") { minutes = try readTwoDigits() }
    guard hours < 24, minutes < 60 else {
      throw fault(UserText("an offset ends at 23:59"), at: position, example: "+01:00")
    }
    let size = Int32(hours * 3600 + minutes * 60)
    return UTCOffset(seconds: isWest ? -size : size)
  }

  /// Reads "@" and the seconds since 1970.
  mutating func readEpoch() throws(PhraseError) -> Timestamp {
    advance()
    let isNegative = skip("-")
    let start = token.start
    // A token has at most nine digits.
    while number != nil, token.start == start || !token.isApart { advance() }
    var end = token.start
    while end > start, slice(end - 1, end).trimmingBlanks().isEmpty { end -= 1 }
    guard end > start, let seconds = Int64(slice(start, end)) else {
      throw end > start
        ? fault(
          UserText("the date is outside the years 1 to 9999"), at: start, example: "@1795262400")
        : fault(
          UserText("expected a number of seconds since 1970, found {found}", ["found": found]),
          example: "@1795262400")
    }
    let instant = Timestamp(seconds: isNegative ? -seconds : seconds)
    guard instant >= .earliest, instant <= .latest else {
      throw fault(
        UserText("the date is outside the years 1 to 9999"), at: start, example: "@1795262400")
    }
    return instant
  }

  /// Whether a number follows the next token without a space.
  private var hasNumberNext: Bool {
    var ahead = self
    ahead.advance()
    return ahead.number != nil && !ahead.token.isApart
  }

  /// Consumes a mark, and reads the two digits after it.
  private mutating func readTwoDigits() throws(PhraseError) -> Int {
    advance()
    guard let value = number, token.digits == 2, !token.isApart else {
      throw fault(
        UserText("expected two digits, found {found}", ["found": found]), example: "14:00")
    }
    advance()
    return value
  }

  private mutating func skipFraction() throws(PhraseError) {
    advance()
    guard number != nil, !token.isApart else {
      throw fault(
        UserText("expected a fraction of a second, found {found}", ["found": found]),
        example: "14:00:00")
    }
    while number != nil, !token.isApart { advance() }
  }

  private func time(
    _ hour: Int, _ minute: Int, _ second: Int, at first: PhraseToken
  ) throws(PhraseError) -> TimeOfDay {
    guard let time = TimeOfDay(hour: hour, minute: minute, second: second) else {
      if hour == 24, minute == 0, second == 0 {
        throw fault(UserText("24:00 can only be an end"), at: first.start, example: "0:00")
      }
      throw fault(UserText("a day ends at 23:59:59"), at: first.start, example: "23:59")
    }
    return time
  }
}
