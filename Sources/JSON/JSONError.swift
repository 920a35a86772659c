package import Messages

/// What is wrong with a JSON text, and where.
package struct JSONError: UserError, Equatable, Sendable {
  /// What is wrong.
  package enum Fault: Equatable, Sendable {
    /// Something else was found where `expected` (in words) must be.
    case unexpected(found: String, expected: String)
    /// An object has a name twice.
    case repeatedName(String)
    /// Arrays and objects nest deeper than the caller allows.
    case tooDeep(maximumDepth: Int)
    /// The text is longer than the caller allows; octets.
    case tooLong(octets: Int, maximumOctets: Int)
    /// An escape for a surrogate without its other half.
    case loneSurrogate(String)
    /// A number that no `Double` can hold, such as 1e999.
    case numberOutOfRange(String)
    /// Octets that are not UTF-8.
    case notUTF8
  }

  package let fault: Fault
  /// Octets before the fault.
  package let offset: Int
  /// Line of the fault, from 1.
  package let line: Int
  /// Unicode scalars before the fault on its line, plus 1.
  package let column: Int

  /// Creates the error for an offset; line and column are counted from the text.
  init(_ fault: Fault, at offset: Int, of octets: [UInt8]) {
    self.fault = fault
    self.offset = offset
    var line = 1
    var column = 1
    for octet in octets.prefix(offset) {
      if octet == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if octet & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }
}

extension JSONError: CustomStringConvertible {
  /// The message for people, such as "line 1, column 9 (byte 8): expected a value, found "}"".
  package var text: UserText {
    UserText(
      "line {line}, column {column} (byte {offset}): {fault}",
      ["line": line, "column": column, "offset": offset, "fault": fault.text])
  }

  package var description: String { text.english }
}

extension JSONError.Fault: CustomStringConvertible {
  /// The message for people, without the position.
  package var text: UserText {
    switch self {
    case .unexpected(let found, let expected):
      UserText("expected {expected}, found {found}", ["expected": expected, "found": found])
    case .repeatedName(let name):
      UserText("the name \"{name}\" appears twice in one object", ["name": name])
    case .tooDeep(let maximum):
      UserText("arrays and objects are nested more than {limit} levels deep", ["limit": maximum])
    case .tooLong(let octets, let maximum):
      UserText(
        "the text has {bytes} bytes, the limit is {limit}", ["bytes": octets, "limit": maximum])
    case .loneSurrogate(let text):
      UserText("{escape} is one half of a surrogate pair without the other", ["escape": text])
    case .numberOutOfRange(let text): UserText("the number {number} is too large", ["number": text])
    case .notUTF8: UserText("the text is not valid UTF-8")
    }
  }

  package var description: String { text.english }
}
