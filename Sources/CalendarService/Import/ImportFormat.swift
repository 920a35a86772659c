import CalendarBus
import CalendarModel
import ICalendar
import Tables

/// The format of an import.
enum ImportFormat: String, CaseIterable {
  /// iCalendar, or vCalendar 1.0.
  case ics
  /// A table with the columns of ``EventTable``.
  case csv

  /// Reads a word of the contract; nil for "", which means to guess with ``init(sniffing:)``.
  ///
  /// - Throws: ``CallError`` of the kind `invalidArguments` for any other word.
  static func named(_ word: String) throws(CallError) -> ImportFormat? {
    if word.isEmpty { return nil }
    if let known = ImportFormat(rawValue: word) { return known }
    let words = ImportFormat.allCases.map(\.rawValue)
    throw CallError(.invalidArguments, about: "format", notOneOf(words, word))
  }

  /// Guesses the format of a text.
  ///
  /// A table begins with column names, or looks like a table and contains no calendar. Anything
  /// else is iCalendar.
  init(sniffing bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = DecodedText.beginning(of: bytes)
    let content = text.dropFirst(text.starts(with: mark) ? mark.count : 0)
      .drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    switch content.first {
    // JSON is refused later with its own reason.
    case UInt8(ascii: "["), UInt8(ascii: "{"): self = .ics
    case _ where CalendarText.isLike(content): self = .ics
    case _ where ImportFormat.isTable(content): self = .csv
    case _ where ImportFormat.isLikeTable(content):
      // Its errors should be those of a table.
      self = CalendarText.begins(in: text) || CalendarText.begins(in: bytes) ? .ics : .csv
    default: self = .ics
    }
  }

  /// Whether a text looks like a table, whatever its column names.
  ///
  /// Its first line names the separator, or has at least two of them and as many as the second.
  private static func isLikeTable(_ content: ArraySlice<UInt8>) -> Bool {
    let lines = content.prefix(4096).split(maxSplits: 2) { $0 == 0x0A || $0 == 0x0D }
    guard let first = lines.first else { return false }
    let mark = Array("SEP=".utf8)
    if first.count == mark.count + 1, first.starts(with: mark, by: { $0 == $1 || $0 == $1 | 0x20 })
    {
      return true
    }
    return ",;\t".utf8.contains { separator in
      func count(_ line: ArraySlice<UInt8>) -> Int { line.count { $0 == separator } }
      let cells = count(first)
      return cells >= 2 && (lines.count < 2 || count(lines[1]) == cells)
    }
  }

  /// Whether the first line with text has the column names that every table must have.
  private static func isTable(_ content: ArraySlice<UInt8>) -> Bool {
    TableHead.isOfEvents(
      content.drop(while: TableText.isBlank).prefix { $0 != 0x0A && $0 != 0x0D }.prefix(4096))
  }
}
