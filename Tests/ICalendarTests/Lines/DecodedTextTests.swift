import Messages
import Testing

@testable import ICalendar

/// A text in Windows-1252.
private let windows: [UInt8] = Array("a,M".utf8) + [0xFC] + Array("ller,".utf8) + [0x80, 0x0A]

private func utf16(_ text: String, isLittle: Bool, marked: Bool) -> [UInt8] {
  ((marked ? "\u{FEFF}" : "") + text).utf16.flatMap { unit -> [UInt8] in
    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
    return isLittle ? [low, high] : [high, low]
  }
}

@Suite struct `Texts that are decoded` {
  @Test func `UTF-8 stays what it is`() {
    for text in ["", "summary,start\n", "\u{FEFF}Zürich,Köln ☕\r\n"] {
      let decoded = DecodedText(Array(text.utf8))
      #expect(decoded.octets == Array(text.utf8) && decoded.remark == nil)
    }
  }

  @Test func `a line that is not UTF-8 is Windows-1252, and another is not`() {
    let decoded = DecodedText(Array("Köln\r\n".utf8) + windows + Array("é".utf8))
    #expect(String(decoding: decoded.octets, as: UTF8.self) == "Köln\r\na,Müller,€\né")
    #expect(decoded.remark?.offset == 7)
    #expect(decoded.remark?.text.english.contains("Windows-1252") == true)
  }

  @Test func `in a line with characters of both what is broken is marked`() {
    let decoded = DecodedText(Array("é".utf8) + [0xFC])
    #expect(String(decoding: decoded.octets, as: UTF8.self) == "é\u{FFFD}")
  }

  @Test(arguments: [true, false], [true, false])
  func `UTF-16 is known by its mark, or by the NUL in it`(isLittle: Bool, isMarked: Bool) {
    let text = utf16("summary\tstart\r\nCafé ☕\t", isLittle: isLittle, marked: isMarked)
    let decoded = DecodedText(text)
    #expect(String(decoding: decoded.octets, as: UTF8.self) == "summary\tstart\r\nCafé ☕\t")
    #expect(decoded.remark?.text.english.contains("UTF-16") == true)
    #expect(DecodedText.beginning(of: text) == decoded.octets)
  }
}
