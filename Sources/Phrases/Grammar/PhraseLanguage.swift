import CivilTime

/// A language of phrases: a table of words and rules over the same machinery.
package struct PhraseLanguage: Sendable {
  let lexicon: Lexicon
  /// The rules by the symbol that they end with.
  private let rulesByLast: [[GrammarRule]]
  let titles: TitleWords
  /// The first day of the week in the words of the language; nil where the reader's customs say it.
  let firstWeekday: Weekday?
  /// Forms that work, for a refusal.
  let examples: [String]
  private let examplesByKind: [ExampleKind: [String]]

  /// What a form that works is an example of.
  enum ExampleKind: Hashable, Sendable {
    case `repeat`, weekdayOfMonth, bound, duration, reminder, weeklyHours, day
  }

  init(
    lexicon: Lexicon, rules: RuleTable, titles: TitleWords, firstWeekday: Weekday? = nil,
    examples: [String], examplesByKind: [ExampleKind: [String]] = [:]
  ) {
    self.lexicon = lexicon
    var byLast = [[GrammarRule]](repeating: [], count: Symbol.allCases.count)
    for rule in rules.rules {
      byLast[Int(rule.symbols[rule.symbols.count - 1].rawValue)].append(rule)
    }
    rulesByLast = byLast
    self.titles = titles
    self.firstWeekday = firstWeekday
    self.examples = examples
    self.examplesByKind = examplesByKind
  }

  /// Forms of a kind that work; any that work, where the language names none of the kind.
  func examples(of kind: ExampleKind) -> [String] {
    examplesByKind[kind] ?? Array(examples.prefix(3))
  }

  /// The word of times that a mistyped word is nearest to; nil if none is near.
  ///
  /// - Parameter isLoose: Whether the line is refused anyway, so that shorter words count too.
  func strictWord(near word: String, isLoose: Bool = false) -> String? {
    guard !lexicon.knows(word) else { return nil }
    let letters = Array(word.utf8)
    let most = letters.count >= (isLoose ? 7 : 8) ? 2 : 1
    return lexicon.strictWords.first { known in
      known.utf8.count >= (isLoose ? 5 : 6) && abs(known.utf8.count - letters.count) <= most
        && known.utf8.first == letters.first
        && editDistance(letters, Array(known.utf8), countsSwaps: true) <= most
    }
  }

  /// The languages that a text may be in, the likeliest first.
  ///
  /// What has no Chinese character is English, in every locale, as scripts write it.
  static func languages(of text: some StringProtocol) -> [PhraseLanguage] {
    text.unicodeScalars.contains(where: Tokenizer.isIdeograph) ? [.chinese, .english] : [.english]
  }

  func rules(endingWith symbol: Symbol) -> [GrammarRule] { rulesByLast[Int(symbol.rawValue)] }
}

/// What a language says about the words around times.
struct TitleWords: Sendable {
  /// Words that lead to a time and are dropped before it: "is", "on", "from".
  var leadIns: Set<String> = []
  /// Words that change the time next to them, so that it must not be read without them: "before".
  var modifiers: Set<String> = []
  /// Words right before a time that make it a deadline, and what to write instead: "before", "by".
  var deadlineWords: [String: String] = [:]
  /// Words right before a time that make it an end, where nothing begins: 加班到|9点.
  var endLeads: Set<String> = []
  /// Lead-ins that a title keeps before a series, or before any time where they lead to one as well:
  /// "rent due every month", "school starts 1 september".
  var dueWords: Set<String> = []
  /// Words that join a time to the title after it: "to" of "remind me tomorrow to call Ana".
  var joints: Set<String> = []
  /// Those that a title keeps which goes on after the time: "train friday 9:00 to Munich".
  var jointsWithinTitles: Set<String> = []
  /// Words that lead to a place: "at".
  var placeWords: Set<String> = []
  /// Words that lead to a place where an ``Symbol/activity`` follows: 在.
  var placeWordsBeforeActivities: Set<String> = []
  /// Words that lead to a place right after a time: "in".
  var placeWordsAfterTimes: Set<String> = []
  /// Words that lead to a number of people, before a time: "dinner for 4 friday 19:00".
  var countWords: Set<String> = []
  /// Words before what is called by a number: "watch 24".
  var titledVerbs: Set<String> = []
  /// Words that lead to people after a place, where an ``Symbol/activity`` follows: 和.
  var companyWords: Set<String> = []
  /// Places of one character: 家. Another one before 和 is the beginning of a name.
  var shortPlaces: Set<String> = []
  /// What makes a name of a place of an activity: the 房 of 健身房.
  var buildings: Set<String> = []
  var articles: Set<String> = []
  /// Words that may follow an ``Symbol/activity`` of which there is one: "standup and retro".
  var wordsAfterActivities: Set<String> = []
  /// Words before a bare number that make it an hour: "by 5".
  var timeLeads: Set<String> = []
  /// Words before a person, who may have the name of a month: "with Jan".
  var companions: Set<String> = []
  /// Words of times cut short, which may be names as well: "tom".
  var shortForms: [String: String] = [:]
  /// Words that a place does not contain: "with", "for".
  var placeEnds: Set<String> = []
  /// Things that have numbers: "room", "chapter".
  var numbered: Set<String> = []
  /// Whether a word has a number after it: "chapter", "pages".
  func numbers(_ word: String) -> Bool {
    numbered.contains(word)
      || word.utf8.last == UInt8(ascii: "s") && numbered.contains(String(word.dropLast()))
  }

  /// Whether a number in words may begin what follows a time: 明天三人聚餐.
  var allowsLeadingCounts = false
  /// Meals, after which a bare number is an hour: "lunch 12".
  var meals: Set<String> = []
  /// What the title says of a bare hour.
  var hints: [String: HourHint] = [:]
  /// Whether words are joined by blanks.
  var usesBlanks = true
}

/// Which half of the day the words of a title suggest for a bare hour.
enum HourHint: Hashable, Sendable {
  case breakfast, lunch, evening
  /// Something about an evening that may be in the morning: "dinner prep course".
  case ofEvening
  /// In the afternoon or evening, but at 11:00 as well: "party".
  case party
  /// Something that is at any hour: "flight".
  case anyHour

  /// Returns what two words of a title suggest together: "date night", "breakfast on the train".
  func merged(_ other: HourHint) -> HourHint {
    if self == other { return self }
    return Set([self, other]) == [.evening, .party] ? .evening : .anyHour
  }
}
