import CalendarBus
import CalendarModel
import Platform

/// A color of an event on the command line: "#3b82f6", a palette name, or a text for the agent.
enum EventColorWord {
  /// Returns a palette name as "#3b82f6", and any other text unchanged: the agent checks it.
  static func text(of word: String) -> String {
    let small = word.lowercased()
    let name = small == "grey" ? "gray" : small
    guard let place = EventColor.paletteNames.firstIndex(of: name) else { return word }
    return EventColor.palette[place].text
  }
}

extension OptionSpec {
  /// An option of commands that write an event.
  static let color = value(
    "--color", "COLOR", words: EventColor.paletteNames,
    localized(
      "#rrggbb, a CSS color name, or {names} (the calendar's color)",
      ["names": localizedList(EventColor.paletteNames)]))
}
