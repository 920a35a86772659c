import CalendarBus
import CivilTime
import Widgets

/// When a reminder rings, in words: the bus has durations, people have minutes.
enum ReminderWords {
  /// Of what is pending and not shown yet.
  static let heldBack = "in quiet time: shown when that ends"

  /// What stands before the length of one that counts from the end.
  static let fromEnd = "end:"

  /// Returns "15 min before", "at the start", "5 min after the end"; a moment
  /// stands as it is.
  static func text(_ reminder: String) -> String {
    if reminder == "none" { return "no reminder" }
    let isFromEnd = reminder.hasPrefix(fromEnd)
    guard
      let before = try? CalendarDuration(
        text: isFromEnd ? reminder.dropFirst(fromEnd.count) : reminder[...])
    else { return reminder }
    return ReminderText.text(before: before, isFromEnd: isFromEnd)
  }

  /// Returns how often one rings again: " (then every 5 min, 2 times)"; "" for what says nothing of it.
  ///
  /// - Parameter repeats: as the bus has it, "2 PT5M".
  static func again(_ repeats: String) -> String {
    let parts = repeats.split(separator: " ")
    guard parts.count == 2, let length = try? CalendarDuration(text: parts[1]) else { return "" }
    let every = ReminderText.length(length)
    return parts[0] == "1"
      ? " (and once more \(every) later)" : " (then every \(every), \(parts[0]) times)"
  }

  /// Returns the same of a whole day, where lengths count from a midnight: "at 09:00 on the day",
  /// "at 15:00 the day before".
  static func allDayText(_ reminder: String) -> String {
    guard let before = try? CalendarDuration(text: reminder) else { return text(reminder) }
    return ReminderText.allDayText(secondsAfterMidnight: -before.approximateSeconds)
  }

  /// Returns by what the events of a calendar ring that have no reminders of their own.
  ///
  /// - Parameter calendar: as Calendars.List has it, where those of whole days count from
  ///   midnight on.
  static func defaults(of calendar: Row, allDay: Bool) -> [String] {
    guard allDay else { return calendar.texts(.reminders).map(text) }
    return calendar.texts(.allDayReminders).map { reminder in
      guard let length = try? CalendarDuration(text: reminder) else { return reminder }
      return ReminderText.allDayText(secondsAfterMidnight: length.approximateSeconds)
    }
  }

  /// Returns how far a row's reminder lies from its event: "15 min before", "at the start", "1 day before",
  /// "18 days before"; of one that comes after the start what is nearer, "1 min before the end"; of a whole
  /// day "on the day", "the day before"; of what has no length, as a to-do, "5 min before", "at its time" and
  /// "5 min after"; "" of a to-do without a date.
  static func distance(_ row: Row, zone: ZoneRules) -> String {
    if row.flag(.undated) { return "" }
    let (due, start) = (
      Timestamp(seconds: row.number(.due)), Timestamp(seconds: row.number(.start))
    )
    let (from, to) = (zone.reading(at: due), zone.reading(at: start))
    let days = to.date.days(since: from.date)
    if row.flag(.allDay) {
      switch days {
      case 0: return "on the day"
      case 1: return "the day before"
      case -1: return "the day after the first"
      default: return days > 0 ? "\(days) days before" : "\(-days) days after the first"
      }
    }
    // A day is one on the clock, also where that is put forward or back in between.
    if days > 0, from.time == to.time { return text(CalendarDuration(days: Int(days)).description) }
    let end = Timestamp(seconds: row.number(.end))
    let (sinceStart, toEnd) = (due.seconds - start.seconds, end.seconds - due.seconds)
    if end == start, sinceStart >= 0 {
      return sinceStart == 0
        ? "at its time" : "\(ReminderText.length(rounded(seconds: sinceStart))) after"
    }
    if sinceStart > 0, end > start, abs(toEnd) < sinceStart {
      return text(fromEnd + rounded(seconds: toEnd).description)
    }
    return text(rounded(seconds: -sinceStart).description)
  }

  /// As people say it: of an hour nobody counts the seconds, of a day the minutes, of three the hours.
  private static func rounded(seconds: Int64) -> CalendarDuration {
    func rounded(to unit: Int64) -> Int64 { (abs(seconds) + unit / 2) / unit * unit }
    let size =
      switch abs(seconds) {
      case ..<3600: CalendarDuration(seconds: abs(seconds))
      case ..<86_400: CalendarDuration(seconds: rounded(to: 60))
      case ..<(3 * 86_400):
        CalendarDuration(
          days: Int(rounded(to: 3600) / 86_400), seconds: rounded(to: 3600) % 86_400)
      default: CalendarDuration(days: Int(rounded(to: 86_400) / 86_400))
      }
    return seconds < 0 ? size.negated : size
  }

  /// Returns the title of a reminder's event in quotation marks.
  static func title(of row: Row) -> String { title(row.text(.summary)) }

  static func title(_ summary: String) -> String {
    "\"\(summary.isEmpty ? "(no title)" : displayLine(summary))\""
  }

  /// Returns "1 reminder", "3 reminders".
  static func count(_ count: Int64) -> String {
    count == 1 ? "1 reminder" : "\(count) reminders"
  }
}
