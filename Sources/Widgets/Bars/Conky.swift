import Messages

extension BarFormat {
  /// `${execpi}` of conky, which expands variables such as `${exec …}` in the output.
  ///
  /// "$$" is a dollar sign, and "\#" a number sign that does not begin a comment. Templates are
  /// expanded before that, so in "$template0" the dollar becomes U+FF04.
  ///
  /// Source: conky, src/core.cc, `text_contains_templates` and `remove_comment`.
  static let conky = BarFormat(
    "conky", UserText("one line for ${{execpi}} of conky"), follows: false
  ) { bar in
    let scalars = Array(bar.text.unicodeScalars)
    var line = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      if scalar == "#" {
        line.append(contentsOf: "\\#".unicodeScalars)
      } else if scalar != "$" {
        line.append(scalar)
      } else if namesTemplate(scalars[(index + 1)...]) {
        line.append("\u{FF04}")
      } else {
        line.append(contentsOf: "$$".unicodeScalars)
      }
    }
    return String(line)
  }

  private static func namesTemplate(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    let name = rest.first == "{" ? rest.dropFirst() : rest
    return name.prefix(8).map { $0.properties.lowercaseMapping }.joined() == "template"
  }
}
