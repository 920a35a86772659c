import Messages

/// What is around a piece, so that none is cut out of something longer.
extension Assembly {
  func isAfterClock(_ token: Int) -> Bool {
    items.contains {
      guard $0.end == token, case .when(let when) = $0.value else { return false }
      return when.clock != nil
    }
  }

  /// Refuses a piece that is cut out of something longer: the "1" of "1:1", the "30m" of "!30m".
  func checkBounds(_ item: Chart.Item) throws(PhraseRefusal) {
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
      [.ordinary, .number, .weekday, .feast].contains($0.symbol)
        && !chart.isMinutes($0.start)
        && ($0.start < item.start && item.start < $0.end
          || $0.start < item.end && item.end < $0.end)
    }
    let feast = chart.items.first {
      $0.symbol == .feast && $0.start <= item.start && item.start < $0.end
    }
    if let feast, cutsWord { throw unknownDay(feast) }
    let isCutBefore =
      item.start > 0 && chart.tokens[item.start].isGlued && isLeft(item.start - 1)
      && joins(item.start - 1) && chart.tokens[item.start].kind != .ideograph
    let isCutAfter =
      item.end < chart.tokens.count && chart.tokens[item.end].isGlued && isLeft(item.end)
      && joins(item.end) && chart.tokens[item.end - 1].kind != .ideograph
      && !endsSentence(item.end)
    // "chapter 3 tomorrow" is no 3 o'clock, and "in 15 friday" has no unit.
    let isNumbered =
      item.start > 0 && isLeft(item.start - 1) && chart.tokens[item.start].kind == .number
      && (language.titles.numbers(chart.tokens[item.start - 1].text)
        || language.titles.placeWordsAfterTimes.contains(chart.tokens[item.start - 1].text)
          && !chart.tokens[item.start - 1].isGlued)
      && !(item.start + 1 < chart.tokens.count && chart.tokens[item.start + 1].text == ":")
    // 讨论北京时间问题
    let isInWords =
      item.symbol == .zone && !language.titles.usesBlanks && item.start > 0
      && item.end < chart.tokens.count
      && [item.start, item.end].allSatisfy { chart.tokens[$0].isGlued }
      && [item.start - 1, item.end].allSatisfy { isLeft($0) && chart.tokens[$0].kind == .ideograph }
    try checkCommon(item)
    try checkStart(item)
    try checkPart(item)
    try checkDeadline(item)
    // "tue+1w"
    let isAdded =
      item.symbol == .elapsed && item.start > 0 && chart.tokens[item.start].text == "+"
      && chart.tokens[item.start].isGlued
    guard cutsWord || isInWords || isCutBefore || isCutAfter || isNumbered || isAdded else {
      return
    }
    throw partOfLonger(item)
  }

  /// A day after one and words of the title, as in "film Saturday Night Fever tonight": one of them
  /// may be of the title, which would lose it.
  func secondDay(_ item: Chart.Item) -> PhraseRefusal? {
    guard let day = Self.day(item.value), !day.isFrame, modifier == nil else { return nil }
    let first = items.first {
      guard $0.end < item.start, let day = Self.day($0.value), !day.isFrame else { return false }
      return ($0.end..<item.start).contains { isLeftWord($0) }
    }
    guard let first else { return nil }
    return PhraseRefusal(
      UserText(
        "\"{first}\" and \"{second}\" are two days; put a title in quotation marks",
        [
          "first": text(range(first.start, first.end)), "second": text(range(item.start, item.end)),
        ]), fault: range(item.start, item.end), saysAll: true)
  }

  static func day(_ value: Value) -> DayReference? {
    if case .when(let when) = value { when.day } else { nil }
  }

  /// Refuses 三点前到公司, which does not begin then, but not 三点前交报告, which is due then.
  private func checkDeadline(_ item: Chart.Item) throws(PhraseRefusal) {
    let before = chart.items.first {
      $0.symbol == .before && $0.end == item.end && $0.start > item.start
    }
    guard item.symbol == .when, let before else { return }
    let isDue = chart.items.contains { due in
      due.symbol == .due && (due.start == item.end || due.end <= item.start)
        && !chart.items.contains { $0.symbol == .ordinary && $0.start == due.start }
    }
    guard !isDue else { return }
    throw deadline(item.start, item.end, instead: text(range(item.start, before.start)))
  }

  /// Refuses the "friday" of "friday night 2 party", but not the 明天 of 明天下午茶.
  private func checkPart(_ item: Chart.Item) throws(PhraseRefusal) {
    guard item.end < chart.tokens.count, isLeft(item.end) else { return }
    func begins(_ symbol: Symbol) -> Bool {
      chart.items.contains { $0.symbol == symbol && $0.start == item.end }
    }
    guard begins(.part), !begins(.ordinary) else { return }
    let isLonger = chart.items.contains {
      ($0.symbol == .partWhen || $0.symbol == .repeats) && $0.start == item.start
        && $0.end > item.end
    }
    if isLonger { throw partOfLonger(item) }
  }

  /// Whether marks follow, and nothing is glued to them: "2pm.", "2pm!!"
  private func endsSentence(_ token: Int) -> Bool {
    var end = token
    while end < chart.tokens.count, chart.tokens[end].kind == .mark, chart.tokens[end].isGlued {
      end += 1
    }
    return end > token && (end == chart.tokens.count || !chart.tokens[end].isGlued)
  }

  private func partOfLonger(_ item: Chart.Item) -> PhraseRefusal {
    if let refusal = noSuchDay(at: item.start) { return refusal }
    let range = range(item.start, item.end)
    return PhraseRefusal(
      UserText("\"{words}\" is a part of something longer", ["words": text(range)]), fault: range,
      mayBeTitle: true)
  }

  /// Refuses a piece that begins with what may be a word of the title before it: the "11" of
  /// "windows 11 monday", the "Sunday" of "at Sunday Cafe", the "Jan" of "with Jan 12 15:00".
  private func checkStart(_ item: Chart.Item) throws(PhraseRefusal) {
    guard item.symbol == .when, case .when(let when) = item.value, when.day != nil else { return }
    let before = item.start > 0 && isLeft(item.start - 1) ? chart.tokens[item.start - 1].text : nil
    let isBeforeWord = item.end < chart.tokens.count && isLeftWord(item.end)
    if when.beginsBare, !isHour(item, after: before, isBeforeWord) {
      throw hourOrNumber(item.start)
    }
    guard let before else { return }
    // "friday" of "iPhone 15 next friday"
    if chart.items.contains(where: {
      ($0.symbol == .next || $0.symbol == .this) && $0.end == item.start
    }) {
      throw partOfLonger(item)
    }
    let isPlace = isBeforeWord && language.titles.placeWords.contains(before)
    let isPerson = language.titles.companions.contains(before)
    guard
      chart.items.contains(where: {
        $0.start == item.start
          && (isPlace && $0.symbol == .day || isPerson && $0.symbol == .month && $0.isCommon)
      })
    else { return }
    throw dayOrTitle(item)
  }

  /// Whether a bare number before a day is an hour: at the start of the line, after "at" and after
  /// a meal, but not in "3 friday meetings". Before "tonight" it is none after a name.
  private func isHour(_ item: Chart.Item, after before: String?, _ isBeforeWord: Bool) -> Bool {
    guard let before else { return !(isBeforeWord && endsWithWeekday(item)) }
    let titles = language.titles
    // "dinner for 6 tonight", "watch 24 tonight"
    if titles.countWords.contains(before) || titles.titledVerbs.contains(before) { return false }
    if before == "," || titles.timeLeads.contains(before) && titles.leadIns.contains(before) {
      return true
    }
    switch titles.hints[before] {
    case .breakfast, .lunch: return true
    case .evening: return (5...9).contains(chart.tokens[item.start].number ?? 7)
    default: break
    }
    guard case .when(let when) = item.value, when.part != nil else { return false }
    return text(range(item.start - 1, item.start)).first?.isUppercase == false
  }

  private func endsWithWeekday(_ item: Chart.Item) -> Bool {
    chart.items.contains { $0.symbol == .weekday && $0.end == item.end }
  }

  private func dayOrTitle(_ item: Chart.Item) -> PhraseRefusal {
    let range = range(item.start, item.end)
    return PhraseRefusal(
      UserText("\"{words}\" may be a day or a word of the title", ["words": text(range)]),
      fault: range)
  }

  /// Refuses a common word within a title: "buy sun cream 15:00" may not be about Sunday.
  private func checkCommon(_ item: Chart.Item) throws(PhraseRefusal) {
    guard item.symbol == .when, item.isCommon, case .when(let when) = item.value, when.day != nil,
      item.end < chart.tokens.count, isLeftWord(item.end),
      !language.titles.joints.contains(chart.tokens[item.end].text)
    else { return }
    if item.start > 0 {
      let before = chart.tokens[item.start - 1]
      guard isLeft(item.start - 1), before.kind == .word,
        !language.titles.leadIns.contains(before.text)
      else { return }
    } else if !endsWithWeekday(item) {
      return
    }
    throw dayOrTitle(item)
  }

  private static let joiningMarks: Set<String> = [
    ":", "/", ".", "-", "'", "$", "€", "£", "%", "+", "!", "#", "&", "_", "*", "=",
  ]

  /// Whether a token belongs to no piece.
  func isLeft(_ token: Int) -> Bool {
    !cover.pieces.contains { chart.items[$0].start <= token && token < chart.items[$0].end }
  }

  /// Whether a token belongs to no piece and is a word.
  func isLeftWord(_ token: Int) -> Bool {
    guard ![.mark, .calendar].contains(chart.tokens[token].kind), isLeft(token) else {
      return false
    }
    return !language.titles.placeWords.contains(chart.tokens[token].text)
      && !language.titles.placeEnds.contains(chart.tokens[token].text)
  }
}
