import Messages

extension BarFormat {
  /// A `custom/script` of polybar; with `tail = true` if it follows.
  ///
  /// "%{" cannot be escaped, and "%{A1:command:}" in a title would make a button that runs the
  /// command. A space after the "%" prevents that.
  ///
  /// Source: polybar wiki, "Formatting".
  static let polybar = BarFormat("polybar", UserText("one line for a custom/script of polybar")) {
    bar in
    var line = String.UnicodeScalarView()
    for scalar in bar.text.unicodeScalars {
      if scalar == "{", line.last == "%" { line.append(" ") }
      line.append(scalar)
    }
    return String(line)
  }
}
