/// The smallest piece of a line: a word, a number, a mark, or one Chinese character.
///
/// A line is the same tokens in every language; only the vocabulary differs.
struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// Letters, and digits that follow them: "lunch", "o'clock", "LH441".
    case word
    /// Digits alone: "9", "2026".
    case number
    /// One character of a script that is written without spaces.
    case ideograph
    /// Any other character: ":", "-", "(".
    case mark
    /// Text in quotation marks, which is always the title's: "\"Party at 5\"".
    case quoted
    /// A calendar by its mark: "#work".
    case calendar
  }

  let kind: Kind
  /// The text in lower case, full-width forms made narrow.
  let text: String
  /// Offsets in the line, in octets of UTF-8; half-open.
  let start: Int
  let end: Int
  /// Whether no blank separates it from the token before.
  let isGlued: Bool

  /// The value of a number; nil for others and for more than nine digits.
  var number: Int? {
    kind == .number && text.utf8.count <= 9 ? Int(text) : nil
  }
}
