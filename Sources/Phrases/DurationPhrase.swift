package import CivilTime
import Messages

/// Reads a duration: "15m", "1h30m", "2 hours", "1.5h", "90 min", "an hour", "1d", "1w", "PT15M".
///
/// Weeks and days are nominal, the rest is exact. A number without a unit is refused: "15" could be
/// minutes or hours. So is a sign: the context decides whether a reminder is before or after.
///
/// - Throws: ``PhraseError`` for any other text, for units that are not in falling order, and for
///   more than 9,999 years.
package func readDuration(_ text: some StringProtocol) throws(PhraseError) -> CalendarDuration {
  var scanner = try PhraseScanner(text)
  if let word = scanner.word, word.first == "p" {
    do {
      return try CalendarDuration(text: scanner.text.trimmingBlanks())
    } catch {
      switch error {
      case .malformed(_, let reason): throw scanner.fault(reason, example: "PT15M")
      case .impossible(_, let reason): throw scanner.fault(reason, example: "PT15M")
      default: throw scanner.fault(error.text, example: "PT15M")
      }
    }
  }
  let duration = try scanner.readLength().duration
  guard scanner.isAtEnd else {
    throw scanner.fault(
      UserText("expected the end of the duration, found {found}", ["found": scanner.found]),
      example: "1h30m")
  }
  return duration
}

extension PhraseScanner {
  /// Whether a number with a unit follows.
  var isAtLength: Bool {
    guard let quantity = quantity() else { return isAtHalfHour }
    return quantity.after.word.flatMap(PhraseWords.unit) != nil
  }

  /// Reads numbers with units, the longest unit first.
  ///
  /// - Parameter isOpenEnded: Whether a number without a unit ends the duration.
  /// - Throws: ``PhraseError`` if there is none, or a number has no unit.
  /// - Returns: The duration, and whether it has only weeks and days.
  mutating func readLength(isOpenEnded: Bool = false) throws(PhraseError) -> (
    duration: CalendarDuration, isWholeDays: Bool
  ) {
    let start = token.start
    if isAtHalfHour {
      for _ in 0..<3 { advance() }
      return (CalendarDuration(seconds: 1800), false)
    }
    var (days, seconds): (Int64, Int64) = (0, 0)
    var last: LengthUnit?
    repeat {
      guard let (value, hundredths, after) = quantity() else {
        throw fault(
          UserText("expected a number with a unit, found {found}", ["found": found]), example: "15m"
        )
      }
      let position = token.start
      var clock = self
      self = after
      guard let word, let unit = PhraseWords.unit(word) else {
        // 25:00 is meant as a time: report it as one.
        if isAt(":") { _ = try clock.readTimeOfDay() }
        throw fault(
          UserText("{number} needs a unit: w, d, h, m or s", ["number": value]), at: position,
          example: "\(value)m")
      }
      if let last, unit.rawValue >= last.rawValue {
        throw fault(
          UserText("the longer unit comes first, each once"), at: position, example: "1h30m")
      }
      if hundredths != 0, unit != .hours {
        throw fault(UserText("only hours can have a fraction"), at: position, example: "1h30m")
      }
      last = unit
      // Cannot overflow: at most nine digits times the seconds of an hour.
      days += Int64(value) * unit.days
      seconds += Int64(value) * unit.seconds + Int64(hundredths) * 36
      advance()
      if self.word == "and" {
        var ahead = self
        ahead.advance()
        guard ahead.isAtLength else { break }
        self = ahead
      }
    } while number != nil && !isAtTimeOfDay && (!isOpenEnded || isAtLength)
    // The days of the years 1 to 9999.
    guard days <= 3_652_059, seconds <= 3_652_059 * 86_400 else {
      throw fault(UserText("longer than 9,999 years"), at: start, example: "2w")
    }
    let isWholeDays = last.map { $0.seconds == 0 } ?? false
    return (CalendarDuration(days: Int(days), seconds: seconds), isWholeDays)
  }

  /// Reads "1 month", "2 years" or "a year" as months; nil, and nothing is consumed, otherwise.
  ///
  /// Months differ in length, so they are not a ``CalendarDuration``.
  mutating func readMonthCount() throws(PhraseError) -> Int? {
    guard let (value, hundredths, after) = quantity(), hundredths == 0 else { return nil }
    let months: Int
    switch after.word {
    case "month", "months": months = value
    case "year", "years", "yr", "yrs": months = value > 9999 ? Int(Int32.max) : value * 12
    default: return nil
    }
    guard months <= 9999 * 12 else {
      throw fault(UserText("longer than 9,999 years"), example: "in 2 months")
    }
    self = after
    advance()
    return months
  }

  /// Returns the next number, with its hundredths, and the scanner after it.
  ///
  /// "a" and "an" mean 1 before a written-out unit.
  private func quantity() -> (value: Int, hundredths: Int, after: PhraseScanner)? {
    var after = self
    after.advance()
    guard let number else {
      let units = ["minute", "hour", "day", "week", "month", "year"]
      guard word == "a" || word == "an", let unit = after.word, units.contains(unit) else {
        return nil
      }
      return (1, 0, after)
    }
    guard after.isAt("."), !after.token.isApart else { return (number, 0, after) }
    var fraction = after
    fraction.advance()
    guard let digits = fraction.number, !fraction.token.isApart, fraction.token.digits <= 2 else {
      return (number, 0, after)
    }
    let hundredths = fraction.token.digits == 1 ? digits * 10 : digits
    fraction.advance()
    return (number, hundredths, fraction)
  }

  private var isAtHalfHour: Bool {
    var ahead = self
    return ahead.skip(word: "half") && ahead.skip(word: "an") && ahead.word == "hour"
  }

  /// Whether the next number begins a time of day, as in "+3d 14:00".
  private var isAtTimeOfDay: Bool {
    var ahead = self
    ahead.advance()
    return ahead.isAt(":") || ahead.word == "am" || ahead.word == "pm"
  }
}
