package import Messages

/// A text converted to UTF-8, for formats other than iCalendar (see ``LineReader`` for that).
///
/// UTF-16 is detected by its byte order mark or by NULs in every other octet at the beginning. In
/// other text, each line that is not UTF-8 is read as Windows-1252.
package struct DecodedText {
  package let octets: [UInt8]
  /// What was converted, with the position in ``octets``; nil if the text was UTF-8.
  package private(set) var remark: (text: UserText, offset: Int)?

  /// The word of that problem, the same as for iCalendar.
  package static let remarkWord = "bad-encoding"

  package init(_ text: [UInt8]) {
    if let converted = utf8(fromUTF16: text) {
      octets = converted
      remark = (UserText("the text is UTF-16, and is read as such"), 0)
      return
    }
    guard text.contains(where: { $0 >= 0x80 }), String(validating: text, as: UTF8.self) == nil
    else {
      octets = text
      return
    }
    var mendedText: [UInt8] = []
    mendedText.reserveCapacity(text.count + text.count / 8)
    var place = 0
    while place < text.count {
      // The line with its line break.
      let line = text[place..<(text[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count)]
      place = line.endIndex
      guard line.contains(where: { $0 >= 0x80 }), String(validating: line, as: UTF8.self) == nil
      else {
        mendedText.append(contentsOf: line)
        continue
      }
      if remark == nil {
        remark = (
          UserText("some of it is not UTF-8; it is read as Windows-1252"), mendedText.count
        )
      }
      mendedText.append(contentsOf: mended(line).utf8)
    }
    octets = mendedText
  }

  /// Returns the beginning of a text in UTF-8: enough to recognize its format.
  package static func beginning(of text: [UInt8]) -> [UInt8] {
    let beginning = Array(text.prefix(8192))
    return utf8(fromUTF16: beginning) ?? beginning
  }
}
