package import Messages

/// What was not understood in a phrase, and where.
package struct PhraseError: UserError, Equatable, Sendable {
  /// The phrase, cut to ``maximumOctets``.
  package let phrase: String
  /// The offset of the fault in the phrase, in octets of UTF-8.
  package let position: Int
  /// What is wrong there, as words after a colon.
  package let reason: UserText
  /// A similar phrase that may be meant, such as "tomorrow 14:00".
  package let example: String

  /// The longest accepted phrase, in octets.
  package static let maximumOctets = 200

  package init(phrase: String, position: Int, reason: UserText, example: String) {
    self.phrase = String(decoding: phrase.utf8.prefix(PhraseError.maximumOctets), as: UTF8.self)
    self.position = position
    self.reason = reason
    self.example = example
  }
}

extension PhraseError: CustomStringConvertible {
  /// The message for people: "\"tomorow\": unknown word \"tomorow\"; try \"tomorrow\"".
  package var text: UserText {
    UserText(
      "\"{phrase}\": {reason}; try \"{example}\"",
      ["phrase": phrase, "reason": reason, "example": example])
  }

  package var description: String { text.english }
}
