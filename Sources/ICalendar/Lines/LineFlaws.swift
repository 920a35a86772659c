import Messages

/// The flaws repaired in the lines of a component: for each kind, where it first occurred.
struct LineFlaws {
  private struct Place {
    let line: Int
    let column: Int
    let name: String
  }

  private var control: Place?
  private var encoding: Place?
  private var charset: Place?

  /// Records the flaws of a line.
  ///
  /// - Parameter name: The position of its name in the component; nil for the rest of a broken
  ///   line.
  mutating func note(_ line: LineReader.Line, in component: Component, name: Range<Int>?) {
    let name = (name ?? component.lines.last?.name).map(component.excerpt) ?? ""
    func place(_ column: Int) -> Place { Place(line: line.number, column: column, name: name) }
    if line.flaws.contains(.controlCharacter), control == nil { control = place(line.control) }
    if line.flaws.contains(.badEncoding), encoding == nil { encoding = place(line.encoding) }
    if line.flaws.contains(.unknownCharset), charset == nil { charset = place(line.encoding) }
  }

  /// Reports each kind once.
  func tell(uid: String, summary: String = "", _ problems: inout Problems) {
    func tell(_ place: Place?, _ word: String, _ text: UserText) {
      guard let place else { return }
      problems.add(
        ParseDiagnostic(
          line: place.line, column: place.column, uid: uid, summary: summary, word: word,
          text: UserText("{property}: {problem}", ["property": place.name, "problem": text]),
          severity: .tolerated))
    }
    tell(control, "control-character", UserText("control characters were left out"))
    tell(
      encoding, "bad-encoding",
      UserText(
        """
        some of it is not UTF-8; it was read by its CHARSET, else as Windows-1252 if nothing in the \
        line is UTF-8, else with U+FFFD for broken bytes
        """))
    tell(
      charset, "unknown-charset",
      UserText("its CHARSET is unknown or wrong, so that its text is wrong"))
  }
}
