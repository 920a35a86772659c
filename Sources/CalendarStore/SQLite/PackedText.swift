/// A list of texts as one text: each item is its length in bytes, a colon, and the text.
///
///     ["work", "a:b"]  ->  "4:work3:a:b"
///
/// Items need no escaping, and the result is readable in a shell.
struct PackedText {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ item: String) {
    var item = item
    item.withUTF8 { append($0) }
  }

  mutating func append(_ item: UnsafeBufferPointer<UInt8>) {
    PackedText.write(item, to: &bytes)
  }

  /// Appends one item to a list.
  static func write(_ item: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    write(item.count, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: item)
  }

  static func write(_ item: String, to bytes: inout [UInt8]) {
    var item = item
    item.withUTF8 { write($0, to: &bytes) }
  }

  static func write(_ item: [UInt8], to bytes: inout [UInt8]) {
    item.withUnsafeBufferPointer { write($0, to: &bytes) }
  }

  private static func write(_ number: Int, to bytes: inout [UInt8]) {
    if number >= 10 { write(number / 10, to: &bytes) }
    bytes.append(0x30 + UInt8(number % 10))
  }

  mutating func append(_ item: [UInt8]) {
    item.withUnsafeBufferPointer { append($0) }
  }
}

/// Reads the items of a ``PackedText``.
struct PackedReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Begins to read a list.
  ///
  /// - Parameter bytes: must outlive the reader.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  /// Returns the next item, valid as long as the bytes.
  ///
  /// - Throws: ``MalformedRow`` if there is none, or it is shorter than its length.
  mutating func next() throws(MalformedRow) -> UnsafeBufferPointer<UInt8> {
    var length = 0
    var digits = 0
    while position < bytes.count, bytes[position] != UInt8(ascii: ":") {
      let digit = Int(bytes[position]) - 0x30
      guard digit >= 0, digit <= 9, digits < 10 else { throw MalformedRow("a packed length") }
      length = length * 10 + digit
      digits += 1
      position += 1
    }
    guard digits > 0, position < bytes.count, length <= bytes.count - position - 1 else {
      throw MalformedRow("a packed item")
    }
    let start = position + 1
    position = start + length
    return UnsafeBufferPointer(rebasing: bytes[start..<position])
  }

  mutating func nextText() throws(MalformedRow) -> String {
    String(decoding: try next(), as: UTF8.self)
  }
}

/// A row that no version of this program writes.
struct MalformedRow: Error {
  /// What is malformed, as a noun.
  let what: String

  init(_ what: String) {
    self.what = what
  }
}
