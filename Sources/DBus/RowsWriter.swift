/// Encoded rows, `aa{sv}`, the first value of a reply.
package struct EncodedRows {
  /// The length of the array and its elements, aligned for the beginning of a message's body.
  let octets: [UInt8]

  static let signature: Signature = "aa{sv}"
}

/// A key of a row and the type of its value, encoded once.
package struct LaidOutKey: Sendable {
  /// The key, and the type of the variant after it; must begin at a multiple of 8.
  let octets: [UInt8]

  /// - Parameters:
  ///   - text: An ASCII word.
  ///   - type: The type of the values that ``RowsWriter`` gets with this key.
  package init(_ text: String, _ type: Signature) {
    var writer = WireWriter(capacity: text.utf8.count + 16)
    // Cannot fail: both are short and contain no NUL.
    try? writer.append(.string(text))
    try? writer.append(.signature(type))
    octets = writer.octets
  }
}

/// Encodes rows, key by key.
///
/// An answer has thousands of rows of a dozen keys. Building a ``Value`` for each entry costs as
/// much as finding the rows; here each key is a copy of some octets.
///
/// The caller must add values of the type that the key has.
package struct RowsWriter: ~Copyable {
  /// The largest buffer that is allocated ahead: a message and one row of short values.
  static let mostCapacity = MessageWriter.maximumOctets + 4096

  private var octets: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  // The length of the array comes first.
  private var count = 4
  /// The offset of the current row's length.
  private var rowLength = 0
  private var hasNUL = false
  /// Whether the rows exceed ``MessageWriter/maximumOctets``.
  ///
  /// Further values are dropped, so that thousands of long texts do not fill the memory.
  package private(set) var isTooLong = false

  package init() {
    capacity = 4096
    octets = .allocate(capacity: capacity)
  }

  deinit { octets.deallocate() }

  // MARK: Rows

  package mutating func beginRow() {
    guard !isTooLong else { return }
    reserve(16)
    pad(to: 4)
    rowLength = count
    count += 4
    pad(to: 8)
  }

  package mutating func endRow() {
    guard !isTooLong else { return }
    // The padding before the first key does not count.
    put(UInt32(truncatingIfNeeded: count - (rowLength + 11) / 8 * 8), at: rowLength)
    if count > MessageWriter.maximumOctets { isTooLong = true }
  }

  /// Returns the encoded rows.
  ///
  /// - Throws: `InvalidArgs` for a text with a NUL; `LimitsExceeded` if ``isTooLong``.
  package consuming func finished() throws(DBusError) -> EncodedRows {
    guard !hasNUL else { throw MessageWriter.hasNUL }
    guard !isTooLong else { throw MessageWriter.tooLong }
    put(UInt32(count - 4), at: 0)
    return EncodedRows(octets: [UInt8](UnsafeBufferPointer(start: octets, count: count)))
  }

  // MARK: Values

  package mutating func add(_ key: LaidOutKey, _ text: String) {
    add(key)
    add(text)
  }

  /// Adds text that is UTF-8 without a NUL.
  package mutating func add(_ key: LaidOutKey, utf8 text: UnsafeRawBufferPointer) {
    add(key)
    add(text)
  }

  package mutating func add(_ key: LaidOutKey, _ number: Int64) {
    add(key)
    add(number)
  }

  package mutating func add(_ key: LaidOutKey, _ number: UInt64) {
    add(key)
    add(number)
  }

  package mutating func add(_ key: LaidOutKey, _ number: UInt32) {
    add(key)
    add(number)
  }

  package mutating func add(_ key: LaidOutKey, _ flag: Bool) {
    add(key)
    add(UInt32(flag ? 1 : 0))
  }

  package mutating func add(_ key: LaidOutKey, _ texts: [String]) {
    add(key)
    guard !isTooLong else { return }
    add(UInt32(0))
    let start = count
    for text in texts { add(text) }
    put(UInt32(truncatingIfNeeded: count - start), at: start - 4)
  }

  // MARK: Parts

  private mutating func add(_ key: LaidOutKey) {
    guard !isTooLong else { return }
    reserve(8 + key.octets.count)
    pad(to: 8)
    key.octets.withUnsafeBufferPointer {
      octets.advanced(by: count).initialize(from: $0.baseAddress!, count: $0.count)
    }
    count += key.octets.count
  }

  private mutating func add(_ text: String) {
    var text = text
    text.withUTF8 {
      let text = UnsafeRawBufferPointer($0)
      if text.contains(0) { hasNUL = true }
      add(text)
    }
  }

  private mutating func add(_ text: UnsafeRawBufferPointer) {
    guard !isTooLong else { return }
    add(UInt32(truncatingIfNeeded: text.count))
    guard count + text.count < MessageWriter.maximumOctets else {
      isTooLong = true
      return
    }
    reserve(text.count + 1)
    if let start = text.baseAddress {
      UnsafeMutableRawPointer(octets + count).copyMemory(from: start, byteCount: text.count)
    }
    count += text.count
    octets[count] = 0
    count += 1
  }

  private mutating func add<Number: FixedWidthInteger>(_ number: Number) {
    guard !isTooLong else { return }
    reserve(16)
    pad(to: MemoryLayout<Number>.size)
    put(number, at: count)
    count += MemoryLayout<Number>.size
  }

  private func put<Number: FixedWidthInteger>(_ number: Number, at place: Int) {
    UnsafeMutableRawPointer(octets + place).storeBytes(of: number.littleEndian, as: Number.self)
  }

  /// Pads with zeros, at most seven; the caller has reserved the room.
  private mutating func pad(to alignment: Int) {
    while count & (alignment - 1) != 0 {
      octets[count] = 0
      count += 1
    }
  }

  private mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    let wider = max(min(capacity * 2, RowsWriter.mostCapacity), count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: wider)
    moved.update(from: octets, count: count)
    octets.deallocate()
    (octets, capacity) = (moved, wider)
  }
}
