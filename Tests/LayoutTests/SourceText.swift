/// What the checks want to know of Swift's source text. It is read line by line, as `swift format` leaves
/// it; that a string literal can hold such a line, too, has not mattered.
enum SourceText {
  /// Returns the module that a line imports; nil when the line is no import.
  ///
  ///     package import CivilTime                -> CivilTime
  ///     @testable internal import struct A.B    -> A
  static func importedModule(in line: Substring) -> String? {
    let code = withoutComment(line)
    var words = code.split(whereSeparator: { " \t;".contains($0) })[...]
    while let word = words.first, word.hasPrefix("@") || levels.contains(word) {
      words.removeFirst()
    }
    guard words.popFirst() == "import", var name = words.popFirst() else { return nil }
    if kinds.contains(name) {
      guard let next = words.popFirst() else { return nil }
      name = next
    }
    return String(name.prefix { $0 != "." })
  }

  /// Returns the modules that a file imports, each once, in order.
  static func importedModules(in text: String) -> [String] {
    var modules: [String] = []
    for line in text.split(separator: "\n") {
      if let module = importedModule(in: line), !modules.contains(module) { modules.append(module) }
    }
    return modules
  }

  /// Whether a line declares something with the access level `public` or `open`.
  static func isPublic(_ line: Substring) -> Bool {
    var words = withoutComment(line).split(separator: " ")[...]
    while words.first?.hasPrefix("@") == true { words.removeFirst() }
    return words.first == "public" || words.first == "open" || words.first == "public(set)"
  }

  private static func withoutComment(_ line: Substring) -> Substring {
    var previous: Character?
    for index in line.indices {
      if line[index] == "/" && previous == "/" { return line[..<line.index(before: index)] }
      previous = line[index]
    }
    return line
  }

  private static let levels: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]
}
