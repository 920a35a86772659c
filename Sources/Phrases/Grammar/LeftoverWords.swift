import CivilTime
import Messages

/// The words that no piece has: the title, the place and the calendar.
///
/// A word that looks like a time, a count or a recurrence is refused here, so that it never ends in
/// a title without being noticed.
struct LeftoverWords {
  var title = ""
  var place = ""
  var calendar = ""
  var parts: [PhraseReading.Part]

  let assembly: Assembly
  let tokens: [Token]
  let titles: TitleWords
  let hasClock: Bool
  /// Whether each token is in no piece.
  var isLeft: [Bool]

  init(_ assembly: Assembly, hasClock: Bool, hasDay: Bool) throws(PhraseRefusal) {
    self.assembly = assembly
    self.hasClock = hasClock
    tokens = assembly.chart.tokens
    titles = assembly.language.titles
    parts = assembly.understood
    isLeft = Array(repeating: true, count: tokens.count)
    for item in assembly.items {
      for token in item.start..<item.end { isLeft[token] = false }
    }
    try takeCalendar()
    try refuseTimes(hasClock: hasClock, hasDay: hasDay)
    if !hasDay { try refuseDayWords() }
    try refuseMistypes()
    try takeRuns()
    parts.sort { $0.start < $1.start }
    if assembly.isEvent, title.trimmingBlanks().isEmpty {
      throw PhraseRefusal(UserText("the title is missing"), isFinal: true)
    }
    if !assembly.isEvent, let part = parts.first(where: { $0.kind == .title || $0.kind == .place })
    {
      let range = part.start..<part.end
      throw PhraseRefusal(
        UserText("\"{words}\" is no day and no time", ["words": assembly.text(range)]), fault: range
      )
    }
  }

  private mutating func takeCalendar() throws(PhraseRefusal) {
    for (index, token) in tokens.enumerated() where isLeft[index] && token.kind == .calendar {
      let name = assembly.text(token.start..<token.end).drop { "#\"“”".contains($0) }
        .split(whereSeparator: { "\"“”".contains($0) }).joined()
      // "#3" is a number of something.
      guard name.contains(where: { $0.isLetter }) else { continue }
      guard calendar.isEmpty else {
        throw fault(UserText("it names two calendars"), index, index + 1)
      }
      calendar = String(name)
      isLeft[index] = false
      parts.append(assembly.part(.calendar, index, index + 1))
    }
  }

  func fault(
    _ reason: UserText, _ start: Int, _ end: Int, suggestions: [String] = []
  ) -> PhraseRefusal {
    PhraseRefusal(reason, fault: assembly.range(start, end), suggestions: suggestions)
  }

  func isWord(_ token: Int) -> Bool {
    guard tokens.indices.contains(token), isLeft[token] else { return false }
    return tokens[token].kind != .mark && tokens[token].kind != .number
  }

  // MARK: Words that look like times

  private func refuseTimes(hasClock: Bool, hasDay: Bool) throws(PhraseRefusal) {
    let ordinary = assembly.chart.items.filter { $0.symbol == .ordinary || $0.symbol == .feast }
    let namesDay = hasDay && !isSeriesWithoutDay
    for item in assembly.chart.items where item.symbol != .ordinary {
      if item.symbol != .feast,
        ordinary.contains(where: { $0.start <= item.start && item.end <= $0.end })
      {
        continue
      }
      let endsInOrdinary = ordinary.contains { $0.start < item.end && item.end < $0.end }
      if item.symbol == .only, item.end > item.start + 1 {
        // What is read of it would be read without the rest: the time of 3点前.
        let isCut =
          endsInOrdinary || assembly.chart.isMinutes(item.start)
          || ordinary.contains { $0.start < item.start && item.start < $0.end }
        if !isCut, (item.start..<item.end).contains(where: { isLeft[$0] }) || losesBefore(item) {
          throw notUnderstood(item)
        }
        continue
      }
      if isRestOfWeekdays(item),
        !ordinary.contains(where: { $0.start < item.end && item.end <= $0.end })
      {
        throw notUnderstood(item)
      }
      guard (item.start..<item.end).allSatisfy({ isLeft[$0] }) else { continue }
      // 圣诞节晚|餐
      if endsInOrdinary, case .when(let when) = item.value, case .holiday? = when.day { continue }
      if item.symbol == .number || item.symbol == .ordinal || isWrittenOrdinal(item) {
        guard isCount(item, hasClock: hasClock, hasDay: hasDay) else { throw notUnderstood(item) }
      } else if item.symbol == .weekday || item.symbol == .am, hasDay, isBesidePiece(item) {
        // "sat, sun 10:00" is not about Sunday alone, and "plumber am friday" not all day.
        throw notUnderstood(item)
      } else if item.symbol == .day && !hasDay || item.symbol == .feast && !namesDay {
        // "christmas eve 6pm" is not today, and "mother's day every year" no series from today on.
        throw notUnderstood(item)
      } else if !item.isCommon, !isNumbered(item) {
        guard item.symbol.looksLikeTime || item.end == item.start + 1 else { continue }
        throw notUnderstood(item)
      }
    }
  }

  /// Whether the "before" of an item is read with what comes before it: 3点前|15分钟.
  private func losesBefore(_ item: Chart.Item) -> Bool {
    let before = assembly.chart.items.first { $0.symbol == .before && $0.start == item.start }
    return assembly.items.contains { $0.end == before?.end }
  }

  /// Whether it is a series that names no day of the year: "every year", but not "every 4th thursday
  /// of november".
  private var isSeriesWithoutDay: Bool {
    let values = assembly.items.map(\.value)
    let series = values.compactMap { if case .repeats(let repeats) = $0 { repeats } else { nil } }
    guard !series.isEmpty else { return false }
    let days = values.compactMap { if case .when(let when) = $0 { when.day } else { nil } }
    return !series.contains { repeats in repeats.isOnDayOfYear(days) }
  }

  /// Whether a list of weekdays is read without its last one, which is a number: 周三、四.
  private func isRestOfWeekdays(_ item: Chart.Item) -> Bool {
    let last = item.end - 1
    guard !titles.usesBlanks, item.symbol == .weekdays, isLeft[last], !isLeft[item.start],
      item.end == tokens.count || !tokens[item.end].isGlued || tokens[item.end].kind != .word
    else { return false }
    func ends(_ symbol: Symbol, at token: Int) -> Bool {
      assembly.chart.items.contains { $0.symbol == symbol && $0.end == token }
    }
    return ends(.and, at: last) && ends(.number, at: item.end)
  }

  /// Whether nothing but marks and lead-ins is between an item and a piece.
  private func isBesidePiece(_ item: Chart.Item) -> Bool {
    func isPassed(_ token: Int) -> Bool {
      isLeft[token] && (tokens[token].kind == .mark || tokens[token].text == "and")
    }
    var (before, after) = (item.start - 1, item.end)
    while before >= 0, isPassed(before) { before -= 1 }
    while after < tokens.count, isPassed(after) { after += 1 }
    return before >= 0 && !isLeft[before] || after < tokens.count && !isLeft[after]
  }

  /// "27th", which is a day of the month alone, and a number of something before a word.
  private func isWrittenOrdinal(_ item: Chart.Item) -> Bool {
    guard case .when(let when) = item.value, when.isLoose else { return false }
    return item.symbol == .when && item.end == item.start + 2 && when.clock == nil
  }

  func notUnderstood(_ item: Chart.Item) -> PhraseRefusal {
    if item.symbol == .only,
      let before = assembly.chart.items.first(where: {
        $0.symbol == .before && $0.end == item.end && $0.start > item.start
      }), !assembly.chart.items.contains(where: { $0.symbol == .length && $0.start == item.start })
    {
      return assembly.deadline(item.start, item.end, instead: words(item.start, before.start))
    }
    if item.symbol == .feast { return assembly.unknownDay(item) }
    // The most that is of one piece: "2h" rather than "2", "2026-02-30" rather than "2026".
    var end = item.end
    let longest = assembly.chart.items.filter {
      $0.start == item.start && $0.symbol.looksLikeTime
        && ($0.start..<$0.end).allSatisfy { isLeft[$0] }
    }.max { $0.end < $1.end }
    if let longest, longest.end > end { end = longest.end }
    while tokens[item.start].kind == .number, end + 1 < tokens.count, isLeft[end], isLeft[end + 1],
      tokens[end].isGlued, tokens[end + 1].isGlued, tokens[end].kind == .mark,
      tokens[end + 1].kind == .number
    {
      end += 2
    }
    if let refusal = assembly.noSuchDay(at: item.start) ?? assembly.wrongNumbers(item.start, end) {
      return refusal
    }
    if !assembly.isEvent, tokens.count == 1, let number = tokens[0].number,
      (1...12).contains(number)
    {
      return fault(
        UserText("\"{number}\" may be an hour or a day", ["number": number]), 0, 1,
        suggestions: ["\(number):00", "\(number % 12 + 12):00"])
    }
    let words = assembly.text(assembly.range(item.start, end))
    if longest?.symbol == .length, longest?.end == end {
      return fault(
        UserText("\"{words}\" is a duration, and no time", ["words": words]), item.start, end,
        suggestions: [titles.usesBlanks ? "in \(words)" : "\(words)后"])
    }
    if item.symbol == .month || item.symbol == .frame, !assembly.isEvent { return assembly.nothing }
    return PhraseRefusal(
      UserText("\"{words}\" looks like a time, and does not fit", ["words": words]),
      fault: assembly.range(item.start, end), mayBeTitle: item.symbol != .only)
  }

  /// "tomorow", "wendesday".
  private func refuseMistypes() throws(PhraseRefusal) {
    for (index, token) in tokens.enumerated()
    where isLeft[index] && token.kind == .word && token.text.utf8.count >= 5
      && !token.text.contains("'")
    {
      guard let meant = assembly.language.strictWord(near: token.text) else { continue }
      throw PhraseRefusal.mistype(token, meant: meant)
    }
  }
}

extension Symbol {
  /// Whether several words of this symbol are never in a title.
  fileprivate var looksLikeTime: Bool {
    switch self {
    case .only, .length, .workday, .day, .monthDay, .weekdays, .clock, .hours, .frame:
      true
    default: isPiece
    }
  }
}
