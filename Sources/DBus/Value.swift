/// A value in a message.
///
/// Source: D-Bus Specification, "Type System".
package enum Value: Equatable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  /// UTF-8 text; sending a NUL is refused.
  case string(String)
  case objectPath(ObjectPath)
  case signature(Signature)
  /// A descriptor; equal only to the same object.
  case fileDescriptor(FileDescriptor)
  /// A value together with its type.
  indirect case variant(Value)
  /// The type of the elements, and the elements.
  case array(Signature, [Value])
  case structure([Value])
  /// Pairs in order; the bus does not check that keys differ.
  case dictionary(key: Signature, value: Signature, [DictionaryEntry])

  /// A pair of a dictionary.
  package struct DictionaryEntry: Equatable {
    /// The key, of a basic type.
    package var key: Value
    /// The value.
    package var value: Value

    /// Makes a pair.
    package init(key: Value, value: Value) {
      self.key = key
      self.value = value
    }
  }

  package static func == (one: Value, other: Value) -> Bool {
    switch (one, other) {
    case (.byte(let a), .byte(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.int16(let a), .int16(let b)): a == b
    case (.uint16(let a), .uint16(let b)): a == b
    case (.int32(let a), .int32(let b)): a == b
    case (.uint32(let a), .uint32(let b)): a == b
    case (.int64(let a), .int64(let b)): a == b
    case (.uint64(let a), .uint64(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.objectPath(let a), .objectPath(let b)): a == b
    case (.signature(let a), .signature(let b)): a == b
    case (.fileDescriptor(let a), .fileDescriptor(let b)): a === b
    case (.variant(let a), .variant(let b)): a == b
    case (.array(let a, let x), .array(let b, let y)): a == b && x == y
    case (.structure(let a), .structure(let b)): a == b
    case (.dictionary(let a, let b, let x), .dictionary(let c, let d, let y)):
      a == c && b == d && x == y
    default: false
    }
  }

  /// The type: one complete type.
  package var signature: Signature {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .fileDescriptor: "h"
    case .variant: "v"
    case .array(let element, _): Signature(unchecked: "a" + element.text)
    case .structure(let fields):
      Signature(unchecked: "(" + fields.map(\.signature.text).joined() + ")")
    case .dictionary(let key, let value, _):
      Signature(unchecked: "a{" + key.text + value.text + "}")
    }
  }
}

/// The types that the contract uses most.
extension Value {
  /// An array of strings, `as`.
  package static func strings(_ texts: [String]) -> Value { .array("s", texts.map(Value.string)) }

  /// A row or a set of options, `a{sv}`, in the given order.
  package static func row(_ pairs: [(String, Value)]) -> Value {
    .dictionary(
      key: "s", value: "v",
      pairs.map { DictionaryEntry(key: .string($0.0), value: .variant($0.1)) })
  }

  /// Rows, `aa{sv}`.
  package static func rows(_ rows: [[(String, Value)]]) -> Value {
    .array("a{sv}", rows.map(Value.row))
  }

  /// The text of a string; nil for other types.
  package var asString: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean; nil for other types.
  package var asBoolean: Bool? { if case .boolean(let truth) = self { truth } else { nil } }

  /// The value of a byte or integer; nil for other types and for a number that does not fit.
  package var asInteger: Int64? {
    switch self {
    case .byte(let number): Int64(number)
    case .int16(let number): Int64(number)
    case .uint16(let number): Int64(number)
    case .int32(let number): Int64(number)
    case .uint32(let number): Int64(number)
    case .int64(let number): number
    case .uint64(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The texts of an array of strings; nil for other types.
  package var asStrings: [String]? {
    guard case .array("s", let values) = self else { return nil }
    return values.compactMap(\.asString)
  }

  /// The elements of an array; nil for other types, including dictionaries.
  package var asArray: [Value]? { if case .array(_, let values) = self { values } else { nil } }

  /// The pairs of a dictionary with string keys, variants unwrapped; nil for other types.
  package var asRow: [(key: String, value: Value)]? {
    guard case .dictionary("s", _, let entries) = self else { return nil }
    return entries.compactMap { entry in
      guard case .string(let key) = entry.key else { return nil }
      if case .variant(let value) = entry.value { return (key, value) }
      return (key, entry.value)
    }
  }

  /// The value under a key of a dictionary with string keys, variant unwrapped; nil if none.
  package subscript(key: String) -> Value? {
    guard case .dictionary("s", _, let entries) = self else { return nil }
    for entry in entries where entry.key == .string(key) {
      if case .variant(let value) = entry.value { return value }
      return entry.value
    }
    return nil
  }

  /// The content of a variant; other values themselves.
  package var unwrapped: Value { if case .variant(let value) = self { value } else { self } }
}
