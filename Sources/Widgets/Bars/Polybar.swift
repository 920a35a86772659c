import Messages

extension BarFormat {
  /// A `custom/script` of polybar, with `tail = true` where it follows.
  ///
  /// There is no escape for "%{", and "%{A1:command:}" in a title would make it a
  /// button that runs the command. With a space in it, it is no tag.
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
