import CalendarModel
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `Character sets` {
  /// An event with one more line, given in octets.
  private func octets(_ head: String, _ value: [UInt8]) -> [UInt8] {
    Array(
      "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nUID:a\nDTSTART:20240105T100000\n\(head):".utf8)
      + value + Array("\nEND:VEVENT\nEND:VCALENDAR\n".utf8)
  }

  private func reading(_ text: [UInt8]) throws -> (event: Event, words: [String]) {
    // A decoder of one set, in which each octet is the letter of Cyrillic that Windows-1251 has.
    let reading = try readCalendar(
      text, calendar: CalendarID("tests"), zones: FixedZones.shared,
      decode: { octets, name in
        // Two characters of one that is written in ASCII, with escapes.
        if name == "iso-2022-jp" {
          return octets == Array("\u{1B}$BF|K\\\u{1B}(B\\, 1".utf8) ? "日本\\, 1" : nil
        }
        guard name == "windows-1251" else { return nil }
        var text = ""
        for octet in octets {
          text.unicodeScalars.append(
            octet < 0xC0
              ? UnicodeScalar(octet) : UnicodeScalar(0x410 + UInt32(octet) - 0xC0) ?? "?")
        }
        return text
      })
    let event = try #require(reading.series.first?.master)
    return (event, reading.problems.map(\.word).filter { $0 != "vcalendar-1.0" })
  }

  @Test func `text that says nothing is Windows-1252`() throws {
    let (event, words) = try reading(octets("SUMMARY", [0x80, 0x20, 0x93, 0xE4, 0x94, 0x20, 0x81]))
    #expect(event.summary == "€ “ä” \u{81}")
    #expect(words == ["bad-encoding"])
  }

  @Test(
    arguments: [
      ("ISO-8859-1", [0xE4, 0x80], "ä€"), ("iso-8859-15", [0xA4, 0xE4, 0xBC], "€äŒ"),
      ("Windows-1252", [0x85], "…"), ("windows-1251", [0xCF, 0xF0], "Пр"),
    ] as [(String, [UInt8], String)])
  func `a line is read by its CHARSET, which is not kept`(
    _ name: String, _ value: [UInt8], _ expected: String
  ) throws {
    let raw = try reading(octets("SUMMARY;CHARSET=\(name);X-A=1", value))
    #expect(raw.event.summary == expected)
    #expect(raw.words == ["bad-encoding"])
    #expect(raw.event.component.contains("\r\nSUMMARY;X-A=1:\(expected)\r\n"))
    let hexadecimal = value.map { "=" + String($0, radix: 16, uppercase: true) }.joined()
    let coded = try reading(
      octets("SUMMARY;CHARSET=\(name);ENCODING=QUOTED-PRINTABLE", Array(hexadecimal.utf8)))
    #expect(coded.event.summary == expected)
    #expect(coded.words == ["bad-encoding"])
    #expect(coded.event.component.contains("\r\nSUMMARY:\(expected)\r\n"))
  }

  // Source: RFC 1468.
  @Test func `a CHARSET that shifts between sets is read, and where it is not that it is told`()
    throws
  {
    let value = Array("\u{1B}$BF|K\\\u{1B}(B\\, 1".utf8)
    let (event, words) = try reading(octets("SUMMARY;CHARSET=iso-2022-jp", value))
    #expect(event.summary == "日本, 1")
    #expect(event.component.contains("\r\nSUMMARY:日本\\, 1\r\n"))
    #expect(words == ["bad-encoding"])
    let broken = try reading(octets("SUMMARY;CHARSET=iso-2022-jp", value + [0x41]))
    #expect(broken.words == ["control-character", "unknown-charset"])
    let unnamed = try reading(octets("SUMMARY", value))
    #expect(unnamed.words == ["control-character"])
  }

  @Test func `a CHARSET that is UTF-8 says nothing, and goes without a word`() throws {
    let (event, words) = try reading(octets("SUMMARY;CHARSET=UTF-8", Array("日本".utf8)))
    #expect(event.component.contains("\r\nSUMMARY:日本\r\n") && words.isEmpty)
    let coded = try reading(
      octets("SUMMARY;CHARSET=utf-8;ENCODING=QUOTED-PRINTABLE", Array("T=C3=A9".utf8)))
    #expect(coded.event.summary == "Té" && coded.words.isEmpty)
  }

  @Test func `a CHARSET that nobody knows is told`() throws {
    let raw = try reading(octets("SUMMARY;CHARSET=X-KLINGON", [0xE4]))
    #expect(raw.words == ["bad-encoding", "unknown-charset"])
    let coded = try reading(
      octets("SUMMARY;CHARSET=X-KLINGON;ENCODING=QUOTED-PRINTABLE", Array("=E4".utf8)))
    #expect(coded.words == ["unknown-charset"])
    #expect(coded.event.summary == "ä")
  }

  // Source: RFC 2045 section 6.7, rule 3.
  @Test func `blanks at the end of quoted-printable text are padding, unless they are coded`()
    throws
  {
    let (event, _) = try reading(
      octets("SUMMARY;ENCODING=QUOTED-PRINTABLE", Array("a=  \nb=20 \t".utf8)))
    #expect(event.summary == "ab ")
  }

  @Test func `a URL that is quoted-printable is decoded`() throws {
    let (event, _) = try reading(
      octets("URL;ENCODING=QUOTED-PRINTABLE", Array("https://a.example/?x=3D1".utf8)))
    #expect(event.url == "https://a.example/?x=1")
  }
}
