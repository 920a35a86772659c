package import CivilTime
package import Messages

/// Writes times as people read them, with a 24-hour clock.
package struct TimeText: Sendable {
  private let language: Language

  package init(_ language: Language) { self.language = language }

  private static let weekdays = [
    UserText("Monday"), UserText("Tuesday"), UserText("Wednesday"), UserText("Thursday"),
    UserText("Friday"), UserText("Saturday"), UserText("Sunday"),
  ]
  private static let shortWeekdays = [
    UserText("Mon"), UserText("Tue"), UserText("Wed"), UserText("Thu"), UserText("Fri"),
    UserText("Sat"), UserText("Sun"),
  ]
  private static let months = [
    UserText("January"), UserText("February"), UserText("March"), UserText("April"),
    UserText("May"), UserText("June"), UserText("July"), UserText("August"),
    UserText("September"), UserText("October"), UserText("November"), UserText("December"),
  ]
  private static let shortMonths = [
    UserText("Jan"), UserText("Feb"), UserText("Mar"), UserText("Apr"), UserText("May"),
    UserText("Jun"), UserText("Jul"), UserText("Aug"), UserText("Sep"), UserText("Oct"),
    UserText("Nov"), UserText("Dec"),
  ]

  /// "Monday".
  package func name(of weekday: Weekday) -> String {
    language.string(TimeText.weekdays[weekday.rawValue - 1])
  }

  /// "Mon".
  package func shortName(of weekday: Weekday) -> String {
    language.string(TimeText.shortWeekdays[weekday.rawValue - 1])
  }

  /// "November".
  ///
  /// - Precondition: 1 to 12.
  package func name(ofMonth month: Int) -> String { language.string(TimeText.months[month - 1]) }

  /// "Nov".
  ///
  /// - Precondition: 1 to 12.
  package func shortName(ofMonth month: Int) -> String {
    language.string(TimeText.shortMonths[month - 1])
  }

  /// "2 h 5 min", "2 h", "45 min".
  package func length(minutes: Int64) -> String {
    let (hours, rest) = (Int(minutes / 60), Int(minutes % 60))
    if hours == 0 { return language.string(UserText("{minutes} min", ["minutes": rest])) }
    return language.string(
      rest == 0
        ? UserText("{hours} h", ["hours": hours])
        : UserText("{hours} h {minutes} min", ["hours": hours, "minutes": rest]))
  }

  /// "Saturday 21 November 2026".
  package func longDate(_ date: CivilDate) -> String {
    let (year, month, day) = date.parts
    return language.string(
      UserText(
        "{weekday} {day} {month} {year}",
        [
          "weekday": name(of: date.weekday), "day": day, "month": name(ofMonth: month),
          "year": year,
        ]))
  }

  /// "Sat 21 Nov 2026".
  package func shortDate(_ date: CivilDate) -> String {
    let (year, month, day) = date.parts
    return language.string(
      UserText(
        "{shortWeekday} {day} {shortMonth} {year}",
        [
          "shortWeekday": shortName(of: date.weekday), "day": day,
          "shortMonth": shortName(ofMonth: month), "year": year,
        ]))
  }

  /// "Sat 21 Nov 2026, 09:30"; the time may be a span: "09:30 – 10:00".
  package func shortDate(_ date: CivilDate, at time: String) -> String {
    language.string(UserText("{date}, {time}", ["date": shortDate(date), "time": time]))
  }

  /// Returns the name of a day as seen from `today`.
  ///
  /// "yesterday", "today", "tomorrow", "Mon" for the next days, then "Mon 30 Nov", and "Mon 30 Nov
  /// 2027" in another year.
  package func day(_ date: CivilDate, today: CivilDate) -> String {
    let weekday = shortName(of: date.weekday)
    switch date.days(since: today) {
    case -1: return language.string(UserText("yesterday"))
    case 0: return language.string(UserText("today"))
    case 1: return language.string(UserText("tomorrow"))
    case 2...6: return weekday
    default:
      let (year, month, day) = date.parts
      guard year == today.year else { return shortDate(date) }
      return language.string(
        UserText(
          "{shortWeekday} {day} {shortMonth}",
          ["shortWeekday": weekday, "day": day, "shortMonth": shortName(ofMonth: month)]))
    }
  }

  /// "09:00" for a time today, else with the day: "tomorrow 09:00".
  package func moment(_ reading: CivilDateTime, today: CivilDate) -> String {
    let time = reading.time.hourAndMinute
    if reading.date == today { return time }
    return language.string(
      UserText("{day} {time}", ["day": day(reading.date, today: today), "time": time]))
  }

  /// Returns the part of a span on a day.
  ///
  /// "09:30–10:00"; "22:00–…" if it continues on the next day; "…–02:00" if it began before; "…"
  /// for both; "12:00" for a span without duration.
  package static func span(
    from start: CivilDateTime, to end: CivilDateTime, on date: CivilDate
  ) -> String {
    if start == end { return start.time.hourAndMinute }
    // Midnight at the end of the day belongs to this day.
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
