internal import CivilTime

/// Describes a rule in Chinese.
///
///     FREQ=MONTHLY;BYDAY=2TU;COUNT=10    每月第二个星期二，共 10 次
///     FREQ=WEEKLY;INTERVAL=2;BYDAY=MO    每 2 周的星期一
///     FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;RSCALE=GREGORIAN;SKIP=BACKWARD
///         每年2月29日，没有该日时提前一天
///
/// What chooses days stands after the period, as in "每年2月29日"; what only excludes some follows
/// after commas.
enum ChineseRuleWords {
  static func text(of rule: RecurrenceRule) -> String {
    let days = ChineseDayWords(rule: rule)
    var text = days.period + days.chosen
    let times = times(of: rule)
    if !times.chosen.isEmpty {
      text += (times.chosen.first?.isNumber == true ? " " : "") + times.chosen
    }
    for limit in days.limits + times.limits { text += "，" + limit }
    if !rule.setPositions.isEmpty, !rule.positionsWeekdays {
      text +=
        "，仅取每" + unit(rule.frequency, counted: false) + "的"
        + ChineseWords.ordinals(rule.setPositions)
    }
    switch rule.skip {
    case .backward: text += "，没有该日时提前一天"
    case .forward: text += "，没有该日时顺延一天"
    case .omit, nil: break
    }
    let countsWeeks = (rule.frequency == .weekly && rule.interval > 1) || !rule.weekNumbers.isEmpty
    if rule.weekStart != .monday, countsWeeks {
      text += "，每周从星期" + ChineseWords.name(rule.weekStart) + "开始"
    }
    if let count = rule.count { text += count == 1 ? "，仅一次" : "，共 \(count) 次" }
    return text + end(of: rule)
  }

  private static func end(of rule: RecurrenceRule) -> String {
    switch rule.until {
    case .date(let date): "，直到 " + ChineseWords.date(date)
    case .local(let reading): "，直到 " + ChineseWords.moment(reading)
    case .instant(let instant):
      "，直到 " + ChineseWords.moment(ZoneRules.utc.reading(at: instant)) + " UTC"
    case nil: ""
    }
  }

  /// The unit of a period, with the measure word that it has after a number.
  static func unit(_ frequency: RecurrenceRule.Frequency, counted: Bool) -> String {
    switch frequency {
    case .secondly: "秒"
    case .minutely: "分钟"
    case .hourly: "小时"
    case .daily: "天"
    case .weekly: "周"
    case .monthly: counted ? "个月" : "月"
    case .yearly: "年"
    }
  }

  /// Returns "09:00 和 17:30", or the hours, minutes and seconds of which the smaller ones choose and
  /// the larger ones exclude.
  private static func times(of rule: RecurrenceRule) -> (chosen: String, limits: [String]) {
    let isWhole = rule.frequency >= .daily && !rule.hours.isEmpty && !rule.minutes.isEmpty
    if isWhole, rule.seconds.isEmpty || rule.seconds == [0],
      rule.hours.count * rule.minutes.count <= 6
    {
      let times = rule.hours.sorted().flatMap { hour in
        rule.minutes.sorted().map { EnglishWords.padded(hour) + ":" + EnglishWords.padded($0) }
      }
      return (ChineseWords.list(times, joinedBy: " 和 "), [])
    }
    var chosen: [String] = []
    var limits: [String] = []
    func add(_ values: [Int], _ unit: String, chooses: Bool) {
      guard !values.isEmpty else { return }
      let text = "第 " + ChineseWords.runs(values) + " " + unit
      if chooses { chosen.append(text) } else { limits.append("仅限" + text) }
    }
    add(rule.hours, "时", chooses: rule.frequency > .hourly)
    add(rule.minutes, "分", chooses: rule.frequency > .minutely)
    add(rule.seconds, "秒", chooses: rule.frequency > .secondly)
    return (chosen.joined(separator: "的"), limits)
  }
}

/// Describes the days of a rule.
private struct ChineseDayWords {
  let rule: RecurrenceRule

  private var plain: [Weekday] { rule.plainWeekdays }
  private var numbered: [(weekday: Weekday, ordinals: [Int])] { rule.numberedWeekdays }
  private var hasDays: Bool { rule.choosesNumberedDays }

  /// Whether "每" is followed by weekdays alone: "每周二和周四".
  private var isWeekdays: Bool {
    (rule.frequency == .weekly || rule.frequency == .daily) && rule.interval == 1
      && !plain.isEmpty && !hasDays && rule.weekNumbers.isEmpty
  }

  /// "每月", "每 2 个月", "每周二和周四".
  var period: String {
    if isWeekdays { return "每" + ChineseWords.shortWeekdays(plain) }
    let isOne = rule.interval == 1
    let unit = ChineseRuleWords.unit(rule.frequency, counted: !isOne)
    return isOne ? "每" + unit : "每 \(rule.interval) " + unit
  }

  /// Returns the days that the rule chooses: "第二个星期二", "2月29日", "的每个星期二".
  var chosen: String {
    var parts: [String] = []
    switch rule.frequency {
    case .secondly, .minutely, .hourly, .daily: break
    case .weekly:
      if !isWeekdays, !hasDays, !plain.isEmpty { parts.append(ChineseWords.weekdays(plain)) }
    case .monthly:
      if !rule.monthDays.isEmpty { parts.append(ChineseWords.monthDays(rule.monthDays)) }
      if !hasDays { parts += weekdayParts(each: "每个") }
    case .yearly:
      if !rule.months.isEmpty { parts.append(ChineseWords.months(rule.months)) }
      if !rule.weekNumbers.isEmpty { parts.append(ChineseWords.ordinals(rule.weekNumbers, "周")) }
      if !rule.yearDays.isEmpty {
        parts.append((parts.isEmpty ? "" : "当年") + ChineseWords.yearDays(rule.yearDays))
      }
      if !rule.monthDays.isEmpty {
        let days = ChineseWords.monthDays(rule.monthDays)
        // "2月29日" is one word.
        let joins =
          parts.count == 1 && rule.months.count == 1 && rule.monthDays.contains { $0 > 0 }
        if joins {
          parts[0] += days
        } else {
          parts.append(rule.months.isEmpty ? "每月" + days : days)
        }
      }
      if !hasDays { parts += weekdayParts(each: rule.weekNumbers.isEmpty ? "每个" : "") }
    }
    guard let first = parts.first else { return "" }
    let followsAtOnce =
      rule.interval == 1 && !first.hasPrefix("每")
      && (rule.frequency == .monthly || !rule.months.isEmpty || !rule.weekNumbers.isEmpty)
    return (followsAtOnce ? "" : "的") + parts.joined(separator: "的")
  }

  /// "第一个和最后一个星期日", "每个星期二".
  private func weekdayParts(each: String) -> [String] {
    guard !rule.weekdays.isEmpty else { return [] }
    if rule.positionsWeekdays {
      return [
        ChineseWords.ordinals(rule.setPositions)
          + ChineseWords.weekdays(plain, joinedBy: "或")
      ]
    }
    var parts: [String] = []
    if !plain.isEmpty { parts.append(each + ChineseWords.weekdays(plain)) }
    if !numbered.isEmpty { parts.append(ordinalWeekdays) }
    return [ChineseWords.list(parts)]
  }

  /// What excludes some of the days: "仅限6月和7月", "且须为星期五".
  var limits: [String] {
    var limits: [String] = []
    let isYearly = rule.frequency == .yearly
    if !isYearly {
      if !rule.months.isEmpty { limits.append("仅限" + ChineseWords.months(rule.months)) }
      if !rule.weekNumbers.isEmpty {
        limits.append("仅限每年" + ChineseWords.ordinals(rule.weekNumbers, "周"))
      }
      if !rule.yearDays.isEmpty { limits.append("仅限每年" + ChineseWords.yearDays(rule.yearDays)) }
      if !rule.monthDays.isEmpty, rule.frequency != .monthly {
        limits.append("仅限每月" + ChineseWords.monthDays(rule.monthDays))
      }
    }
    let limitsWeekdays = hasDays || (rule.frequency < .weekly && !isWeekdays)
    guard !rule.weekdays.isEmpty, limitsWeekdays else { return limits }
    var choices: [String] = []
    if !plain.isEmpty { choices.append(ChineseWords.weekdays(plain, joinedBy: "或")) }
    if !numbered.isEmpty {
      choices.append((isYearly && rule.months.isEmpty ? "当年" : "当月") + ordinalWeekdays)
    }
    return limits + ["且须为" + choices.joined(separator: "或")]
  }

  /// "第一个和最后一个星期日", "第一个星期一和第二个星期二".
  private var ordinalWeekdays: String {
    ChineseWords.list(
      numbered.map { ChineseWords.ordinals($0.ordinals) + "星期" + ChineseWords.name($0.weekday) })
  }
}
