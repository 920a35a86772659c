import CalendarBus
import CivilTime
import Widgets

/// Which rows a text means: by the ID, the beginning of it, the title or a part of the title.
enum EventMatches {
  /// The shortest beginning of an ID.
  private static let shortestBeginning = 3
  /// The shortest part of a title; in Chinese that is a word.
  private static let shortestPart = 2

  /// Returns the rows with the best kind of match, in their order.
  ///
  /// An ID is better than a title, that better than the beginning of an ID, and that better than a
  /// part of a title.
  static func among(_ rows: [Row], _ text: String) -> [Row] {
    let kinds: [(Row) -> Bool] = [
      { $0.text(.uid) == text }, { $0.isCalled(text) }, { isBeginning(text, of: $0.text(.uid)) },
      { $0.mentions(text) },
    ]
    for isMatch in kinds {
      let found = rows.filter(isMatch)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Returns whether a row that matches a text does so only by a part of its title.
  static func isByPart(_ row: Row, _ text: String) -> Bool {
    row.text(.uid) != text && !row.isCalled(text) && row.mentions(text)
  }

  /// Returns whether a text is the beginning of an ID, and long enough for that.
  static func isBeginning(_ text: String, of id: String) -> Bool {
    text.count >= shortestBeginning && id.hasPrefix(text)
  }

  /// Returns whether a text can be a part of a title.
  static func isPart(_ text: String) -> Bool {
    text.count >= shortestPart && text.contains { $0.isLetter || $0.isNumber }
  }
}

extension Row {
  /// Returns whether it has a title, compared as printed on one line and regardless of case.
  func isCalled(_ title: String) -> Bool {
    let shown = displayLine(title).lowercased()
    return !shown.isEmpty && displayLine(text(.summary)).lowercased() == shown
  }

  /// Returns whether a text is a part of its title, regardless of case.
  func mentions(_ part: String) -> Bool {
    guard EventMatches.isPart(part) else { return false }
    return displayLine(text(.summary)).lowercased().contains(displayLine(part).lowercased())
  }
}

extension EventReference {
  /// Splits "TITLE@DAY" or "ID/DAY" at the last "@" or "/"; nil if no day follows it.
  ///
  /// - Parameter day: Reads a day; nil for any other text.
  func onDay(_ day: (String) -> CivilDate?) -> (what: String, day: CivilDate)? {
    guard let mark = text.lastIndex(where: { $0 == "@" || $0 == "/" }) else { return nil }
    let what = String(text[..<mark])
    guard !what.isEmpty, let day = day(String(text[text.index(after: mark)...])) else { return nil }
    return (what, day)
  }
}
