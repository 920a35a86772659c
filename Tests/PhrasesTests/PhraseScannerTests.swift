import Testing

@testable import Phrases

@Suite struct `The words of a phrase` {
  private func tokens(_ text: String) throws -> [PhraseToken] {
    var scanner = try PhraseScanner(text)
    var found: [PhraseToken] = []
    while !scanner.isAtEnd {
      found.append(scanner.token)
      scanner.advance()
    }
    return found
  }

  @Test func `words, numbers and marks end where another kind begins`() throws {
    #expect(
      try tokens("Fri 9:30pm").map(\.kind) == [
        .word("fri"), .number(9), .mark(UInt8(ascii: ":")), .number(30), .word("pm"),
      ])
  }

  @Test func `a token knows its octets, and whether white space lies before it`() throws {
    let found = try tokens(" é\t12x")
    #expect(found.map(\.start) == [1, 4, 6])
    #expect(found.map(\.end) == [3, 6, 7])
    #expect(found.map(\.isApart) == [true, true, false])
  }

  @Test func `a run of digits ends after nine of them`() throws {
    #expect(try tokens("1234567890").map(\.kind) == [.number(123_456_789), .number(0)])
  }

  @Test func `what lies at the end may be asked for again`() throws {
    var scanner = try PhraseScanner("x")
    scanner.advance()
    scanner.advance()
    #expect(scanner.isAtEnd)
    #expect(scanner.token.start == 1)
  }
}
