import Messages

extension BarFormat {
  /// For terminals, and for bars that interpret neither markup nor formats.
  package static let plain = BarFormat("plain", UserText("one line of text"), write: plainLine)

  /// Another name of ``plain``.
  static let text = BarFormat("text", UserText("the same as plain"), write: plainLine)

  /// For callers who give a ``BarTemplate``.
  package static let template = BarFormat(
    "template", UserText("one line of text by a template of your own"), write: plainLine)

  // The text is already clean; cleaning it again is cheap and does not rely on that.
  private static let plainLine: @Sendable (BarText) -> String = { displayLine($0.text) }
}
