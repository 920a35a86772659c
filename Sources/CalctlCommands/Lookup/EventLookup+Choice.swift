import Platform
import Widgets

// One of several matches.

extension EventLookup {
  /// The most matches that are listed.
  static let mostListed = 10

  /// Returns the only match, or the one that is chosen by its number on a terminal.
  ///
  /// - Parameters:
  ///   - message: What precedes the list of several.
  ///   - list: Returns a line for each of the first matches, and at most one for the rest.
  /// - Throws: ``CommandError/notFound(_:near:)`` with the list where nobody can answer;
  ///   ``CommandError/system(_:)`` if none is chosen.
  func only<Match>(
    _ matches: [Match], _ message: String, list: ([Match]) throws(CommandError) -> [String]
  ) throws(CommandError) -> Match {
    if matches.count == 1 { return matches[0] }
    let lines = try list(matches)
    guard context.isTerminal(context.standardInput) else { throw .notFound(message, near: lines) }
    let most = min(matches.count, EventLookup.mostListed)
    context.writeError(EventLookup.question(message, lines, numbered: most))
    guard let answer = try context.line(), let number = Int(displayLine(answer)),
      (1...most).contains(number)
    else { throw .system(localized("nothing was chosen")) }
    return matches[number - 1]
  }

  /// Returns a list, and what is asked after it.
  ///
  /// - Parameter count: How many lines have a number; after them comes how many more there are.
  static func question(_ message: String, _ lines: [String], numbered count: Int) -> String {
    var text = displayLine(message) + "\n"
    for (index, line) in lines.enumerated() {
      let number = index < count ? "\(index + 1)" : ""
      text += "  " + number.padding(to: 4) + displayLine(line) + "\n"
    }
    return text + localized("Number: ")
  }
}
