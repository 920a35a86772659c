import CalendarBus

/// The agent's advice about a problem of an import, with options in place of words of the bus.
enum ImportAdvice {
  /// The option for each word of the bus.
  private static let options = [
    "replace": "--mode replace", RowKey.ownCalendars.rawValue: "--own-calendars",
  ]

  /// Returns the text of a problem with the option in place of the word of the bus.
  ///
  /// Only the last such word is replaced: earlier ones come from the file.
  static func text(of problem: Row) -> String {
    let (advised, text) = (problem.text(.advised), problem.text(.problemText))
    guard let option = options[advised], let place = text.ranges(of: advised).last else {
      return text
    }
    return text[..<place.lowerBound] + option + text[place.upperBound...]
  }
}
