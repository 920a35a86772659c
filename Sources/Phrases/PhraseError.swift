package import Messages

/// What in a phrase was not understood, and where.
package struct PhraseError: UserError, Equatable, Sendable {
  /// The phrase as it was given, cut after ``maximumOctets``.
  package let phrase: String
  /// Where the fault is: an offset in the phrase, in octets of UTF-8.
  package let position: Int
  /// What is wrong there, in words that can follow a colon.
  package let reason: UserText
  /// A similar phrase that may be meant, such as "tomorrow 14:00".
  package let example: String

  /// The longest phrase that is read, in octets.
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
