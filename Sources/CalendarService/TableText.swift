/// The rows of a table as text: RFC 4180, with commas, semicolons or tabs between the
/// cells, whichever the first line has most of.
///
/// Source: RFC 4180 section 2.
struct TableText {
  /// One row: its cells, and where each begins in the text.
  struct Row {
    var cells: [String] = []
    var offsets: [Int] = []

    /// Whether the line is empty.
    var isBlank: Bool { cells.count == 1 && cells[0].isEmpty }
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
    var counts: [UInt8: Int] = [:]
    for octet in octets {
      if octet == 0x0A || octet == 0x0D { break }
      counts[octet, default: 0] += 1
    }
    let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    return candidates.max { counts[$0] ?? 0 < counts[$1] ?? 0 } ?? UInt8(ascii: ",")
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
