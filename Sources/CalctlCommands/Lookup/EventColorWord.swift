import CalendarBus
import CalendarModel
import Platform

/// A colour of an event on the command line: "#3b82f6", a name of the palette of calendars, or
/// another text that the agent reads.
enum EventColorWord {
  /// Returns a name of the palette as "#3b82f6", and any other text as it is: the agent checks it.
  static func text(of word: String) -> String {
    let small = word.lowercased()
    let name = small == "grey" ? "gray" : small
    guard let place = EventColor.paletteNames.firstIndex(of: name) else { return word }
    return EventColor.palette[place].text
  }
}

extension OptionSpec {
  /// For the commands that write an event.
  static let color = value(
    "--color", "COLOR", words: EventColor.paletteNames,
    localized(
      "#rrggbb, a CSS color name, or {names} (the calendar's color)",
      ["names": EventColor.paletteNames.joined(separator: ", ")]))
}
