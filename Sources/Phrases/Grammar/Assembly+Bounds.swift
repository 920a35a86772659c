import Messages

/// What is around a piece, so that none is cut out of something longer.
extension Assembly {
  func isAfterClock(_ token: Int) -> Bool {
    cover.pieces.contains {
      guard chart.items[$0].end == token, case .when(let when) = chart.items[$0].value else {
        return false
      }
      return when.clock != nil
    }
  }

  /// Refuses a piece that is cut out of something longer: the "1" of "1:1", the "30m" of "!30m".
  func checkBounds(_ item: Chart.Item) throws(PhraseRefusal) {
    func isLeft(_ token: Int) -> Bool {
      !cover.pieces.contains {
        (chart.items[$0].start..<chart.items[$0].end).contains(token)
      }
    }
    func joins(_ index: Int) -> Bool {
      let token = chart.tokens[index]
      // 时间:15:00
      if token.text == ":", index > 0, chart.tokens[index - 1].kind == .ideograph { return false }
      switch token.kind {
      case .word, .number: return true
      case .mark: return Self.joiningMarks.contains(token.text)
      case .ideograph, .quoted, .calendar: return false
      }
    }
    let cutsWord = chart.items.contains {
      ($0.symbol == .ordinary || $0.symbol == .number || $0.symbol == .weekday)
        && !chart.isMinutes($0.start)
        && ($0.start < item.start && item.start < $0.end
          || $0.start < item.end && item.end < $0.end)
    }
    let isCutBefore =
      item.start > 0 && chart.tokens[item.start].isGlued && isLeft(item.start - 1)
      && joins(item.start - 1) && chart.tokens[item.start].kind != .ideograph
    let isCutAfter =
      item.end < chart.tokens.count && chart.tokens[item.end].isGlued && isLeft(item.end)
      && joins(item.end) && chart.tokens[item.end - 1].kind != .ideograph
      // A mark that nothing follows is that of a sentence.
      && !(chart.tokens[item.end].kind == .mark
        && (item.end + 1 == chart.tokens.count || !chart.tokens[item.end + 1].isGlued))
    // "chapter 3 tomorrow" is no 3 o'clock, and "in 15 friday" has no unit.
    let isNumbered =
      item.start > 0 && isLeft(item.start - 1) && chart.tokens[item.start].kind == .number
      && (language.titles.numbers(chart.tokens[item.start - 1].text)
        || language.titles.placeWordsAfterTimes.contains(chart.tokens[item.start - 1].text))
      && !(item.start + 1 < chart.tokens.count && chart.tokens[item.start + 1].text == ":")
    // 讨论北京时间问题
    let isInWords =
      item.symbol == .zone && !language.titles.usesBlanks && item.start > 0
      && item.end < chart.tokens.count
      && [item.start, item.end].allSatisfy { chart.tokens[$0].isGlued }
      && [item.start - 1, item.end].allSatisfy { isLeft($0) && chart.tokens[$0].kind == .ideograph }
    try checkCommon(item, isLeft)
    guard cutsWord || isInWords || isCutBefore || isCutAfter || isNumbered else { return }
    let range = range(item.start, item.end)
    throw PhraseRefusal(
      UserText("\"{words}\" is a part of something longer", ["words": text(range)]), fault: range)
  }

  /// Refuses a common word within a title: "buy sun cream 15:00" may not be about Sunday.
  private func checkCommon(
    _ item: Chart.Item, _ isLeft: (Int) -> Bool
  ) throws(PhraseRefusal) {
    guard item.symbol == .when, item.isCommon, case .when(let when) = item.value, when.day != nil,
      item.start > 0, item.end < chart.tokens.count, isLeft(item.start - 1), isLeft(item.end),
      chart.tokens[item.start - 1].kind == .word, isLeftWord(item.end),
      !language.titles.joints.contains(chart.tokens[item.end].text),
      !language.titles.leadIns.contains(chart.tokens[item.start - 1].text)
    else { return }
    let range = range(item.start, item.end)
    throw PhraseRefusal(
      UserText("\"{words}\" may be a day or a word of the title", ["words": text(range)]),
      fault: range)
  }

  private static let joiningMarks: Set<String> = [
    ":", "/", ".", "-", "'", "$", "€", "£", "%", "+", "!", "#", "&", "_", "*", "=",
  ]

  /// Whether a token belongs to no piece and is a word.
  func isLeftWord(_ token: Int) -> Bool {
    guard chart.tokens[token].kind != .mark, chart.tokens[token].kind != .calendar else {
      return false
    }
    return !cover.pieces.contains {
      (chart.items[$0].start..<chart.items[$0].end).contains(token)
    } && !language.titles.placeWords.contains(chart.tokens[token].text)
      && !language.titles.placeEnds.contains(chart.tokens[token].text)
  }
}
