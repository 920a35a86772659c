/// Numbers of a title, which are no times: "room 305", "buy 2 tickets".
extension LeftoverWords {
  /// "room 2", "chapter 3", but not "group tomorrow".
  func isNumbered(_ item: Chart.Item) -> Bool {
    item.start > 0 && isLeft[item.start - 1]
      && (item.symbol == .number || tokens[item.start].kind != .word)
      && titles.numbers(tokens[item.start - 1].text)
  }

  /// Whether a number in the title can only be a number of things: "buy 2 tickets", "room 305".
  func isCount(_ item: Chart.Item, hasClock: Bool, hasDay: Bool) -> Bool {
    if isNumbered(item) || hasClock && hasDay && isOfPeople(item) { return true }
    if isAfterTimeLead(item.start) || isDayInDigits(item) { return false }
    if !hasDay, mayBeDottedDay(item) || assembly.wrongNumbers(item.start, item.end) != nil {
      return false
    }
    let isWritten = tokens[item.start].kind == .number
    if isWritten, case .integer(let value) = item.value {
      let isCount = isCountInDigits(item, value, hasClock: hasClock, hasDay: hasDay)
      if let isCount { return isCount }
    } else if isHyphenated(item) {
      return true
    }
    guard hasWordAfter(item) else { return false }
    if !isWritten, titles.allowsLeadingCounts { return true }
    let isFirst = item.start == 0
    if item.symbol != .number { return isFirst || isWord(item.start - 1) }
    return isWord(item.start - 1) || isFirst && (hasClock || !isWritten)
  }

  /// What the marks and the size of a number in digits say; nil for nothing.
  private func isCountInDigits(
    _ item: Chart.Item, _ value: Int, hasClock: Bool, hasDay: Bool
  ) -> Bool? {
    if isPair(item.start) { return true }
    // Two numbers with a mark between them look like a day or hours.
    if joinsNumbers(item.end) || joinsNumbers(item.start - 1) { return false }
    // A number within something like "24/7", "3.5" or "50%".
    if item.end < tokens.count, isLeft[item.end], tokens[item.end].isGlued,
      tokens[item.end].kind == .mark, hasClock || tokens[item.end].text == "%"
    {
      return true
    }
    if item.start > 0, isLeft[item.start - 1], tokens[item.start].isGlued,
      hasClock || ["$", "€", "£", "¥", "#"].contains(tokens[item.start - 1].text)
    {
      return true
    }
    guard value > 31 else { return nil }
    if tokens[item.start].text.utf8.count != 4 {
      return hasWordAfter(item) || item.start == 0 || isLeft[item.start - 1]
    }
    // "read 1984 | tomorrow 8pm" has its day and time.
    return hasClock && hasDay && isWord(item.start - 1) ? true : nil
  }

  private func hasWordAfter(_ item: Chart.Item) -> Bool {
    guard isWord(item.end) else { return false }
    let text = tokens[item.end].text
    return tokens[item.start].kind != .number
      || !titles.leadIns.contains(text) && !titles.joints.contains(text)
  }

  /// "dinner for 4 | friday 19:00"
  private func isOfPeople(_ item: Chart.Item) -> Bool {
    isWord(item.start - 2) && isWord(item.start - 1) && item.end < tokens.count
      && !isLeft[item.end] && titles.countWords.contains(tokens[item.start - 1].text)
  }

  /// "20261231"
  private func isDayInDigits(_ item: Chart.Item) -> Bool {
    tokens[item.start].text.utf8.count == 8
      && assembly.chart.items.contains {
        $0.symbol == .day && $0.start == item.start && $0.end == item.end
      }
  }

  /// A number of "12.5", but not of "12.5 km", "version 12.5" and "1.12.5".
  private func mayBeDottedDay(_ item: Chart.Item) -> Bool {
    for first in [item.start - 2, item.start] where first >= 0 && first + 2 < tokens.count {
      let end = first + 3
      guard tokens[first + 1].text == ".", tokens[first + 1].isGlued, tokens[first + 2].isGlued,
        let left = tokens[first].number, let right = tokens[first + 2].number,
        RuleTable.monthDay(left, right) ?? RuleTable.monthDay(right, left) != nil,
        first == 0
          || !titles.numbers(tokens[first - 1].text)
            && !(tokens[first].isGlued && tokens[first - 1].kind == .mark),
        end == tokens.count || !(tokens[end].isGlued && tokens[end].kind != .ideograph)
      else { continue }
      return !assembly.chart.items.contains { $0.symbol == .counter && $0.start == end }
    }
    return false
  }

  /// "one-on-one"
  private func isHyphenated(_ item: Chart.Item) -> Bool {
    if item.end + 1 < tokens.count, isLeft[item.end], tokens[item.end].text == "-",
      isWord(item.end + 1) || item.symbol == .number && isLeft[item.end + 1]
    {
      return true
    }
    return item.start > 1 && isLeft[item.start - 1] && tokens[item.start - 1].text == "-"
      && isWord(item.start - 2) && tokens[item.start].isGlued
  }

  /// "by 5" next to a piece: "friday by 5 submit report".
  private func isAfterTimeLead(_ number: Int) -> Bool {
    number > 1 && isLeft[number - 1] && !isLeft[number - 2]
      && titles.timeLeads.contains(tokens[number - 1].text)
  }

  /// Whether a mark is between two numbers, other than in a decimal: "9-10", "09/01", not "3.5".
  private func joinsNumbers(_ mark: Int) -> Bool {
    guard mark > 0, mark + 1 < tokens.count, tokens[mark].kind == .mark, tokens[mark].isGlued,
      tokens[mark + 1].isGlued, tokens[mark - 1].kind == .number, tokens[mark + 1].kind == .number
    else { return false }
    return tokens[mark].text != "." || tokens[mark + 1].text.utf8.count > 1
  }

  /// A number of "1:1", which is no time.
  private func isPair(_ number: Int) -> Bool {
    for first in [number - 2, number] where first >= 0 && first + 2 < tokens.count {
      guard isLeft[first], isLeft[first + 2], tokens[first + 1].text == ":",
        tokens[first].text == tokens[first + 2].text, tokens[first].text.utf8.count == 1
      else { continue }
      return tokens[first + 1].isGlued && tokens[first + 2].isGlued
    }
    return false
  }
}
