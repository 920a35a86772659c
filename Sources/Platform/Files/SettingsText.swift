/// The lines of a settings file: sections in brackets, `key = value` and `#` comments.
package enum SettingsText {
  /// A line that says something.
  package enum Line: Equatable, Sendable {
    /// The name in brackets.
    case section(String)
    case setting(name: String, value: String)
    /// A line that is neither.
    case other(String)
  }

  /// Returns the lines that say something, with their numbers from 1 on.
  package static func lines(_ text: String) -> [(number: Int, line: Line)] {
    var result: [(number: Int, line: Line)] = []
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = trimmed(withoutComment(raw))
      if line.isEmpty { continue }
      if line.hasPrefix("["), line.hasSuffix("]") {
        result.append((index + 1, .section(String(line.dropFirst().dropLast()))))
      } else if let equals = line.firstIndex(of: "=") {
        let value = line[line.index(after: equals)...]
        result.append(
          (index + 1, .setting(name: trimmed(line[..<equals]), value: trimmed(value))))
      } else {
        result.append((index + 1, .other(line)))
      }
    }
    return result
  }

  /// Returns the last value of a setting; nil if the text has none.
  package static func value(of name: String, section: String, in text: String) -> String? {
    var current = ""
    var found: String?
    for (_, line) in lines(text) {
      switch line {
      case .section(let name): current = name
      case .setting(name, let value) where current == section: found = value
      case .setting, .other: break
      }
    }
    return found
  }

  /// Returns a setting of the section [calendar] of datebook.conf.
  ///
  /// It is empty if there is none, or the file cannot be read, which the agent reports.
  static func value(ofCalendar name: String, _ environment: ProcessEnvironment) -> String {
    guard let folder = try? UserDirectories(environment: environment).configuration(),
      let bytes = try? readFile(folder + "/datebook/datebook.conf", maximumBytes: 1 << 20)
    else { return "" }
    let text = String(decoding: bytes, as: UTF8.self)
    return value(of: name, section: "calendar", in: text) ?? ""
  }

  /// Returns a text without the blanks around it.
  package static func trimmed(_ text: some StringProtocol) -> String {
    let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    var rest = text.drop(while: blank)
    while let last = rest.last, blank(last) { rest = rest.dropLast() }
    return String(rest)
  }

  /// Removes a comment, which begins the line or follows a space: "#" may be in a value.
  private static func withoutComment(_ line: Substring) -> Substring {
    var before: Character = " "
    for index in line.indices {
      if line[index] == "#", before == " " || before == "\t" { return line[..<index] }
      before = line[index]
    }
    return line
  }
}
