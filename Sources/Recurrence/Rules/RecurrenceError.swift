package import Messages

/// An error in the text of a rule, with its position.
package struct RecurrenceError: UserError, Equatable, Sendable {
  /// The kind of error; the raw value is the word for programs.
  package enum Kind: String, Sendable, CaseIterable {
    /// A value is missing.
    case empty
    /// Text that does not split into NAME=VALUE parts.
    case badSyntax = "bad-syntax"
    /// A control or invisible character, or octets that are not UTF-8.
    case controlCharacter = "control-character"
    /// No FREQ part.
    case missingFrequency = "missing-freq"
    /// A FREQ that is not one of the seven.
    case unknownFrequency = "unknown-freq"
    /// A part that no RFC defines and that does not begin with "X-".
    case unknownPart = "unknown-part"
    /// A part that appears twice.
    case duplicatePart = "duplicate-part"
    /// A value that must be a number is not one.
    case notANumber = "not-a-number"
    /// A number with too many digits.
    case overflow
    /// A number outside the range of its part.
    case outOfRange = "out-of-range"
    /// A weekday that is not MO to SU.
    case badWeekday = "bad-weekday"
    /// A date of another form, or that does not exist.
    case badDate = "bad-date"
    /// A time of day of another form, or that does not exist.
    case badTime = "bad-time"
    /// A part that the frequency, or another part, does not allow.
    case partNotAllowed = "part-not-allowed"
    /// A calendar scale other than the Gregorian.
    case unsupportedScale = "unsupported-scale"
  }

  package let kind: Kind
  /// The name of the part, such as "BYMONTHDAY"; empty for the rule as a whole.
  package let part: String
  /// The start of the error in the text, in octets of UTF-8 from 0.
  package let position: Int
  /// What is wrong, with the value.
  package let reason: UserText

  /// Creates an error with a reason that is not translated.
  package init(kind: Kind, part: String, position: Int, reason: String) {
    self.init(kind: kind, part: part, position: position, reason: UserText(verbatim: reason))
  }

  package init(kind: Kind, part: String, position: Int, reason: UserText) {
    self.kind = kind
    self.part = part
    self.position = position
    self.reason = reason
  }
}

extension RecurrenceError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    part.isEmpty
      ? UserText(
        "recurrence rule: at byte {position}: {reason}", ["position": position, "reason": reason])
      : UserText(
        "recurrence rule: {part}, at byte {position}: {reason}",
        ["part": part, "position": position, "reason": reason])
  }

  package var description: String { text.english }
}
