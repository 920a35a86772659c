internal import CivilTime

extension RecurrenceRule {
  /// The rule in English words, for people who check one.
  ///
  ///     FREQ=MONTHLY;BYDAY=2TU;COUNT=10    every second Tuesday of the month, 10 times
  ///     FREQ=WEEKLY;INTERVAL=2;BYDAY=MO    every 2 weeks on Monday
  ///     FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;RSCALE=GREGORIAN;SKIP=BACKWARD
  ///         every year on the 29th of February, or the day before where there is none
  ///
  /// Every part that changes the meaning is included; what the rule takes from its start is not.
  package var inWords: String {
    let days = RuleDayWords(rule: self)
    var text = days.cadence
    let times = RuleTimeWords.text(of: self)
    if !times.isEmpty { text += " " + times }
    if !setPositions.isEmpty, !days.saysPositions {
      text += ", of these only the " + Words.ordinals(setPositions) + " in each " + frequency.unit
    }
    switch skip {
    case .backward: text += ", or the day before where there is none"
    case .forward: text += ", or the day after where there is none"
    case .omit, nil: break
    }
    if weekStart != .monday, (frequency == .weekly && interval > 1) || !weekNumbers.isEmpty {
      text += ", weeks beginning on " + weekStart.name
    }
    if let count { text += count == 1 ? ", once" : ", \(count) times" }
    switch until {
    case .date(let date): text += ", until \(date)"
    case .local(let reading): text += ", until " + Words.moment(reading)
    case .instant(let instant):
      let reading = ZoneRules.utc.reading(at: instant)
      text += ", until " + Words.moment(reading) + " UTC"
    case nil: break
    }
    return text
  }
}

/// Describes the days of a rule.
private struct RuleDayWords {
  let rule: RecurrenceRule

  private var plain: [Weekday] { rule.weekdays.filter { $0.ordinal == nil }.map(\.weekday) }
  private var numbered: [RecurrenceRule.WeekdayChoice] {
    rule.weekdays.filter { $0.ordinal != nil }
  }
  /// Whether a part other than BYDAY chooses days.
  private var hasDays: Bool { !rule.monthDays.isEmpty || !rule.yearDays.isEmpty }

  private var period: String {
    rule.interval == 1
      ? "every " + rule.frequency.unit : "every \(rule.interval) \(rule.frequency.unit)s"
  }

  /// Whether BYSETPOS is described with the weekdays: "the last weekday of the month".
  var saysPositions: Bool {
    rule.frequency == .monthly && !rule.setPositions.isEmpty && !plain.isEmpty && numbered.isEmpty
      && !hasDays && rule.hours.count <= 1 && rule.minutes.count <= 1 && rule.seconds.count <= 1
  }

  /// "every 2 weeks on Monday and Friday", "every second Tuesday of the month".
  var cadence: String {
    switch rule.frequency {
    case .weekly where rule.interval == 1 && !plain.isEmpty && rule.monthDays.isEmpty,
      .daily where rule.interval == 1 && !plain.isEmpty && rule.monthDays.isEmpty:
      return "every " + Words.weekdays(plain, joinedBy: "and") + months(leading: " in ")
    case .monthly where rule.interval == 1 && plain.isEmpty && !numbered.isEmpty && !hasDays:
      return "every " + ordinalWeekdays + " of the month" + months(leading: " in ")
    case .monthly where rule.interval == 1 && saysPositions:
      return "every " + positionedWeekdays + " of the month" + months(leading: " in ")
    case .yearly where saysOneMonth:
      let month = Words.month(rule.months[0])
      if !rule.monthDays.isEmpty {
        return period + " on the " + Words.monthDays(rule.monthDays) + " of " + month + weekdayLimit
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
    rule.months.isEmpty ? "" : leading + Words.list(rule.months.sorted().map(Words.month))
  }

  private var weeks: String {
    guard !rule.weekNumbers.isEmpty else { return "" }
    return " in "
      + Words.list(
        rule.weekNumbers.map {
          $0 > 0 ? "week \($0)" : "the " + Words.ordinal($0) + " week of the year"
        })
  }

  private var days: String {
    var text = ""
    if !rule.yearDays.isEmpty {
      text += " on the " + Words.list(rule.yearDays.map(Words.dayOrdinal)) + " day of the year"
    }
    if !rule.monthDays.isEmpty {
      text += " on the " + Words.monthDays(rule.monthDays)
      if rule.frequency == .weekly || rule.frequency == .yearly { text += " of the month" }
    }
    guard !rule.weekdays.isEmpty else { return text }
    if hasDays || rule.frequency < .weekly { return text + weekdayLimit }
    if saysPositions { return text + " on the " + positionedWeekdays }
    let usesEach = rule.frequency >= .monthly && rule.weekNumbers.isEmpty
    var parts: [String] = []
    if !plain.isEmpty {
      parts.append((usesEach ? "each " : "") + Words.weekdays(plain, joinedBy: "and"))
    }
    if !numbered.isEmpty {
      let isOfYear = rule.frequency == .yearly && rule.months.isEmpty
      parts.append("the " + ordinalWeekdays + (isOfYear ? " of the year" : " of the month"))
    }
    return text + " on " + Words.list(parts)
  }

  /// ", if that is a Friday", if another part has chosen the days.
  private var weekdayLimit: String {
    guard !rule.weekdays.isEmpty else { return "" }
    var parts: [String] = []
    if !plain.isEmpty { parts.append("a " + Words.weekdays(plain, joinedBy: "or")) }
    if !numbered.isEmpty {
      let isOfYear = rule.frequency == .yearly && rule.months.isEmpty
      parts.append("the " + ordinalWeekdays + (isOfYear ? " of the year" : " of the month"))
    }
    return ", if that is " + parts.joined(separator: " or ")
  }

  /// "first and last Sunday", "first Monday and second Tuesday".
  private var ordinalWeekdays: String {
    var groups: [(weekday: Weekday, ordinals: [Int])] = []
    for choice in numbered {
      let ordinal = choice.ordinal ?? 0
      if let index = groups.firstIndex(where: { $0.weekday == choice.weekday }) {
        groups[index].ordinals.append(ordinal)
      } else {
        groups.append((choice.weekday, [ordinal]))
      }
    }
    return Words.list(groups.map { Words.ordinals($0.ordinals) + " " + $0.weekday.name })
  }

  /// "last weekday", "first Monday or Thursday".
  private var positionedWeekdays: String {
    Words.ordinals(rule.setPositions) + " " + Words.weekdays(plain, joinedBy: "or")
  }
}

/// Describes the times of a rule.
private enum RuleTimeWords {
  /// "at 09:00 and 17:30", "in the hours 9 to 16 at the minutes 0, 20 and 40".
  static func text(of rule: RecurrenceRule) -> String {
    let isWhole = rule.frequency >= .daily && !rule.hours.isEmpty && !rule.minutes.isEmpty
    if isWhole, rule.seconds.isEmpty || rule.seconds == [0],
      rule.hours.count * rule.minutes.count <= 6
    {
      let times = rule.hours.sorted().flatMap { hour in
        rule.minutes.sorted().map { Words.padded(hour) + ":" + Words.padded($0) }
      }
      return "at " + Words.list(times)
    }
    var parts: [String] = []
    func add(_ leading: String, _ unit: String, _ values: [Int]) {
      guard !values.isEmpty else { return }
      let runs = Words.runs(values)
      parts.append(leading + (values.count == 1 ? unit : unit + "s") + " " + Words.list(runs))
    }
    add("in the ", "hour", rule.hours)
    add("at the ", "minute", rule.minutes)
    add("at the ", "second", rule.seconds)
    return parts.joined(separator: " ")
  }
}
