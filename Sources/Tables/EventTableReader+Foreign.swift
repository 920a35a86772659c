import CalendarModel
import CivilTime
import Messages

// When the rows of a table of Outlook or Google are: a day and a time in a cell each.

extension EventTableReader {
  /// When a row begins and ends, as a table of ours would have it. An end without a day is on the day of
  /// the start.
  func moments(of row: TableText.Row) -> (start: String, end: String) {
    let (start, end) = (cell("start", of: row), cell("end", of: row))
    guard isForeign else { return (start, end) }
    func joined(_ day: String, _ column: String) -> String {
      let time = cell(column, of: row)
      return day.isEmpty || time.isEmpty ? day : "\(day) \(time)"
    }
    let hasEnd = !cell(TableHead.endTime, of: row).isEmpty
    return (
      joined(start, TableHead.startTime),
      joined(end.isEmpty && hasEnd ? start : end, TableHead.endTime)
    )
  }

  /// The first day of a row and the day after its last; nil for one with times.
  ///
  /// Outlook ends whole days at midnight after the last, Google names the last day without a time.
  mutating func days(
    of row: TableText.Row
  ) throws(Fault) -> (first: CivilDate, end: CivilDate)? {
    let isAllDay = try truth("all-day", of: row)
    let hasTime = !cell(TableHead.startTime, of: row).isEmpty
    guard isAllDay == true || !hasTime else { return nil }
    guard let first = try wholeDay("start", of: row) else { return nil }
    let last = try wholeDay("end", of: row) ?? first
    let isAfterLast = isMidnight(cell(TableHead.endTime, of: row)) && last > first
    guard let end = isAfterLast ? last : max(first, last).adding(days: 1) else {
      throw Fault(column: "end", text: UserText("the year 9999 is the last"))
    }
    return (first, end)
  }

  /// How long before its start a row rings, less than nothing for after it; nil where it does not, or does not
  /// say when. Days are nominal; what is left of them is exact, but of a row of whole days, which begins at midnight
  /// whatever its time says, is on the clock.
  mutating func reminder(
    of row: TableText.Row
  ) throws(Fault) -> (before: CalendarDuration, isOnClock: Bool)? {
    guard isForeign, try truth(TableHead.reminder, of: row) == true else { return nil }
    let clock = cell(TableHead.reminderTime, of: row)
    guard let day = try wholeDay(TableHead.reminderDate, of: row), !clock.isEmpty else {
      remindersWithoutTime += 1
      return nil
    }
    guard let time = EventTableReader.time(clock) else {
      throw Fault(
        column: TableHead.reminderTime,
        text: UserText("\"{value}\" is not a time like 09:30", ["value": clock.prefix(40)]))
    }
    guard let start = try wholeDay("start", of: row) else { return nil }
    let isWhole = try days(of: row) != nil
    let begin =
      isWhole ? .midnight : EventTableReader.time(cell(TableHead.startTime, of: row)) ?? .midnight
    let seconds =
      Int64(start.days(since: day)) * 86_400 + Int64(begin.secondOfDay) - Int64(time.secondOfDay)
    return (CalendarDuration(days: Int(seconds / 86_400), seconds: seconds % 86_400), isWhole)
  }

  /// nil for an empty cell.
  private mutating func wholeDay(
    _ column: String, of row: TableText.Row
  ) throws(Fault) -> CivilDate? {
    let text = cell(column, of: row)
    if text.isEmpty { return nil }
    guard let day = try day(text, column) else {
      throw Fault(
        column: column,
        text: UserText(
          "\"{value}\" is not a day like 2026-11-21 or 21.11.2026", ["value": text.prefix(40)]))
    }
    return day
  }

  private func isMidnight(_ text: String) -> Bool {
    EventTableReader.time(text) == .midnight
  }
}
