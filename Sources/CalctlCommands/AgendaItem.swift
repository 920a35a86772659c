import CalendarBus
import CivilTime

/// A row of the agenda as it is printed: on which days, and how.
struct AgendaItem {
  private let summary: String
  private let location: String
  private let isAllDay: Bool
  private let isTentative: Bool
  private let start: CivilDateTime
  private let end: CivilDateTime
  private let sortKey: (Bool, Int64)

  init(_ row: Row, zone: ZoneRules) {
    summary = row.text(.summary)
    location = row.text(.location)
    isAllDay = row.flag(.allDay)
    isTentative = row.text(.status) == "tentative"
    let days = (
      try? CivilDate(text: row.text(.startText)), try? CivilDate(text: row.text(.endText))
    )
    if isAllDay, let first = days.0, let last = days.1 {
      start = CivilDateTime(first, .midnight)
      end = CivilDateTime(last, .midnight)
    } else {
      start = zone.reading(at: Timestamp(seconds: row.number(.start)))
      end = zone.reading(at: Timestamp(seconds: row.number(.end)))
    }
    sortKey = (!isAllDay, row.number(.start))
  }

  var firstDay: CivilDate { start.date }

  /// The last day on which it still runs: one that ends at midnight does not
  /// count the day that begins there.
  var lastDay: CivilDate {
    guard end > start else { return start.date }
    return end.time == .midnight ? end.date.adding(days: -1) ?? end.date : end.date
  }

  /// All-day first, then by start.
  static func precedes(_ left: AgendaItem, _ right: AgendaItem) -> Bool {
    if left.isAllDay != right.isAllDay { return left.isAllDay }
    return left.sortKey.1 < right.sortKey.1
  }

  /// "09:30 – 10:00  Standup  (Room 4)".
  func text(on day: CivilDate, safe: (String) -> String) -> String {
    var text = times(on: day).padding(to: 13) + "  " + safe(summary)
    if isTentative { text += "?" }
    if !location.isEmpty { text += "  (\(safe(location)))" }
    return text
  }

  private func times(on day: CivilDate) -> String {
    let begins = day == firstDay
    let ends = day == lastDay
    if isAllDay || (!begins && !ends) { return "all day" }
    let from = start.time.hourAndMinute
    let until = end.time == .midnight ? "24:00" : end.time.hourAndMinute
    if start == end { return from }
    if begins && ends { return "\(from) – \(until)" }
    return begins ? "\(from) →" : "→ \(until)"
  }

  /// "Mon 23 Nov 2026, 09:30 – 10:00".
  var when: String {
    let first = DayNames.full(firstDay)
    if isAllDay {
      return lastDay == firstDay ? "\(first), all day" : "\(first) – \(DayNames.full(lastDay))"
    }
    if lastDay == firstDay { return "\(first), \(times(on: firstDay))" }
    return "\(first), \(start.time.hourAndMinute) – \(DayNames.full(end.date)), "
      + end.time.hourAndMinute
  }
}
