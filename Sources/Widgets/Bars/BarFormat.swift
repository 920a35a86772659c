package import Messages

/// A format for a status bar: how a record looks, and how records follow each other.
///
/// One format a file in `Bars/`; ``all`` is the only list of them.
package struct BarFormat: Sendable {
  /// The word for it, in lower case.
  package let name: String
  /// A phrase for people about it, without a full stop.
  package let explanation: UserText
  /// Whether the bar reads a new record from a program that keeps running. One
  /// that does not runs the program again.
  package let follows: Bool
  /// Lines before the first record of a program that keeps running; "" if none.
  package let preamble: String
  /// What ends each record of a program that keeps running, before the newline.
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

  /// Returns the record: text in the bar's format, escaped for it, without the
  /// closing newline.
  package func record(_ bar: BarText) -> String { write(bar) }

  /// In the order in which they are listed for people.
  package static let all: [BarFormat] = [
    plain, text, template, json, waybar, polybar, i3bar, swaybar, i3blocks, eww, genmon, tint2,
    conky, tmux, xbar, argos,
  ]

  /// Returns the format of that name; nil if there is none.
  package static func named(_ name: String) -> BarFormat? { all.first { $0.name == name } }
}
