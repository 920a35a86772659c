import CivilTime
import Messages

/// How often something repeats, as a text gives it.
struct QuickRepeat: Equatable {
  enum Unit: String {
    case day = "DAILY"
    case week = "WEEKLY"
    case month = "MONTHLY"
    case year = "YEARLY"
  }

  var unit: Unit
  var interval = 1
  /// Weekdays of each week.
  var weekdays: [Weekday] = []
  /// The day of each month; -1 is the last day.
  var monthDay: Int?
  /// A weekday of each month, "the first monday"; -1 is the last one.
  var ordinalWeekday: Ordinal?

  struct Ordinal: Equatable {
    let number: Int
    let weekday: Weekday
  }

  /// The recurrence rule, without an end.
  ///
  /// Source: RFC 5545 section 3.3.10.
  var ruleText: String {
    var text = "FREQ=\(unit.rawValue)"
    if interval != 1 { text += ";INTERVAL=\(interval)" }
    if !weekdays.isEmpty { text += ";BYDAY=" + weekdays.map(\.code).joined(separator: ",") }
    if let monthDay { text += ";BYMONTHDAY=\(monthDay)" }
    if let ordinalWeekday {
      text += ";BYDAY=\(ordinalWeekday.number)\(ordinalWeekday.weekday.code)"
    }
    return text
  }

  /// Whether it determines the first day by itself.
  var namesDay: Bool {
    !weekdays.isEmpty || monthDay != nil || ordinalWeekday != nil
      || (unit == .day && interval == 1)
  }

  /// Returns its first day from `day` on: `day` itself if it names none; nil outside the years.
  func firstDay(from day: CivilDate) -> CivilDate? {
    // The next fifth Monday is at most three months away, a 31st two.
    for distance in 0...200 {
      guard let date = day.adding(days: distance) else { return nil }
      if matches(date) { return date }
    }
    return nil
  }

  private func matches(_ date: CivilDate) -> Bool {
    if !weekdays.isEmpty, !weekdays.contains(date.weekday) { return false }
    let length = CivilDate.length(ofMonth: date.month, year: date.year)
    if let monthDay, date.day != (monthDay < 0 ? length : monthDay) { return false }
    guard let ordinalWeekday else { return true }
    guard date.weekday == ordinalWeekday.weekday else { return false }
    return ordinalWeekday.number < 0
      ? date.day + 7 > length : (date.day + 6) / 7 == ordinalWeekday.number
  }
}

extension QuickReader {
  /// Reads "mondays" or "on tuesdays and thursdays"; nil if something else follows.
  func readPluralDays(_ ahead: inout PhraseScanner, _ start: Int) -> [QuickPiece]? {
    var rest = ahead
    _ = rest.skip(word: "on")
    guard let word = rest.word, word.hasSuffix("days"),
      PhraseWords.weekday(String(word.dropLast())) != nil, let weekdays = rest.readWeekdayList()
    else { return nil }
    ahead = rest
    return [ahead.piece(.repeats(QuickRepeat(unit: .week, weekdays: weekdays)), start)]
  }

  /// Reads what follows "every"; empty if it belongs to the title.
  func readRepeat(
    _ ahead: inout PhraseScanner, _ start: Int
  ) throws(PhraseError) -> [QuickPiece] {
    if let (day, position) = ahead.readYearlyDay() {
      return [
        QuickPiece(
          content: .repeats(QuickRepeat(unit: .year)), start: start, end: position),
        ahead.piece(.day(.numbered(day)), position),
      ]
    }
    if let part = ahead.word.flatMap(DayPart.init(word:)) {
      let middle = ahead.token.start
      ahead.advance()
      return [
        QuickPiece(content: .repeats(QuickRepeat(unit: .day)), start: start, end: middle),
        ahead.piece(.part(part), middle),
      ]
    }
    guard let repeating = try ahead.readRepeating() else { return [] }
    return [ahead.piece(.repeats(repeating), start)]
  }

  /// Reads "daily" and the like, next to a day or a time, or at the end.
  ///
  /// In "daily standup 9:30" it belongs to the title.
  func readAdverb(_ ahead: inout PhraseScanner, _ start: Int) -> [QuickPiece] {
    let units: [String: QuickRepeat.Unit] = [
      "daily": .day, "weekly": .week, "monthly": .month, "yearly": .year, "annually": .year,
    ]
    guard let unit = ahead.word.flatMap({ units[$0] }) else { return [] }
    ahead.advance()
    guard !ahead.isAtTitle else { return [] }
    var repeating = QuickRepeat(unit: unit)
    ahead.readDays(of: &repeating)
    return [ahead.piece(.repeats(repeating), start)]
  }
}

extension PhraseScanner {
  /// Reads what follows "every": "day", "2 weeks on tue and thu", "first monday of the month".
  ///
  /// - Throws: ``PhraseError`` for repetition within a day, and for "second tuesday", which may be
  ///   every other one or the second one of a month.
  fileprivate mutating func readRepeating() throws(PhraseError) -> QuickRepeat? {
    if skip(word: "weekday") || skip(word: "weekdays") || skip(word: "workday") {
      return QuickRepeat(
        unit: .week, weekdays: [.monday, .tuesday, .wednesday, .thursday, .friday])
    }
    if skip(word: "weekend") { return QuickRepeat(unit: .week, weekdays: [.saturday, .sunday]) }
    if let weekdays = readWeekdayList() { return QuickRepeat(unit: .week, weekdays: weekdays) }
    let start = token.start
    var ahead = self
    var interval = 1
    if ahead.skip(word: "other") {
      interval = 2
      if let weekdays = ahead.readWeekdayList() {
        self = ahead
        return QuickRepeat(unit: .week, interval: 2, weekdays: weekdays)
      }
    } else if let number = ahead.readOrdinalWord() {
      if let found = try ahead.readOfMonth(number, at: start) {
        self = ahead
        return found
      }
      interval = number
    } else if let number = ahead.number {
      ahead.advance()
      interval = number
    }
    let unit: QuickRepeat.Unit
    switch ahead.word {
    case "day", "days": unit = .day
    case "week", "weeks": unit = .week
    case "month", "months": unit = .month
    case "year", "years": unit = .year
    case "hour", "hours", "minute", "minutes", "second", "seconds":
      throw fault(
        UserText("repeating within a day is not supported here"), at: start,
        example: "every day 9:00")
    default: return nil
    }
    guard (1...999).contains(interval) else {
      throw fault(
        UserText("the interval must be from 1 to 999"), at: start, example: "every 2 weeks")
    }
    ahead.advance()
    self = ahead
    var repeating = QuickRepeat(unit: unit, interval: interval)
    readDays(of: &repeating)
    return repeating
  }

  /// Reads "on tue and thu" for weeks, "on the 3rd" or "on the last friday" for months.
  fileprivate mutating func readDays(of repeating: inout QuickRepeat) {
    var ahead = self
    guard ahead.skip(word: "on") else { return }
    switch repeating.unit {
    case .week:
      guard let weekdays = ahead.readWeekdayList() else { return }
      repeating.weekdays = weekdays
    case .month:
      let hasArticle = ahead.skip(word: "the")
      let number: Int
      if let ordinal = ahead.readOrdinalWord() {
        number = ordinal
      } else if let day = ahead.number, (1...31).contains(day), !hasArticle {
        ahead.advance()
        guard ahead.word.flatMap(PhraseWords.month) == nil, ahead.endsPiece, !ahead.isAt(".") else {
          return
        }
        number = day
      } else {
        return
      }
      if let weekday = ahead.word.flatMap(PhraseWords.weekday), (-1...5).contains(number) {
        ahead.advance()
        repeating.ordinalWeekday = QuickRepeat.Ordinal(number: number, weekday: weekday)
      } else {
        guard ahead.skip(word: "day") || number > 0 else { return }
        repeating.monthDay = number
      }
    case .day, .year: return
    }
    self = ahead
  }

  /// Reads the rest after an ordinal: "monday of the month", "of the month", "day of the month".
  private mutating func readOfMonth(
    _ number: Int, at start: Int
  ) throws(PhraseError) -> QuickRepeat? {
    var ahead = self
    let weekday = ahead.word.flatMap(PhraseWords.weekday)
    let hasDay = weekday == nil && ahead.word == "day"
    if weekday != nil || hasDay { ahead.advance() }
    let weekdayEnd = ahead
    let hasMonth =
      ahead.skip(word: "of")
      && { () -> Bool in
        for word in ["the", "each", "every"] where ahead.skip(word: word) { break }
        return ahead.skip(word: "month")
      }()
    if !hasMonth { ahead = weekdayEnd }
    if let weekday, (-1...5).contains(number) {
      guard hasMonth || number != 2 else {
        throw fault(
          UserText("this could be every other one, or the second one of a month"), at: start,
          example: "every second monday of the month")
      }
      self = ahead
      return QuickRepeat(
        unit: .month, ordinalWeekday: QuickRepeat.Ordinal(number: number, weekday: weekday))
    }
    guard hasMonth, weekday == nil, hasDay || number > 0, number <= 31 else { return nil }
    self = ahead
    return QuickRepeat(unit: .month, monthDay: number)
  }

  /// Reads "3 Dec" after "every"; returns also where it begins.
  fileprivate mutating func readYearlyDay() -> (day: NumberedDay, position: Int)? {
    var ahead = self
    let position = token.start
    guard let day = ahead.readNumberedDay(), day.year == nil else { return nil }
    self = ahead
    return (day, position)
  }

  /// Reads "first" to "fifth", "last" or "3rd"; the last is -1.
  mutating func readOrdinalWord() -> Int? {
    if let number = readOrdinal() { return number > 0 ? number : nil }
    let words = ["first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1]
    guard let number = word.flatMap({ words[$0] }) else { return nil }
    advance()
    return number
  }

  /// Reads "tue", "tue, thu and sat" or "mon-fri"; also plurals such as "tuesdays".
  mutating func readWeekdayList() -> [Weekday]? {
    guard let first = readPluralWeekday() else { return nil }
    var days = [first]
    while true {
      var ahead = self
      if ahead.skip("-") || ahead.skip(word: "to") {
        guard days.count == 1, let last = ahead.readPluralWeekday() else { break }
        let distances = 0...last.days(since: first)
        days = distances.map { Weekday.allCases[(first.rawValue - 1 + $0) % 7] }
        self = ahead
        break
      }
      _ = ahead.skip(",")
      _ = ahead.skip("&") || ahead.skip(word: "and")
      _ = ahead.skip(word: "every")
      guard ahead.token.start != token.start, let day = ahead.readPluralWeekday() else { break }
      if !days.contains(day) { days.append(day) }
      self = ahead
    }
    return Set(days).count == 7 ? Weekday.allCases : days.sorted { $0.rawValue < $1.rawValue }
  }

  private mutating func readPluralWeekday() -> Weekday? {
    guard let word else { return nil }
    let singular = word.hasSuffix("days") ? String(word.dropLast()) : word
    guard let day = PhraseWords.weekday(singular) else { return nil }
    advance()
    return day
  }
}
