import Messages

extension BarFormat {
  /// `#(…)` in a status line of tmux, which expands formats (`#S`, `#{…}`) and styles (`#[…]`).
  ///
  /// "##" is the character itself. tmux shows the last line that a command has printed so far, so a
  /// following program works, too.
  ///
  /// Source: tmux(1), "FORMATS".
  static let tmux = BarFormat("tmux", UserText("one line for #(...) in a status line of tmux")) {
    bar in
    replacing(bar.text) { $0 == "#" ? "##" : nil }
  }
}
