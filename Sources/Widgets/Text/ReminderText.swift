package import CalendarModel
package import CivilTime
import Messages

/// Writes the times of reminders in words.
package struct ReminderText: Sendable {
  private let times: TimeText
  private var language: Language { times.language }

  package init(_ times: TimeText) { self.times = times }

  /// Returns when a reminder is due: "15 min before", "at the start", "5 min after the end".
  ///
  /// For an all-day event durations count from midnight: "at 09:00 on the day", "at 15:00 the day
  /// before".
  ///
  /// - Parameter moment: Returns the words for an instant.
  package func text(
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
  /// - Parameter before: The duration before; negative for after.
  package func text(before: CalendarDuration, isFromEnd: Bool) -> String {
    if before.isZero {
      return language.string(isFromEnd ? UserText("at the end") : UserText("at the start"))
    }
    let duration = length(before.isNegative ? before.negated : before)
    let text =
      switch (before.isNegative, isFromEnd) {
      case (false, false): UserText("{duration} before", ["duration": duration])
      case (false, true): UserText("{duration} before the end", ["duration": duration])
      case (true, false): UserText("{duration} after the start", ["duration": duration])
      case (true, true): UserText("{duration} after the end", ["duration": duration])
      }
    return language.string(text)
  }

  /// Returns the time of a reminder of an all-day event.
  ///
  /// - Parameter seconds: Seconds after the midnight at which the event begins.
  package func allDayText(secondsAfterMidnight seconds: Int64) -> String {
    let day = Int(clamping: seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400))
    let clock = TimeOfDay(secondOfDay: Int(seconds - Int64(day) * 86_400)) ?? .midnight
    let time = times.clock(clock)
    let text =
      switch day {
      case 0: UserText("at {time} on the day", ["time": time])
      case -1: UserText("at {time} the day before", ["time": time])
      case 1: UserText("at {time} the day after the first", ["time": time])
      case ..<0:
        UserText(
          -day, one: "at {time} {count} day before", other: "at {time} {count} days before",
          ["time": time])
      default:
        UserText(
          day, one: "at {time} {count} day after the first",
          other: "at {time} {count} days after the first", ["time": time])
      }
    return language.string(text)
  }

  /// Returns "1 week", "2 days 3 h", "1 h 30 min".
  package func length(_ duration: CalendarDuration) -> String {
    let seconds = Int(clamping: duration.seconds)
    var parts: [UserText] = []
    if duration.days != 0, duration.days % 7 == 0 {
      parts.append(
        UserText(Int(duration.days / 7), one: "{count} week", other: "{count} weeks"))
    } else if duration.days != 0 {
      parts.append(UserText(Int(duration.days), one: "{count} day", other: "{count} days"))
    }
    if seconds >= 3600 { parts.append(UserText("{hours} h", ["hours": seconds / 3600])) }
    if seconds / 60 % 60 != 0 {
      parts.append(UserText("{minutes} min", ["minutes": seconds / 60 % 60]))
    }
    if seconds % 60 != 0 { parts.append(UserText("{seconds} s", ["seconds": seconds % 60])) }
    return parts.map(language.string).joined(separator: " ")
  }
}
