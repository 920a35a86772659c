/// The types of a list of values, such as `sua{sv}`: zero or more complete types.
///
/// Source: D-Bus Specification, "Type System".
package struct Signature: DBusName {
  package let text: String
  package static let kind = "signature"

  package init(unchecked text: String) { self.text = text }

  package static func isValid(_ text: String) -> Bool {
    let codes = Array(text.utf8)
    guard codes.count <= 255 else { return false }
    var position = 0
    while position < codes.count {
      guard let end = end(ofTypeAt: position, in: codes, arrays: 0, structures: 0) else {
        return false
      }
      position = end
    }
    return true
  }

  /// The signature of a message without arguments.
  package static let empty: Signature = ""

  /// The complete types in it, each as its own signature.
  package var completeTypes: [Signature] {
    let codes = Array(text.utf8)
    var types: [Signature] = []
    var position = 0
    while position < codes.count,
      let end = Signature.end(ofTypeAt: position, in: codes, arrays: 0, structures: 0)
    {
      types.append(Signature(unchecked: String(decoding: codes[position..<end], as: UTF8.self)))
      position = end
    }
    return types
  }

  /// Whether it is one complete type, which elements of arrays and properties must be.
  package var isSingle: Bool {
    // The most common types, without a copy.
    if text.utf8.count == 1 || text == "a{sv}" { return true }
    let codes = Array(text.utf8)
    return Signature.end(ofTypeAt: 0, in: codes, arrays: 0, structures: 0) == codes.count
  }

  /// A single type and its name, for an error message: `u (uint32)`.
  package var inWords: String {
    guard let code = text.utf8.first.flatMap(TypeCode.init(rawValue:)) else { return "nothing" }
    let isDictionary = text.utf8.starts(with: "a{".utf8)
    return "\(text) (\(isDictionary ? "dictionary" : code.word))"
  }

  /// The first code; nil for the empty signature.
  var code: TypeCode? { text.utf8.first.flatMap(TypeCode.init(rawValue:)) }

  /// The element type of an array; that of a dictionary is `{sv}`, for example.
  var element: Signature { Signature(unchecked: String(text.dropFirst())) }

  /// The field types of a structure or a dictionary entry.
  var fields: [Signature] {
    Signature(unchecked: String(text.dropFirst().dropLast())).completeTypes
  }

  /// Returns the position after the complete type at a position; nil if there is none.
  ///
  /// Arrays and structures nest at most 32 deep each. Dictionary entries occur only in arrays.
  private static func end(
    ofTypeAt position: Int, in codes: [UInt8], arrays: Int, structures: Int
  ) -> Int? {
    guard position < codes.count, let code = TypeCode(rawValue: codes[position]) else { return nil }
    switch code {
    case .array:
      guard arrays < 32 else { return nil }
      if position + 1 < codes.count, codes[position + 1] == UInt8(ascii: "{") {
        return endOfEntry(at: position + 1, in: codes, arrays: arrays + 1, structures: structures)
      }
      return end(ofTypeAt: position + 1, in: codes, arrays: arrays + 1, structures: structures)
    case .structure:
      guard structures < 32 else { return nil }
      var next = position + 1
      repeat {
        guard
          let after = end(
            ofTypeAt: next, in: codes, arrays: arrays, structures: structures + 1)
        else { return nil }
        next = after
      } while next < codes.count && codes[next] != UInt8(ascii: ")")
      return next < codes.count ? next + 1 : nil
    case .dictionaryEntry:
      return nil
    default:
      return position + 1
    }
  }

  private static func endOfEntry(
    at position: Int, in codes: [UInt8], arrays: Int, structures: Int
  ) -> Int? {
    guard structures < 32, position + 1 < codes.count,
      TypeCode(rawValue: codes[position + 1])?.isBasic == true,
      let after = end(
        ofTypeAt: position + 2, in: codes, arrays: arrays, structures: structures + 1),
      after < codes.count, codes[after] == UInt8(ascii: "}")
    else { return nil }
    return after + 1
  }
}

/// The type codes of the wire format.
///
/// libdbus defines them as macros with a cast, which Swift cannot import.
///
/// Source: D-Bus Specification, "Type System".
enum TypeCode: UInt8 {
  case byte = 0x79  // y
  case boolean = 0x62  // b
  case int16 = 0x6e  // n
  case uint16 = 0x71  // q
  case int32 = 0x69  // i
  case uint32 = 0x75  // u
  case int64 = 0x78  // x
  case uint64 = 0x74  // t
  case double = 0x64  // d
  case string = 0x73  // s
  case objectPath = 0x6f  // o
  case signature = 0x67  // g
  case fileDescriptor = 0x68  // h
  case variant = 0x76  // v
  case array = 0x61  // a
  case structure = 0x28  // (
  case dictionaryEntry = 0x7b  // {

  /// Whether it may be the key of a dictionary.
  var isBasic: Bool {
    switch self {
    case .variant, .array, .structure, .dictionaryEntry: false
    default: true
    }
  }

  /// The code that libdbus uses for a container.
  ///
  /// Two differ from signatures: DBUS_TYPE_STRUCT is `r`, DBUS_TYPE_DICT_ENTRY is `e`.
  var ofContainer: Int32 {
    switch self {
    case .structure: Int32(UInt8(ascii: "r"))
    case .dictionaryEntry: Int32(UInt8(ascii: "e"))
    default: Int32(rawValue)
    }
  }

  /// The name for people.
  var word: String {
    switch self {
    case .byte: "byte"
    case .boolean: "boolean"
    case .int16: "int16"
    case .uint16: "uint16"
    case .int32: "int32"
    case .uint32: "uint32"
    case .int64: "int64"
    case .uint64: "uint64"
    case .double: "double"
    case .string: "string"
    case .objectPath: "object path"
    case .signature: "signature"
    case .fileDescriptor: "file descriptor"
    case .variant: "variant"
    case .array: "array"
    case .structure: "structure"
    case .dictionaryEntry: "dictionary entry"
    }
  }
}
