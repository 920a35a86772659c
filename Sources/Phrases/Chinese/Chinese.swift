import CivilTime

extension PhraseLanguage {
  /// Chinese, in simplified and traditional characters.
  package static let chinese: PhraseLanguage = {
    var rules = RuleTable()
    rules.addChineseDays()
    rules.addChineseMonths()
    rules.addDottedDays(.monthDay)
    rules.addSharedRules()
    rules.addChineseClocks()
    rules.addChineseRanges()
    rules.addChineseLengths()
    rules.addChineseRepeats()
    rules.addChineseBounds()
    rules.addChineseLimits()
    return PhraseLanguage(
      lexicon: .chinese, rules: rules, titles: .chinese, firstWeekday: .monday,
      examples: ["明天下午3点", "周五9:30-11:00", "每周二18点", "3月5日"],
      examplesByKind: [.weekdayOfMonth: ["每周五", "每月第一个周五"], .day: ["3月5日", "下周五", "明天"]])
  }()
}

extension Lexicon {
  /// The words of Chinese, in both scripts.
  static let chinese: Lexicon = {
    var words = Lexicon()
    words.addChineseNumbers()
    words.addChineseDays()
    words.addChineseHolidays()
    words.addChineseTimes()
    words.addChineseSpans()
    words.addChineseZones()
    words.addChineseOrdinaryWords()
    return words
  }()
}

extension TitleWords {
  static let chinese: TitleWords = {
    var words = TitleWords()
    words.usesBlanks = false
    words.allowsLeadingCounts = true
    words.leadIns = ["在", "是", "于", "於", "的", "从", "從"]
    words.joints = ["的"]
    words.placeWords = ["@"]
    words.placeWordsBeforeActivities = ["在"]
    words.companyWords = ["和"]
    words.shortPlaces = ["家"]
    words.buildings = ["房", "馆", "館", "厅", "廳", "室", "处", "處", "中心"]
    words.modifiers = ["或"]
    words.endLeads = ["到", "至"]
    for (hint, list) in [
      (
        HourHint.breakfast,
        "早饭 早飯 早餐 早茶 早会 早會 晨会 晨會 晨跑 晨练 晨練 起床 早起 早读 早操 日出 叫早"
      ), (.lunch, "午饭 午飯 午餐 午休 中饭 中飯"),
      (
        .evening,
        "晚饭 晚飯 晚餐 晚宴 晚会 晚會 夜宵 宵夜 看电影 看電影 演唱会 演唱會 音乐会 音樂會 话剧 酒吧 喝酒 夜跑 广场舞 晚自习 日落"
      ), (.party, "聚会 聚會 派对 派對 烧烤 燒烤 约会 約會 比赛 比賽 球赛"),
      (
        .anyHour,
        "航班 飞机 飛機 火车 火車 高铁 高鐵 动车 机场 機場 闹钟 鬧鐘 出发 出發 跑步 健身 游泳 钓鱼 釣魚 爬山 接机 接機 送机 赶车 集合 看球"
      ),
    ] {
      for word in list.split(separator: " ") { words.hints[String(word)] = hint }
    }
    return words
  }()
}
