import CivilTime
import Messages

/// Small forms that only quick texts have.
extension PhraseScanner {
  func piece(
    _ content: QuickPiece.Content, _ start: Int, _ certainty: QuickPiece.Certainty = .certain
  ) -> QuickPiece {
    QuickPiece(content: content, start: start, end: passed, certainty: certainty)
  }

  /// Whether a word comes next that begins no piece.
  var isAtTitle: Bool {
    guard let word else { return false }
    return !PhraseWords.betweenPieces.contains(word) && PhraseWords.weekday(word) == nil
      && PhraseWords.month(word) == nil && !PhraseWords.days.contains { $0.word == word }
  }

  /// Whether "9:30" or "9am" comes next.
  var isAtClock: Bool {
    var ahead = self
    _ = ahead.skip(word: "at")
    guard ahead.number != nil, ahead.token.digits <= 2 else { return false }
    ahead.advance()
    return (ahead.isAt(":") && !ahead.token.isApart) || ahead.word == "am" || ahead.word == "pm"
  }

  /// Whether eight digits that are a date come next, or "2026-11-21" as far as its
  /// marks go.
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

  /// Reads a text in quotation marks, and returns where it lies between them.
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

  /// Reads "#work" or "#\"Team events\""; "#4" is a number.
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

  /// Reads "!15m", how long before the start it rings, "!end-5m", how long before the end, "!9:00", "!noon" and
  /// "!at 9", the time of the day at which it does, "!day before 18:00", or "!none"; nil, and nothing is passed,
  /// for what is none of them.
  ///
  /// - Throws: ``PhraseError`` for a number without a unit, for what has the form of a time but
  ///   is none, "!25:00", and for an hour that may be of either half of the day, "!at 5".
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
    // A number alone is no time here: it may be a length whose unit was forgotten.
    throw ahead.fault(
      UserText("a reminder needs a number with a unit after \"!\""), at: token.start,
      example: "!15m")
  }

  /// Reads ",5m" behind a reminder: another one; nil, and nothing is passed, for anything else.
  mutating func readFurtherReminder() throws(PhraseError) -> QuickReminder? {
    guard isAt(","), !token.isApart else { return nil }
    var ahead = self
    ahead.advance()
    // A day or a time behind a comma is that of the event.
    guard !ahead.isAtEnd, !ahead.token.isApart, let lead = try ahead.readReminderLead() else {
      return nil
    }
    self = ahead
    return lead
  }

  /// Reads "15m", "end-5m": a reminder by a length.
  private mutating func readReminderLead() throws(PhraseError) -> QuickReminder? {
    if let place = readReminderPlace() {
      return place.isFromEnd ? .leadToEnd(place.offset.negated) : .lead(place.offset.negated)
    }
    guard isAtLength else { return nil }
    let length = try readLength(isOpenEnded: true)
    _ = skip(word: "before")
    return .lead(length.duration)
  }

  /// Reads "9:00", "noon", "at 9", "half past eight" and "day before 18:00".
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

  /// Reads "end", "end-5m" and "start+10m", up to the blank or the mark behind it; nil, and nothing is passed, for
  /// any other word.
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

  /// Reads a length in hours, days or months; nil, and nothing is passed, for what is
  /// none.
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

  /// Reads "9:30", "9am", "noon", "half past nine", "18 Uhr" and, where they are allowed,
  /// "9", "9.30" and "24:00"; nil, and nothing is passed, for what has not the form of a
  /// time.
  ///
  /// - Throws: ``PhraseError`` for what has the form but is no time: "25:00", "13pm".
  mutating func readClock(
    allowsBare: Bool, allowsEndOfDay: Bool
  ) throws(PhraseError) -> QuickClock? {
    let start = token.start
    if let spoken = try readSpokenClock() { return spoken }
    // "- 1h" is a length.
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
  /// Words that may be next to a piece of a quick text without belonging to a title.
  static let betweenPieces: Set<String> = [
    "with", "at", "on", "from", "to", "until", "till", "til", "through", "thru", "for", "in", "and",
    "every", "each", "all", "next", "this", "noon", "midnight", "tonight", "morning", "afternoon",
    "evening", "night", "daily", "weekly", "monthly", "yearly", "annually", "am", "pm", "starting",
    "beginning", "since", "about",
  ]

  /// Whether the "at" between two words comes before a place: not in "look at it",
  /// "at all".
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
