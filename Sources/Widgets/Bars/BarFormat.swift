package import Messages

/// A format for a status bar: how a record looks, and how records follow each other.
///
/// Each file in `Bars/` defines one or a few formats; ``all`` is the only list of them.
package struct BarFormat: Sendable {
  /// Its name, in lower case.
  package let name: String
  /// A phrase that explains it to people, without a full stop.
  package let explanation: UserText
  /// Whether the bar reads new records from a program that keeps running.
  ///
  /// If not, it runs the program again.
  package let follows: Bool
  /// Lines before the first record of a program that keeps running; "" for none.
  package let preamble: String
  /// Text after each record of a program that keeps running, before the newline.
  package let closing: String
  /// Whether the bar writes clicks to the program's input, as i3bar does.
  package let sendsClicks: Bool
  private let write: @Sendable (BarText) -> String

  init(
    _ name: String, _ explanation: UserText, follows: Bool = true, preamble: String = "",
    closing: String = "", sendsClicks: Bool = false,
    write: @escaping @Sendable (BarText) -> String
  ) {
    self.name = name
    self.explanation = explanation
    self.follows = follows
    self.preamble = preamble
    self.closing = closing
    self.sendsClicks = sendsClicks
    self.write = write
  }

  /// Returns the record, escaped for the bar, without the final newline.
  package func record(_ bar: BarText) -> String { write(bar) }

  /// All formats, in the order of lists for people.
  package static let all: [BarFormat] = [
    plain, text, template, json, waybar, polybar, i3bar, swaybar, i3blocks, eww, genmon, tint2,
    conky, tmux, xbar, argos,
  ]

  /// Returns the format of that name; nil if there is none.
  package static func named(_ name: String) -> BarFormat? { all.first { $0.name == name } }
}
