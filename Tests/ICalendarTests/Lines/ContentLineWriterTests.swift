import Testing

@testable import ICalendar

@Suite struct `Folding` {
  private func folded(_ text: String) -> String {
    var output: [UInt8] = []
    appendFolded(text, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `a line of 75 octets is not folded, one of 76 is`() {
    let text = String(repeating: "x", count: 75)
    #expect(folded(text) == text + "\r\n")
    #expect(folded(text + "y") == text + "\r\n y\r\n")
  }

  // Source: RFC 5545 section 3.1.
  @Test(arguments: 60...80)
  func `no line is longer than 75 octets, and no character is cut`(_ lead: Int) {
    let text = "S:" + String(repeating: "x", count: lead) + String(repeating: "漢😀ä", count: 40)
    let lines = folded(text).utf8.split(separator: 0x0A).map { $0.dropLast() }
    for line in lines {
      #expect(line.count <= 75)
      #expect(String(validating: line, as: UTF8.self) != nil)
    }
    #expect(folded(text).replacing("\r\n ", with: "") == text + "\r\n")
  }

  @Test func `octets that are no UTF-8 are folded all the same`() {
    var output: [UInt8] = []
    appendFolded([UInt8](repeating: 0x80, count: 200)[...], to: &output)
    #expect(output.split(separator: 0x0A).allSatisfy { $0.count <= 76 })
  }

  @Test(arguments: 60...80)
  func `no fold follows an equals sign`(_ lead: Int) {
    let text =
      "S:" + String(repeating: "x", count: lead) + "==" + String(repeating: "=C3", count: 60)
    let lines = folded(text).split(separator: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 && $0.utf8.last != UInt8(ascii: "=") })
    #expect(folded(text).replacing("\r\n ", with: "") == text + "\r\n")
  }

  @Test(arguments: ["=", "= ", "==\t", "x= ="])
  func `a line of equals signs is folded all the same`(_ part: String) {
    let text = "S:" + String(repeating: part, count: 300)
    let lines = folded(text).split(separator: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 })
    #expect(folded(text).replacing("\r\n ", with: "") == text + "\r\n")
  }

  @Test(arguments: 60...90)
  func `a line that is all equals signs up to a character is not cut inside it`(_ count: Int) {
    let text = String(repeating: "=", count: count) + "ÿ漢"
    let folded = folded(text)
    #expect(folded.replacing("\r\n ", with: "") == text + "\r\n")
  }
}
