package import CivilTime
import Messages

/// Days counted from other days, or within a month.
extension PhraseScanner {
  /// Reads "day after tomorrow" or "the day before yesterday".
  ///
  /// - Returns: nil, and nothing is consumed, if something else follows.
  /// - Throws: ``PhraseError`` for a day outside the years 1 to 9999.
  mutating func readDayBeside(today: CivilDate) throws(PhraseError) -> CivilDate? {
    var ahead = self
    _ = ahead.skip(word: "the")
    guard ahead.skip(word: "day") else { return nil }
    let distance: Int
    if ahead.skip(word: "after"), ahead.word == "tomorrow" {
      distance = 2
    } else if ahead.skip(word: "before"), ahead.word == "yesterday" {
      distance = -2
    } else {
      return nil
    }
    ahead.advance()
    self = ahead
    return try inRange(today.adding(days: distance))
  }

  /// Reads "first monday of next month", "last friday of december 2027", "1st of next month".
  ///
  /// "The month", and a month without a year, mean the first one in which the day is still to come.
  ///
  /// - Returns: nil, and nothing is consumed, if something else follows.
  /// - Throws: ``PhraseError`` for a day that the month does not have, and for "first monday"
  ///   without a month.
  mutating func readMonthOrdinal(today: CivilDate) throws(PhraseError) -> CivilDate? {
    var ahead = self
    let start = token.start
    _ = ahead.skip(word: "the")
    guard let number = ahead.readOrdinalWord() else { return nil }
    let weekday = ahead.word.flatMap(PhraseWords.weekday)
    let namesDay = weekday != nil || ahead.word == "day"
    if namesDay { ahead.advance() }
    let written = slice(start, ahead.passed)
    let isOf = ahead.word == "of" || (ahead.word == "in" && namesDay)
    if isOf { ahead.advance() }
    guard isOf, let months = ahead.readMonths(today: today) else {
      guard weekday != nil, number > 0 else { return nil }
      throw fault(
        UserText("\"{text}\" does not say of which month", ["text": written]), at: start,
        example: isOf ? "every first monday of the month" : "\(written) of december")
    }
    guard namesDay || number > 0 else { return nil }
    for month in months {
      guard let date = ordinalDay(number, weekday, of: month) else { continue }
      if months.count == 1 || date >= today {
        self = ahead
        return date
      }
    }
    throw fault(
      UserText("there is no day \"{text}\"", ["text": slice(start, ahead.passed)]), at: start,
      example: "last friday of december")
  }

  /// Reads "next month", "this month", "the month" or "december 2027".
  ///
  /// - Returns: The first days of the months that it may mean.
  private mutating func readMonths(today: CivilDate) -> [CivilDate]? {
    var ahead = self
    guard let first = CivilDate(year: today.year, month: today.month, day: 1) else { return nil }
    if let month = ahead.word.flatMap(PhraseWords.month) {
      ahead.advance()
      let year = ahead.readYear()
      self = ahead
      return (year.map { $0...$0 } ?? today.year...today.year + 8).compactMap {
        CivilDate(year: $0, month: month, day: 1)
      }
    }
    let isThis = ahead.word == "this"
    let isNext = ahead.word == "next"
    guard isThis || isNext || ahead.word == "the" else { return nil }
    ahead.advance()
    guard ahead.skip(word: "month") else { return nil }
    self = ahead
    if isThis { return [first] }
    let distances = isNext ? [1] : Array(0...12)
    return distances.compactMap { first.adding(months: $0) }
  }

  private func ordinalDay(_ number: Int, _ weekday: Weekday?, of first: CivilDate) -> CivilDate? {
    let length = CivilDate.length(ofMonth: first.month, year: first.year)
    func day(_ day: Int) -> CivilDate? {
      day <= length ? CivilDate(year: first.year, month: first.month, day: day) : nil
    }
    guard let weekday else { return day(number < 0 ? length : number) }
    guard number < 0 else {
      return day(1 + weekday.days(since: first.weekday) + 7 * (number - 1))
    }
    guard let last = day(length) else { return nil }
    return last.adding(days: -last.weekday.days(since: weekday))
  }
}

/// Reads a month by name: "december", "dec 2027", "next month", "last month".
///
/// - Returns: Its first day; without a year, of the next such month, which may be this one. nil for
///   any other text, including "1 december" and "2027-12".
package func readMonthName(_ text: some StringProtocol, _ context: PhraseContext) -> CivilDate? {
  guard var scanner = try? PhraseScanner(text),
    let first = CivilDate(year: context.today.year, month: context.today.month, day: 1)
  else { return nil }
  if let month = scanner.word.flatMap(PhraseWords.month) {
    scanner.advance()
    let year = scanner.readYear()
    guard scanner.isAtEnd else { return nil }
    let isOver = month < first.month
    return CivilDate(year: year ?? first.year + (isOver ? 1 : 0), month: month, day: 1)
  }
  let distances = ["last": -1, "this": 0, "the": 0, "next": 1]
  guard let distance = scanner.word.flatMap({ distances[$0] }) else { return nil }
  scanner.advance()
  guard scanner.skip(word: "month"), scanner.isAtEnd else { return nil }
  return first.adding(months: distance)
}

extension QuickReader {
  /// Reads "this weekend", "next weekend", "on the weekend": its days that are not over.
  func readWeekend(
    _ ahead: inout PhraseScanner, _ start: Int
  ) throws(PhraseError) -> [QuickPiece]? {
    var rest = ahead
    let isNamed = ["on", "at", "over"].contains(rest.word ?? "")
    if isNamed { rest.advance() }
    let isNext = rest.word == "next"
    guard isNext || rest.word == "this" || (isNamed && rest.word == "the") else { return nil }
    rest.advance()
    let middle = rest.passed
    guard rest.skip(word: "weekend"), !rest.isAtTitle || isNamed else { return nil }
    let today = context.today
    let sunday = try rest.inRange(today.nextWeek(.sunday)?.adding(days: isNext ? 0 : -7))
    let saturday = try rest.inRange(sunday.adding(days: -1))
    ahead = rest
    let guess: QuickGuess? = isNext ? .doubtfulWord : nil
    let first = max(today, saturday)
    var pieces = [QuickPiece(content: .day(.date(first)), start: start, end: middle, guess: guess)]
    if first < sunday {
      let end = QuickEnd(day: .date(sunday), clock: nil, start: middle)
      pieces.append(QuickPiece(content: .end(end), start: middle, end: rest.passed))
    } else {
      pieces = [ahead.piece(.day(.date(first)), start)]
    }
    return pieces
  }
}
