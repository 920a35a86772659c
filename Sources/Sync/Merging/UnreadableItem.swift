import ICalendar
package import Messages

/// An error for an item whose text must be merged or compared, but cannot be read.
package struct UnreadableItem: UserError, Hashable, Sendable {
  /// Which of its texts it is.
  package let version: Version
  /// The line of that text, from 1.
  package let line: Int
  /// What is wrong there.
  package let problem: UserText

  /// The texts of an item.
  package enum Version: Hashable, Sendable {
    /// What the last synchronisation left.
    case base
    /// Ours.
    case local
    /// The server's.
    case remote
  }

  package var text: UserText {
    switch version {
    case .base:
      UserText(
        "line {line} of the version before the edit: {problem}",
        ["line": line, "problem": problem])
    case .local:
      UserText("line {line} of the local version: {problem}", ["line": line, "problem": problem])
    case .remote:
      UserText(
        "line {line} of the server's version: {problem}", ["line": line, "problem": problem])
    }
  }
}

/// Reads a version of an item.
func read(_ text: String, _ version: UnreadableItem.Version) throws(UnreadableItem) -> ItemText {
  do {
    return try ItemText(text)
  } catch {
    throw UnreadableItem(version: version, line: error.line, problem: error.text)
  }
}
