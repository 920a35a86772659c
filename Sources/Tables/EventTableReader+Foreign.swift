import CalendarModel
import CivilTime
import Messages

// Reads times of Outlook's and Google's tables, which have the day and the time in separate cells.

extension EventTableReader {
  /// Returns start and end of a row in the form of our own tables.
  ///
  /// An end without a day is on the day of the start.
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

  /// Returns the first day of a row and the day after its last; nil for a timed event.
  ///
  /// Outlook ends all-day events at the midnight after the last day, Google names the last day.
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

  /// Returns how long before its start a row has a reminder; nil if it has none.
  ///
  /// It is negative after the start.
  ///
  /// Days follow the clock, the rest is exact. For an all-day event all of it is a time on the
  /// clock.
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

  /// Returns nil for an empty cell.
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
