import CalendarBus
import ICalendar

/// In which form an import comes.
enum ImportFormat: String, CaseIterable {
  /// iCalendar, or vCalendar 1.0.
  case ics
  /// The same as JSON: RFC 7265.
  case jcal
  /// jCal by another name.
  case json
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

  /// The form that a text seems to have: JSON begins with a bracket, a table with a line
  /// that has the names of columns; iCalendar is all the rest.
  init(sniffing text: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = DecodedText.beginning(of: text)
    let content = text.dropFirst(text.starts(with: mark) ? mark.count : 0)
      .drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    switch content.first {
    case UInt8(ascii: "["), UInt8(ascii: "{"): self = .jcal
    default: self = ImportFormat.isTable(content) ? .csv : .ics
    }
  }

  /// Whether the first line that says something names columns of which there must be two.
  private static func isTable(_ content: ArraySlice<UInt8>) -> Bool {
    TableHead.isOfEvents(
      content.drop(while: TableText.isBlank).prefix { $0 != 0x0A && $0 != 0x0D }.prefix(4096))
  }
}
