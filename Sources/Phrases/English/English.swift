extension PhraseLanguage {
  /// English, of either side of the Atlantic.
  package static let english: PhraseLanguage = {
    var rules = RuleTable()
    rules.addEnglishClocks()
    rules.addEnglishDays()
    rules.addDottedDays()
    rules.addSharedRules()
    rules.addEnglishPieces()
    rules.addEnglishRepeats()
    return PhraseLanguage(
      lexicon: .english, rules: rules, titles: .english,
      examples: ["tomorrow 14:00", "friday 9:30-11:00", "every tuesday at 18:00", "3 May 2027"],
      examplesByKind: [
        .repeat: ["every tuesday 18:00", "every 2 weeks", "every 15th"],
        .weekdayOfMonth: ["every friday", "first friday of every month"],
        .bound: ["every tuesday for 6 weeks", "every tuesday until 3 May", "every day, 10 times"],
        .duration: ["45m", "1h 30m", "2 days"],
        .reminder: ["!15m", "!1d 18:00", "!end-5m", "!none"],
        .weeklyHours: ["mon-fri 9:00-17:00", "sat 10:00-24:00"],
        .day: ["3 May", "last friday of march", "tomorrow"],
      ])
  }()
}

extension Lexicon {
  /// What people do at a time, and no number counts: "monday 9 standup", "at 5 drinks".
  mutating func addEnglishActivities() {
    add(
      "standup|stand-up|stand up|sync|meeting|call|interview|review|retro|retrospective|demo|planning"
        + "|workshop|training|webinar|lecture|class|seminar|tutorial|exam|rehearsal|practice|appointment"
        + "|dentist|doctor|physio|haircut|barber|hairdresser|therapy|massage|checkup|check-up|vet"
        + "|breakfast|brunch|lunch|coffee|tea|dinner|supper|drinks|cocktails|beers|bbq|barbecue|picnic"
        + "|gym|yoga|pilates|swimming|swim|tennis|football|soccer|basketball|badminton|squash|golf"
        + "|running|run|spin|crossfit|gymnastics|ballet|choir|church|mass|bible study|book club"
        + "|party|concert|movie|movies|cinema|theatre|theater|karaoke|fireworks|birthday party"
        + "|school run|pickup|pick-up|delivery|handover|maths|physics|sports|sales meeting|team meeting"
        + "|staff meeting|board meeting|parents evening|parents' evening|doctor's appointment|wake up"
        + "|doctors appointment|doctor appointment|dentist appointment|walk|dog walk|lesson"
        + "|piano lesson|guitar lesson|swimming lesson", .activity)
    // What numbers with a dot count: "run 12.5 km".
    add("km|k|mi|mile|miles|kg|lb|lbs|g|l|liters|litres|cm|mm|million|stars|gb|tb", .counter)
  }
}

extension TitleWords {
  static let english: TitleWords = {
    var words = TitleWords()
    words.leadIns = [
      "is", "are", "will", "be", "on", "at", "by", "due", "from", "for", "in", "the", "this",
      "starting", "starts", "begins", "start", "between", "@", "and", "was", "around",
      "approximately", "approx", "later",
    ]
    words.modifiers = [
      "before", "after", "except", "even", "odd", "not", "or", "since", "ago", "without", "unless",
      "nor", "every",
      "each", "last", "previous", "ist", "mid", "middle", "late", "early", "morning", "afternoon",
      "evening", "until", "till", "than", "of",
      "repeat", "repeats", "repeating", "recurring",
    ]
    words.deadlineWords = ["before": "by"]
    words.dueWords = ["due", "starts", "begins"]
    words.joints = ["to", "for", "and", "is", "it", "that"]
    words.jointsWithinTitles = ["to", "for", "and"]
    words.placeWords = ["at", "@"]
    words.placeWordsAfterTimes = ["in"]
    words.countWords = ["for"]
    words.titledVerbs = ["watch", "see", "read", "play", "film", "movie"]
    words.articles = ["the"]
    words.meals = ["breakfast", "brunch", "lunch", "dinner", "supper", "drinks"]
    words.wordsAfterActivities = ["and", "w", "to", "on", "in", "by", "near", "the", "then"]
    words.timeLeads = [
      "at", "@", "by", "from", "start", "starts", "starting", "begins", "around", "approximately",
      "approx", "about",
    ]
    words.companions = ["with", "call", "email", "ask", "tell"]
    words.shortForms = ["tom": "tomorrow"]
    words.placeEnds = ["with", "for", "about"]
    words.numbered = [
      "room", "chapter", "part", "homework", "lesson", "unit", "section", "page", "level", "gate",
      "platform", "terminal", "floor", "table", "seat", "hall", "building", "bus", "line", "track",
      "episode", "season", "act", "phase", "sprint", "version", "step", "exercise", "question",
      "task", "issue", "ticket", "no", "number", "nr", "no.", "class", "grade", "group", "team",
      "stage", "route", "exit", "module", "day", "week", "round", "volume", "#", "highway",
      "release", "build", "ios", "android", "python", "ubuntu", "debian", "fedora", "macos",
    ]
    for (hint, list) in [
      (HourHint.breakfast, "breakfast brunch sunrise"),
      (.lunch, "lunch luncheon"),
      (
        .evening,
        "dinner supper drinks beers cocktails concert gig movie movies film cinema theatre theater "
          + "opera pub sunset fireworks karaoke nightclub night evening table reservation bedtime"
      ), (.party, "party parties show bbq barbecue date bar game match dance"),
      (
        .anyHour, "flight train bus ferry airport alarm wake shift run gym swim fishing hike hiking"
      ),
    ] {
      for word in list.split(separator: " ") { words.hints[String(word)] = hint }
    }
    return words
  }()
}
