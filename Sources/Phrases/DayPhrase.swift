import CivilTime
import Messages

/// Days by name: "tomorrow", "fri", "next fri", "fri next week".
extension PhraseScanner {
  /// Reads such a day; nil, and nothing is consumed, if something else follows.
  ///
  /// - Throws: ``PhraseError`` for "next" and "last" without a weekday.
  mutating func readNamedDay(from today: CivilDate) throws(PhraseError) -> CivilDate? {
    guard let word else { return nil }
    if let day = PhraseWords.days.first(where: { $0.word == word }) {
      advance()
      return try inRange(today.adding(days: day.distance))
    }
    if let weekday = PhraseWords.weekday(word) {
      advance()
      if skipNextWeek() { return try inRange(today.nextWeek(weekday)) }
      return try inRange(today.adding(days: weekday.days(since: today.weekday)))
    }
    guard word == "next" || word == "last" || word == "this" else { return nil }
    let start = self
    if skipNextWeek() {
      _ = skip(word: "on")
      if let weekday = self.word.flatMap(PhraseWords.weekday) {
        advance()
        return try inRange(today.nextWeek(weekday))
      }
      self = start
    }
    advance()
    guard let weekday = self.word.flatMap(PhraseWords.weekday) else {
      throw fault(
        UserText("expected a weekday, found {found}", ["found": found]), example: "\(word) fri")
    }
    advance()
    let ahead = weekday.days(since: today.weekday)
    switch word {
    case "next": return try inRange(today.adding(days: ahead == 0 ? 7 : ahead))
    case "last": return try inRange(today.adding(days: ahead - 7))
    default: return try inRange(today.adding(days: ahead))
    }
  }

  /// Consumes "next week"; returns false, and consumes nothing, if something else follows.
  private mutating func skipNextWeek() -> Bool {
    var ahead = self
    guard ahead.skip(word: "next"), ahead.skip(word: "week") else { return false }
    self = ahead
    return true
  }

  /// - Throws: ``PhraseError`` for nil, which means a day outside the years 1 to 9999.
  func inRange<Value>(_ value: Value?) throws(PhraseError) -> Value {
    guard let value else {
      throw fault(UserText("the date is outside the years 1 to 9999"), at: 0, example: "2026-11-21")
    }
    return value
  }

  /// The error for a day with slashes, such as 12/24/2026; nil if none follows.
  ///
  /// Some countries write the day first, and others the month.
  ///
  /// - Parameter needsYear: Whether "1/2" does not count as a day.
  func slashedDayFault(from today: CivilDate, needsYear: Bool) -> PhraseError? {
    var ahead = self
    var parts: [(value: Int, digits: Int)] = []
    while let number = ahead.number, ahead.token.digits <= 4, parts.count < 3 {
      if !parts.isEmpty, ahead.token.isApart { return nil }
      parts.append((number, ahead.token.digits))
      ahead.advance()
      guard ahead.isAt("/"), !ahead.token.isApart, parts.count < 3 else { break }
      ahead.advance()
    }
    guard parts.count == 3 || (parts.count == 2 && !needsYear) else { return nil }
    let written = slice(token.start, ahead.passed)
    let days = slashedDays(parts, from: today)
    guard let first = days.first else {
      return fault(UserText("\"{text}\" is not a day", ["text": written]), example: "2026-12-24")
    }
    let reason =
      days.count == 1
      ? UserText("days cannot be written with slashes")
      : UserText(
        "\"{text}\" could be {first} or {second}",
        ["text": written, "first": first.description, "second": days[1].description])
    return fault(reason, example: first.description)
  }

  /// Returns what a day with slashes may mean, day before month first.
  private func slashedDays(
    _ parts: [(value: Int, digits: Int)], from today: CivilDate
  ) -> [CivilDate] {
    if parts.count == 3, parts[0].digits == 4 {
      return [CivilDate(year: parts[0].value, month: parts[1].value, day: parts[2].value)]
        .compactMap { $0 }
    }
    var days: [CivilDate] = []
    for (day, month) in [(parts[0].value, parts[1].value), (parts[1].value, parts[0].value)] {
      let year: Int
      if parts.count == 3 {
        year = parts[2].value + (parts[2].digits <= 2 ? 2000 : 0)
      } else {
        let past = CivilDate(year: today.year, month: month, day: day).map { $0 < today } ?? false
        year = today.year + (past ? 1 : 0)
      }
      if let date = CivilDate(year: year, month: month, day: day), !days.contains(date) {
        days.append(date)
      }
    }
    return days
  }
}

extension CivilDate {
  /// Returns the weekday in the week after this day's; weeks begin on Monday.
  func nextWeek(_ weekday: Weekday) -> CivilDate? {
    onOrBefore(.monday)?.adding(days: 7 + weekday.days(since: .monday))
  }
}
