import CivilTime

extension Lexicon {
  /// The words of English. Those that titles have as well are common.
  static let english: Lexicon = {
    var words = Lexicon()
    words.addEnglishTerms()
    words.addEnglishNumbers()
    words.addEnglishUnits()
    words.addEnglishDays()
    words.addEnglishRepeats()
    words.addEnglishZones()
    words.addEnglishActivities()
    return words
  }()

  private mutating func addEnglishTerms() {
    add("the", .the)
    add("of", .of)
    add("on|by", .on)
    add("at|@", .at)
    add("in|within", .in)
    add("in|of", .of)
    add("from", .from)
    add("to|till|until|til|-|–|—|~|thru|through|up to", .to)
    add(
      "until|till|til|ending|ending on|ends|ends on|finishing|finishing on", .until, common: false)
    add("through|thru|up to", .until)
    add("ago", .ago)
    add("now|right now", .elapsed, .length(Length()))
    add("except|except on|except for|but not|but no|excluding|apart from|other than", .except)
    add(
      "excluded|no holidays|no bank holidays|no public holidays|no weekends", .except)
    add("weekends off", .except, .integer(2))
    add("but|not|minus|unless|without|skip|skipping", .except, .integer(1))
    add("no|without|none|without any", .no)
    add("reminder|reminders|alert|alerts|alarm|alarms", .reminders)
    add("between", .between)
    add("and|&|plus", .and, .integer(1))
    add(",", .and)
    add("for|over", .for)
    add("every|each", .every, common: false)
    add("other|second|alternate", .other)
    add("next|the next|the following|following", .next)
    add("this|the current|current|this coming|coming|upcoming|this upcoming", .this)
    add("last", .last)
    add("after", .after)
    add("before|ahead|prior|in advance|beforehand|early|earlier", .before)
    add("from now|hence|from today", .fromNow, common: false)
    add("later", .fromNow)
    add("time|' time", .fromNow, .integer(1))
    add("past|after", .past)
    add("to|before|till|of", .toHour)
    add("half", .half)
    add("quarter", .quarter)
    add("three quarters|three-quarters", .quarter, .integer(75))
    add("a|an|one", .a)
    add("o'clock|oclock|o clock|ish", .oclock, common: false)
    add("am|a.m.|a.m|a m", .am)
    add("pm|p.m.|p.m|p m|pmish|pm ish", .pm, common: false)
    add("a", .amLetter)
    add("p", .pmLetter)
    add("h", .hourLetter)
    add("t", .letterT)
    add(
      "starting|beginning|starting on|beginning on|starting from|starting in|start from", .starting,
      common: false)
    add("times|occurrences|time|occasions|sessions|x|repeats", .times)
    add("once", .once)
    add("repeat|repeats|repeating|recurring", .limit)
    add("with|with a|and|and a", .with)
    add("as of", .starting)
    add(":", .colon)
    add("-|–|—", .dash)
    add("/", .slash)
    add(".", .dot)
    add(",", .comma)
    add("'", .apostrophe)
    add("+", .plus)
    add("!", .bang)
    add("early", .early)
    add("late", .late)
    add("end of|the end of|end|the end", .monthEnd)
    add("beginning of|the beginning of|start of|the start of|start|the start", .monthStart)
    add("st|nd|rd|th", .ordinalMark)
    add(
      "remind me|remind|alert me|alert|reminder|notify|with a reminder|with reminder|notify me"
        + "|with an alert|and remind me",
      .remind)
    add("remind me to|remind me|remind me about|remind me of", .request)
    add(
      "all day|all-day|the whole day|whole day|allday|all day long|for the whole day", .allDay,
      common: false)
  }

  private mutating func addEnglishNumbers() {
    let small = [
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
      "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
      "nineteen",
    ]
    let ordinals = [
      "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
      "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
      "seventeenth", "eighteenth", "nineteenth",
    ]
    let tens = [2: "twenty", 3: "thirty", 4: "forty", 5: "fifty", 6: "sixty", 9: "ninety"]
    func number(_ value: Int, _ text: String) {
      add(text, .number, .integer(value))
      add(text, .spoken, .integer(value))
    }
    for value in 1...19 {
      number(value, small[value])
      add(ordinals[value], .ordinal, .integer(value))
    }
    for (ten, word) in tens {
      number(ten * 10, word)
      add(String(word.dropLast()) + "ieth", .ordinal, .integer(ten * 10))
      for one in 1...9 {
        number(ten * 10 + one, "\(word) \(small[one])|\(word)-\(small[one])")
        add("\(word) \(ordinals[one])|\(word)-\(ordinals[one])", .ordinal, .integer(ten * 10 + one))
      }
    }
    add("last", .ordinal, .integer(-1))
    add("second last|2nd last|second to last|next to last|penultimate", .ordinal, .integer(-2))
    add("a couple of|a couple|couple of", .amount, .integer(200))
  }

  private mutating func addEnglishUnits() {
    add("minute|minutes|min|mins|min.", .unit, .length(.minute))
    add("hour|hours|hr|hrs|hr.", .unit, .length(.hour))
    add("day|days", .unit, .length(.day))
    add("week|weeks|wk|wks", .unit, .length(.week))
    add("fortnight|fortnights", .unit, .length(Length(days: 14)))
    add("month|months|mo|mos", .unit, .length(.month))
    add("quarter|quarters", .unit, .length(Length(months: 3)))
    add("year|years|yr|yrs", .unit, .length(.year))
    add(
      "business day|business days|working day|working days|work day|work days|workday|workdays"
        + "|weekday|weekdays", .unit, .length(.workday))
    add("seconds|sec|secs", .unit, .length(Length(seconds: 1)))
    add("s", .unitLetter, .length(Length(seconds: 1)))
    add("m", .unitLetter, .length(.minute))
    add("h", .unitLetter, .length(.hour))
    add("d", .unitLetter, .length(.day))
    add("w", .unitLetter, .length(.week))
    add("mo", .unitLetter, .length(.month))
    add("y", .unitLetter, .length(.year))

    add("morning", .part, .part(.morning))
    add("afternoon", .part, .part(.afternoon))
    add("evening", .part, .part(.evening))
    add("night|nite", .part, .part(.night))
    let tonight = When(day: .relative(Length()), part: .night)
    add("tonight|tonite|this night", .partWhen, .when(tonight), common: false)
    add("first thing|first thing in the morning", .partWhen, .when(When(part: .morning)))
    add("at lunch|at lunchtime|at lunch time|lunchtime", .partWhen, .when(When(part: .midday)))
    add("at night", .partWhen, .when(When(part: .night)))
    add("noon|midday|12 noon|twelve noon", .clock, .clock(.noon))
    // A day begins and ends at midnight.
    for midnight in [ClockReading(24) ?? .midnight, .midnight] {
      add("midnight|12 midnight", .clock, .clock(midnight))
    }
    // Offices close at 17:00, and days end at midnight.
    for end in [ClockReading(17), ClockReading(24)] {
      add(
        "eod|eob|cob|end of day|end of the day|end of business|close of business", .when,
        .when(When(clock: end?.exact)), common: false)
    }
  }

  private mutating func addEnglishZones() {
    // Of two letters, so read right after a time alone.
    for (name, zone) in [
      ("et", "America/New_York"), ("ct", "America/Chicago"), ("mt", "America/Denver"),
      ("pt", "America/Los_Angeles"),
    ] {
      add(name, .zone, .text(zone))
    }
    for (names, zone) in Self.englishZones { add(names, .zone, .text(zone), common: false) }
    for (cities, zone) in Self.englishCities {
      for city in cities.split(separator: "|") { add("\(city) time", .zone, .text(zone)) }
    }
  }

  /// Abbreviations, with the offset that they name.
  private static let englishZones: [(String, String)] = [
    ("utc|gmt", "UTC"),
    ("pst", "America/Los_Angeles|-28800"), ("pdt", "America/Los_Angeles|-25200"),
    ("mst", "America/Denver|-25200"), ("mdt", "America/Denver|-21600"),
    ("cst", "America/Chicago|-21600"), ("cdt", "America/Chicago|-18000"),
    ("est", "America/New_York|-18000"), ("edt", "America/New_York|-14400"),
    ("bst", "Europe/London|3600"),
    ("cet", "Europe/Berlin|3600"), ("cest", "Europe/Berlin|7200"),
    ("eet", "Europe/Athens|7200"), ("eest", "Europe/Athens|10800"),
    ("jst", "Asia/Tokyo"), ("aest", "Australia/Sydney|36000"), ("aedt", "Australia/Sydney|39600"),
    ("pacific time", "America/Los_Angeles"), ("mountain time", "America/Denver"),
    ("central time", "America/Chicago"), ("eastern time", "America/New_York"),
  ]

  private static let englishCities: [(String, String)] = [
    ("new york|ny|boston|washington", "America/New_York"),
    ("los angeles|san francisco|seattle|california", "America/Los_Angeles"),
    ("chicago", "America/Chicago"), ("denver", "America/Denver"),
    ("london|uk", "Europe/London"), ("paris|french", "Europe/Paris"),
    ("berlin|german|munich", "Europe/Berlin"), ("tokyo|japan", "Asia/Tokyo"),
    ("beijing|shanghai|china", "Asia/Shanghai"), ("sydney", "Australia/Sydney"),
    ("hong kong", "Asia/Hong_Kong"), ("singapore", "Asia/Singapore"),
  ]
}
