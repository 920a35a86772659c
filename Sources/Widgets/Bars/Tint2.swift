import Messages

extension BarFormat {
  /// An executor of tint2 with `execp_markup = 1`; also `execp_continuous = 1` if it follows.
  ///
  /// Source: tint2's documentation, "Executor".
  static let tint2 = BarFormat(
    "tint2", UserText("one line of Pango markup for an executor of tint2")
  ) { bar in
    pangoEscaped(bar.text)
  }
}
