package import DBus
package import JSON

extension Value {
  /// The value as JSON: dictionaries become objects, variants their values.
  package var json: JSONValue {
    switch self {
    case .boolean(let flag): .bool(flag)
    case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      // Int64 is the largest number that many programs can read.
      asInteger.map(JSONValue.integer) ?? .string(String(describing: self))
    case .double(let number): .number(number)
    case .string(let text): .string(text)
    case .objectPath(let path): .string(path.text)
    case .signature(let signature): .string(signature.text)
    case .fileDescriptor: .null
    case .variant(let value): value.json
    case .array(_, let values): .array(values.map(\.json))
    case .structure(let values): .array(values.map(\.json))
    case .dictionary(_, _, let entries):
      .object(
        JSONObject(
          entries.compactMap { entry in
            guard let key = entry.key.asString ?? entry.key.asInteger.map(String.init) else {
              return nil
            }
            return (key, entry.value.json)
          }))
    }
  }
}
