import Messages

/// Splits a table (CSV) into rows; the separator is the most frequent one in the first line.
///
/// Commas, semicolons and tabs can separate cells. A row may be as long as the text, so it can be
/// read in parts. Only the beginning of a long cell, and of a row with many cells, is stored.
///
/// Source: RFC 4180 section 2.
package struct TableText {
  /// One row: its cells, and where each begins in the text.
  struct Row {
    /// At most ``TableText/maximumCells``.
    var cells: [String] = []
    var offsets: [Int] = []
    /// How many cells the row has.
    var count = 0
    /// The index of the last cell that is not blank; nil if all are blank.
    var lastFilled: Int?

    /// Whether all cells are blank.
    var isBlank: Bool { lastFilled == nil }
  }

  /// The result of one reading step.
  enum Piece {
    case row(Row)
    /// The row continues.
    case part
    case end
  }

  /// An error in the text.
  struct Fault: Error {
    let text: UserText
    let offset: Int
  }

  /// The most cells of a row to store: as many columns as a spreadsheet has.
  static let maximumCells = 16_384
  /// The most octets of a cell to store. Longer content lines are refused anyway.
  static let maximumCellOctets = 1 << 20

  private let octets: [UInt8]
  private var position = 0
  private let separator: UInt8
  /// The current row.
  private var row: Row?
  private var place = Place.beginning
  /// Where the current cell begins.
  private var cellStart = 0
  /// Its text, unless it can be copied from the source.
  private var cell: [UInt8] = []
  private var isCellFilled = false
  private enum Place {
    case beginning
    /// In a cell without quotes.
    case plain
    case quoted
    /// After the closing quote: what follows belongs to the cell, as in spreadsheets.
    case afterQuotes
  }

  init(_ octets: [UInt8]) {
    self.octets = octets
    // Spreadsheets write a byte order mark before UTF-8.
    if octets.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    separator = TableText.separator(of: octets)
  }

  private static func separator(of octets: [UInt8]) -> UInt8 {
    var (commas, semicolons, tabs) = (0, 0, 0)
    // The required columns are near the beginning.
    for octet in octets.drop(while: isBlank).prefix(65_536) {
      switch octet {
      case UInt8(ascii: ","): commas += 1
      case UInt8(ascii: ";"): semicolons += 1
      case 0x09: tabs += 1
      case 0x0A, 0x0D: return most()
      default: continue
      }
    }
    return most()

    func most() -> UInt8 {
      if commas >= semicolons, commas >= tabs { return UInt8(ascii: ",") }
      return semicolons >= tabs ? UInt8(ascii: ";") : 0x09
    }
  }

  /// Whether an octet can be skipped before a table: spreadsheets write rows of separators.
  package static func isBlank(_ octet: UInt8) -> Bool {
    switch octet {
    // Includes the octets of the byte order mark.
    case 0x09, 0x0A, 0x0D, 0x20, 0x22, 0x2C, 0x3B, 0xEF, 0xBB, 0xBF: true
    default: false
    }
  }

  /// Returns the next row; nil at the end of the text.
  ///
  /// - Throws: ``Fault`` for a quote that is never closed.
  mutating func next() throws(Fault) -> Row? {
    while true {
      switch try next(octets: .max) {
      case .row(let row): return row
      case .part: continue
      case .end: return nil
      }
    }
  }

  /// The octets that were read.
  var offset: Int { position }

  /// Reads to the end of a row, or up to a number of octets.
  ///
  /// - Throws: ``Fault`` for a quote that is never closed.
  mutating func next(octets limit: Int) throws(Fault) -> Piece {
    if row == nil {
      guard position < octets.count else { return .end }
      row = Row()
    }
    let end = position + min(limit, octets.count - position)
    while position < end {
      let octet = octets[position]
      switch place {
      case .beginning:
        (cellStart, isCellFilled, place) = (position, false, .plain)
        if octet == UInt8(ascii: "\"") {
          place = .quoted
          position += 1
        }
      case .plain, .afterQuotes:
        if isEnd(octet) {
          endCell()
          position += 1
          if octet == separator { continue }
          if octet == 0x0D, position < octets.count, octets[position] == 0x0A { position += 1 }
          return .row(row.take() ?? Row())
        }
        take(octet)
      case .quoted:
        if octet == UInt8(ascii: "\"") {
          position += 1
          guard position < octets.count, octets[position] == octet else {
            place = .afterQuotes
            continue
          }
        }
        take(octet)
      }
    }
    guard position == octets.count else { return .part }
    // The text ends without a line break; after a separator there is one more, empty cell.
    if place == .quoted {
      throw Fault(
        text: UserText("the quote that begins a cell here is never closed"), offset: cellStart)
    }
    if place == .beginning { (cellStart, isCellFilled, place) = (position, false, .plain) }
    endCell()
    return .row(row.take() ?? Row())
  }

  /// Takes in the octet of a cell at ``position``.
  private mutating func take(_ octet: UInt8) {
    position += 1
    if octet != 0x20, octet != 0x09 { isCellFilled = true }
    // A cell without quotes is copied from the source at its end.
    if place != .plain, cell.count < TableText.maximumCellOctets { cell.append(octet) }
  }

  /// Adds the cell that ends at ``position`` to the row.
  private mutating func endCell() {
    let number = row?.count ?? 0
    if number < TableText.maximumCells {
      let text =
        place == .plain
        ? String(
          decoding: octets[cellStart..<position].prefix(TableText.maximumCellOctets), as: UTF8.self)
        : String(decoding: cell, as: UTF8.self)
      row?.cells.append(text)
      row?.offsets.append(cellStart)
    }
    if isCellFilled { row?.lastFilled = number }
    row?.count += 1
    cell.removeAll(keepingCapacity: cell.count < 4096)
    place = .beginning
  }

  private func isEnd(_ octet: UInt8) -> Bool {
    octet == separator || octet == 0x0A || octet == 0x0D
  }
}
