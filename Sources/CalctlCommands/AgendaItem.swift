import CalendarBus
import CivilTime
import Widgets

/// One occurrence as it is printed: on which days, and how.
struct AgendaItem {
  /// What show and rm take for it.
  let reference: EventReference
  private let summary: String
  private let location: String
  private let isAllDay: Bool
  private let isTentative: Bool
  private let start: CivilDateTime
  private let end: CivilDateTime
  /// Seconds since 1970 UTC.
  private let startInstant: Int64

  /// - Parameters:
  ///   - row: of Agenda, or of Events.Get.
  ///   - zone: the one by whose days the agenda is printed; all-day events keep
  ///     their dates.
  init(_ row: Row, zone: ZoneRules) {
    reference = EventReference(row)
    summary = displayLine(row.text(.summary))
    location = displayLine(row.text(.location))
    isAllDay = row.flag(.allDay)
    isTentative = row.text(.status) == "tentative"
    startInstant = row.number(.start)
    if isAllDay, let first = try? CivilDate(text: row.text(.startText)),
      let last = try? CivilDate(text: row.text(.endText))
    {
      start = CivilDateTime(first, .midnight)
      end = CivilDateTime(last, .midnight)
    } else {
      start = zone.reading(at: Timestamp(seconds: startInstant))
      end = zone.reading(at: Timestamp(seconds: row.number(.end)))
    }
  }

  // MARK: Days

  /// The day on which it begins.
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
    return left.startInstant < right.startInstant
  }

  // MARK: Text

  /// "09:30 – 10:00  Standup  (Room 4)"; a "?" marks a tentative one.
  func text(on day: CivilDate) -> String {
    times(on: day).padding(to: AgendaItem.timesWidth) + "  " + what
  }

  /// "Standup  (Room 4)"; a "?" marks a tentative one.
  var what: String {
    var text = summary.isEmpty ? "(no title)" : summary
    if isTentative { text += "?" }
    if !location.isEmpty { text += "  (\(location))" }
    return text
  }

  /// Columns of the times, which are at most "09:30 – 10:00".
  static let timesWidth = 13

  /// "Mon 23 Nov 2026, 09:30 – 10:00", "Mon 23 Nov 2026, all day", "Mon 23 Nov 2026,
  /// 22:00 – Tue 24 Nov 2026, 06:00".
  var when: String {
    let first = DayNames.full(firstDay)
    if isAllDay {
      return lastDay == firstDay ? "\(first), all day" : "\(first) – \(DayNames.full(lastDay))"
    }
    if lastDay == firstDay { return "\(first), \(times(on: firstDay))" }
    return "\(first), \(start.time.hourAndMinute) – \(DayNames.full(end.date)), "
      + end.time.hourAndMinute
  }

  /// Which part of a day it takes; arrows point to the days before and after.
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
}
