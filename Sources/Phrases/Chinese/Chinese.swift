extension PhraseLanguage {
  /// Chinese, in simplified and traditional characters.
  package static let chinese: PhraseLanguage = {
    var rules = RuleTable()
    rules.addChineseDays()
    rules.addChineseClocks()
    return PhraseLanguage(
      lexicon: .chinese, rules: rules, titles: .chinese,
      examples: ["明天下午3点", "周五9:30-11:00", "每周二18点", "3月5日"])
  }()
}

extension TitleWords {
  static let chinese: TitleWords = {
    var words = TitleWords()
    words.usesBlanks = false
    words.allowsLeadingCounts = true
    words.placeWords = ["@"]
    words.hints = [
      "早饭": .breakfast, "早餐": .breakfast, "午饭": .lunch, "午餐": .lunch, "晚饭": .evening,
      "晚餐": .evening,
    ]
    return words
  }()
}
