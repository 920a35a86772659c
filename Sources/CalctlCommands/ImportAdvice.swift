import CalendarBus

/// What the agent advises to do about what an import has told, in the words of the command line: on the bus a mode and a
/// key are called by their own names.
enum ImportAdvice {
  /// For the word of a problem, what ends or stands in its text, and what is said in its place.
  private static let options: [(words: Set<String>, bus: String, here: String)] = [
    (["older", "no-occurrence"], " with replace to have ", " with --mode replace to have "),
    (["answer"], " import it with replace", " import it with --mode replace"),
    (["table-replaces"], ": with replace the ", ": with --mode replace the "),
    (["calendar-name"], "; own-calendars makes", "; --own-calendars makes"),
  ]

  /// Returns the text of a problem with options in the place of what the bus calls them. What a file says, which
  /// stands before that, is left as it is.
  static func text(of problem: Row) -> String {
    let (word, text) = (problem.text(.problem), problem.text(.problemText))
    guard let option = options.first(where: { $0.words.contains(word) }),
      let place = text.ranges(of: option.bus).last
    else { return text }
    return text.replacingCharacters(in: place, with: option.here)
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with other: String) -> String {
    self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
