import CivilTime
import Recurrence

extension Lexicon {
  mutating func addEnglishDays() {
    func day(_ names: String, _ days: Int) {
      add(names, .day, .day(.relative(Length(days: days))), common: false)
    }
    day("today", 0)
    day("tod", 0)
    day("tomorrow|tmr|tmrw|tmw|tomorow|tommorow|tommorrow", 1)
    day("yesterday", -1)
    day("day after tomorrow|the day after tomorrow|overmorrow", 2)
    day("day before yesterday|the day before yesterday", -2)

    let weekdays: [(String, String)] = [
      ("monday", "mon"), ("tuesday", "tue|tues"), ("wednesday", "weds"),
      ("thursday", "thu|thur|thurs"), ("friday", "fri"), ("saturday", ""), ("sunday", ""),
    ]
    let common = [3: "wed", 6: "sat", 7: "sun"]
    for (index, names) in weekdays.enumerated() {
      guard let weekday = Weekday(rawValue: index + 1) else { continue }
      add(names.0 + "|" + names.1, .weekday, .weekday(weekday), common: false)
      if let short = common[index + 1] { add(short, .weekday, .weekday(weekday)) }
      var plural = RepeatReading.weekly([weekday])
      plural.isPlural = true
      add(names.0 + "s", .repeats, .repeats(plural), common: false)
      add("no \(names.0)s", .except)
      add("\(names.0)s off", .except, .integer(2))
    }

    let months = [
      "january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul",
      "august|aug", "september|sep|sept", "october|oct", "november|nov", "december|dec",
    ]
    for (index, names) in months.enumerated() {
      for name in names.split(separator: "|") {
        // Names of people, and words.
        let isCommon = ["march", "mar", "april", "may", "june", "august", "jan"].contains(name)
        add("\(name)", .month, .integer(index + 1), common: isCommon)
      }
    }
    add(
      "one-on-one|one on one|happy hour|rush hour|day off|days off|half day|half marathon"
        + "|sun bathing"
        + "|man of the year|quarter final|quarter finals|half time"
        + "|second hand|part time|full time|prime time|next steps|next step"
        + "|good morning|parents evening|parents' evening|open evening|awards evening|night shift"
        + "|night duty|girls night|boys night|ladies night|poker night|trivia night|movie night|game night|date night|quiz night|night out"
        + "|evening class|afternoon tea|saturday night fever|saturday night live|friday night lights"
        + "|sunday bloody sunday|blue monday|manic monday|ruby tuesday|freaky friday", .ordinary)
    let holidays: [(String, Int, Int)] = [
      ("christmas|christmas day|xmas", 12, 25), ("christmas eve|xmas eve|christmas eve's", 12, 24),
      ("boxing day", 12, 26), ("new year's eve|new years eve|nye", 12, 31),
      ("new year's day|new years day|new year's|new years|new year", 1, 1),
      ("valentine's day|valentines day|valentine's|valentines", 2, 14), ("halloween", 10, 31),
      ("st patrick's day|saint patrick's day|st. patrick's day|st patricks day|paddy's day", 3, 17),
      ("april fools|april fools' day|april fools day|april fool's day", 4, 1),
    ]
    for (names, month, day) in holidays {
      add(names, .day, .day(.holiday(month: month, day: day)))
    }
    add(
      "thanksgiving|thanksgiving day|labor day|labour day|memorial day|mother's day|mothers day"
        + "|father's day|fathers day|independence day|columbus day|veterans day|presidents day"
        + "|presidents' day|president's day|mlk day|black friday|cyber monday|pentecost|hanukkah"
        + "|ramadan|eid|diwali|lunar new year|chinese new year|bank holiday|may day|sunday roast|sunday school"
        + "|ash wednesday|palm sunday|maundy thursday|shrove tuesday|pancake tuesday|whit monday|whit sunday",
      .feast)
    // Days in other languages.
    add(
      "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|montag|dienstag|mittwoch|donnerstag"
        + "|freitag|samstag|sonntag|heute|morgen|lunes|martes|miércoles|jueves|viernes|sábado|mañana"
        + "|lunedì|martedì|mercoledì|giovedì|venerdì|domani|maandag|dinsdag|woensdag|donderdag|vrijdag"
        + "|zaterdag|zondag", .feast, .integer(1))
    add("easter", .day, .day(.easter(year: nil)))
    // The weekday is a part of the name.
    add("easter sunday", .day, .day(.easter(year: nil)), common: false)
    add("easter monday", .day, .day(.after(.day, .easter(year: nil))), common: false)
    add("good friday", .day, .day(.after(Length(days: -2), .easter(year: nil))), common: false)

    add(
      "this weekend|this week-end|at the weekend|on the weekend|the weekend|over the weekend",
      .when,
      .when(When(day: .weekend, endDay: .weekday(.sunday))))
    add(
      "next weekend|the next weekend", .when,
      .when(When(day: .nextWeekday(.saturday), endDay: .weekday(.sunday))), common: false)
    add("weekend", .weekend)
    add("eom", .day, .day(.dayInMonth(-1, months: 0)), common: false)
    add("eoy", .day, .day(.monthDay(month: 12, day: 31, year: nil)), common: false)
    add("eow", .day, .day(.thisWeekday(.friday)), common: false)
    add("eow", .day, .day(.thisWeekday(.sunday)), common: false)
    add("the month|month", .frame, .day(.someMonth))
    add(
      "this month|the current month|current month", .frame, .day(.months(0)), common: false)
    add("the week", .frame, .day(.week(0)))
    add("this week|the current week", .frame, .day(.week(0)), common: false)
    add("next month|the next month|the following month", .frame, .day(.months(1)), common: false)
    add("next week|the next week|the following week", .frame, .day(.week(1)), common: false)
    add("week after next|the week after next", .frame, .day(.week(2)), common: false)
  }

  mutating func addEnglishRepeats() {
    func repeats(_ names: String, _ reading: RepeatReading) {
      add(names, .repeats, .repeats(reading), common: false)
    }
    repeats("daily|everyday", RepeatReading(.daily))
    repeats("weekly", RepeatReading(.weekly))
    repeats("fortnightly|biweekly|bi-weekly|every fortnight", RepeatReading(.weekly, interval: 2))
    repeats("monthly", RepeatReading(.monthly))
    repeats("bimonthly|bi-monthly", RepeatReading(.monthly, interval: 2))
    if let quarterly = RepeatReading.every(Length(months: 3)) { repeats("quarterly", quarterly) }
    repeats("yearly|annually", RepeatReading(.yearly))
    repeats(
      "weekdays|workdays|on weekdays|on workdays|on working days", .weekly(RepeatReading.workdays))
    repeats("weekends|every weekend|each weekend|on weekends", .weekly([.saturday, .sunday]))
    // Of time-tables.
    for (names, days) in [
      ("mwf|m/w/f", [Weekday.monday, .wednesday, .friday]), ("mw|m/w", [.monday, .wednesday]),
      ("tth|tuth|t/th|tu/th", [.tuesday, .thursday]),
    ] {
      if let reading = RepeatReading.listed(days, mayBeOnce: false) { repeats(names, reading) }
    }
    for (names, part) in [
      ("mornings", PartOfDay.morning), ("afternoons", .afternoon), ("evenings", .evening),
      ("nights|nightly", .night),
    ] {
      var reading = RepeatReading(.daily)
      reading.part = part
      repeats(names, reading)
    }
    for count in 2...99 { add("x\(count)", .bound, .bound(.count(count)), common: false) }
    // "twice daily" is no two days.
    add("twice", .times, common: false)
  }
}
