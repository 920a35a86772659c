/// What Package.swift says of its targets, read as text.
struct Manifest {
  /// The targets made with `library` and `program`, by name, with their dependencies.
  var sources: [String: [String]] = [:]
  /// The system libraries.
  var systemLibraries: [String] = []
  /// The calls of `.target`, `.executableTarget` and `.testTarget` that lack `swiftSettings: house`.
  var callsWithoutHouse: [String] = []
  /// The arguments of the settings in `house`.
  var house: String = ""

  /// Reads the text of a manifest.
  init(_ text: String) {
    for name in ["library", "program"] {
      for call in Self.calls(of: name, in: text) {
        let literals = Self.literals(in: call)
        if let first = literals.first { sources[first] = Array(literals.dropFirst()) }
      }
    }
    systemLibraries = Self.calls(of: ".systemLibrary", in: text).compactMap {
      Self.literals(in: $0).first
    }
    for name in [".target", ".executableTarget", ".testTarget"] {
      callsWithoutHouse += Self.calls(of: name, in: text).filter {
        !$0.contains("swiftSettings: house")
      }
    }
    house = Self.between("let house", "\n]", in: text)
  }

  /// Returns the text between the parentheses of each call of `name`; its declaration is none.
  private static func calls(of name: String, in text: String) -> [String] {
    var calls: [String] = []
    let pattern = name + "("
    var rest = text[...]
    var previous: Substring = ""
    while let range = rest.firstRange(of: pattern) {
      previous = rest[..<range.lowerBound]
      rest = rest[range.upperBound...]
      let isPartOfLongerName = previous.last.map { $0.isLetter || (name.first == "." && $0 == ".") }
      guard isPartOfLongerName != true, !previous.hasSuffix("func ") else { continue }
      var depth = 1
      let body = rest.prefix {
        if $0 == "(" { depth += 1 }
        if $0 == ")" { depth -= 1 }
        return depth > 0
      }
      calls.append(String(body))
    }
    return calls
  }

  /// Returns the text from the first `start` to the next `end`; "" when either is missing.
  private static func between(_ start: String, _ end: String, in text: String) -> String {
    guard let from = text.firstRange(of: start),
      let to = text[from.upperBound...].firstRange(of: end)
    else { return "" }
    return String(text[from.upperBound..<to.lowerBound])
  }

  /// Returns the string literals in a text, in order.
  private static func literals(in text: String) -> [String] {
    let pieces = text.split(separator: "\"", omittingEmptySubsequences: false)
    return pieces.indices.filter { $0 % 2 == 1 }.map { String(pieces[$0]) }
  }
}
