import Messages

extension BarFormat {
  /// `#(…)` in a status line of tmux, which expands formats (`#S`, `#{…}`) and
  /// styles (`#[…]`) in the output. "##" is the character itself.
  ///
  /// It shows the last line that a command has printed so far, so that one that
  /// follows is read, too.
  ///
  /// Source: tmux(1), "FORMATS".
  static let tmux = BarFormat("tmux", UserText("one line for #(...) in a status line of tmux")) {
    bar in
    replacing(bar.text) { $0 == "#" ? "##" : nil }
  }
}
