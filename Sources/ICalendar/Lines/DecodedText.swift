package import Messages

/// A text put into UTF-8, whatever programs have written it in: what iCalendar has line by line
/// (see ``LineReader``) for a text that is no iCalendar.
///
/// UTF-16 is known by its byte order mark, or by the NUL in every other octet where it begins. Of
/// any other text a line that is not UTF-8 is taken for Windows-1252.
package struct DecodedText {
  package let octets: [UInt8]
  /// What was mended, in a sentence, with its place in ``octets``; nil for a text that was UTF-8.
  package private(set) var remark: (text: UserText, offset: Int)?

  /// The word of that problem, as of iCalendar.
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
      // With its end.
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

  /// The first octets of a text in UTF-8: enough to see what it is.
  package static func beginning(of text: [UInt8]) -> [UInt8] {
    let beginning = Array(text.prefix(8192))
    return utf8(fromUTF16: beginning) ?? beginning
  }
}
