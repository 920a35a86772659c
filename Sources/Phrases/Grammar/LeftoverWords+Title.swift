import Messages

/// The title and the place, in what is left between the pieces.
extension LeftoverWords {
  /// Takes each run of words between pieces.
  mutating func takeRuns() throws(PhraseRefusal) {
    var start = 0
    while start < tokens.count {
      guard isLeft[start] else {
        start += 1
        continue
      }
      var end = start
      while end < tokens.count, isLeft[end] { end += 1 }
      try takeRun(start, end)
      start = end
    }
  }

  private mutating func takeRun(_ first: Int, _ last: Int) throws(PhraseRefusal) {
    var (start, end) = (first, last)
    if start > 0, titles.modifiers.contains(tokens[start].text) {
      throw fault(
        UserText("\"{word}\" is not understood here", ["word": tokens[start].text]), start,
        start + 1)
    }
    if end < tokens.count, let by = titles.deadlineWords[tokens[end - 1].text],
      let piece = assembly.items.first(where: {
        $0.start == end
      })
    {
      throw assembly.deadline(end - 1, piece.end, instead: "\(by) \(words(end, piece.end))")
    }
    if end < tokens.count, !assembly.chart.isInOrdinary(end - 1),
      titles.modifiers.contains(tokens[end - 1].text)
        || titles.endLeads.contains(tokens[end - 1].text) && tokens[end].isGlued
    {
      throw fault(
        UserText("\"{word}\" is not understood here", ["word": tokens[end - 1].text]), end - 1, end)
    }
    if let mark = (start..<(end - 1)).first(where: {
      tokens[$0].text == "!" && tokens[$0 + 1].isGlued && (!tokens[$0].isGlued || $0 == 0)
    }) {
      throw fault(
        UserText("\"{words}\" is no reminder", ["words": words(mark, mark + 2)]), mark, mark + 2,
        suggestions: assembly.language.examples(of: .reminder))
    }
    // 聚餐@星期五餐厅
    if !titles.usesBlanks, end < tokens.count, tokens[end].isGlued,
      titles.placeWords.contains(tokens[end - 1].text),
      let after = (end..<tokens.count).first(where: { isLeft[$0] }),
      tokens[after].isGlued, tokens[after].kind == .ideograph
    {
      throw fault(
        UserText(
          "\"{words}\" looks like a time, and does not fit", ["words": words(end, after)]),
        end, after)
    }
    // What joins a piece to the title says nothing: "the party is | tomorrow", "| , | Fred".
    func isDropped(_ token: Int, _ words: Set<String>, besides bracket: String) -> Bool {
      let text = tokens[token].text
      return tokens[token].kind == .mark && (!Self.ownMarks.contains(text) || text == bracket)
        || words.contains(text)
    }
    if start > 0 {
      while start < end, !titles.placeWords.contains(tokens[start].text),
        isDropped(start, titles.joints, besides: ")")
      {
        start += 1
      }
    }
    if start > first {
      try refuseListed(start, end)
      // "train | friday 9:00 | to Munich"
      if !title.isEmpty, start < end, titles.jointsWithinTitles.contains(tokens[start - 1].text) {
        start -= 1
      }
    }
    if end < tokens.count {
      while end > start, !isAfterHyphen(end - 1), !isDue(end - 1),
        isDropped(end - 1, titles.leadIns, besides: "(")
      { end -= 1 }
    }
    while end > start, tokens[end - 1].kind == .mark, Self.stops.contains(tokens[end - 1].text) {
      end -= 1
    }
    guard start < end else { return }
    let label = assembly.chart.items.first {
      $0.symbol == .placeLabel && $0.start >= start && $0.end < end
        && ($0.start == start || !tokens[$0.start].isGlued || tokens[$0.start - 1].kind == .mark)
    }
    let placeWord =
      label.map { $0.end - 1 }
      ?? (start..<end).first {
        let word = tokens[$0].text
        return $0 + 1 < end
          // "bob@example.org", but 见小李@|星巴克.
          && !(tokens[$0].kind == .mark && tokens[$0].isGlued && $0 > start
            && tokens[$0 - 1].kind != .ideograph && tokens[$0 + 1].kind != .ideograph)
          && (titles.placeWords.contains(word)
            || titles.placeWordsBeforeActivities.contains(word) && isBeforeActivity($0, end)
            // "yoga tomorrow | in the park", but "meeting in Rome | tomorrow" is all title.
            || $0 == start && start > 0 && titles.placeWordsAfterTimes.contains(word))
      }
    guard let placeWord else { return addTitle(start, end) }
    let before = label?.start ?? placeWord
    if before > start { addTitle(start, before) }
    var placeEnd = placeWord + 1
    while placeEnd < end,
      placeEnd == placeWord + 1 || !endsPlace(placeEnd, from: placeWord + 1, before: end)
    {
      placeEnd += 1
    }
    // @体育馆和小王
    if let word = (placeWord + 1..<placeEnd).first(where: {
      $0 + 1 < placeEnd && mayStartCompany($0, from: placeWord + 1)
    }) {
      throw fault(
        UserText("\"{word}\" is not understood here", ["word": tokens[word].text]), word, word + 1)
    }
    guard place.isEmpty, !tokens[(placeWord + 1)..<placeEnd].contains(where: { $0.text == "@" })
    else {
      throw fault(UserText("it names two places"), placeWord, placeEnd)
    }
    var placeStart = placeWord + 1
    while placeStart + 1 < placeEnd, tokens[placeStart].text == ":" { placeStart += 1 }
    if titles.placeWordsAfterTimes.contains(tokens[placeWord].text), placeStart + 1 < placeEnd,
      titles.articles.contains(tokens[placeStart].text)
    {
      placeStart += 1
    }
    guard (placeStart..<placeEnd).contains(where: { tokens[$0].number == nil }) else {
      throw fault(
        UserText(
          "\"{words}\" looks like a time, and does not fit",
          ["words": words(placeStart, placeEnd)]), placeStart, placeEnd)
    }
    place = words(placeStart, placeEnd)
    if placeStart + 1 == placeEnd, tokens[placeStart].kind == .quoted {
      place = String(place.dropFirst().dropLast())
    }
    parts.append(assembly.part(.place, placeWord, placeEnd))
    if placeEnd < end { addTitle(placeEnd, end) }
  }

  /// Refuses a part of the day that is joined to the one before: "every morning and evening".
  private func refuseListed(_ start: Int, _ end: Int) throws(PhraseRefusal) {
    let found = assembly.chart.items.first {
      $0.start == start && $0.end <= end && ($0.symbol == .part || $0.symbol == .clock)
    }
    guard let found, !assembly.chart.isInOrdinary(start) else { return }
    func joins(_ token: Int) -> Bool {
      titles.joints.contains(tokens[token].text) || tokens[token].text == "&"
    }
    // "friday 20:00, night shift"
    guard joins(start - 1) || found.end == end || joins(found.end) || tokens[found.end].text == ","
    else { return }
    throw fault(
      UserText("\"{word}\" is not understood here", ["word": words(start, found.end)]), start,
      found.end)
  }

  /// "rent due | every month", "school starts | 1 september", but not "rent due | friday".
  private func isDue(_ token: Int) -> Bool {
    guard titles.dueWords.contains(tokens[token].text) else { return false }
    return assembly.items.contains {
      $0.start == token + 1
        && ($0.symbol == .repeats || titles.timeLeads.contains(tokens[token].text))
    }
  }

  /// The "in" of "check-in".
  private func isAfterHyphen(_ token: Int) -> Bool {
    token > 1 && tokens[token].isGlued && tokens[token - 1].text == "-" && tokens[token - 1].isGlued
  }

  /// Whether the name of a place is over before a token.
  private func endsPlace(_ token: Int, from start: Int, before end: Int) -> Bool {
    if titles.placeEnds.contains(tokens[token].text) { return !isName(after: token) }
    if titles.usesBlanks { return false }
    return startsActivity(token) || startsCompany(token, from: start, before: end)
      || !tokens[token].isGlued && tokens[token].kind == .ideograph
        && tokens[token - 1].kind != .mark
  }

  /// "Center for the Arts"
  private func isName(after token: Int) -> Bool {
    guard tokens[token].text == "for", token + 2 < tokens.count, isLeft[token + 1],
      isLeft[token + 2],
      titles.articles.contains(tokens[token + 1].text)
    else { return false }
    return words(token + 2, token + 3).first?.isUppercase == true
  }

  private func startsActivity(_ token: Int) -> Bool {
    assembly.chart.items.contains {
      $0.symbol == .activity && $0.start == token
        && !isBuilding($0.end)
    }
  }

  /// 健身|房, 体检|中心
  private func isBuilding(_ token: Int) -> Bool {
    titles.buildings.contains { name in
      let end = token + name.unicodeScalars.count
      return end <= tokens.count && tokens[token..<end].map(\.text).joined() == name
    }
  }

  /// Whether people follow a place: 在海底捞|和同事聚餐, but 颐和园.
  private func startsCompany(_ token: Int, from start: Int, before end: Int) -> Bool {
    mayStartCompany(token, from: start)
      && (token + 1..<end).contains { startsActivity($0) }
  }

  private func mayStartCompany(_ token: Int, from start: Int) -> Bool {
    titles.companyWords.contains(tokens[token].text) && !assembly.chart.isInOrdinary(token)
      && (token >= start + 2 || token > start && titles.shortPlaces.contains(tokens[start].text))
  }

  /// Whether something that people do follows a place: 在公司|开会.
  private func isBeforeActivity(_ token: Int, _ end: Int) -> Bool {
    guard !assembly.chart.isInOrdinary(token), token + 2 < end else { return false }
    return (token + 2..<end).contains { startsActivity($0) }
  }

  /// Marks that a title may begin or end with.
  private static let ownMarks: Set<String> = ["$", "€", "£", "+", "%", "?", "(", ")", "&"]
  private static let stops: Set<String> = [".", ",", ";", "!", "。", "，", "、"]

  private mutating func addTitle(_ start: Int, _ end: Int) {
    var text = words(start, end)
    if start + 1 == end, tokens[start].kind == .mark { return }
    if start + 1 == end, tokens[start].kind == .quoted {
      text = String(text.dropFirst().dropLast())
    }
    if !title.isEmpty, titles.usesBlanks || title.utf8.last ?? 0 < 0x80 { title += " " }
    title += text
    parts.append(assembly.part(.title, start, end))
  }

  func words(_ start: Int, _ end: Int) -> String {
    assembly.text(assembly.range(start, end))
  }
}
