import Testing

@testable import ICalendar

@Suite struct `Lines` {
  private func lines(_ text: [UInt8], limit: Int = 1000) -> [(text: String, line: LineReader.Line)]
  {
    var reader = LineReader(text, maximumOctets: limit)
    var found: [(String, LineReader.Line)] = []
    var buffer: [UInt8] = []
    while let line = reader.next(into: &buffer) {
      found.append((String(decoding: buffer[line.range], as: UTF8.self), line))
    }
    return found
  }

  @Test(arguments: [
    "a:1\r\nb:2\r\n", "a:1\nb:2\n", "a:1\rb:2\r", "a:1\n\n\r\nb:2", "\na:1\r\r\nb:2",
    "a:1\r\r\nb:2\r\r\n",
  ])
  func `every kind of line end ends a line`(_ text: String) {
    #expect(lines(Array(text.utf8)).map(\.text) == ["a:1", "b:2"])
  }

  @Test func `folds are joined before characters are read`() {
    let text = Array("a:".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xA4] + Array("\r\n\tx\r\n \r\n y".utf8)
    #expect(lines(text).map(\.text) == ["a:äxy"])
  }

  @Test func `a line is numbered where it begins`() {
    #expect(lines(Array("a:1\r\n 2\r\n 3\r\n\r\nb:1".utf8)).map(\.line.number) == [1, 5])
  }

  @Test(arguments: [
    ("a:1\r\r\n 2\r\r\nb:1", [1, 3]), ("a:1\n\n 2\n\nb:1", [1, 5]),
    ("a:1\r\n\r\n\r\n\t2\r\n\r\nb:1", [1, 6]), ("a:12\r\r\r\nb:1", [1, 3]),
  ])
  func `where line ends are doubled a fold goes on behind them, and numbers stay true`(
    text: String, numbers: [Int]
  ) {
    let found = lines(Array(text.utf8))
    #expect(found.map(\.text) == ["a:12", "b:1"])
    #expect(found.map(\.line.number) == numbers)
  }

  @Test func `a BEGIN or END does not go on behind an empty line`() {
    for line in ["END:VCALENDAR", "Begin:vEvent"] {
      #expect(
        lines(Array("\(line)\n\n see below\nb:1".utf8)).map(\.text) == [line, " see below", "b:1"])
    }
  }

  @Test func `quoted-printable text goes on behind CR CR LF, and ends at an empty line`() {
    let name = "a;ENCODING=QUOTED-PRINTABLE"
    #expect(lines(Array("\(name):1=\r\r\n2\r\r\nb:1".utf8)).map(\.text) == ["\(name):12", "b:1"])
    #expect(lines(Array("\(name):1=\n\nb:1".utf8)).map(\.text) == ["\(name):1", "b:1"])
  }

  @Test func `control characters are left out and told, tabs are not`() {
    let found = lines(Array("a:1\u{0}\u{7}\t2\nb:3\n".utf8))
    #expect(found.map(\.text) == ["a:1\t2", "b:3"])
    #expect(found.map(\.line.flaws) == [.controlCharacter, []])
  }

  @Test func `a line without UTF-8 is read as ISO 8859-1`() {
    let found = lines(Array("a:Stra".utf8) + [0xDF] + Array("e\n".utf8))
    #expect(found.map(\.text) == ["a:Straße"])
    #expect(found[0].line.flaws == .badEncoding)
  }

  @Test func `broken octets among good characters are replaced`() {
    let found = lines(Array("a:ß".utf8) + [0xE6, 0xBC] + Array("x".utf8))
    #expect(found.map(\.text) == ["a:ß\u{FFFD}x"])
  }

  @Test func `a line past the limit is cut and told, the next is whole`() {
    let found = lines(Array(("a:" + String(repeating: "x", count: 30) + "\nb:1").utf8), limit: 20)
    #expect(found.map(\.line.flaws) == [.tooLong, []])
    #expect(found[1].text == "b:1")
    #expect(found[0].text.utf8.count <= 20)
  }

  @Test func `UTF-16 is read by its mark, in both orders`() {
    var (little, big): ([UInt8], [UInt8]) = ([0xFF, 0xFE], [0xFE, 0xFF])
    for unit in "BEGIN:ä".utf16 {
      little += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      big += [UInt8(unit >> 8), UInt8(unit & 0xFF)]
    }
    #expect(utf8(fromUTF16: little) == Array("BEGIN:ä".utf8))
    #expect(utf8(fromUTF16: big) == Array("BEGIN:ä".utf8))
    #expect(utf8(fromUTF16: Array("BEGIN".utf8)) == nil)
    // Without its mark.
    #expect(utf8(fromUTF16: Array(little.dropFirst(2))) == Array("BEGIN:ä".utf8))
    #expect(utf8(fromUTF16: Array(big.dropFirst(2))) == Array("BEGIN:ä".utf8))
    #expect(utf8(fromUTF16: [0, 0, 1]) == nil)
    #expect(utf8(fromUTF16: Array("\0\r\nBEGIN".utf8)) == nil)
    #expect(utf8(fromUTF16: Array("B\0EGIN".utf8)) == nil)
  }

  @Test func `a line of ISO 8859-1 that is too long in UTF-8 is too long`() {
    let found = lines(Array("a:".utf8) + [UInt8](repeating: 0xE4, count: 90), limit: 100)
    #expect(found.map(\.line.flaws) == [[.badEncoding, .tooLong]])
  }

  // An "=" in quotes was once enough for what follows to be joined.
  @Test func `an equals sign at the end joins lines of quoted-printable text alone`() {
    let coded = "S;ENCODING=QUOTED-PRINTABLE:a=\nb:1"
    #expect(lines(Array(coded.utf8)).map(\.text) == ["S;ENCODING=QUOTED-PRINTABLE:ab:1"])
    // Source: RFC 2045 section 6.7, rule 3: blanks at the end of a line are no part of the text.
    let padded = "S;ENCODING=QUOTED-PRINTABLE:a= \t \nb:1"
    #expect(lines(Array(padded.utf8)).map(\.text) == ["S;ENCODING=QUOTED-PRINTABLE:ab:1"])
    for head in ["S;X=\"QUOTED-PRINTABLE\"", "S;X=AQUOTED-PRINTABLE", "S", "S;ENCODING=BASE64"] {
      #expect(lines(Array("\(head):a=\nb:1".utf8)).map(\.text) == ["\(head):a=", "b:1"])
    }
  }
}
