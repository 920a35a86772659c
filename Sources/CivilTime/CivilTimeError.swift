/// What makes a date, a time, a duration or a zone unusable.
package enum CivilTimeError: Error, Equatable, Sendable {
  /// Text that does not have the form asked for; `text` is what was given,
  /// `expected` the form in words, such as "a date like 20261121".
  case malformed(text: String, expected: String)
  /// A form that is right with a value that is not, such as 30 February;
  /// `reason` names the part at fault.
  case impossible(text: String, reason: String)
  /// A result outside the years 1 to 9999.
  case outOfRange
  /// No rules are installed under this zone name.
  case unknownZone(name: String)
  /// A zone file that cannot be read as TZif: `reason` says where it breaks.
  case badZoneData(name: String, reason: String)
}

extension CivilTimeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let text, let expected): "\"\(text)\" is not \(expected)"
    case .impossible(let text, let reason): "\"\(text)\": \(reason)"
    case .outOfRange: "the result lies outside the years 1 to 9999"
    case .unknownZone(let name): "no time zone \"\(name)\" is installed"
    case .badZoneData(let name, let reason):
      "the data of time zone \"\(name)\" is damaged: \(reason)"
    }
  }
}
