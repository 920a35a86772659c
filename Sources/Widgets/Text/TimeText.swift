package import CivilTime
package import Messages

/// Writes dates and times as people read them: in their language, and by their customs.
package struct TimeText: Sendable {
  /// The language of its names.
  package let language: Language
  private let customs: TimeCustoms

  /// - Parameter customs: Where they settle nothing, as in "C": the day is before the month, and the
  ///   clock has 24 hours.
  package init(_ language: Language, _ customs: TimeCustoms = TimeCustoms(territory: nil)) {
    self.language = language
    self.customs = customs
  }

  /// The same on the 24-hour clock, for texts that programs may read.
  var withTwentyFourHours: TimeText {
    var customs = customs
    customs.usesTwentyFourHours = true
    return TimeText(language, customs)
  }

  /// Whether dates in English are written like "Nov 21, 2026".
  var isMonthFirst: Bool { customs.dateOrder == .monthDay }

  private static let weekdays = [
    UserText("Monday"), UserText("Tuesday"), UserText("Wednesday"), UserText("Thursday"),
    UserText("Friday"), UserText("Saturday"), UserText("Sunday"),
  ]
  private static let shortWeekdays = [
    UserText("Mon"), UserText("Tue"), UserText("Wed"), UserText("Thu"), UserText("Fri"),
    UserText("Sat"), UserText("Sun"),
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
  package func name(ofMonth month: Int) -> String {
    language.string(CivilDate.name(ofMonth: month))
  }

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

  // MARK: Dates

  /// "Saturday 21 November 2026", "Saturday, November 21, 2026".
  package func longDate(_ date: CivilDate) -> String {
    let (year, month, day) = date.parts
    let (weekday, name) = (name(of: date.weekday), name(ofMonth: month))
    return language.string(
      isMonthFirst
        ? UserText(
          "{weekday}, {month} {day}, {year}",
          ["weekday": weekday, "month": name, "day": day, "year": year])
        : UserText(
          "{weekday} {day} {month} {year}",
          ["weekday": weekday, "day": day, "month": name, "year": year]))
  }

  /// "Sat 21 Nov 2026", "Sat, Nov 21, 2026".
  package func shortDate(_ date: CivilDate) -> String {
    let (year, month, day) = date.parts
    let (weekday, name) = (shortName(of: date.weekday), shortName(ofMonth: month))
    return language.string(
      isMonthFirst
        ? UserText(
          "{shortWeekday}, {shortMonth} {day}, {year}",
          ["shortWeekday": weekday, "shortMonth": name, "day": day, "year": year])
        : UserText(
          "{shortWeekday} {day} {shortMonth} {year}",
          ["shortWeekday": weekday, "day": day, "shortMonth": name, "year": year]))
  }

  /// "Sat 21 Nov", "Sat, Nov 21".
  private func shortDateWithoutYear(_ date: CivilDate) -> String {
    let (_, month, day) = date.parts
    let (weekday, name) = (shortName(of: date.weekday), shortName(ofMonth: month))
    return language.string(
      isMonthFirst
        ? UserText(
          "{shortWeekday}, {shortMonth} {day}",
          ["shortWeekday": weekday, "shortMonth": name, "day": day])
        : UserText(
          "{shortWeekday} {day} {shortMonth}",
          ["shortWeekday": weekday, "day": day, "shortMonth": name]))
  }

  /// "Sat 21 Nov 2026, 09:30".
  package func shortDate(_ reading: CivilDateTime) -> String {
    shortDate(reading.date, at: clock(reading.time))
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
    switch date.days(since: today) {
    case -1: return language.string(UserText("yesterday"))
    case 0: return language.string(UserText("today"))
    case 1: return language.string(UserText("tomorrow"))
    case 2...6: return shortName(of: date.weekday)
    default: return date.year == today.year ? shortDateWithoutYear(date) : shortDate(date)
    }
  }

  // MARK: Times

  /// "14:30", "2:30 pm".
  package func clock(_ time: TimeOfDay) -> String {
    guard customs.usesTwentyFourHours == false else { return time.hourAndMinute }
    let digits = "\((time.hour + 11) % 12 + 1):\(time.hourAndMinute.suffix(2))"
    return language.string(
      time.hour < 12
        ? UserText("{time} am", ["time": digits]) : UserText("{time} pm", ["time": digits]))
  }

  /// The same for the end of a span, which midnight belongs to: "24:00", "12:00 am".
  package func clock(endingAt time: TimeOfDay) -> String {
    time == .midnight && customs.usesTwentyFourHours != false ? "24:00" : clock(time)
  }

  /// The columns of a terminal that the widest time of day takes: 5 for "22:00".
  package var clockColumns: Int {
    clock(TimeOfDay(hour: 22, minute: 0) ?? .midnight).columns
  }

  /// "09:00" for a time today, else with the day: "tomorrow 09:00".
  package func moment(_ reading: CivilDateTime, today: CivilDate) -> String {
    let time = clock(reading.time)
    if reading.date == today { return time }
    return language.string(
      UserText("{day} {time}", ["day": day(reading.date, today: today), "time": time]))
  }

  /// Returns the part of a span on a day.
  ///
  /// "09:30–10:00"; "22:00–…" if it continues on the next day; "…–02:00" if it began before; "…"
  /// for both; "12:00" for a span without duration.
  package func span(
    from start: CivilDateTime, to end: CivilDateTime, on date: CivilDate
  ) -> String {
    let (from, until) = (clock(start.time), clock(end.time))
    if start == end { return from }
    // Midnight at the end of the day belongs to this day.
    let endsToday =
      end.date == date || (end.time == .midnight && end.date.days(since: date) == 1)
    switch (start.date == date, endsToday) {
    case (true, true): return from + "–" + until
    case (true, false): return from + "–…"
    case (false, true): return "…–" + until
    case (false, false): return "…"
    }
  }
}
