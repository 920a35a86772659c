import CivilTime
import Messages

/// Days by their month: "30 Nov", "Nov 30, 2027", "3rd of May", "21.11.2026", "21.11.".
extension PhraseScanner {
  /// Reads such a day; nil, and nothing is consumed, if something else follows.
  ///
  /// Without a year it is the next one, from today on.
  ///
  /// - Throws: ``PhraseError`` for a day that the month does not have.
  mutating func readMonthDay(from today: CivilDate) throws(PhraseError) -> CivilDate? {
    let start = token.start
    return try readNumberedDay()?.date(from: today, in: self, at: start)
  }

  /// Reads such a day as numbers; nil, and nothing is consumed, if something else follows.
  mutating func readNumberedDay() -> NumberedDay? {
    var ahead = self
    guard let (day, month) = ahead.readDayAndMonth() else { return nil }
    let year = ahead.readYear()
    self = ahead
    return NumberedDay(day: day, month: month, year: year)
  }

  private mutating func readDayAndMonth() -> (day: Int, month: Int)? {
    if let month = word.flatMap(PhraseWords.month) {
      advance()
      guard let day = readDayNumber() else { return nil }
      return (day, month)
    }
    guard let day = readDayNumber() else { return nil }
    var ahead = self
    _ = ahead.skip(word: "of")
    if let month = ahead.word.flatMap(PhraseWords.month) {
      self = ahead
      advance()
      return (day, month)
    }
    guard isAt("."), !token.isApart else { return nil }
    advance()
    guard let month = number, token.digits <= 2, (1...12).contains(month) else { return nil }
    advance()
    if isAt("."), !token.isApart { advance() }
    return (day, month)
  }

  /// Reads a number that is not an hour: "30", "3rd".
  mutating func readDayNumber() -> Int? {
    guard let day = number, token.digits <= 2 else { return nil }
    advance()
    if let word, ["st", "nd", "rd", "th"].contains(word), !token.isApart { advance() }
    if isAt(":") || word == "am" || word == "pm" { return nil }
    return day
  }

  /// Reads a year: four digits, perhaps after a comma, or two digits right after a month's dot.
  mutating func readYear() -> Int? {
    var ahead = self
    if let year = ahead.number, ahead.token.digits == 2, !ahead.token.isApart {
      advance()
      return 2000 + year
    }
    _ = ahead.skip(",")
    guard let year = ahead.number, ahead.token.digits == 4 else { return nil }
    ahead.advance()
    guard !ahead.isAt("-") || ahead.token.isApart else { return nil }
    self = ahead
    return year
  }
}

/// A day of a month, with or without a year.
struct NumberedDay: Equatable {
  let day: Int
  let month: Int
  let year: Int?

  /// Returns the day; without a year, the next one from `base` on.
  ///
  /// - Throws: ``PhraseError`` for a day that the month does not have.
  func date(
    from base: CivilDate, in scanner: PhraseScanner, at position: Int
  ) throws(PhraseError) -> CivilDate {
    // The next 29 February may be eight years away.
    for candidate in year.map({ $0...$0 }) ?? base.year...base.year + 8 {
      guard let date = CivilDate(year: candidate, month: month, day: day) else { continue }
      if year != nil || date >= base { return date }
    }
    let name = PhraseWords.monthName(month)
    let place = year.map { "\(name) \($0)" } ?? name
    let last = CivilDate.length(ofMonth: month, year: year ?? base.year)
    throw scanner.fault(
      UserText("there is no day {day} in {month}", ["day": day, "month": place]), at: position,
      example: "\(last) \(name.prefix(3))" + (year.map { " \($0)" } ?? ""))
  }
}
