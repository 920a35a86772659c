import CalendarBus
import CalendarModel

/// What people write for the colour of an event: "#3b82f6", one of the names that calendars
/// have, or what else the agent takes.
enum EventColorWord {
  /// Returns one of our names as "#3b82f6", and all else as it is: the agent says what is wrong
  /// with it.
  static func text(of word: String) -> String {
    let small = word.lowercased()
    let name = small == "grey" ? "gray" : small
    guard let place = EventColor.paletteNames.firstIndex(of: name) else { return word }
    return EventColor.palette[place].text
  }
}

extension OptionSpec {
  /// Of the commands that write an event.
  static let color = value(
    "--color", "COLOR", words: EventColor.paletteNames,
    "#rrggbb, a name of CSS, or \(EventColor.paletteNames.joined(separator: ", ")) (the calendar's)"
  )
}
