/// Cuts text into lines and unfolds them.
///
/// Lines end with CRLF, LF or CR, mixed as they come, or with CR CR LF; empty ones
/// are skipped. A line that begins with a blank or a tab goes on with the one
/// before, also with empty ones between them, and is joined as octets, so that a
/// fold inside a character of UTF-8 does no harm.
/// Quoted-printable text goes on after a line that ends with "=".
///
/// Source: RFC 5545 section 3.1; RFC 2045 section 6.7.
struct LineReader {
  /// What had to be mended in a line.
  struct Flaws: OptionSet {
    let rawValue: UInt8
    static let controlCharacter = Flaws(rawValue: 1)
    static let badEncoding = Flaws(rawValue: 2)
    static let tooLong = Flaws(rawValue: 4)
    /// It names a CHARSET that nobody here knows, or that its octets are not in.
    static let unknownCharset = Flaws(rawValue: 8)
  }

  struct Line {
    /// Where it stands in the buffer that it was added to.
    let range: Range<Int>
    /// The line of the text, from 1, in which it begins.
    let number: Int
    let flaws: Flaws
    /// The octet of the unfolded line, from 1, at which the first control character stood; 0
    /// where there is none.
    var control = 0
    /// The octet of the line as it is without those, at which its text is not in UTF-8 any more;
    /// 0 where all of it is.
    var encoding = 0
  }

  /// A place to come back to.
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
  /// The number of the first empty line that stood within a folded one; nil where none did.
  var emptyInFold: Int?
  /// The number of the line of the text in which the line ends that was read last.
  private(set) var lastNumber = 1
  /// How many octets of the text the line has in which that one ends.
  private(set) var lastWidth = 0

  init(
    _ text: [UInt8], from start: Int = 0, maximumOctets: Int, decode: CharacterDecoder? = nil
  ) {
    self.text = text
    self.decode = decode
    self.maximumOctets = maximumOctets
    position = text.start(behindMarkAt: start)
  }

  /// How many octets of the text are read.
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
    // Whether the text is quoted-printable, once that was asked.
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
        // Its name is to be told.
        if buffer.count == start {
          buffer.append(contentsOf: text[begin..<position].prefix(min(40, maximumOctets)))
        }
      } else {
        buffer.append(contentsOf: text[begin..<position])
      }
      // Blanks at the end of a line of quoted-printable text were added on its way.
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
      // There it would go to another set.
      if flaws.contains(.unknownCharset) { encoding = control }
      flaws.insert(.controlCharacter)
      dropControls(&buffer, from: start)
    }
    if seen >= 0x80 {
      flaws.formUnion(mendEncoding(&buffer, from: start, decode, firstBroken: &encoding))
    }
    // ISO 8859-1 grows: what is kept must be read again within the same limit.
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

  /// Takes away the "=" with which a line of quoted-printable text is broken;
  /// false where the line is at its end. A component that ends or begins there (all that
  /// lie in a file of vCalendar 1.0 begin with a V) says that the "=" was meant as one.
  private func skipSoftBreak(
    _ buffer: inout [UInt8], from start: Int, _ isCoded: inout Bool?
  ) -> Bool {
    guard position < text.count else { return false }
    let coded = isCoded ?? isQuotedPrintable(buffer[start...])
    isCoded = coded
    guard coded else { return false }
    let rest = text[position...].prefix(7).map(\.upperCased)
    if rest.starts(with: "END:V".utf8) || rest.starts(with: "BEGIN:V".utf8) { return false }
    // Past the limit nothing was added.
    while buffer.count > start, buffer.last == 0x20 || buffer.last == 0x09 { buffer.removeLast() }
    if buffer.last == UInt8(ascii: "=") { buffer.removeLast() }
    return true
  }

  /// Passes the blank of a continuation, with the empty lines before it that a text has whose line ends are doubled;
  /// false where the line is at its end. A BEGIN or END, which nobody folds, is there before an empty line.
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

/// Whether a line begins or ends a component.
private func isDelimiter(_ line: ArraySlice<UInt8>) -> Bool {
  let name = line.prefix(6).map(\.upperCased)
  return name.starts(with: "BEGIN:".utf8) || name.starts(with: "END:".utf8)
}

/// Whether a parameter of a line says that its value is quoted-printable.
private func isQuotedPrintable(_ line: ArraySlice<UInt8>) -> Bool {
  // Parameters of such lines are short; a value of a megabyte is not looked through.
  var component = Component()
  component.octets = Array(line.prefix(1024))
  return ContentLine(component.octets, 0..<component.octets.count, number: 1)
    .map(component.isQuotedPrintable) ?? false
}

private func dropControls(_ buffer: inout [UInt8], from start: Int) {
  let kept = buffer[start...].filter { $0 >= 0x20 || $0 == 0x09 }
  buffer.replaceSubrange(start..., with: kept)
}

/// Reads the value of a line by a CHARSET whose octets are all ASCII, and which goes from one set to another
/// by control characters, as ISO-2022-JP does; false where the line names none, or is not in it.
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

/// Makes a line valid UTF-8; returns the flaws that it had.
///
/// A line that names its CHARSET is read by it. Of others one in which no octet past ASCII belongs
/// to a character of UTF-8 is taken for Windows-1252; in the rest U+FFFD stands for what is broken.
///
/// - Parameter firstBroken: becomes the octet of the line, from 1, at which UTF-8 ends.
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

/// A line that is not UTF-8 as text: Windows-1252 where no octet past ASCII belongs to a character of
/// UTF-8, else with U+FFFD for what is broken.
func mended(_ line: ArraySlice<UInt8>) -> String {
  let repaired = String(decoding: line, as: UTF8.self)
  let hasOwn = repaired.unicodeScalars.contains { !$0.isASCII && $0 != "\u{FFFD}" }
  return hasOwn ? repaired : CharacterSet.latin(line)
}

/// The CHARSET that a line names, and where its value begins.
private func charset(of line: [UInt8]) -> (name: String, value: Int)? {
  var component = Component()
  component.octets = line
  guard let content = ContentLine(line, 0..<line.count, number: 1),
    let range = component.parameter("CHARSET", of: content)
  else { return nil }
  return (component.string(range), content.valueStart)
}

/// Returns the text in UTF-8 where it is UTF-16: by its byte order mark, or because one of its
/// first two octets is none, which no other text begins with; nil for any other text.
func utf8(fromUTF16 text: [UInt8]) -> [UInt8]? {
  guard text.count >= 2 else { return nil }
  let (isLittle, start): (Bool, Int)
  switch (text[0], text[1]) {
  case (0xFF, 0xFE): (isLittle, start) = (true, 2)
  case (0xFE, 0xFF): (isLittle, start) = (false, 2)
  // Without a mark: NUL in every other octet, and not one that stands there by accident.
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
  // Character by character: a long text is not to be in memory in a third and a fourth form.
  var octets: [UInt8] = []
  octets.reserveCapacity(text.count / 2 + text.count / 16)
  _ = transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false) {
    octets.append($0)
  }
  return octets
}
