/// What in a phrase was not understood, and where.
package struct PhraseError: Error, Equatable, Sendable {
  /// The phrase as it was given, cut after ``maximumOctets``.
  package let text: String
  /// Where the fault is: an offset in the phrase, in octets of UTF-8.
  package let position: Int
  /// What is wrong there, in words that can stand after a colon.
  package let reason: String
  /// Something like what may have been meant, such as "tomorrow 14:00".
  package let example: String

  /// The longest phrase that is read, in octets.
  package static let maximumOctets = 200

  package init(text: String, position: Int, reason: String, example: String) {
    self.text = String(decoding: text.utf8.prefix(PhraseError.maximumOctets), as: UTF8.self)
    self.position = position
    self.reason = reason
    self.example = example
  }
}

extension PhraseError: CustomStringConvertible {
  /// "\"tomorow\": the word \"tomorow\" is not known; try \"tomorrow\"".
  package var description: String { "\"\(text)\": \(reason); try \"\(example)\"" }
}
