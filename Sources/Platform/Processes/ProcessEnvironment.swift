/// The environment variables of a process, as a value.
package struct ProcessEnvironment: Hashable, Sendable {
  private let values: [String: String]
  /// The names of the values that are not UTF-8; they contain U+FFFD.
  private let notUTF8: Set<String>

  /// An environment of these variables alone, for tests.
  package init(_ values: [String: String]) {
    self.init(values, notUTF8: [])
  }

  init(_ values: [String: String], notUTF8: Set<String>) {
    self.values = values
    self.notUTF8 = notUTF8
  }

  /// A copy of this process's environment.
  package static var current: ProcessEnvironment {
    var values: [String: String] = [:]
    var notUTF8: Set<String> = []
    for line in SystemCalls.environmentLines() {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      // The first of two equal names counts, as in getenv(3).
      let name = String(decoding: line[..<equals], as: UTF8.self)
      guard values[name] == nil else { continue }
      let octets = line[(equals + 1)...]
      values[name] = String(decoding: octets, as: UTF8.self)
      if String(validating: octets, as: UTF8.self) == nil { notUTF8.insert(name) }
    }
    return ProcessEnvironment(values, notUTF8: notUTF8)
  }

  /// Whether the value of a variable is valid UTF-8, so that it was not altered.
  package func isUTF8(_ name: String) -> Bool { !notUTF8.contains(name) }

  /// The territory of the locale for dates and times, such as "US"; nil if that names none.
  ///
  /// It is in the first of LC_ALL, LC_TIME and LANG that is set: "en_US.UTF-8". The locale need not be
  /// installed.
  package var timeTerritory: String? {
    let names = ["LC_ALL", "LC_TIME", "LANG"]
    guard let locale = names.lazy.compactMap({ nonempty($0) }).first,
      let underscore = locale.firstIndex(of: "_")
    else { return nil }
    return String(locale[underscore...].dropFirst().prefix { $0.isLetter })
  }

  /// All variables by their names.
  package var variables: [String: String] { values }

  /// The value of a variable; nil if it is unset.
  package subscript(name: String) -> String? { values[name] }

  /// The value of a variable; nil if it is unset or empty.
  package func nonempty(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of a variable that names a file or directory; nil if it is not an absolute path.
  package func absolutePath(_ name: String) -> String? {
    values[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
