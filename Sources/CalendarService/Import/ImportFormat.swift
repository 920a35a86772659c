import CalendarBus
import CalendarModel
import ICalendar
import Phrases
import Tables

/// In which form an import comes.
enum ImportFormat: String, CaseIterable {
  /// iCalendar, or vCalendar 1.0.
  case ics
  /// A table with the columns of ``EventTable``.
  case csv

  /// Reads a word of the contract; nil for "", which is for ``init(sniffing:)``.
  static func named(_ word: String) throws(CallError) -> ImportFormat? {
    if word.isEmpty { return nil }
    if let known = ImportFormat(rawValue: word) { return known }
    let words = ImportFormat.allCases.map(\.rawValue)
    throw CallError(
      .invalidArguments,
      "format: \"\(word)\" is none of \(words.joined(separator: ", "))"
        + (nearest(word, among: words).map { ", did you mean \"\($0)\"?" } ?? ""))
  }

  /// The form that a text seems to have: a table begins with a line that has the names of columns, or like one where no calendar begins; iCalendar is all the rest.
  init(sniffing bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = DecodedText.beginning(of: bytes)
    let content = text.dropFirst(text.starts(with: mark) ? mark.count : 0)
      .drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    switch content.first {
    // JSON, which is refused with a reason of its own.
    case UInt8(ascii: "["), UInt8(ascii: "{"): self = .ics
    case _ where CalendarText.isLike(content): self = .ics
    case _ where ImportFormat.isTable(content): self = .csv
    case _ where ImportFormat.isLikeTable(content):
      // What is wrong with it is to be told as of a table.
      self = CalendarText.begins(in: text) || CalendarText.begins(in: bytes) ? .ics : .csv
    default: self = .ics
    }
  }

  /// Whether a text is a table for a spreadsheet, whatever its columns are called: its first line says what is
  /// between the cells, or has as many of them as the second, two at least.
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

  /// Whether the first line that says something names columns of which there must be two.
  private static func isTable(_ content: ArraySlice<UInt8>) -> Bool {
    TableHead.isOfEvents(
      content.drop(while: TableText.isBlank).prefix { $0 != 0x0A && $0 != 0x0D }.prefix(4096))
  }
}
