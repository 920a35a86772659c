import Platform

/// The numbers of the last list that was printed on a terminal, for `calctl rm 3`.
///
/// They are in a file of the session, one event a line.
struct ListNumbers {
  /// The highest number. A longer text of digits may be the beginning of an ID.
  static let most = 999
  /// More than that many names have.
  private static let maximumBytes = 16 << 20

  private let path: String

  /// nil outside a session, which has no directory for it.
  init?(_ environment: ProcessEnvironment) {
    guard let runtime = try? UserDirectories(environment: environment).runtime() else { return nil }
    path = runtime + "/datebook/last-list"
  }

  /// Returns a text as a number; nil for any other text.
  static func number(_ text: String) -> Int? {
    guard text.count <= 3, text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text),
      number > 0
    else { return nil }
    return number
  }

  /// Stores the names of a list in place of those of the list before.
  ///
  /// - Returns: Whether it could; otherwise the list has no numbers.
  func store(_ names: [String]) -> Bool {
    let text = names.prefix(ListNumbers.most).map { $0 + "\n" }.joined()
    do {
      try AtomicFile.writePrivate(Array(text.utf8), to: path)
      return true
    } catch {
      return false
    }
  }

  /// Returns the name with a number; nil if the list was shorter, or there was none.
  func name(_ number: Int) -> String? {
    guard let bytes = try? readFile(path, maximumBytes: ListNumbers.maximumBytes) else {
      return nil
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    return lines.indices.contains(number - 1)
      ? String(decoding: lines[number - 1], as: UTF8.self) : nil
  }
}
