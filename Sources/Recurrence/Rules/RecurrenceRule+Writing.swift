internal import CivilTime

extension RecurrenceRule {
  /// The rule as canonical text: upper case, FREQ first, without default values.
  package var text: String {
    var text = "FREQ=" + frequency.name
    func add(_ name: String, _ values: [Int]) {
      guard !values.isEmpty else { return }
      text += ";" + name + "=" + values.map(String.init).joined(separator: ",")
    }
    if namesScale { text += ";RSCALE=GREGORIAN" }
    if let skip { text += ";SKIP=" + skip.rawValue }
    if interval != 1 { text += ";INTERVAL=\(interval)" }
    if let count { text += ";COUNT=\(count)" }
    if let until { text += ";UNTIL=\(until)" }
    add("BYMONTH", months)
    add("BYWEEKNO", weekNumbers)
    add("BYYEARDAY", yearDays)
    add("BYMONTHDAY", monthDays)
    if !weekdays.isEmpty {
      text += ";BYDAY=" + weekdays.map(\.description).joined(separator: ",")
    }
    add("BYHOUR", hours)
    add("BYMINUTE", minutes)
    add("BYSECOND", seconds)
    add("BYSETPOS", setPositions)
    if weekStart != .monday { text += ";WKST=" + weekStart.code }
    for part in extensions { text += ";" + part }
    return text
  }
}

extension RecurrenceRule: CustomStringConvertible {
  package var description: String { text }
}

extension RecurrenceRule.WeekdayChoice: CustomStringConvertible {
  /// "MO", "-1FR".
  package var description: String { (ordinal.map(String.init) ?? "") + weekday.code }
}
