package import CalendarBus
package import Messages
import Phrases
import Platform

extension CallError: UserError {
  /// The message for people, which is in the agent's language already.
  package var text: UserText { UserText(verbatim: message) }

  /// An error about one argument or key: its name, a colon and the problem.
  ///
  /// The name is not translated: clients find it at the start, and replace it with their own.
  init(_ kind: Kind, about key: String, _ problem: String) {
    self.init(kind, "\(key): \(problem)")
  }

  /// An error about a cursor that the method did not make.
  static func invalidCursor(_ cursor: String) -> CallError {
    CallError(
      .invalidArguments, about: "cursor",
      localized(
        """
        "{cursor}" is not a cursor of this method, or is from an older version; start again \
        without one
        """, ["cursor": cursor]))
  }
}

/// Returns the message for a value that is not one of some words, with the most similar word.
func notOneOf(_ words: [String], _ value: String) -> String {
  let values = localizedList(words)
  guard let near = nearest(value, among: words) else {
    return localized("\"{value}\" is not one of {values}", ["value": value, "values": values])
  }
  return localized(
    "\"{value}\" is not one of {values}; did you mean \"{near}\"?",
    ["value": value, "values": values, "near": near])
}

/// Returns the message for a number outside a range.
func notWithin(_ range: ClosedRange<UInt32>, _ number: some BinaryInteger) -> String {
  localized(
    "{number} is not from {least} to {most}",
    [
      "number": String(number), "least": String(range.lowerBound), "most": String(range.upperBound),
    ])
}
