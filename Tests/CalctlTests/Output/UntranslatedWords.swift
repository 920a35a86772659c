/// Finds English in what the programs say in the generated language, whose texts have no ASCII
/// letter.
struct UntranslatedWords {
  /// The words of `--help` in that language: commands, options and times, which people type.
  private let help: Set<String>

  /// Other words that people type, or that programs read: values of options, fields and IDs.
  private static let typed = Set(
    """
    available partly missing future unmonitored high medium low none all merge replace rename color \
    late hide default sync accept open join previous first send keep true false light normal \
    confirmed tentative reminder personal dtstart days sat datebook calctl ok caldav google gnome \
    webcal vdir radarr sonarr lidarr local Busy
    """.split(separator: " ").map(String.init))

  /// What is in no catalogue: reasons of the system, words of phrases in examples,
  /// and rules in words, which English and Chinese compose themselves.
  private static let foreign = [
    "No such file or directory", "tuesday at", "every day", "every week", "datebookd",
  ]

  /// - Parameter help: What `--help` prints in that language.
  init(help: [String]) { self.help = Set(help.flatMap(Self.words)) }

  /// Returns the English words of an answer.
  ///
  /// - Parameter call: The arguments, which it may repeat.
  func found(in answer: String, to call: [String]) -> [String] {
    let echo = Set(call.flatMap(Self.words))
    return Self.words(in: answer).filter {
      !help.contains($0) && !Self.typed.contains($0) && !echo.contains($0)
    }
  }

  /// Returns the places of a help page with English words in a row, besides commands and times.
  static func rows(inHelp page: String) -> [String] {
    let times = [
      "day after tomorrow", "half past", "last fri", "last friday of december", "last week",
      "mon next week", "next week", "this month", "weeks until",
    ]
    return page.split(separator: "\n").filter { !$0.hasPrefix("  calctl ") }
      .flatMap { $0.matches(of: #/[A-Za-z]*[a-z]{2,}( [A-Za-z]*[a-z]{2,})+/#) }
      .map { String($0.output.0) }
      .filter { !times.contains($0) && $0.wholeMatch(of: #/(man )?calctl( [a-z]+)?/#) == nil }
  }

  /// Returns the words in lower case, or with one capital, that are no part of a name such as
  /// "a.ics", "--end" or "all-day".
  ///
  /// Markup, keys of JSON and commands to type are left out, and so are IDs, which are longer.
  private static func words(in text: String) -> [String] {
    var text = text.replacing("\\n", with: " ")
    for foreign in foreign { text = text.replacing(foreign, with: "") }
    return text.replacing(#/<style>[^<]*</style>/#, with: " ")
      .replacing(#/<[^>]*>|"[a-z_-]+":|calctl [a-z-]+: /#, with: " ")
      .replacing(#/calctl [^\])\n]*/#, with: " ")
      .matches(of: #/[^ \n"'“”,:;()\[\]{}|·…?!●+]+/#)
      .map { String($0.output) }
      .filter { $0.wholeMatch(of: #/[A-Za-z][a-z]{1,16}\.?/#) != nil }
  }
}
