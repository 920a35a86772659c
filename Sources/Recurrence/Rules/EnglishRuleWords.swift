internal import CivilTime

/// Describes a rule in English.
///
///     FREQ=MONTHLY;BYDAY=2TU;COUNT=10    every second Tuesday of the month, 10 times
///     FREQ=WEEKLY;INTERVAL=2;BYDAY=MO    every 2 weeks on Monday
///     FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;RSCALE=GREGORIAN;SKIP=BACKWARD
///         every year on the 29th of February, or the day before where there is none
enum EnglishRuleWords {
  static func text(of rule: RecurrenceRule) -> String {
    let days = EnglishDayWords(rule: rule)
    var text = days.cadence
    let times = EnglishTimeWords.text(of: rule)
    if !times.isEmpty { text += " " + times }
    if !rule.setPositions.isEmpty, !rule.positionsWeekdays {
      text +=
        ", of these only the " + EnglishWords.ordinals(rule.setPositions) + " in each "
        + rule.frequency.unit
    }
    switch rule.skip {
    case .backward: text += ", or the day before where there is none"
    case .forward: text += ", or the day after where there is none"
    case .omit, nil: break
    }
    if rule.weekStart != .monday,
      (rule.frequency == .weekly && rule.interval > 1) || !rule.weekNumbers.isEmpty
    {
      text += ", weeks beginning on " + rule.weekStart.name
    }
    if let count = rule.count { text += count == 1 ? ", once" : ", \(count) times" }
    switch rule.until {
    case .date(let date): text += ", until \(date)"
    case .local(let reading): text += ", until " + EnglishWords.moment(reading)
    case .instant(let instant):
      let reading = ZoneRules.utc.reading(at: instant)
      text += ", until " + EnglishWords.moment(reading) + " UTC"
    case nil: break
    }
    return text
  }
}

/// Describes the days of a rule.
private struct EnglishDayWords {
  let rule: RecurrenceRule

  private var plain: [Weekday] { rule.plainWeekdays }
  private var numbered: [(weekday: Weekday, ordinals: [Int])] { rule.numberedWeekdays }
  private var hasDays: Bool { rule.choosesNumberedDays }

  private var period: String {
    rule.interval == 1
      ? "every " + rule.frequency.unit : "every \(rule.interval) \(rule.frequency.unit)s"
  }

  /// "every 2 weeks on Monday and Friday", "every second Tuesday of the month".
  var cadence: String {
    switch rule.frequency {
    case .weekly where rule.interval == 1 && !plain.isEmpty && rule.monthDays.isEmpty,
      .daily where rule.interval == 1 && !plain.isEmpty && rule.monthDays.isEmpty:
      return "every " + EnglishWords.weekdays(plain, joinedBy: "and") + months(leading: " in ")
    case .monthly where rule.interval == 1 && plain.isEmpty && !numbered.isEmpty && !hasDays:
      return "every " + ordinalWeekdays + " of the month" + months(leading: " in ")
    case .monthly where rule.interval == 1 && rule.positionsWeekdays:
      return "every " + positionedWeekdays + " of the month" + months(leading: " in ")
    case .yearly where saysOneMonth:
      let month = EnglishWords.month(rule.months[0])
      if !rule.monthDays.isEmpty {
        return period + " on the " + EnglishWords.monthDays(rule.monthDays) + " of " + month
          + weekdayLimit
      }
      return period + " on the " + ordinalWeekdays + " of " + month
    default:
      return period + months(leading: " in ") + weeks + days
    }
  }

  /// Whether to write "on the 29th of February" instead of "in February on the 29th".
  private var saysOneMonth: Bool {
    guard rule.months.count == 1, rule.weekNumbers.isEmpty, rule.yearDays.isEmpty else {
      return false
    }
    return !rule.monthDays.isEmpty || (plain.isEmpty && !numbered.isEmpty)
  }

  private func months(leading: String) -> String {
    rule.months.isEmpty
      ? "" : leading + EnglishWords.list(rule.months.sorted().map(EnglishWords.month))
  }

  private var weeks: String {
    guard !rule.weekNumbers.isEmpty else { return "" }
    return " in "
      + EnglishWords.list(
        rule.weekNumbers.map {
          $0 > 0 ? "week \($0)" : "the " + EnglishWords.ordinal($0) + " week of the year"
        })
  }

  private var days: String {
    var text = ""
    if !rule.yearDays.isEmpty {
      text +=
        " on the " + EnglishWords.list(rule.yearDays.map(EnglishWords.dayOrdinal))
        + " day of the year"
    }
    if !rule.monthDays.isEmpty {
      text += " on the " + EnglishWords.monthDays(rule.monthDays)
      if rule.frequency == .weekly || rule.frequency == .yearly { text += " of the month" }
    }
    guard !rule.weekdays.isEmpty else { return text }
    if hasDays || rule.frequency < .weekly { return text + weekdayLimit }
    if rule.positionsWeekdays { return text + " on the " + positionedWeekdays }
    let usesEach = rule.frequency >= .monthly && rule.weekNumbers.isEmpty
    var parts: [String] = []
    if !plain.isEmpty {
      parts.append((usesEach ? "each " : "") + EnglishWords.weekdays(plain, joinedBy: "and"))
    }
    if !numbered.isEmpty {
      let isOfYear = rule.frequency == .yearly && rule.months.isEmpty
      parts.append("the " + ordinalWeekdays + (isOfYear ? " of the year" : " of the month"))
    }
    return text + " on " + EnglishWords.list(parts)
  }

  /// ", if that is a Friday", if another part has chosen the days.
  private var weekdayLimit: String {
    guard !rule.weekdays.isEmpty else { return "" }
    var parts: [String] = []
    if !plain.isEmpty { parts.append("a " + EnglishWords.weekdays(plain, joinedBy: "or")) }
    if !numbered.isEmpty {
      let isOfYear = rule.frequency == .yearly && rule.months.isEmpty
      parts.append("the " + ordinalWeekdays + (isOfYear ? " of the year" : " of the month"))
    }
    return ", if that is " + parts.joined(separator: " or ")
  }

  /// "first and last Sunday", "first Monday and second Tuesday".
  private var ordinalWeekdays: String {
    EnglishWords.list(
      numbered.map { EnglishWords.ordinals($0.ordinals) + " " + $0.weekday.name })
  }

  /// "last weekday", "first Monday or Thursday".
  private var positionedWeekdays: String {
    EnglishWords.ordinals(rule.setPositions) + " " + EnglishWords.weekdays(plain, joinedBy: "or")
  }
}

/// Describes the times of a rule.
private enum EnglishTimeWords {
  /// "at 09:00 and 17:30", "in the hours 9 to 16 at the minutes 0, 20 and 40".
  static func text(of rule: RecurrenceRule) -> String {
    let isWhole = rule.frequency >= .daily && !rule.hours.isEmpty && !rule.minutes.isEmpty
    if isWhole, rule.seconds.isEmpty || rule.seconds == [0],
      rule.hours.count * rule.minutes.count <= 6
    {
      let times = rule.hours.sorted().flatMap { hour in
        rule.minutes.sorted().map { EnglishWords.padded(hour) + ":" + EnglishWords.padded($0) }
      }
      return "at " + EnglishWords.list(times)
    }
    var parts: [String] = []
    func add(_ leading: String, _ unit: String, _ values: [Int]) {
      guard !values.isEmpty else { return }
      let runs = EnglishWords.runs(values)
      parts.append(
        leading + (values.count == 1 ? unit : unit + "s") + " " + EnglishWords.list(runs))
    }
    add("in the ", "hour", rule.hours)
    add("at the ", "minute", rule.minutes)
    add("at the ", "second", rule.seconds)
    return parts.joined(separator: " ")
  }
}
