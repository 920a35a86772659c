/// What the words of a title say of a bare hour.
extension LeftoverWords {
  /// The half of the day that the words suggest; nil for none.
  var hint: HourHint? {
    var found: HourHint?
    if !titles.usesBlanks {
      for (word, hint) in titles.hints where title.contains(word) {
        found = found.map { $0.merged(hint) } ?? hint
      }
      // 晚会彩排
      let isLast = titles.hints.contains { $1 == .evening && title.hasSuffix($0) }
      return found == .evening && !isLast ? .ofEvening : found
    }
    var last = 0
    for (index, token) in tokens.enumerated() where token.kind == .word {
      guard let hint = titles.hints[token.text] else { continue }
      found = found.map { $0.merged(hint) } ?? hint
      last = index + 1
    }
    // "dinner prep course"
    let isOfOther =
      last < tokens.count && assembly.isLeftWord(last)
      && !titles.wordsAfterActivities.contains(tokens[last].text)
    return found == .evening && isOfOther ? .ofEvening : found
  }
}
