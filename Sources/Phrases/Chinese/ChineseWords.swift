import CivilTime

extension Lexicon {
  /// Numbers up to 99: 十五, 两, 零五.
  mutating func addChineseNumbers() {
    let digits = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"]
    func number(_ value: Int, _ text: String) {
      add(text, .number, .integer(value))
      add(text, .spoken, .integer(value))
    }
    for value in 1...99 {
      let (tens, ones) = (value / 10, value % 10)
      let head = tens == 0 ? "" : tens == 1 ? "十" : digits[tens] + "十"
      number(value, head + digits[ones])
      // The minutes of 三点零五.
      if tens == 0 { add("零\(digits[ones])|〇\(digits[ones])", .twoDigits, .integer(value)) }
    }
    number(2, "两|兩")
    number(0, "零|〇")
    add("几|幾|若干", .only, common: false)
    // None of them is read in part, and none is left to a title.
    add(
      "一点|一點|一刻|三刻|点半|點半|周末|週末|大后天|大後天|左右|大约|大約|直到|为止|為止|现在|現在|整天|全天|整日", .only,
      common: false)
  }

  mutating func addChineseDays() {
    func day(_ names: String, _ days: Int) {
      add(names, .day, .day(.relative(Length(days: days))), common: false)
    }
    day("今天|今日|今儿|今兒", 0)
    day("明天|明日|明儿|明兒|聽日|听日", 1)
    day("后天|後天|后日|後日", 2)
    day("昨天|昨日|昨儿|昨兒", -1)
    day("前天|前日", -2)
    day("大前天", -3)
    day("大后天|大後天|大后日|大後日", 3)
    day("大大后天|大大後天", 4)
    let names = ["一", "二", "三", "四", "五", "六", "日"]
    for (index, name) in names.enumerated() {
      guard let weekday = Weekday(rawValue: index + 1) else { continue }
      for week in ["周", "週", "星期", "礼拜", "禮拜"] {
        let all = [name, "\(index + 1)"] + (name == "日" ? ["天"] : [])
        add(
          all.map { week + $0 }.joined(separator: "|"), .weekday, .weekday(weekday),
          common: false)
        if name == "六" { add("\(week)六日|\(week)六\(week)日", .weekend, .integer(-1), common: false) }
      }
    }
    add("周末|週末", .weekend, .integer(0), common: false)
    // Weeks begin on Monday, and 下周五 is that of the next one.
    add("这|這|这个|這個|本|这一|這一|今", .next, .integer(0))
    add("下|下个|下個|下一|下一个|下一個", .next, .integer(1))
    add("下下|下下个|下下個", .next, .integer(2))
    add("下下下|下下下个|下下下個", .next, .integer(3))
    add("上|上个|上個|上一|上一个", .last, .integer(1))
    add("上上|上上个|上上個", .last, .integer(2))
    add("本月|这个月|這個月|这月|今个月|今個月|当月|當月", .frame, .day(.months(0)), common: false)
    add("下个月|下個月|下月|下一个月", .frame, .day(.months(1)), common: false)
    add("下下个月|下下個月|下下月", .frame, .day(.months(2)), common: false)
    add("今年", .this, .integer(0), common: false)
    add("明年|来年|來年", .this, .integer(1), common: false)
    add("后年|後年", .this, .integer(2), common: false)
    add("月底|月末", .day, .day(.dayInMonth(-1, months: 0)), common: false)
    add("年底|年末", .monthDay, .day(.monthDay(month: 12, day: 31, year: nil)), common: false)
    add("底|末|最后一天|最後一天|最后一日|最後一日", .monthEnd)
    for (names, first) in [("今明两天|今明兩天", 0), ("明后两天|明後兩天", 1)] {
      add(
        names, .when,
        .when(
          When(
            day: .relative(Length(days: first)), endDay: .relative(Length(days: first + 1)))),
        common: false)
    }
    add("月|月份", .monthMark)
    add("日|号|號", .dayMark)
    add("年", .yearMark)
    add("第", .ordinalMark, .integer(1))
    add("倒数第|倒數第", .ordinalMark, .integer(-1))
    add("个|個", .a)
    add("最后一个|最後一個", .ordinal, .integer(-1), common: false)
    add(
      "大下周|大下週|大下个|大下個|大上周|去年|前年|上周|上週|上月|上个月|上個月|明后天|明後天|次日|翌日|次月|隔日起|月初|月中|年初|年中"
        + "|周初|周中|周内|上旬|中旬|下旬|双月|雙月|单月|單月|单日|双日|單日|雙日|逢单|逢双|这个时候|這個時候|这时候|同一时间|老时间|这会儿|初一|初二"
        + "|初三|初四|初五|初六|初七|初八|初九|初十|今年|明年|来年|來年|后年|後年|季末|季初|季度末|季度初|本季度|下季度|上季度|这季度|这个季度|下个季度"
        + "|前后|前後|前夕|早一点|晚一点|早一些|晚一些|半价|半身|半马|半岛|半路|半数|上半年|下半年|半天|半日|半个月|半個月|双周|雙週|单周|單週|平日|农历|農曆|阴历"
        + "|陰曆|旧历|舊曆|正月|腊月|臘月|大年|改天|过几天|當晚|当晚|当天|當天|除外|除了|除去|星期|早上|晚上|早晨|晚间|晚間|夜里|夜间|早点|早點|晚点"
        + "|晚點|早些|晚些|稍晚|稍后|待会|一会儿|刚才|最近|近日|礼拜|禮拜|整周|全周|廿", .only, common: false)
  }

  /// Holidays by their name; of the old calendar there is none.
  mutating func addChineseHolidays() {
    for (names, month, day) in [
      ("元旦|元旦节|元旦節", 1, 1), ("情人节|情人節", 2, 14), ("妇女节|婦女節|三八节|三八妇女节", 3, 8),
      ("植树节", 3, 12), ("白色情人节", 3, 14), ("愚人节|愚人節", 4, 1),
      ("五一|劳动节|勞動節|五一劳动节|五一节|五一勞動節", 5, 1), ("青年节|五四青年节", 5, 4),
      ("六一|儿童节|六一儿童节", 6, 1), ("七一|建党节", 7, 1), ("八一|建军节|八一建军节", 8, 1), ("教师节", 9, 10),
      ("国庆|国庆节|十一国庆|十一国庆节", 10, 1), ("万圣节|萬聖節|万圣夜", 10, 31),
      ("双十一|双11|雙十一|雙11|光棍节", 11, 11), ("双十二|双12|雙十二|雙12", 12, 12),
      ("平安夜|圣诞夜|聖誕夜|圣诞前夜", 12, 24), ("圣诞|圣诞节|聖誕|聖誕節", 12, 25), ("跨年夜", 12, 31),
    ] {
      add(names, .day, .day(.holiday(month: month, day: day)))
    }
    for (names, n, weekday, month) in [
      ("母亲节|母親節", 2, Weekday.sunday, 5), ("父亲节", 3, .sunday, 6), ("感恩节|感恩節", 4, .thursday, 11),
    ] {
      add(names, .day, .day(.nthWeekday(n, weekday, month: month, year: nil)))
    }
    // They are of the old calendar, or differ between the mainland, Hong Kong and Taiwan.
    for names in [
      "春节|春節|新春|除夕|元宵|元宵节|元宵節|端午|端午节|端午節|七夕|七夕节|中秋|中秋节|中秋節|重阳|重阳节|重陽節|清明|清明节|清明節",
      "冬至|夏至|立春|腊八|小年|復活節|复活节|國慶|國慶日|國慶節|雙十節|兒童節|教師節|父親節|青年節|寒假|暑假|春假|国庆假期|五一假期|国庆长假",
    ] {
      add(names, .feast)
    }
    add("假期|长假|長假|期间|期間|小长假", .period)
  }
}
