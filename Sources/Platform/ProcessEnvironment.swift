/// The environment variables of a process, as a value.
package struct ProcessEnvironment: Hashable, Sendable {
  private let values: [String: String]

  /// An environment of these variables alone, as tests have it.
  package init(_ values: [String: String]) {
    self.values = values
  }

  /// A copy of this process's environment.
  package static var current: ProcessEnvironment {
    var values: [String: String] = [:]
    for line in SystemCalls.environmentLines() {
      guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
      // The first of two wins, as in getenv(3).
      let name = String(line[..<equals])
      if values[name] == nil { values[name] = String(line[line.utf8.index(after: equals)...]) }
    }
    return ProcessEnvironment(values)
  }

  /// All variables by their names.
  package var variables: [String: String] { values }

  /// The value of a variable; nil if it is unset.
  package subscript(name: String) -> String? { values[name] }

  /// The value of a variable; nil if it is unset or empty, which most variables
  /// treat alike.
  package func nonempty(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of a variable that names a file or directory; nil if it is not
  /// an absolute path.
  package func absolutePath(_ name: String) -> String? {
    values[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
