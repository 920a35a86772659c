import CalendarBus
import CalendarModel

/// What people write for the colour of an event: "#3b82f6", or one of the eight names that
/// calendars have.
enum EventColorWord {
  /// Returns the colour as "#3b82f6"; "" is none of its own.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for what is neither.
  static func text(of word: String, command: String) throws(CommandError) -> String {
    let small = word.lowercased()
    if word.isEmpty || EventColor(text: small) != nil { return small }
    if let place = EventColor.paletteNames.firstIndex(of: small == "grey" ? "gray" : small) {
      return EventColor.palette[place].text
    }
    let near = nearest(small, among: EventColor.paletteNames)
    throw .usage(
      "--color: \"\(word)\" is neither #rrggbb nor one of "
        + EventColor.paletteNames.joined(separator: ", "), command: command,
      hint: near.map { "did you mean \($0)?" })
  }
}

extension OptionSpec {
  /// Of the commands that write an event.
  static let color = value(
    "--color", "COLOR", words: EventColor.paletteNames,
    "#rrggbb, or \(EventColor.paletteNames.joined(separator: ", ")) (the calendar's)")
}
