import CivilTime
import Messages

/// Forms that work, near to what was refused.
extension Assembly {
  /// Why a line in which nothing is a time is refused.
  var nothing: PhraseRefusal {
    for item in chart.items where item.symbol == .month {
      if let refusal = noSuchDay(at: item.start) { return refusal }
      let range = range(item.start, item.end)
      return PhraseRefusal(
        UserText("\"{words}\" is a month, and no day", ["words": text(range)]), fault: range,
        suggestions: ["1 \(text(range))"])
    }
    return PhraseRefusal(UserText("there is no day and no time in it"))
  }

  /// "31 Nov", 2月30日: a day that no month has, at its number or its month.
  func noSuchDay(at token: Int) -> PhraseRefusal? {
    for frame in chart.items where frame.symbol == .frame {
      guard case .day(.month(let month, let year)) = frame.value else { continue }
      let days = CivilDate.length(ofMonth: month, year: year ?? 2024)
      for number in [frame.start - 1, frame.end] where chart.tokens.indices.contains(number) {
        let start = min(number, frame.start)
        var end = max(number + 1, frame.end)
        guard let day = chart.tokens[number].number, (days + 1...99).contains(day),
          (start..<end).contains(token)
        else { continue }
        if chart.items.contains(where: { $0.symbol == .dayMark && $0.start == end }) { end += 1 }
        return noSuchDay(range(start, end), month, days)
      }
    }
    return nil
  }

  private func noSuchDay(_ range: Range<Int>, _ month: Int, _ days: Int) -> PhraseRefusal {
    PhraseRefusal(
      UserText(
        "there is no day \"{words}\": {month} has {last} days",
        ["words": text(range), "month": CivilDate.name(ofMonth: month), "last": days]),
      fault: range, saysAll: true)
  }

  /// Numbers that are none of the calendar and of the clock: "2026-02-30", "25:00", "2026-W50".
  func wrongNumbers(_ start: Int, _ end: Int) -> PhraseRefusal? {
    let range = range(start, end)
    let words = chart.tokens[start..<end].map(\.text)
    let numbers = words.compactMap { Int($0) }
    if words.count == 5, numbers.count == 3, words[1] == "-", (1...12).contains(numbers[1]),
      (1...9999).contains(numbers[0])
    {
      let days = CivilDate.length(ofMonth: numbers[1], year: numbers[0])
      return numbers[2] > days ? noSuchDay(range, numbers[1], days) : nil
    }
    if words.count == 3, numbers.count == 2, words[1] == ":", words[2].utf8.count == 2 {
      return PhraseRefusal(
        UserText(
          "\"{words}\" is no time: a day has 24 hours, and an hour has 60 minutes",
          ["words": text(range)]), fault: range)
    }
    let week = chart.tokens[start...].prefix(3)
    guard week.count == 3, week[start + 1].text == "-", week.dropFirst().allSatisfy(\.isGlued),
      week[start + 2].text.first == "w", let number = Int(week[start + 2].text.dropFirst()),
      let year = numbers.first, year > 1900
    else { return nil }
    var refusal = PhraseRefusal(
      UserText(
        "\"{words}\" is a week or a month, and no day",
        ["words": text(self.range(start, start + 3))]), fault: self.range(start, start + 3))
    if language.titles.usesBlanks { refusal.suggestions = ["monday week \(number) \(year)"] }
    return refusal
  }

  /// "before 3pm", 三点前
  func deadline(_ start: Int, _ end: Int, instead: String) -> PhraseRefusal {
    let range = range(start, end)
    return PhraseRefusal(
      UserText("\"{words}\" is a deadline, and no start", ["words": text(range)]), fault: range,
      suggestions: [instead])
  }

  /// "thanksgiving", "sunday school", "lundi"
  func unknownDay(_ feast: Chart.Item) -> PhraseRefusal {
    let range = range(feast.start, feast.end)
    return PhraseRefusal(
      feast.value == .none
        ? UserText(
          "the day of \"{words}\" is not known; write its date", ["words": text(range)])
        : UserText("\"{words}\" is in another language", ["words": text(range)]), fault: range,
      suggestions: language.examples(of: .day))
  }

  /// Adds to a refusal what was understood of the line, and what works.
  func completed(_ refusal: PhraseRefusal) -> PhraseRefusal {
    var refusal = refusal
    if refusal.understood.isEmpty { refusal.understood = understood }
    if refusal.mayBeTitle, let fault = refusal.fault {
      refusal.quoted = withQuotedTitle(fault) ?? ""
    }
    if refusal.suggestions.isEmpty, refusal.quoted.isEmpty, !refusal.saysAll {
      refusal.suggestions = suggestions(for: refusal)
    }
    return refusal
  }

  /// The line with the title in quotation marks that has the number at fault, if it is read then:
  /// "pay invoice 4711" friday.
  private func withQuotedTitle(_ fault: Range<Int>) -> String? {
    let tokens = chart.tokens
    let titles = language.titles
    func isTime(_ item: Chart.Item) -> Bool { item.symbol.isPiece && !item.isCommon }
    guard isEvent, !tokens.contains(where: { $0.kind == .quoted }),
      let number = tokens.firstIndex(where: { fault.contains($0.start) && $0.kind == .number }),
      number == 0 || !titles.timeLeads.contains(tokens[number - 1].text)
    else { return nil }
    var start = number
    while start > 0,
      tokens[start].isGlued || !chart.byEnd[start].contains(where: { isTime(chart.items[$0]) })
    {
      start -= 1
    }
    var end = number + 1
    while end < tokens.count, tokens[end].kind != .calendar,
      tokens[end].isGlued
        && (tokens[end].kind != .mark || end + 1 < tokens.count && tokens[end + 1].isGlued)
        || tokens[end].kind != .mark && !titles.leadIns.contains(tokens[end].text)
          && !chart.items.contains(where: { $0.start == end && isTime($0) })
    {
      end += 1
    }
    let title = range(start, end)
    let hasWord = (start..<end).contains {
      tokens[$0].kind == .ideograph
        || tokens[$0].kind == .word && ($0 < number || !tokens[$0].isGlued)
    }
    guard hasWord,
      !tokens[number..<end].contains(where: { $0.text == ":" })
    else { return nil }
    // A shell would take "" away.
    let quoted =
      text(0..<title.lowerBound) + "“" + text(title) + "”" + text(title.upperBound..<line.count)
    return (try? readPhrase(quoted, in: language, setting)) == nil ? nil : quoted
  }

  private func suggestions(for refusal: PhraseRefusal) -> [String] {
    guard let fault = refusal.fault else { return Array(language.examples.prefix(3)) }
    let words = chart.tokens.filter { fault.contains($0.start) }
    // "13pm", "at 930"
    for token in words where words.count <= 2 {
      if let number = token.number, let time = Self.time(number, token.text) { return [time] }
    }
    for item in items where fault.overlaps(range(item.start, item.end)) {
      switch item.symbol {
      case .repeats: return language.examples(of: .repeat)
      case .bound, .beginning: return language.examples(of: .bound)
      case .reminder: return language.examples(of: .reminder)
      case .duration: return language.examples(of: .duration)
      default: break
      }
    }
    return Array(language.examples.prefix(3))
  }

  /// A number as the time that it may be meant as: "930", "15".
  static func time(_ number: Int, _ text: String) -> String? {
    var (hour, minute) = text.utf8.count >= 3 ? (number / 100, number % 100) : (number, 0)
    // "5" alone is the afternoon.
    if text.utf8.count == 1, (1...6).contains(hour) { hour += 12 }
    return text.utf8.count <= 4 && hour < 24 && minute < 60
      ? TimeOfDay(hour: hour, minute: minute)?.hourAndMinute : nil
  }
}
