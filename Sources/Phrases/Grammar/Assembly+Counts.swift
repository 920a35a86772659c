import Messages

/// Bare numbers before a word, which are an hour or a number of things.
extension Assembly {
  /// Refuses the "3" of "friday 3 tickets" and of "meet at 5 guys", but not "monday 9 standup".
  func checkCounts(_ item: Chart.Item) throws(PhraseRefusal) {
    if isDistance(item) {
      let range = range(item.start, item.end)
      throw PhraseRefusal(
        UserText("\"{words}\" looks like a time, and does not fit", ["words": text(range)]),
        fault: range)
    }
    guard item.end < chart.tokens.count, isLeftWord(item.end), let when = Self.hours(item.value)
    else { return }
    let mayCount =
      when.isLoose || isName(item, when) || endsWithBareHour(item, when) && isPlural(item.end)
    guard mayCount, !isActivity(item.end) || when.isLoose && counts(item.end - 1) else { return }
    throw hourOrNumber(item.end - 1)
  }

  func hourOrNumber(_ token: Int) -> PhraseRefusal {
    let range = range(token, token + 1)
    let number = chart.tokens[token].isGlued ? nil : chart.tokens[token].number
    return PhraseRefusal(
      UserText("\"{words}\" may be an hour or a number of the title", ["words": text(range)]),
      fault: range, suggestions: [number.flatMap { Self.time($0, text(range)) }].compactMap { $0 },
      mayBeTitle: true)
  }

  /// "swim 200m": as minutes people say 120, 150 or 180, and more in hours.
  private func isDistance(_ item: Chart.Item) -> Bool {
    guard item.symbol == .duration, item.end == item.start + 2,
      chart.tokens[item.start + 1].text == "m", let count = chart.tokens[item.start].number
    else { return false }
    return count >= 100 && (count % 15 != 0 || count > 720)
  }

  /// Whether a number without "at" may count even what people do: "friday 3 drinks", "1 interview".
  private func counts(_ number: Int) -> Bool {
    let isMeal = language.titles.hints[chart.tokens[number + 1].text] != nil
    return isMeal ? isPlural(number + 1) : chart.tokens[number].number == 1
  }

  private static func hours(_ value: Value) -> When? {
    switch value {
    case .when(let when): when
    case .repeats(let repeats): repeats.hours
    default: nil
    }
  }

  private func endsWithBareHour(_ item: Chart.Item, _ when: When) -> Bool {
    let number = item.end - 1
    guard language.titles.usesBlanks, chart.tokens[number].number != nil,
      let hour = when.endClock ?? when.clock
    else { return false }
    return hour.isBare && !hour.isDigital && !chart.tokens[number + 1].isGlued
  }

  /// Whether an hour in words may be a name: "dinner at Five Guys".
  private func isName(_ item: Chart.Item, _ when: When) -> Bool {
    let last = range(item.end - 1, item.end)
    return item.end > 1 && (when.endClock ?? when.clock)?.isBare == true
      && chart.tokens[item.end - 1].kind == .word && text(last).first?.isUppercase == true
      && text(range(item.end, item.end + 1)).first?.isUppercase == true
  }

  /// Whether a word looks like several things: "guys", but not "class" and "tennis".
  private func isPlural(_ token: Int) -> Bool {
    let word = chart.tokens[token].text
    return word.utf8.count > 3 && word.hasSuffix("s")
      && !["ss", "us", "is", "'s"].contains { word.hasSuffix($0) }
  }

  /// Whether something that people do begins here, and is not what is counted: "call with Ana", but
  /// not "meeting rooms".
  private func isActivity(_ token: Int) -> Bool {
    chart.items.contains {
      $0.symbol == .activity && $0.start == token
        && ($0.end == chart.tokens.count || !isLeftWord($0.end)
          || language.titles.wordsAfterActivities.contains(chart.tokens[$0.end].text))
    }
  }
}
