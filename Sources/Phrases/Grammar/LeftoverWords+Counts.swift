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
    if isNumbered(item) { return true }
    if isAfterTimeLead(item.start) { return false }
    if hasClock, hasDay, isWord(item.start - 2), isWord(item.start - 1), item.end < tokens.count,
      !isLeft[item.end], titles.countWords.contains(tokens[item.start - 1].text)
    {
      return true
    }
    // "20261231"
    if tokens[item.start].text.utf8.count == 8,
      assembly.chart.items.contains(where: {
        $0.symbol == .day && $0.start == item.start && $0.end == item.end
      })
    {
      return false
    }
    // A number within something like "1:1", "24/7" or "3.5".
    let isWritten = tokens[item.start].kind == .number
    let hasWordAfter =
      isWord(item.end)
      && (!isWritten
        || !titles.leadIns.contains(tokens[item.end].text)
          && !titles.joints.contains(tokens[item.end].text))
    let isFirst = item.start == 0
    if isWritten, case .integer(let value) = item.value {
      if isPair(item.start) { return true }
      // Two numbers with a mark between them look like a day or hours.
      if joinsNumbers(item.end) || joinsNumbers(item.start - 1) { return false }
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
      if value > 31, tokens[item.start].text.utf8.count != 4 {
        return hasWordAfter || item.start == 0 || isLeft[item.start - 1]
      }
      // "read 1984 | tomorrow 8pm" has its day and time.
      if value > 31, hasClock, hasDay, isWord(item.start - 1) { return true }
    } else if item.end + 1 < tokens.count, isLeft[item.end], tokens[item.end].text == "-",
      isWord(item.end + 1) || item.symbol == .number && isLeft[item.end + 1]
    {
      // "one-on-one"
      return true
    } else if item.start > 1, isLeft[item.start - 1], tokens[item.start - 1].text == "-",
      isWord(item.start - 2), tokens[item.start].isGlued
    {
      return true
    }
    if !isWritten, hasWordAfter, titles.allowsLeadingCounts { return true }
    if item.symbol != .number { return hasWordAfter && (isFirst || isWord(item.start - 1)) }
    return hasWordAfter && (isWord(item.start - 1) || isFirst && (hasClock || !isWritten))
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
