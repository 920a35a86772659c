package import CivilTime

/// Times as people read them, in English with a 24-hour clock.
package enum TimeText {
  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// "Monday".
  package static func name(of weekday: Weekday) -> String { weekdays[weekday.rawValue - 1] }

  /// "Mon".
  package static func shortName(of weekday: Weekday) -> String {
    String(name(of: weekday).prefix(3))
  }

  /// "November".
  ///
  /// - Precondition: 1 to 12.
  package static func name(ofMonth month: Int) -> String { months[month - 1] }

  /// "2 h 5 min", "2 h", "45 min".
  package static func length(minutes: Int64) -> String {
    let (hours, rest) = (minutes / 60, minutes % 60)
    if hours == 0 { return "\(rest) min" }
    return rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
  }

  /// "Saturday 21 November 2026".
  package static func longDate(_ date: CivilDate) -> String {
    let (year, month, day) = date.parts
    return "\(name(of: date.weekday)) \(day) \(name(ofMonth: month)) \(year)"
  }

  /// "Sat 21 Nov 2026".
  package static func shortDate(_ date: CivilDate) -> String {
    let (year, month, day) = date.parts
    return "\(shortName(of: date.weekday)) \(day) \(name(ofMonth: month).prefix(3)) \(year)"
  }

  /// How a day is called on `today`: "yesterday", "today", "tomorrow", "Mon"
  /// for the next six days, then "Mon 30 Nov", and "Mon 30 Nov 2027" in another
  /// year.
  package static func day(_ date: CivilDate, today: CivilDate) -> String {
    let weekday = shortName(of: date.weekday)
    switch date.days(since: today) {
    case -1: return "yesterday"
    case 0: return "today"
    case 1: return "tomorrow"
    case 2...6: return weekday
    default:
      let (year, month, day) = date.parts
      let text = "\(weekday) \(day) \(name(ofMonth: month).prefix(3))"
      return year == today.year ? text : text + " \(year)"
    }
  }

  /// "09:00" for a time of today, else the day before it: "tomorrow 09:00".
  package static func moment(_ reading: CivilDateTime, today: CivilDate) -> String {
    let time = reading.time.hourAndMinute
    return reading.date == today ? time : day(reading.date, today: today) + " " + time
  }

  /// What of a span lies on a day: "09:30–10:00", "22:00–…" where it goes on the
  /// next day, "…–02:00" where it began before, "…" where both, "12:00" for a
  /// moment.
  package static func span(
    from start: CivilDateTime, to end: CivilDateTime, on date: CivilDate
  ) -> String {
    if start == end { return start.time.hourAndMinute }
    // Midnight at the end of the day is this day's.
    let endsToday =
      end.date == date || (end.time == .midnight && end.date.days(since: date) == 1)
    switch (start.date == date, endsToday) {
    case (true, true): return start.time.hourAndMinute + "–" + end.time.hourAndMinute
    case (true, false): return start.time.hourAndMinute + "–…"
    case (false, true): return "…–" + end.time.hourAndMinute
    case (false, false): return "…"
    }
  }
}
