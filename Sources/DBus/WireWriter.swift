/// Encodes values in the wire format, little-endian.
///
/// libdbus needs several calls for each value, and looks at the whole type again in each: about 6
/// µs for a row of a dozen keys. Encoding here and having libdbus check the result takes half of
/// that.
///
/// Refuses what ``MessageWriter`` refuses, and descriptors, which are not part of the octets.
///
/// Source: D-Bus Specification, "Marshaling (Wire Format)".
struct WireWriter {
  private(set) var octets: [UInt8] = []

  init(capacity: Int) { octets.reserveCapacity(capacity) }

  /// Continues after encoded rows.
  init(_ rows: EncodedRows) { octets = rows.octets }

  /// Adds one value.
  ///
  /// - Throws: See ``MessageWriter/append(_:)``; `NotSupported` for a descriptor.
  mutating func append(_ value: Value, depth: Int = 0) throws(DBusError) {
    switch value {
    case .byte(let number): octets.append(number)
    case .boolean(let truth): add(UInt32(truth ? 1 : 0))
    case .int16(let number): add(number)
    case .uint16(let number): add(number)
    case .int32(let number): add(number)
    case .uint32(let number): add(number)
    case .int64(let number): add(number)
    case .uint64(let number): add(number)
    case .double(let number): add(number.bitPattern)
    case .string(let text): try add(text)
    case .objectPath(let path): try add(path.text)
    case .signature(let signature): add(type: signature.text)
    case .fileDescriptor:
      throw DBusError(.notSupported, "a descriptor cannot be encoded as bytes")
    case .variant(let inner):
      try require(depth: depth)
      if let code = inner.basicCode {
        octets.append(1)
        octets.append(code.rawValue)
        octets.append(0)
      } else {
        let type = inner.signature
        guard Signature.isValid(type.text) else {
          throw DBusError(.invalidArgs, "a variant of type \u{201C}\(type)\u{201D} cannot be sent")
        }
        add(type: type.text)
      }
      try append(inner, depth: depth + 1)
    case .structure(let fields):
      try require(depth: depth)
      pad(to: 8)
      for field in fields { try append(field, depth: depth + 1) }
    case .array(let element, let values):
      try require(depth: depth)
      let start = beginArray(alignment: element.alignment)
      for value in values {
        try MessageWriter.check(value, is: element)
        try append(value, depth: depth + 1)
      }
      try endArray(start)
    case .dictionary(let key, let type, let entries):
      try require(depth: depth)
      let start = beginArray(alignment: 8)
      for entry in entries {
        try MessageWriter.check(entry.key, is: key)
        try MessageWriter.check(entry.value, is: type)
        pad(to: 8)
        try append(entry.key, depth: depth + 2)
        try append(entry.value, depth: depth + 2)
      }
      try endArray(start)
    }
  }

  /// Adds an encoded part; its alignment is right if the octets so far are a multiple of 8.
  mutating func append(_ other: WireWriter) { octets.append(contentsOf: other.octets) }

  /// Pads with zeros to a multiple of the alignment, 1 to 8.
  mutating func pad(to alignment: Int) {
    while octets.count & (alignment - 1) != 0 { octets.append(0) }
  }

  private mutating func add<Number: FixedWidthInteger>(_ number: Number) {
    pad(to: MemoryLayout<Number>.size)
    withUnsafeBytes(of: number.littleEndian) { octets.append(contentsOf: $0) }
  }

  private mutating func add(_ text: String) throws(DBusError) {
    var text = text
    add(UInt32(truncatingIfNeeded: text.utf8.count))
    let hasNUL = text.withUTF8 { characters in
      octets.append(contentsOf: characters)
      return characters.contains(0)
    }
    guard !hasNUL else { throw MessageWriter.hasNUL }
    octets.append(0)
    guard octets.count <= MessageWriter.maximumOctets else { throw MessageWriter.tooLong }
  }

  /// Adds a signature of at most 255 octets.
  private mutating func add(type: String) {
    octets.append(UInt8(truncatingIfNeeded: type.utf8.count))
    octets.append(contentsOf: type.utf8)
    octets.append(0)
  }

  /// Begins an array; returns the offsets of its length and of its first element.
  private mutating func beginArray(alignment: Int) -> (length: Int, content: Int) {
    add(UInt32(0))
    let length = octets.count - 4
    pad(to: alignment)
    return (length, octets.count)
  }

  private mutating func endArray(_ start: (length: Int, content: Int)) throws(DBusError) {
    guard octets.count <= MessageWriter.maximumOctets else { throw MessageWriter.tooLong }
    let length = UInt32(truncatingIfNeeded: octets.count - start.content)
    withUnsafeBytes(of: length.littleEndian) { bytes in
      for index in 0..<4 { octets[start.length + index] = bytes[index] }
    }
  }

  private func require(depth: Int) throws(DBusError) {
    guard depth < MessageWriter.maximumDepth else { throw MessageWriter.tooDeep }
  }
}

extension Signature {
  /// The alignment of values of this type.
  fileprivate var alignment: Int {
    switch code {
    case .byte, .signature, .variant: 1
    case .int16, .uint16: 2
    case .int64, .uint64, .double, .structure, .dictionaryEntry: 8
    default: 4
    }
  }
}

extension Value {
  /// The type code of a value; nil for containers other than variants.
  fileprivate var basicCode: TypeCode? {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .fileDescriptor: .fileDescriptor
    case .variant: .variant
    case .array, .structure, .dictionary: nil
    }
  }
}
