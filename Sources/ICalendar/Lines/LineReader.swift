/// Splits text into lines and unfolds them.
///
/// Lines end with CRLF, LF, CR or CR CR LF, even mixed; empty ones are skipped. A line that begins
/// with a space or tab continues the one before, also after empty lines. Lines are joined as
/// octets, so that a fold inside a UTF-8 character does no harm. Quoted-printable text continues
/// after a line that ends with "=".
///
/// Source: RFC 5545 section 3.1; RFC 2045 section 6.7.
struct LineReader {
  /// The flaws that were repaired in a line.
  struct Flaws: OptionSet {
    let rawValue: UInt8
    static let controlCharacter = Flaws(rawValue: 1)
    static let badEncoding = Flaws(rawValue: 2)
    static let tooLong = Flaws(rawValue: 4)
    /// The line names a CHARSET that is unknown or that its octets are not valid in.
    static let unknownCharset = Flaws(rawValue: 8)
  }

  struct Line {
    /// The position in the buffer that it was added to.
    let range: Range<Int>
    /// The line of the text at which it begins, from 1.
    let number: Int
    let flaws: Flaws
    /// The octet of the first control character, from 1; 0 if there is none.
    var control = 0
    /// The octet at which the text stops being UTF-8, from 1; 0 if all of it is.
    ///
    /// Control characters are not counted.
    var encoding = 0
  }

  /// A position to return to.
  struct Place {
    fileprivate let position: Int
    fileprivate let number: Int
  }

  private let text: [UInt8]
  private let maximumOctets: Int
  private let decode: CharacterDecoder?
  private var position: Int
  /// The number of the line at ``position``.
  private(set) var number = 1
  /// The number of the first empty line inside a folded one; nil if there is none.
  var emptyInFold: Int?
  /// The number of the text's line in which the last line ended.
  private(set) var lastNumber = 1
  /// The octets of that line of the text.
  private(set) var lastWidth = 0

  init(
    _ text: [UInt8], from start: Int = 0, maximumOctets: Int, decode: CharacterDecoder? = nil
  ) {
    self.text = text
    self.decode = decode
    self.maximumOctets = maximumOctets
    position = text.start(behindMarkAt: start)
  }

  /// The octets of the text that were read.
  var offset: Int { position }

  var place: Place { Place(position: position, number: number) }

  mutating func goBack(to place: Place) {
    position = place.position
    number = place.number
  }

  /// Adds the next line to `buffer`; nil at the end of the text.
  mutating func next(into buffer: inout [UInt8]) -> Line? {
    skipEmptyLines()
    guard position < text.count else { return nil }
    let first = number
    let start = buffer.count
    var flaws: Flaws = []
    var (control, encoding) = (0, 0)
    var seen: UInt8 = 0
    var mayBreak = false
    // Whether the line is quoted-printable; nil until that is needed.
    var isCoded: Bool?
    repeat {
      let begin = position
      let column = buffer.count - start + 1
      while position < text.count {
        let octet = text[position]
        if octet < 0x20 {
          if octet == 0x0A || octet == 0x0D { break }
          if octet != 0x09, control == 0 { control = column + position - begin }
        }
        seen |= octet
        position += 1
      }
      if buffer.count - start + (position - begin) > maximumOctets {
        flaws.insert(.tooLong)
        // The beginning is kept so that its name can be reported.
        if buffer.count == start {
          buffer.append(contentsOf: text[begin..<position].prefix(min(40, maximumOctets)))
        }
      } else {
        buffer.append(contentsOf: text[begin..<position])
      }
      // Blanks at the end of a quoted-printable line were added in transport.
      var last = position
      while last > begin, text[last - 1] == 0x20 || text[last - 1] == 0x09 { last -= 1 }
      mayBreak = last > begin && text[last - 1] == UInt8(ascii: "=")
      lastNumber = number
      lastWidth = position - begin
      skipLineEnd()
    } while mayBreak && skipSoftBreak(&buffer, from: start, &isCoded)
      || skipFold(of: buffer[start...])
    if control > 0, decodeShifts(&buffer, from: start, decode, &flaws) {
      (control, encoding) = (0, control)
    } else if control > 0 {
      // An escape to a character set that is not known.
      if flaws.contains(.unknownCharset) { encoding = control }
      flaws.insert(.controlCharacter)
      dropControls(&buffer, from: start)
    }
    if seen >= 0x80 {
      flaws.formUnion(mendEncoding(&buffer, from: start, decode, firstBroken: &encoding))
    }
    // Conversion to UTF-8 makes text longer, and stored text must be readable within the same
    // limit.
    if buffer.count - start > maximumOctets { flaws.insert(.tooLong) }
    return Line(
      range: start..<buffer.count, number: first, flaws: flaws, control: control,
      encoding: encoding)
  }

  private mutating func skipEmptyLines() {
    while position < text.count, text[position] == 0x0A || text[position] == 0x0D { skipLineEnd() }
  }

  private mutating func skipLineEnd() {
    guard position < text.count else { return }
    position = text.lineStart(behindLineEndAt: position)
    number += 1
  }

  /// Removes the "=" of a soft line break in quoted-printable text; false if the line is complete.
  ///
  /// If a component of vCalendar 1.0 begins or ends in the next line, the "=" is part of the text.
  /// All their names begin with V.
  private func skipSoftBreak(
    _ buffer: inout [UInt8], from start: Int, _ isCoded: inout Bool?
  ) -> Bool {
    guard position < text.count else { return false }
    let coded = isCoded ?? isQuotedPrintable(buffer[start...])
    isCoded = coded
    guard coded else { return false }
    let rest = text[position...].prefix(7).map(\.upperCased)
    if rest.starts(with: "END:V".utf8) || rest.starts(with: "BEGIN:V".utf8) { return false }
    // Beyond the limit nothing was added.
    while buffer.count > start, buffer.last == 0x20 || buffer.last == 0x09 { buffer.removeLast() }
    if buffer.last == UInt8(ascii: "=") { buffer.removeLast() }
    return true
  }

  /// Skips the space of a continuation line and empty lines before it; false if there is none.
  ///
  /// Texts with doubled line breaks have empty lines inside folds. A BEGIN or END is never folded,
  /// so an empty line ends it.
  private mutating func skipFold(of line: ArraySlice<UInt8>) -> Bool {
    let first = number
    skipEmptyLines()
    guard position < text.count, text[position] == 0x20 || text[position] == 0x09,
      number == first || !isDelimiter(line)
    else { return false }
    position += 1
    if number > first, emptyInFold == nil { emptyInFold = first }
    return true
  }
}

/// Whether a line is a BEGIN or END.
private func isDelimiter(_ line: ArraySlice<UInt8>) -> Bool {
  let name = line.prefix(6).map(\.upperCased)
  return name.starts(with: "BEGIN:".utf8) || name.starts(with: "END:".utf8)
}

/// Whether a parameter of a line says that its value is quoted-printable.
private func isQuotedPrintable(_ line: ArraySlice<UInt8>) -> Bool {
  // The parameters of such lines are short, so a long value is not searched.
  var component = Component()
  component.octets = Array(line.prefix(1024))
  return ContentLine(component.octets, 0..<component.octets.count, number: 1)
    .map(component.isQuotedPrintable) ?? false
}

private func dropControls(_ buffer: inout [UInt8], from start: Int) {
  let kept = buffer[start...].filter { $0 >= 0x20 || $0 == 0x09 }
  buffer.replaceSubrange(start..., with: kept)
}

/// Decodes a value with control characters that switch the set, as in ISO-2022-JP.
///
/// - Returns: false if the line names no such CHARSET or is not valid in it.
///
/// Source: RFC 1468; RFC 1557.
private func decodeShifts(
  _ buffer: inout [UInt8], from start: Int, _ decode: CharacterDecoder?,
  _ flaws: inout LineReader.Flaws
) -> Bool {
  guard let (charset, value) = charset(of: Array(buffer[start...].prefix(1024))),
    charset.uppercased().hasPrefix("ISO-2022-")
  else { return false }
  guard let text = CharacterSet.text(Array(buffer[(start + value)...]), in: charset, decode) else {
    flaws.insert(.unknownCharset)
    return false
  }
  flaws.insert(.badEncoding)
  buffer.replaceSubrange((start + value)..., with: text.utf8.filter { $0 >= 0x20 || $0 == 0x09 })
  return true
}

/// Makes a line valid UTF-8 and returns the flaws that it had.
///
/// A line with a CHARSET is decoded by it, others by ``mended(_:)``.
///
/// - Parameter firstBroken: Becomes the octet of the line at which UTF-8 ends, from 1.
private func mendEncoding(
  _ buffer: inout [UInt8], from start: Int, _ decode: CharacterDecoder?, firstBroken: inout Int
) -> LineReader.Flaws {
  if String(validating: buffer[start...], as: UTF8.self) != nil { return [] }
  firstBroken = 1
  var (octets, parser) = (buffer[start...].makeIterator(), Unicode.UTF8.ForwardParser())
  while case .valid(let character) = parser.parseScalar(from: &octets) {
    firstBroken += character.count
  }
  var flaws: LineReader.Flaws = .badEncoding
  if let (charset, value) = charset(of: Array(buffer[start...].prefix(1024))) {
    let value = start + value
    if let text = CharacterSet.text(Array(buffer[value...]), in: charset, decode) {
      let head = CharacterSet.latin(buffer[start..<value])
      buffer.replaceSubrange(start..., with: Array(head.utf8) + Array(text.utf8))
      return flaws
    }
    flaws.insert(.unknownCharset)
  }
  let text = mended(buffer[start...])
  buffer.replaceSubrange(start..., with: Array(text.utf8))
  return flaws
}

/// Decodes a line that is not valid UTF-8.
///
/// If it contains any non-ASCII character of UTF-8, broken octets become U+FFFD. Otherwise it is
/// read as Windows-1252.
func mended(_ line: ArraySlice<UInt8>) -> String {
  let repaired = String(decoding: line, as: UTF8.self)
  let hasOwn = repaired.unicodeScalars.contains { !$0.isASCII && $0 != "\u{FFFD}" }
  return hasOwn ? repaired : CharacterSet.latin(line)
}

/// The CHARSET of a line, and where its value begins.
private func charset(of line: [UInt8]) -> (name: String, value: Int)? {
  var component = Component()
  component.octets = line
  guard let content = ContentLine(line, 0..<line.count, number: 1),
    let range = component.parameter("CHARSET", of: content)
  else { return nil }
  return (component.string(range), content.valueStart)
}

/// Returns the text in UTF-8 if it is UTF-16; nil for any other text.
///
/// UTF-16 begins with a byte order mark, or has a NUL among its first two octets.
func utf8(fromUTF16 text: [UInt8]) -> [UInt8]? {
  guard text.count >= 2 else { return nil }
  let (isLittle, start): (Bool, Int)
  switch (text[0], text[1]) {
  case (0xFF, 0xFE): (isLittle, start) = (true, 2)
  case (0xFE, 0xFF): (isLittle, start) = (false, 2)
  // Without a mark: a NUL in every other octet, and not by accident.
  case (1..., 0) where text.count < 4 || text[2] != 0 && text[3] == 0:
    (isLittle, start) = (true, 0)
  case (0, 1...) where text.count < 4 || text[2] == 0 && text[3] != 0:
    (isLittle, start) = (false, 0)
  default: return nil
  }
  let units = stride(from: start, to: text.count - 1, by: 2).lazy.map { index in
    let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
    return isLittle ? second << 8 | first : first << 8 | second
  }
  // Character by character, to save the memory of further copies.
  var octets: [UInt8] = []
  octets.reserveCapacity(text.count / 2 + text.count / 16)
  _ = transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false) {
    octets.append($0)
  }
  return octets
}
