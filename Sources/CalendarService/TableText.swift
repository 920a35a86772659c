/// The rows of a table as text: RFC 4180, with commas, semicolons or tabs between the
/// cells, whichever the first line has most of that says something.
///
/// Source: RFC 4180 section 2.
struct TableText {
  /// One row: its cells, and where each begins in the text.
  struct Row {
    var cells: [String] = []
    var offsets: [Int] = []

    /// Whether no cell says anything.
    var isBlank: Bool { cells.allSatisfy { $0.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } } }
  }

  /// What is wrong with a text.
  struct Fault: Error {
    let text: String
    let offset: Int
  }

  private let octets: [UInt8]
  private var position = 0
  private let separator: UInt8

  init(_ octets: [UInt8]) {
    self.octets = octets
    // Spreadsheets begin UTF-8 with a byte order mark.
    if octets.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    separator = TableText.separator(of: octets)
  }

  private static func separator(of octets: [UInt8]) -> UInt8 {
    let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    var counts: [UInt8: Int] = [:]
    for octet in octets.drop(while: isBlank) {
      if octet == 0x0A || octet == 0x0D { break }
      counts[octet, default: 0] += 1
    }
    return candidates.max { counts[$0] ?? 0 < counts[$1] ?? 0 } ?? UInt8(ascii: ",")
  }

  /// Whether an octet says nothing where a table begins: spreadsheets write empty rows as
  /// lines of separators.
  static func isBlank(_ octet: UInt8) -> Bool {
    switch octet {
    // The octets of the byte order mark are among them.
    case 0x09, 0x0A, 0x0D, 0x20, 0x22, 0x2C, 0x3B, 0xEF, 0xBB, 0xBF: true
    default: false
    }
  }

  /// Returns the next row; nil at the end of the text.
  ///
  /// - Throws: ``Fault`` for a quote that is never closed.
  mutating func next() throws(Fault) -> Row? {
    guard position < octets.count else { return nil }
    var row = Row()
    while true {
      row.offsets.append(position)
      row.cells.append(try cell())
      guard position < octets.count else { return row }
      let end = octets[position]
      position += 1
      if end == separator { continue }
      if end == 0x0D, position < octets.count, octets[position] == 0x0A { position += 1 }
      return row
    }
  }

  /// Reads a cell; what stands after it is next.
  private mutating func cell() throws(Fault) -> String {
    let start = position
    guard position < octets.count, octets[position] == UInt8(ascii: "\"") else {
      while position < octets.count, !isEnd(octets[position]) { position += 1 }
      return String(decoding: octets[start..<position], as: UTF8.self)
    }
    var text: [UInt8] = []
    position += 1
    while true {
      guard position < octets.count else {
        throw Fault(text: "the quote that begins a cell here is never closed", offset: start)
      }
      let octet = octets[position]
      position += 1
      if octet == UInt8(ascii: "\"") {
        guard position < octets.count, octets[position] == octet else { break }
        position += 1
      }
      text.append(octet)
    }
    // What follows the quotes belongs to the cell, as spreadsheets read it.
    while position < octets.count, !isEnd(octets[position]) {
      text.append(octets[position])
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func isEnd(_ octet: UInt8) -> Bool {
    octet == separator || octet == 0x0A || octet == 0x0D
  }
}
