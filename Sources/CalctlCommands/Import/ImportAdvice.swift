import CalendarBus

/// What the agent advises to do about what an import has told, in the words of the command line: on the bus a mode and a
/// key are called by their own names.
enum ImportAdvice {
  /// What is said in the place of each that the agent advises.
  private static let options = [
    "replace": "--mode replace", RowKey.ownCalendars.rawValue: "--own-calendars",
  ]

  /// Returns the text of a problem with an option in the place of what the bus calls it. What a file says, which
  /// stands before that, is left as it is.
  static func text(of problem: Row) -> String {
    let (advised, text) = (problem.text(.advised), problem.text(.problemText))
    guard let option = options[advised], let place = text.ranges(of: advised).last else {
      return text
    }
    return text[..<place.lowerBound] + option + text[place.upperBound...]
  }
}
