import CivilTime

extension Lexicon {
  /// The words of Chinese, in both scripts.
  static let chinese: Lexicon = {
    var words = Lexicon()
    words.addChineseNumbers()
    words.addChineseDays()
    words.addChineseTimes()
    return words
  }()

  /// 一 to 三十一, and 四十 to 五十九 for minutes.
  private mutating func addChineseNumbers() {
    let digits = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"]
    func number(_ value: Int, _ text: String) {
      add(text, .number, .integer(value))
      add(text, .spoken, .integer(value))
    }
    for value in 1...59 {
      let (tens, ones) = (value / 10, value % 10)
      let head = tens == 0 ? "" : tens == 1 ? "十" : digits[tens] + "十"
      number(value, head + digits[ones])
    }
    number(2, "两|兩")
    add("零", .number, .integer(0))
  }

  private mutating func addChineseDays() {
    func day(_ names: String, _ days: Int) {
      add(names, .day, .day(.relative(Length(days: days))), common: false)
    }
    day("今天|今日", 0)
    day("明天|明日", 1)
    day("后天|後天", 2)
    day("大后天|大後天", 3)
    let names = ["一", "二", "三", "四", "五", "六", "日"]
    for (index, name) in names.enumerated() {
      guard let weekday = Weekday(rawValue: index + 1) else { continue }
      var all = ["周", "週", "星期", "礼拜", "禮拜"].map { $0 + name }
      if name == "日" { all += ["周天", "週天", "星期天", "礼拜天", "禮拜天"] }
      add(all.joined(separator: "|"), .weekday, .weekday(weekday), common: false)
    }
    add("下个|下個|下", .next)
    add("月", .monthMark, common: false)
    add("日|号|號", .dayMark, common: false)
    add("年", .yearMark, common: false)
    // No rule has these yet: a line with one of them is refused, and never read without it.
    add(
      "每|天天|周|週|星期|礼拜|禮拜|小时|小時|分钟|分鐘|钟头|鐘頭|晚|夜|早|晨|节|節|平安夜|元旦|除夕|起|开始|開始"
        + "|为止|為止|次|第|末|底|到|至|从|從|以后|以後|之后|之後|后|後|前|持续|持續|连续|連續|时长|今|昨|下晝"
        + "|上|这|這|本|~|–|—|旬|季|农历|農曆|隔|逢|整天|全天|对|刻|零|大|在|地点|整|钟|鐘", .only, common: false)
    add(
      "生日|早餐|早饭|早飯|晚餐|晚饭|晚飯|周会|週會|年会|年會|月饼|下班|上班|下课|上课|上海|前台|后台|到家|起床"
        + "|接机|迟到|大家|大会|跟进", .ordinary)
  }

  private mutating func addChineseTimes() {
    for (names, part) in [
      ("凌晨", PartOfDay.smallHours), ("早上|上午|早晨", .morning), ("中午", .midday),
      ("下午|午后|晏晝", .afternoon), ("傍晚", .dusk), ("晚上", .evening),
    ] {
      add(names, .part, .part(part), common: false)
    }
    add("点|點|时|時|点钟|點鐘|点整|點整|点正|點正", .hourMark)
    add("提醒我|记得|記得|提醒", .request)
    add("分", .minuteMark)
    add("半", .half)
    add("一刻", .quarter, .integer(15))
    add("三刻", .quarter, .integer(45))
    add(":", .colon)
    add("-", .dash)
    add("/", .slash)
    add(".", .dot)
  }
}
