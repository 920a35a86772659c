extension StringProtocol {
  /// The text without the spaces and tabs at its ends.
  func trimmingBlanks() -> SubSequence {
    var rest = self[startIndex...]
    while let first = rest.first, first == " " || first == "\t" { rest = rest.dropFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
    return rest
  }
}
