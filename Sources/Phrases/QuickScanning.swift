import CivilTime
import Messages

/// Short forms that only quick texts have.
extension PhraseScanner {
  func piece(
    _ content: QuickPiece.Content, _ start: Int, _ certainty: QuickPiece.Certainty = .certain
  ) -> QuickPiece {
    QuickPiece(content: content, start: start, end: passed, certainty: certainty)
  }

  /// Whether the next token is a word that cannot begin a piece.
  var isAtTitle: Bool {
    guard let word else { return false }
    return !PhraseWords.betweenPieces.contains(word) && PhraseWords.weekday(word) == nil
      && PhraseWords.month(word) == nil && !PhraseWords.days.contains { $0.word == word }
  }

  /// Whether "9:30" or "9am" follows.
  var isAtClock: Bool {
    var ahead = self
    _ = ahead.skip(word: "at")
    guard ahead.number != nil, ahead.token.digits <= 2 else { return false }
    ahead.advance()
    return (ahead.isAt(":") && !ahead.token.isApart) || ahead.word == "am" || ahead.word == "pm"
  }

  /// Whether eight digits that are a date follow, or the form of "2026-11-21".
  var isAtWholeISODate: Bool {
    guard isAtISODate else { return false }
    if token.digits == 8 { return (try? CivilDate(text: slice(token.start, token.end))) != nil }
    var ahead = self
    ahead.advance()
    for _ in 0..<2 {
      guard ahead.skip("-"), ahead.number != nil, !ahead.token.isApart, ahead.token.digits <= 2
      else { return false }
      ahead.advance()
    }
    return true
  }

  /// Reads a text in quotation marks; returns the offsets of the text between them.
  mutating func readQuoted() -> Range<Int>? {
    guard isAt("\"") else { return nil }
    var ahead = self
    let start = ahead.token.end
    repeat { ahead.advance() } while !ahead.isAtEnd && !ahead.isAt("\"")
    let end = ahead.token.start
    guard ahead.skip("\"") else { return nil }
    self = ahead
    return start..<end
  }

  /// Reads "#work" or "#\"Team events\""; nil for "#4", a number.
  mutating func readCalendarName() -> String? {
    guard isAt("#") else { return nil }
    var ahead = self
    ahead.advance()
    guard !ahead.isAtEnd, !ahead.token.isApart else { return nil }
    if let range = ahead.readQuoted() {
      let name = slice(range.lowerBound, range.upperBound).trimmingBlanks()
      guard !name.isEmpty else { return nil }
      self = ahead
      return String(name)
    }
    let start = ahead.token.start
    var isNumber = true
    while !ahead.isAtEnd, !ahead.token.isApart || ahead.token.start == start {
      if ahead.isAt(",") || ahead.isAt(";") || ahead.isAt("!") { break }
      if ahead.number == nil { isNumber = false }
      ahead.advance()
    }
    guard !isNumber, ahead.passed > start else { return nil }
    self = ahead
    return slice(start, passed)
  }

  /// Reads a reminder after "!"; nil, and nothing is consumed, if something else follows.
  ///
  /// "!15m" before the start; "!end-5m" before the end; "!9:00", "!noon", "!at 9" and "!day before
  /// 18:00" at a time of day; "!none".
  ///
  /// - Throws: ``PhraseError`` for a number without a unit, an impossible time ("!25:00"), and an
  ///   ambiguous hour ("!at 5").
  mutating func readReminder() throws(PhraseError) -> QuickReminder? {
    guard isAt("!") else { return nil }
    var ahead = self
    ahead.advance()
    guard !ahead.token.isApart else { return nil }
    if ahead.skip(word: "none") {
      self = ahead
      return QuickReminder.none
    }
    if let lead = try ahead.readReminderLead() {
      self = ahead
      return lead
    }
    let isNumber = ahead.number != nil
    if let time = try ahead.readReminderClock() {
      self = ahead
      return .time(time)
    }
    guard isNumber else { return nil }
    // A number alone is not a time here: it may be a duration without its unit.
    throw ahead.fault(
      UserText("a reminder needs a number with a unit after \"!\""), at: token.start,
      example: "!15m")
  }

  /// Reads ",5m" after a reminder: another one; nil, and nothing is consumed, otherwise.
  mutating func readFurtherReminder() throws(PhraseError) -> QuickReminder? {
    guard isAt(","), !token.isApart else { return nil }
    var ahead = self
    ahead.advance()
    // A day or a time after a comma belongs to the event.
    guard !ahead.isAtEnd, !ahead.token.isApart, let lead = try ahead.readReminderLead() else {
      return nil
    }
    self = ahead
    return lead
  }

  /// Reads "15m" or "end-5m": a reminder by duration.
  private mutating func readReminderLead() throws(PhraseError) -> QuickReminder? {
    if let place = readReminderPlace() {
      return place.isFromEnd ? .leadToEnd(place.offset.negated) : .lead(place.offset.negated)
    }
    guard isAtLength else { return nil }
    let length = try readLength(isOpenEnded: true)
    _ = skip(word: "before")
    return .lead(length.duration)
  }

  /// Reads "9:00", "noon", "at 9", "half past eight" or "day before 18:00".
  private mutating func readReminderClock() throws(PhraseError) -> ReminderTime? {
    var ahead = self
    var days = 0
    let isAfterThe = ahead.skip(word: "the")
    if isAfterThe || ahead.word == "day" {
      guard ahead.skip(word: "day"), ahead.skip(word: "before") else { return nil }
      days = 1
    }
    let isAfterAt = ahead.skip(word: "at")
    guard let clock = try ahead.readClock(allowsBare: isAfterAt, allowsEndOfDay: false) else {
      return nil
    }
    guard let time = clock.form == .bare ? BareHour.reading(clock.time).time : clock.time else {
      throw ahead.bareHourFault(clock)
    }
    self = ahead
    return ReminderTime(daysBefore: days, time: time)
  }

  /// Reads "end", "end-5m" or "start+10m", up to the next blank or mark.
  ///
  /// - Returns: nil, and nothing is consumed, if something else follows.
  private mutating func readReminderPlace() -> ReminderPlace? {
    guard word == "end" || word == "start" else { return nil }
    var ahead = self
    repeat {
      ahead.advance()
    } while !ahead.isAtEnd && !ahead.token.isApart
      && ![",", ";", ")"].contains(where: { ahead.isAt($0) })
    let text = slice(token.start, ahead.passed).lowercased()
    guard let place = Phrases.readReminderPlace(text) else { return nil }
    self = ahead
    return place
  }

  /// Reads a duration in hours, days or months; nil, and nothing is consumed, otherwise.
  mutating func readQuickLength() throws(PhraseError) -> QuickLength? {
    if let months = try readMonthCount() { return .months(months) }
    guard isAtLength else { return nil }
    let length = try readLength(isOpenEnded: true)
    return .duration(length.duration, isWholeDays: length.isWholeDays)
  }

  /// Reads "10 times".
  mutating func readTimes() -> Int? {
    var ahead = self
    guard let count = ahead.number else { return nil }
    ahead.advance()
    guard ahead.skip(word: "times") else { return nil }
    self = ahead
    return count
  }

  /// Reads "3rd".
  mutating func readOrdinal() -> Int? {
    guard let number, token.digits <= 2 else { return nil }
    var ahead = self
    ahead.advance()
    guard let suffix = ahead.word, !ahead.token.isApart, ["st", "nd", "rd", "th"].contains(suffix)
    else { return nil }
    ahead.advance()
    self = ahead
    return number
  }

  /// Reads "9:30", "9am", "noon", "half past nine" or "18 Uhr"; if allowed, "9", "9.30", "24:00".
  ///
  /// - Returns: nil, and nothing is consumed, for text that does not have the form of a time.
  ///
  /// - Throws: ``PhraseError`` for a time that does not exist: "25:00", "13pm".
  mutating func readClock(
    allowsBare: Bool, allowsEndOfDay: Bool
  ) throws(PhraseError) -> QuickClock? {
    let start = token.start
    if let spoken = try readSpokenClock() { return spoken }
    // "- 1h" is a duration.
    let isExpected = allowsBare && (!allowsEndOfDay || !isAtLength)
    if let written = try readWrittenClock(isExpected: isExpected) { return written }
    var ahead = self
    ahead.advance()
    guard let hour = number, token.digits <= 2 else {
      guard word != nil, let time = try readTimeOfDay() else { return nil }
      return QuickClock(time: time, form: .settled, start: start, end: passed)
    }
    if (ahead.isAt(":") && !ahead.token.isApart) || ahead.word == "am" || ahead.word == "pm" {
      let isHalf = !ahead.isAt(":")
      ahead.advance()
      guard isHalf || (ahead.number != nil && !ahead.token.isApart && ahead.token.digits == 2)
      else { return nil }
      if allowsEndOfDay, skipEndOfDay() {
        return QuickClock(
          time: .midnight, form: .digits, start: start, end: passed, isEndOfDay: true)
      }
      guard let time = try readTimeOfDay() else { return nil }
      let isSettled = slice(passed - 1, passed).lowercased() == "m"
      _ = skip(word: "uhr")
      return QuickClock(
        time: time, form: isSettled ? .settled : .digits, start: start, end: passed)
    }
    guard allowsBare, hour < 24, let time = TimeOfDay(hour: hour, minute: 0) else { return nil }
    self = ahead
    return QuickClock(time: time, form: .bare, start: start, end: passed)
  }
}

extension PhraseWords {
  /// Words that may be next to a piece of a quick text without belonging to the title.
  static let betweenPieces: Set<String> = [
    "with", "at", "on", "from", "to", "until", "till", "til", "through", "thru", "for", "in", "and",
    "every", "each", "all", "next", "this", "noon", "midnight", "tonight", "morning", "afternoon",
    "evening", "night", "daily", "weekly", "monthly", "yearly", "annually", "am", "pm", "starting",
    "beginning", "since", "about",
  ]

  /// Returns whether the "at" between two words precedes a place; not in "look at it" or "at all".
  static func isPlace(after before: String?, before after: String?) -> Bool {
    let verbs = [
      "look", "looking", "looks", "stare", "laugh", "shout", "point", "aim", "glance", "good",
      "better", "bad", "angry", "throw",
    ]
    let phrases = [
      "all", "least", "last", "most", "once", "first", "risk", "large", "times", "it", "him", "her",
      "them", "us", "me", "you", "this", "that", "these", "those",
    ]
    if let before, verbs.contains(before) { return false }
    if let after, phrases.contains(after) { return false }
    return true
  }
}
