/// Goes through a JSON text piece by piece, for one whose values together would be
/// many times as large as the text.
///
/// As strict as ``JSONReader``. Whoever meets an array may enter it and ask for its
/// elements one by one, or take it as a value.
package struct JSONCursor {
  private var reader: JSONReader
  /// For each array that was entered and not left, whether an element of it was
  /// asked for.
  private var hasBegun: [Bool] = []
  private let maximumDepth: Int
  /// The value that is being skipped.
  private var skip: JSONSkip?

  /// - Parameters:
  ///   - octets: The text in UTF-8.
  ///   - maximumOctets: What is longer is refused unread.
  ///   - maximumDepth: How deep arrays may be entered, and how deep a value may nest
  ///     from there.
  /// - Throws: ``JSONError``.
  package init(
    _ octets: [UInt8], maximumOctets: Int, maximumDepth: Int = 64
  ) throws(JSONError) {
    guard octets.count <= maximumOctets else {
      throw JSONError(
        .tooLong(octets: octets.count, maximumOctets: maximumOctets), at: 0, of: octets)
    }
    do {
      _ = try UTF8Span(validating: octets.span)
    } catch {
      throw JSONError(.notUTF8, at: error.byteOffsets.lowerBound, of: octets)
    }
    reader = JSONReader(octets: octets, maximumDepth: maximumDepth)
    self.maximumDepth = maximumDepth
    reader.skipSpace()
  }

  /// Octets before the next value.
  package var offset: Int { reader.place }

  /// Whether the next value is an array.
  package var isAtArray: Bool { reader.peek == UInt8(ascii: "[") }

  /// Enters the array that is the next value.
  ///
  /// - Throws: ``JSONError`` if it is none, or too deep.
  package mutating func enterArray() throws(JSONError) {
    guard hasBegun.count < maximumDepth else {
      throw JSONError(.tooDeep(maximumDepth: maximumDepth), at: offset, of: reader.octets)
    }
    guard reader.take("[") else { throw reader.unexpected("\"[\"") }
    hasBegun.append(false)
    reader.skipSpace()
  }

  /// Goes to the next element of the array that was entered last; false at its end,
  /// and the array is left.
  ///
  /// - Throws: ``JSONError`` for a text that is not valid JSON, or exceeds a limit.
  package mutating func nextElement() throws(JSONError) -> Bool {
    reader.skipSpace()
    guard let begun = hasBegun.last else { return false }
    if begun {
      if !reader.take("]") {
        guard reader.take(",") else { throw reader.unexpected("\",\" or \"]\"") }
        reader.skipSpace()
        return true
      }
    } else if !reader.take("]") {
      hasBegun[hasBegun.count - 1] = true
      return true
    }
    hasBegun.removeLast()
    return false
  }

  /// Reads the next value.
  ///
  /// - Throws: ``JSONError`` for a text that is not valid JSON, or exceeds a limit.
  package mutating func value() throws(JSONError) -> JSONValue { try reader.readValue() }

  /// Reads the next value if it is no larger; nil for a larger one, which is the next one still.
  ///
  /// - Parameter maximumValues: Those in arrays and objects are counted.
  /// - Throws: ``JSONError`` for a text that is not valid JSON, or exceeds a limit.
  package mutating func value(
    maximumOctets: Int, maximumValues: Int
  ) throws(JSONError) -> JSONValue? {
    try reader.readValue(maximumOctets: maximumOctets, maximumValues: maximumValues)
  }

  /// Passes by about so many octets of the next value; false as long as more of it is left.
  ///
  /// Names that come twice in an object go unnoticed, and numbers that are out of range.
  ///
  /// - Throws: ``JSONError`` for a text that is not valid JSON, or exceeds a limit.
  package mutating func skipValue(octets: Int) throws(JSONError) -> Bool {
    var skip = self.skip ?? JSONSkip()
    let isOver = try skip.goOn(&reader, octets: octets)
    self.skip = isOver ? nil : skip
    return isOver
  }

  /// - Throws: ``JSONError`` if anything follows the value that was read.
  package mutating func end() throws(JSONError) {
    reader.skipSpace()
    guard reader.place == reader.octets.count else {
      throw reader.unexpected("the end of the text")
    }
  }
}
