/// Writes a compact document in pieces, when a tree of values would need too much memory.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.name("days")
///     writer.beginArray()
///     writer.element(7)
///     writer.endArray()
///     writer.endObject()     // {"days":[7]}
///
/// The caller ensures that names are unique and have one value each.
extension JSONWriter {
  /// Begins an object: the value of a name, an element, or the whole.
  package mutating func beginObject() { octets.append(UInt8(ascii: "{")) }

  package mutating func endObject() { octets.append(UInt8(ascii: "}")) }

  /// Begins an array: the value of a name, an element, or the whole.
  package mutating func beginArray() { octets.append(UInt8(ascii: "[")) }

  package mutating func endArray() { octets.append(UInt8(ascii: "]")) }

  /// Begins a member of an object.
  ///
  /// - Parameter name: Letters, digits, "-" and "_" only; it is not escaped.
  package mutating func name(_ name: StaticString) {
    separate()
    octets.append(UInt8(ascii: "\""))
    put(name)
    put("\":")
  }

  /// Adds a comma unless an object or array has just begun.
  package mutating func separate() {
    guard let last = octets.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else {
      return
    }
    octets.append(UInt8(ascii: ","))
  }

  /// Writes the value of a name, or the whole document.
  package mutating func value(_ text: String) { write(text) }
  package mutating func value(_ number: Int64) { write(number) }
  package mutating func value(_ flag: Bool) { put(flag ? "true" : "false") }

  /// Writes an element of an array.
  package mutating func element(_ text: String) {
    separate()
    write(text)
  }

  package mutating func element(_ number: Int64) {
    separate()
    write(number)
  }
}
