import CalendarBus
import CivilTime
import Phrases
import Platform
import Widgets

/// Describes when a reminder is due: the bus has durations, people prefer minutes.
enum ReminderWords {
  /// The remark on a reminder that is due in quiet time.
  static let heldBack = localized("shown when quiet time ends")

  /// The prefix of a duration relative to the end.
  static let fromEnd = "end:"

  /// Returns "15 min before", "at the start", "5 min after the end"; an absolute time is unchanged.
  static func text(_ reminder: String) -> String {
    if reminder == "none" { return localized("no reminder") }
    let isFromEnd = reminder.hasPrefix(fromEnd)
    let length = isFromEnd ? reminder.dropFirst(fromEnd.count) : reminder[...]
    // QuickParse has "2d" for an all-day event.
    guard let before = (try? CalendarDuration(text: length)) ?? (try? readDuration(length)) else {
      return reminder
    }
    return ReminderText.text(before: before, isFromEnd: isFromEnd)
  }

  /// Returns a reminder relative to the end of a to-do; nil for any other reminder.
  ///
  /// "15 min before it is due", or without a due date "15 min before it begins".
  static func text(_ reminder: String, ofToDoWithDueDate hasDue: Bool) -> String? {
    guard reminder.hasPrefix(fromEnd),
      let before = try? CalendarDuration(text: reminder.dropFirst(fromEnd.count))
    else { return nil }
    if before.isZero { return hasDue ? localized("when it is due") : localized("when it begins") }
    let size = ReminderText.length(before.isNegative ? before.negated : before)
    return switch (before.isNegative, hasDue) {
    case (false, true): localized("{duration} before it is due", ["duration": size])
    case (false, false): localized("{duration} before it begins", ["duration": size])
    case (true, true): localized("{duration} after it is due", ["duration": size])
    case (true, false): localized("{duration} after it begins", ["duration": size])
    }
  }

  /// Returns a reminder with its repetitions: "15 min before (then every 5 min, 2 times)".
  ///
  /// - Parameters:
  ///   - text: The reminder in words.
  ///   - repeats: The repetitions in the form of the bus, "2 PT5M"; "" for none.
  static func repeated(_ text: String, _ repeats: String) -> String {
    let parts = repeats.split(separator: " ")
    guard parts.count == 2, let count = Int(parts[0]),
      let duration = try? CalendarDuration(text: parts[1])
    else { return text }
    return localized(
      count, one: "{reminder} (and once more {duration} later)",
      other: "{reminder} (then every {duration}, {count} times)",
      ["reminder": text, "duration": ReminderText.length(duration)])
  }

  /// Returns a reminder of an all-day event: "at 09:00 on the day", "at 15:00 the day before".
  ///
  /// Its durations count from midnight.
  static func allDayText(_ reminder: String) -> String {
    guard let before = try? CalendarDuration(text: reminder) else { return text(reminder) }
    return ReminderText.allDayText(secondsAfterMidnight: -before.approximateSeconds)
  }

  /// Returns the default reminders of a calendar.
  ///
  /// - Parameter calendar: A row of Calendars.List; durations for all-day events count from
  ///   midnight.
  static func defaults(of calendar: Row, allDay: Bool) -> [String] {
    guard allDay else { return calendar.texts(.reminders).map(text) }
    return calendar.texts(.allDayReminders).map { reminder in
      guard let length = try? CalendarDuration(text: reminder) else { return reminder }
      return ReminderText.allDayText(secondsAfterMidnight: length.approximateSeconds)
    }
  }

  /// Returns the distance of a reminder from its event: "15 min before", "at the start".
  ///
  /// - After the start, from the nearer end: "1 min before the end".
  /// - For an all-day event: "on the day", "the day before".
  /// - Without a duration, such as for a to-do: "5 min before", "at its time", "5 min after".
  /// - For a to-do without a date: "".
  static func distance(_ row: Row, zone: ZoneRules) -> String {
    if row.flag(.undated) { return "" }
    let (due, start) = (
      Timestamp(seconds: row.number(.due)), Timestamp(seconds: row.number(.start))
    )
    let (from, to) = (zone.reading(at: due), zone.reading(at: start))
    let days = to.date.days(since: from.date)
    if row.flag(.allDay) {
      switch days {
      case 0: return localized("on the day")
      case 1: return localized("the day before")
      case -1: return localized("the day after the first")
      case 2...:
        return localized(Int(days), one: "{count} day before", other: "{count} days before")
      default:
        return localized(
          Int(-days), one: "{count} day after the first", other: "{count} days after the first")
      }
    }
    // A calendar day, even across a clock change.
    if days > 0, from.time == to.time { return text(CalendarDuration(days: Int(days)).description) }
    let end = Timestamp(seconds: row.number(.end))
    let (sinceStart, toEnd) = (due.seconds - start.seconds, end.seconds - due.seconds)
    if end == start, sinceStart >= 0 {
      return sinceStart == 0
        ? localized("at its time")
        : localized(
          "{duration} after", ["duration": ReminderText.length(rounded(seconds: sinceStart))])
    }
    if sinceStart > 0, end > start, abs(toEnd) < sinceStart {
      return text(fromEnd + rounded(seconds: toEnd).description)
    }
    return text(rounded(seconds: -sinceStart).description)
  }

  /// Rounds to minutes from an hour on, to hours from a day on, and to days from three days on.
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
    localized("\"{name}\"", ["name": Output.title(summary)])
  }
}
