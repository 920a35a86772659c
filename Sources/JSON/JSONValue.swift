/// A JSON value.
///
/// Whole numbers of up to 64 bits are exact; all others are `Double`. The integer 1 and the number
/// 1.0 are not equal, since their texts differ.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number; see ``JSONWriter`` for infinities and NaN.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// Returns a member of an object; nil if there is none, or this is not an object.
  package subscript(name: String) -> JSONValue? { objectValue?[name] }

  /// Returns an element of an array; nil after its end, or if this is not an array.
  package subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// Whether this is `null`.
  package var isNull: Bool { self == .null }

  /// The truth value; nil if this is something else.
  package var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The whole number; nil if this is something else, 1.0 too.
  package var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The text; nil if this is something else.
  package var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements; nil if this is not an array.
  package var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members; nil if this is not an object.
  package var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// - Precondition: No name occurs twice.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}

extension JSONValue {
  /// Creates a string, or null for nil.
  package init(_ value: String?) { self = value.map(JSONValue.string) ?? .null }

  /// Creates an integer, or null for nil.
  package init(_ value: Int64?) { self = value.map(JSONValue.integer) ?? .null }

  package init(_ value: Int) { self = .integer(Int64(value)) }

  package init(_ value: Bool) { self = .bool(value) }
}
