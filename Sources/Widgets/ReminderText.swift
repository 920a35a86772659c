package import CalendarModel
package import CivilTime

/// When a reminder rings, in words.
package enum ReminderText {
  /// Returns "15 min before", "at the start", "5 min after the end"; of an all-day event, where durations count from
  /// midnight, "at 09:00 on the day", "at 15:00 the day before".
  ///
  /// - Parameter moment: the words for an instant.
  package static func text(
    _ trigger: Alarm.Trigger, isAllDay: Bool, moment: (Timestamp) -> String
  ) -> String {
    switch trigger {
    case .absolute(let instant): moment(instant)
    case .fromStart(let offset) where isAllDay:
      allDayText(secondsAfterMidnight: offset.approximateSeconds)
    case .fromStart(let offset): text(before: offset.negated, isFromEnd: false)
    case .fromEnd(let offset): text(before: offset.negated, isFromEnd: true)
    }
  }

  /// Returns "15 min before", "at the start", "5 min after the start", "5 min before the end".
  ///
  /// - Parameter before: a negative one is after.
  package static func text(before: CalendarDuration, isFromEnd: Bool) -> String {
    if before.isZero { return isFromEnd ? "at the end" : "at the start" }
    let end = isFromEnd ? " the end" : ""
    let size = before.isNegative ? before.negated : before
    return length(size) + (before.isNegative ? " after" : " before")
      + (before.isNegative && !isFromEnd ? " the start" : end)
  }

  /// Returns when something rings so long after the midnight with which its day begins.
  package static func allDayText(secondsAfterMidnight seconds: Int64) -> String {
    let day = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    let time = TimeOfDay(secondOfDay: Int(seconds - day * 86_400)) ?? .midnight
    let when =
      switch day {
      case 0: "on the day"
      case -1: "the day before"
      case 1: "the day after the first"
      default: day < 0 ? "\(-day) days before" : "\(day) days after the first"
      }
    return "at \(time.hourAndMinute) \(when)"
  }

  /// Returns "1 week", "2 days 3 h", "1 h 30 min".
  package static func length(_ duration: CalendarDuration) -> String {
    let seconds = duration.seconds
    var parts: [String] = []
    if duration.days != 0, duration.days % 7 == 0 {
      parts.append(duration.days == 7 ? "1 week" : "\(duration.days / 7) weeks")
    } else if duration.days != 0 {
      parts.append(duration.days == 1 ? "1 day" : "\(duration.days) days")
    }
    if seconds >= 3600 { parts.append("\(seconds / 3600) h") }
    if seconds / 60 % 60 != 0 { parts.append("\(seconds / 60 % 60) min") }
    if seconds % 60 != 0 { parts.append("\(seconds % 60) s") }
    return parts.joined(separator: " ")
  }
}
