package import Messages

/// An error in a date, a time, a duration or a zone.
package enum CivilTimeError: UserError, Equatable, Sendable {
  /// Text of another form than expected; `reason` is a sentence with the text and the form.
  case malformed(text: String, reason: UserText)
  /// Text of the right form with an impossible value, such as 30 February.
  ///
  /// `reason` names the part at fault.
  case impossible(text: String, reason: UserText)
  /// A result outside the years 1 to 9999.
  case outOfRange
  /// No rules are installed under this zone name.
  case unknownZone(name: String)
  /// A zone file that is not valid TZif; `reason` tells where it breaks.
  case badZoneData(name: String, reason: UserText)
}

extension CivilTimeError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    switch self {
    case .malformed(_, let reason): reason
    case .impossible(let text, let reason):
      UserText("\"{text}\": {reason}", ["text": text, "reason": reason])
    case .outOfRange: UserText("the result is outside the years 1 to 9999")
    case .unknownZone(let name):
      UserText("no time zone \"{zone}\" is installed", ["zone": name])
    case .badZoneData(let name, let reason):
      UserText(
        "the data of time zone \"{zone}\" is damaged: {reason}", ["zone": name, "reason": reason])
    }
  }

  package var description: String { text.english }
}
