import Recurrence

extension Lexicon {
  /// Words of times of day.
  mutating func addChineseTimes() {
    for (names, part) in [
      ("凌晨", PartOfDay.smallHours), ("早上|上午|早晨|清早|一早|一大早|朝早", .morning),
      ("清晨", .earlyMorning), ("中午|正午|晌午", .midday), ("下午|午后|午後|晏晝|下晝|晏昼", .afternoon),
      ("傍晚|黄昏|黃昏|傍晚时分|黄昏时分|傍晚時分", .dusk), ("晚上|晚间|晚間|夜晚|夜间|夜間|夜里|夜裡|夜裏", .evening),
    ] {
      add(names, .part, .part(part), common: false)
      // No piece may cut it: the 晨 of 凌晨.
      add(names, .only, common: false)
    }
    add("上下午|上、下午|上下晝|早中晚|早晚|午晚", .only, common: false)
    // 周五晚, 晚8点: next to a day or an hour alone.
    add("早|晨", .amLetter, .part(.morning), common: false)
    add("晚|夜", .pmLetter, .part(.evening), common: false)
    add("半夜|深夜", .pmLetter, .part(.night), common: false)
    add("半夜|深夜", .only, common: false)
    for (names, days, part) in [
      ("今早|今晨|今朝", 0, PartOfDay.morning), ("今晚|今夜|今晚上", 0, .evening),
      ("明早|明晨|明早上|聽朝|听朝", 1, .morning), ("明晚|明夜|明晚上|聽晚|听晚", 1, .evening),
      ("昨晚|昨夜", -1, .evening), ("前晚", -2, .evening),
      ("后晚|後晚", 2, .evening), ("后早", 2, .morning),
    ] {
      add(
        names, .partWhen, .when(When(day: .relative(Length(days: days)), part: part)),
        common: false)
    }
    add("点|點|时|時", .hourMark)
    add("午夜|子夜", .point, common: false)
    add("分", .minuteMark)
    add("半", .half)
    add("一刻", .quarter, .integer(15))
    add("三刻", .quarter, .integer(45))
    add("差", .toHour)
    add("过|過", .past)
    add("大约|大約|大概|约|約", .at)
    add("左右|整|正|之间|之間", .oclock)
    add("钟|鐘", .oclock, .integer(1))
    add("am", .am)
    add("pm", .pm)
    // AM10点 is one word and a character.
    for hour in 1...12 {
      for (half, isAfternoon) in [("am", false), ("pm", true)] {
        guard let clock = ClockReading(hour)?.inHalf(isAfternoon: isAfternoon) else { continue }
        add("\(half)\(hour)点|\(half)\(hour)點", .clock, .clock(clock), common: false)
      }
    }
    add(":", .colon)
    add("-", .dash)
    add("/", .slash)
    add(".", .dot)
    add("!", .bang)
    add("到|至", .to, .integer(1))
    add("-|--|~|～|—|——|–|―", .to)
    add("从|從|自|由", .from)
    add("和|与|與|及|跟|、|,|还有", .and)
    add("的", .of)
    add(",|，|、", .comma)
    add("多|来钟|以上|以下|不到|出头|出頭|开外|開外", .late)
    add(
      "至少|最少|最多|至多|超过|超過|不超过|不超過|不多于|不少于|不到|不足|将近|將近|接近|最迟|最遲|最晚|最早|不早于|不晚于|不早於|不晚於", .limit)
    add("全天|整天|一整天|全日|整日|一整日", .allDay, common: false)
  }

  /// Words of lengths, recurrences and reminders.
  mutating func addChineseSpans() {
    for (names, unit) in [
      ("小时|小時|钟头|鐘頭|个小时|個小時|个钟头|個鐘頭|個鐘|个钟|h|hr|hrs|hour|hours", Length.hour),
      ("分钟|分鐘|min|mins|minutes", .minute), ("刻钟|刻鐘", Length(seconds: 900)), ("天", .day),
      ("周|週|星期|礼拜|禮拜|个星期|個星期|个礼拜|個禮拜|个周", .week),
      ("个月|個月|箇月", .month), ("季|季度|个季度", Length(months: 3)), ("年", .year),
      ("工作日|个工作日|個工作日", .workday),
    ] {
      add(names, .unit, .length(unit))
    }
    add("工作日", .workday, common: false)
    add("个半|個半", .plus)
    for (names, unit) in [
      ("m", Length.minute), ("h", .hour), ("d", .day), ("w", .week),
    ] {
      add(names, .unitLetter, .length(unit))
    }
    add("后|後|之后|之後|以后|以後|过后|過後", .after)
    add("前|之前|以前", .before)
    add("以内|以內|之内|之內|内|內", .in)
    add("再过|再過|过|過", .fromNow)
    add("持续|持續|时长|時長|为期|為期|历时|歷時|连续|連續|用时|耗时|共|一共", .for)
    add("每|每个|每個|每逢|逢|每到|每一|每一个", .every, common: false)
    add("天天|日日", .repeats, .repeats(RepeatReading(.daily)), common: false)
    add("隔|每隔", .other)
    add("开始|開始|起始", .starting)
    add("起", .starting, .integer(1))
    add("直到|直至|截至|截止到|截止至|持续到|持續到|一直到|持续至", .until, common: false)
    add("为止|為止|止", .ago)
    add("共|一共|总共|總共|共计|重复|重複|一共有", .once)
    add("次|节|節|堂|期", .times)
    add("除|除了", .between)
    add("除", .except, .integer(1))
    add(
      "除节假日|除節假日|除法定|除假日|除了|除去|除开|除開|除外|不包括|不含|不包含|节假日不|節假日不|节假日休息|節假日休息|节假日暂停|假日不|周末不|週末不|周末休息",
      .except)
    add("外|以外|之外|除外", .ten)
    add("提前", .early)
    add("提醒|提醒我|提醒一下|通知我", .remind)
    add(
      "不提醒|无提醒|無提醒|不用提醒|无需提醒|無需提醒|不要提醒|不需要提醒|不必提醒|别提醒|別提醒|不提醒我|不用提醒我|不要提醒我|别提醒我|別提醒我", .reminder,
      .reminders([.none]), common: false)
    add(
      "到时提醒|到時提醒|到点提醒|到點提醒|准时提醒|準時提醒|到时提醒我|到時提醒我|到点提醒我|准时提醒我", .reminder, .length(Length()),
      common: false)
    add("时间:|時間:|日期:|主题:|主題:|标题:|事项:|事由:|内容:|提醒我|记得|記得|别忘了|別忘了|记着|请提醒我|請提醒我|别忘记", .request)
  }
}
