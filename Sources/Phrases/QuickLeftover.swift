/// A part of the title or place that looks like a date, time, rule or mark, but was not understood.
struct QuickLeftover: Equatable {
  /// Offsets in the text, in octets; half-open.
  let start: Int
  let end: Int
  /// Whether it can hardly belong to a title: "9:00-", but not "March".
  let isCertain: Bool
}

/// The leftovers in one part of a text.
struct QuickLeftovers {
  private(set) var found: [QuickLeftover] = []
  /// Whether there is a number without any such meaning: "chapter 3".
  private(set) var hasNumber = false

  /// What is next to a part of a text.
  struct Neighbours: OptionSet {
    let rawValue: Int
    /// A piece that was understood precedes it.
    static let before = Neighbours(rawValue: 1)
    /// A piece that was understood follows it.
    static let after = Neighbours(rawValue: 2)
    /// The following piece is a day.
    static let dayAfter = Neighbours(rawValue: 4)
  }

  /// What the rest of the text gives, so that a leftover need not.
  struct Known {
    /// A day: "March" need not be one.
    var hasDay = false
    /// A time of day: "12.30" need not be one.
    var hasClock = false
  }

  init(_ text: String, at offset: Int, _ known: Known, _ neighbours: Neighbours = []) {
    var words = PhraseScanner(sentence: text)
    var chunkStart = 0
    var followsFound = false
    while !words.isAtEnd {
      if words.token.isApart { chunkStart = words.token.start }
      if words.readQuoted() != nil {
        followsFound = false
        continue
      }
      guard
        let (after, isCertain) = words.leftover(beside: neighbours, known) ?? words.leftover(known)
      else {
        if words.number != nil { hasNumber = true }
        words.advance()
        followsFound = false
        continue
      }
      words = after
      // Up to the next space: "9:00-", "Monday's".
      while !words.isAtEnd, !words.token.isApart { words.advance() }
      // "every fortnight" is one leftover.
      let before = followsFound ? found.popLast() : nil
      found.append(
        QuickLeftover(
          start: before?.start ?? offset + chunkStart, end: offset + words.passed,
          isCertain: isCertain || before?.isCertain == true))
      followsFound = true
    }
  }
}

extension PhraseScanner {
  /// Reads words that change the meaning of the piece next to them.
  ///
  /// Examples: "by friday", "tuesday after next", "in an hour or two", "7 tomorrow".
  fileprivate func leftover(
    beside neighbours: QuickLeftovers.Neighbours, _ known: QuickLeftovers.Known
  ) -> (after: PhraseScanner, isCertain: Bool)? {
    var after = self
    after.advance()
    if neighbours.contains(.before), passed == 0, let word {
      if QuickWords.afterParts.contains(word) { return (after, true) }
      if word == "and", after.number != nil {
        after.advance()
        return (after, true)
      }
    }
    guard neighbours.contains(.after), after.isAtEnd else { return nil }
    if let number {
      let isHour = number <= 24 && token.digits <= 2 && token.isApart
      return isHour && !known.hasClock && neighbours.contains(.dayAfter) ? (after, false) : nil
    }
    return word.map(QuickWords.beforeParts.contains) == true ? (after, true) : nil
  }

  /// Reads what looks like a piece but is none.
  ///
  /// - Returns: The scanner after it, and whether it can hardly be anything else; nil if nothing.
  fileprivate func leftover(
    _ known: QuickLeftovers.Known
  ) -> (after: PhraseScanner, isCertain: Bool)? {
    if token.isApart, isAt("!") || isAt("#") || isAt("@") { return leftoverMark() }
    var after = self
    after.advance()
    if let number { return leftoverNumber(number, hasClock: known.hasClock) }
    guard let word else { return nil }
    // "a week on monday"
    if word == "a" || word == "an", isAtLength {
      after.advance()
      return (after, true)
    }
    let (next, nextNumber) = (after.word ?? "", after.number)
    var afterNext = after
    afterNext.advance()
    if QuickWords.relatives.contains(word), QuickWords.spans.contains(next) {
      return (afterNext, true)
    }
    if word == "between", nextNumber != nil { return (after, true) }
    if word == "half" || word == "quarter", next == "past" || next == "to" {
      return (afterNext, true)
    }
    // "half nine" is 9:30 for some people, and 8:30 for others.
    if word == "half" {
      var hour = after
      let isHour = hour.readHourWord() != nil || 1...12 ~= nextNumber ?? 0
      if isHour { return (afterNext, true) }
    }
    if word == "o", after.isAt("'"), afterNext.word == "clock" {
      afterNext.advance()
      return (afterNext, true)
    }
    if QuickWords.isCertain(word) || QuickWords.isMisspelt(word) { return (after, true) }
    if QuickWords.zones.contains(slice(token.start, token.end)) { return (after, true) }
    // Without this, "class mon/wed 18:00" would silently be tomorrow.
    if !known.hasDay, QuickWords.isDay(word) { return (after, true) }
    return QuickWords.isDoubtful(word) && after.endsPiece ? (after, false) : nil
  }

  /// Reads "!soon" or "#": a mark without a valid piece after it.
  private func leftoverMark() -> (after: PhraseScanner, isCertain: Bool)? {
    var after = self
    after.advance()
    let isJoined = !after.isAtEnd && !after.token.isApart
    // "#4" is a number.
    if isAt("#"), isJoined, after.number != nil { return nil }
    return isAt("@") && isJoined ? nil : (after, true)
  }

  private func leftoverNumber(
    _ number: Int, hasClock: Bool
  ) -> (after: PhraseScanner, isCertain: Bool)? {
    var after = self
    after.advance()
    let mark = after.isAtEnd || after.token.isApart ? nil : after
    if let word = after.word {
      let isJoined = !after.token.isApart
      if word == "to", token.digits <= 2 {
        // "5 to 9"
        after.advance()
        guard after.number != nil, after.token.digits <= 2 else { return nil }
        after.advance()
        return (after, !hasClock)
      }
      let isUnit = PhraseWords.unit(word) != nil && (isJoined || word.utf8.count > 1)
      after.advance()
      if isUnit || QuickWords.afterNumbers.contains(word) { return (after, true) }
      let isOrdinal = isJoined && ["st", "nd", "rd", "th"].contains(word)
      // "friday the 13th", but "her 3rd birthday"
      return isOrdinal ? (after, after.isAtEnd) : nil
    }
    if token.digits == 4, number < 2400, number % 100 < 60, !(1900...2099).contains(number) {
      // "0900", "1430"
      return number < 1000 ? (after, true) : hasClock ? nil : (after, false)
    }
    guard let mark, token.digits <= 2 else { return nil }
    after.advance()
    guard let second = after.number, !after.token.isApart else {
      // "9-"
      return mark.isAt("-") && (after.isAtEnd || after.token.isApart) ? (after, false) : nil
    }
    let digits = after.token.digits
    after.advance()
    if mark.isAt(":"), digits == 2 { return (after, true) }
    guard digits <= 2 else { return nil }
    if mark.isAt("-") { return (after, !hasClock) }
    if mark.isAt("/"), (1...31).contains(number), (1...31).contains(second) {
      return (after, true)
    }
    guard mark.isAt(".") else { return nil }
    if let word = after.word, ["am", "pm"].contains(word) || PhraseWords.unit(word) != nil {
      after.advance()
      return (after, true)
    }
    if after.isAt("."), !after.token.isApart {
      var third = after
      third.advance()
      // "1.2.3" is a version.
      if third.number != nil, !third.token.isApart { return nil }
    }
    return (after, !hasClock && digits == 2 && number < 24 && second < 60)
  }
}

/// The words that look like a date or time.
enum QuickWords {
  static let relatives: Set<String> = ["next", "this", "last", "coming", "following"]
  static let spans: Set<String> = ["week", "weekend", "month", "year", "quarter", "fortnight"]
  static let afterNumbers: Set<String> = [
    "am", "pm", "uhr", "times", "month", "months", "year", "years", "yr", "yrs", "fortnight",
    "fortnights",
  ]
  /// Words that change the meaning of the piece after them.
  static let beforeParts: Set<String> = [
    "not", "except", "excluding", "but", "before", "after", "by", "around", "between", "or",
    "alternate", "alternating", "unless", "without", "within", "past", "about",
  ]
  /// Words that change the meaning of the piece before them.
  static let afterParts: Set<String> = ["or", "after", "before", "except", "excluding", "ish"]
  /// Words that exclude the day after them.
  static let exceptions: Set<String> = ["not", "except", "excluding", "but", "without"]
  /// Abbreviations of zones, which are not supported in times.
  static let zones: Set<String> = [
    "UTC", "GMT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "CET", "CEST", "BST",
    "EET", "EEST", "WET", "IST", "JST", "AEST", "MEZ", "MESZ",
  ]
  private static let certain: Set<String> = [
    "today", "tomorrow", "yesterday", "tonight", "weekend", "weekends", "weekday", "weekdays",
    "fortnight", "fortnightly", "biweekly", "hourly", "nightly", "until", "till", "til", "every",
    "eod", "eow", "eom", "eoy", "cob", "midday", "overmorrow",
    "asap",
    // Words of other languages: only English is read.
    "heute", "morgen", "übermorgen", "gestern", "montag", "dienstag", "mittwoch", "donnerstag",
    "freitag", "samstag", "sonntag", "januar", "februar", "märz", "juni", "juli", "oktober",
    "dezember", "uhr", "demain", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi",
    "dimanche", "mañana", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado",
    "domingo", "domani", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì",
  ]
  private static let doubtful: Set<String> = [
    "daily", "weekly", "monthly", "yearly", "annually", "each", "noon", "midnight", "morning",
    "afternoon", "evening", "night", "now", "may", "march", "week",
  ]

  /// Returns whether a word can hardly belong to a title.
  ///
  /// - Parameter word: In lower case, except for letters beyond ASCII.
  static func isCertain(_ word: String) -> Bool {
    let lowered = word.utf8.allSatisfy { $0 < 0x80 } ? word : word.lowercased()
    if certain.contains(lowered) { return true }
    let singular = lowered.hasSuffix("days") ? String(lowered.dropLast()) : lowered
    if singular.hasSuffix("day"), PhraseWords.weekday(singular) != nil { return true }
    return lowered.utf8.count > 5 && PhraseWords.month(lowered) != nil
  }

  /// Returns whether it names a weekday or a month, as "sat" and "march" may.
  static func isDay(_ word: String) -> Bool {
    PhraseWords.weekday(word) != nil || PhraseWords.month(word) != nil
  }

  /// Returns whether a word of time may as well belong to a title: "sun", "May", "midnight mass".
  static func isDoubtful(_ word: String) -> Bool {
    doubtful.contains(word) || isDay(word)
  }

  /// Returns whether it is a misspelt weekday, month or similar word: "tomorow", "wendesday".
  static func isMisspelt(_ word: String) -> Bool {
    let count = word.utf8.count
    guard (6...12).contains(count), let (_, distance) = PhraseWords.closest(to: word) else {
      return false
    }
    return distance == 1 || (distance == 2 && count >= 8)
  }
}
