/// A document piece by piece, where its tree of values would cost more than its text: always compact.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.name("days")
///     writer.beginArray()
///     writer.element(7)
///     writer.endArray()
///     writer.endObject()     // {"days":[7]}
///
/// That names are unique, and that each has one value, is the caller's care.
extension JSONWriter {
  /// Begins an object: the value of a name, an element, or the whole.
  package mutating func beginObject() { octets.append(UInt8(ascii: "{")) }

  package mutating func endObject() { octets.append(UInt8(ascii: "}")) }

  /// Begins an array: the value of a name, an element, or the whole.
  package mutating func beginArray() { octets.append(UInt8(ascii: "[")) }

  package mutating func endArray() { octets.append(UInt8(ascii: "]")) }

  /// Begins a member of an object.
  ///
  /// - Parameter name: of letters, digits, "-" and "_": nothing in it is escaped.
  package mutating func name(_ name: StaticString) {
    separate()
    octets.append(UInt8(ascii: "\""))
    put(name)
    put("\":")
  }

  /// Adds the comma before an element or a member that is not the first. No value ends with an opening bracket.
  package mutating func separate() {
    guard let last = octets.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else {
      return
    }
    octets.append(UInt8(ascii: ","))
  }

  /// Adds the value of a name, or the whole.
  package mutating func value(_ text: String) { write(text) }
  package mutating func value(_ number: Int64) { write(number) }
  package mutating func value(_ flag: Bool) { put(flag ? "true" : "false") }

  /// Adds an element of an array.
  package mutating func element(_ text: String) {
    separate()
    write(text)
  }

  package mutating func element(_ number: Int64) {
    separate()
    write(number)
  }
}
