import CivilTime
import Messages

/// Times of day as they are spoken.
extension PhraseScanner {
  /// Reads "half past nine", "quarter to 10", "ten past nine" or "9 o'clock", with "am" or "pm".
  ///
  /// Without them it is a ``QuickClock/Form-swift.enum/bare`` hour: nine or twenty-one.
  ///
  /// - Returns: nil, and nothing is consumed, if something else follows.
  /// - Throws: ``PhraseError`` for a time such as "half past 13 pm".
  mutating func readSpokenClock() throws(PhraseError) -> QuickClock? {
    var ahead = self
    let start = token.start
    _ = ahead.skip(word: "a")
    guard let minutes = ahead.readSpokenMinutes() else {
      ahead = self
      guard let hour = ahead.readHourWord() ?? ahead.readHourNumber(), ahead.skipOClock() else {
        return nil
      }
      return try spoken(hour * 60, from: start, &ahead)
    }
    if let named = ahead.word.flatMap({ word in PhraseWords.hours.first { $0.word == word } }) {
      ahead.advance()
      let time = TimeOfDay(secondOfDay: (named.hour * 60 + minutes + 1440) % 1440 * 60)
      self = ahead
      return QuickClock(time: time ?? .midnight, form: .settled, start: start, end: passed)
    }
    guard let hour = ahead.readHourWord() ?? ahead.readHourNumber() else { return nil }
    return try spoken(hour * 60 + minutes, from: start, &ahead)
  }

  /// Reads "nine".
  mutating func readHourWord() -> Int? {
    let words = [
      "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
      "twelve",
    ]
    guard let word, let index = words.firstIndex(of: word) else { return nil }
    advance()
    return index + 1
  }

  /// Consumes "o'clock", with either apostrophe or without one.
  mutating func skipOClock() -> Bool {
    if skip(word: "o\u{2019}clock") || skip(word: "oclock") { return true }
    var ahead = self
    guard ahead.skip(word: "o"), ahead.skip("'"), ahead.skip(word: "clock") else { return false }
    self = ahead
    return true
  }

  private mutating func readHourNumber() -> Int? {
    guard let hour = number, token.digits <= 2, hour < 24 else { return nil }
    var ahead = self
    ahead.advance()
    guard !ahead.isAt(":") || ahead.token.isApart else { return nil }
    self = ahead
    return hour
  }

  /// Reads "half past", "quarter to", "ten past" or "20 past" as minutes after the hour.
  private mutating func readSpokenMinutes() -> Int? {
    let words = ["half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20]
    var ahead = self
    let minutes: Int
    let isNumber = ahead.number != nil
    if let number = ahead.number, number > 0, number < 60, number % 5 == 0 {
      minutes = number
    } else if let number = ahead.word.flatMap({ words[$0] }) {
      minutes = number
    } else {
      return nil
    }
    ahead.advance()
    if ahead.skip(word: "past") {
      self = ahead
      return minutes
    }
    // "5 to 9" are hours, and nobody says "half to".
    guard !isNumber, minutes != 30, ahead.skip(word: "to") else { return nil }
    self = ahead
    return -minutes
  }

  private mutating func spoken(
    _ minutes: Int, from start: Int, _ ahead: inout PhraseScanner
  ) throws(PhraseError) -> QuickClock? {
    var minutes = (minutes + 1440) % 1440
    var form = minutes < 780 ? QuickClock.Form.bare : .digits
    if let half = ahead.word, half == "am" || half == "pm" {
      guard minutes < 780 else {
        throw ahead.fault(
          UserText("there is no {time}", ["time": "\(minutes / 60) \(half)"]), at: start,
          example: "9:30pm")
      }
      minutes = minutes % 720 + (half == "pm" ? 720 : 0)
      form = .settled
      ahead.advance()
    }
    guard let time = TimeOfDay(secondOfDay: minutes * 60) else { return nil }
    self = ahead
    return QuickClock(time: time, form: form, start: start, end: passed)
  }

  /// Reads "18 Uhr" or "9.30am"; where a time is expected, also "12.30" and "17h30".
  ///
  /// - Returns: nil, and nothing is consumed, if something else follows.
  /// - Throws: ``PhraseError`` for an impossible time.
  mutating func readWrittenClock(isExpected: Bool) throws(PhraseError) -> QuickClock? {
    guard let hour = number, token.digits <= 2 else { return nil }
    let start = token.start
    var ahead = self
    ahead.advance()
    var minute = 0
    var isDotted = false
    if ahead.isAt("."), !ahead.token.isApart {
      ahead.advance()
      guard let number = ahead.number, !ahead.token.isApart, ahead.token.digits == 2 else {
        return nil
      }
      minute = number
      isDotted = true
      ahead.advance()
    }
    let half = ahead.word
    var form = QuickClock.Form.digits
    if half == "uhr" {
      ahead.advance()
    } else if isDotted, half == "am" || half == "pm" {
      form = .settled
      ahead.advance()
    } else if isExpected, !isDotted, half == "h", !ahead.token.isApart {
      ahead.advance()
      if let number = ahead.number, !ahead.token.isApart, ahead.token.digits == 2 {
        minute = number
        ahead.advance()
      }
    } else if isExpected, isDotted, ahead.endsPiece || ahead.isAt("-") {
      // "at 5.30" is as ambiguous as "at 5".
      form = (1...7).contains(hour) ? .bare : .digits
    } else {
      return nil
    }
    let isHalf = form == .settled
    guard !isHalf || (1...12).contains(hour),
      let time = TimeOfDay(
        hour: isHalf ? hour % 12 + (half == "pm" ? 12 : 0) : hour, minute: minute)
    else {
      // "24.12" is a day.
      if !isHalf, half != "uhr" { return nil }
      throw fault(
        UserText("\"{text}\" is not a time of day", ["text": slice(start, ahead.passed)]),
        at: start, example: "18:30")
    }
    self = ahead
    return QuickClock(time: time, form: form, start: start, end: passed)
  }
}
