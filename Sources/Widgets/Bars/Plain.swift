import Messages

extension BarFormat {
  /// For terminals, and for bars that read neither markup nor formats.
  package static let plain = BarFormat("plain", UserText("one line of text"), write: plainLine)

  /// The same under the name by which a caller may ask for it.
  static let text = BarFormat("text", UserText("the same as plain"), write: plainLine)

  /// Whoever asks for it gives a ``BarTemplate``.
  package static let template = BarFormat(
    "template", UserText("one line of text by a template of your own"), write: plainLine)

  // The parts of a bar's text are clean already. Cleaning it again costs little,
  // and keeps the promise where the text is not made by us alone.
  private static let plainLine: @Sendable (BarText) -> String = { displayLine($0.text) }
}
