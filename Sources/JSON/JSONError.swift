/// Why a text is not the JSON that was asked for, and where.
package struct JSONError: Error, Equatable, Sendable {
  /// What is wrong.
  package enum Fault: Equatable, Sendable {
    /// Something else stands where `expected` (in words) has to.
    case unexpected(found: String, expected: String)
    /// An object has a name twice.
    case repeatedName(String)
    /// Arrays and objects nest deeper than the caller allows.
    case tooDeep(maximumDepth: Int)
    /// The text is longer than the caller allows; octets.
    case tooLong(octets: Int, maximumOctets: Int)
    /// An escape for half of a character: a surrogate without its other half.
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

  /// Makes the error for a place in a text, whose line and column are counted.
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
  /// Such as "line 1, column 9 (octet 8): expected a value, found "}"".
  package var description: String {
    "line \(line), column \(column) (octet \(offset)): \(fault)"
  }
}

extension JSONError.Fault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .repeatedName(let name): "the name \"\(name)\" comes twice in one object"
    case .tooDeep(let maximum): "arrays and objects nest deeper than \(maximum) levels"
    case .tooLong(let octets, let maximum): "\(octets) octets are more than the \(maximum) allowed"
    case .loneSurrogate(let text): "\(text) is one half of a surrogate pair without the other"
    case .numberOutOfRange(let text): "the number \(text) is too large"
    case .notUTF8: "octets that are not UTF-8"
    }
  }
}
