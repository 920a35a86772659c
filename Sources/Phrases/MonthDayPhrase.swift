import CivilTime

/// Days by their month: "30 Nov", "Nov 30, 2027", "21.11.2026", "21.11.".
extension PhraseScanner {
  /// Reads such a day; nil, and nothing is passed, if something else comes next.
  /// Without a year it is the next one from today on.
  mutating func readMonthDay(from today: CivilDate) throws(PhraseError) -> CivilDate? {
    let start = token.start
    var ahead = self
    guard let (day, month) = ahead.readDayAndMonth() else { return nil }
    let year = ahead.readYear()
    self = ahead
    // A 29th of February may be seven years away.
    for candidate in year.map({ $0...$0 }) ?? today.year...today.year + 8 {
      guard let date = CivilDate(year: candidate, month: month, day: day) else { continue }
      if year != nil || date >= today { return date }
    }
    let name = PhraseWords.monthName(month)
    let place = year.map { "\(name) \($0)" } ?? name
    throw fault("there is no day \(day) in \(place)", at: start, example: "30 Nov")
  }

  private mutating func readDayAndMonth() -> (day: Int, month: Int)? {
    if let month = word.flatMap(PhraseWords.month) {
      advance()
      guard let day = readDayNumber() else { return nil }
      return (day, month)
    }
    guard let day = readDayNumber() else { return nil }
    if let month = word.flatMap(PhraseWords.month) {
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

  /// A number that is no hour: "30", "3rd".
  private mutating func readDayNumber() -> Int? {
    guard let day = number, token.digits <= 2 else { return nil }
    advance()
    if let word, ["st", "nd", "rd", "th"].contains(word), !token.isApart { advance() }
    if isAt(":") || word == "am" || word == "pm" { return nil }
    return day
  }

  /// Four digits that end there, with a comma before them or without.
  private mutating func readYear() -> Int? {
    var ahead = self
    _ = ahead.skip(",")
    guard let year = ahead.number, ahead.token.digits == 4 else { return nil }
    ahead.advance()
    guard !ahead.isAt("-") || ahead.token.isApart else { return nil }
    self = ahead
    return year
  }
}
