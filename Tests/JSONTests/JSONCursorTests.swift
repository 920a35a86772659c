import Testing

@testable import JSON

@Suite struct `A JSON cursor` {
  private func cursor(_ text: String, maximumDepth: Int = 64) throws -> JSONCursor {
    try JSONCursor(Array(text.utf8), maximumOctets: 1000, maximumDepth: maximumDepth)
  }

  @Test func `goes through arrays, and takes what it likes as values`() throws {
    var cursor = try cursor(#" [ "a" , [1, 2] , [ ] , [[3], {"b": [4]}] ] "#)
    try cursor.enterArray()
    #expect(try cursor.nextElement())
    #expect(!cursor.isAtArray && cursor.offset == 3)
    #expect(try cursor.value() == "a")
    #expect(try cursor.nextElement())
    #expect(cursor.isAtArray)
    #expect(try cursor.value() == [1, 2])
    #expect(try cursor.nextElement())
    try cursor.enterArray()
    #expect(try !cursor.nextElement())
    #expect(try cursor.nextElement())
    try cursor.enterArray()
    #expect(try cursor.nextElement())
    #expect(try cursor.value() == [3])
    #expect(try cursor.nextElement())
    #expect(try cursor.value() == ["b": [4]])
    #expect(try !cursor.nextElement())
    #expect(try !cursor.nextElement())
    try cursor.end()
  }

  @Test(arguments: [
    ("[1 2]", 3), ("[1,]", 3), ("[1", 2), ("[1] x", 4), ("[tru]", 1), ("{}", 0), ("[,1]", 1),
  ])
  func `a text that is no JSON is refused where it goes wrong`(text: String, offset: Int) throws {
    let error = #expect(throws: JSONError.self) {
      var cursor = try cursor(text)
      try cursor.enterArray()
      while try cursor.nextElement() { _ = try cursor.value() }
      try cursor.end()
    }
    #expect(error?.offset == offset)
  }

  @Test func `what is too long, too deep or no UTF-8 is refused`() throws {
    #expect(throws: JSONError.self) { try JSONCursor([0x22, 0xFF, 0x22], maximumOctets: 10) }
    #expect(throws: JSONError.self) { try JSONCursor([0x31, 0x31], maximumOctets: 1) }
    var deep = try cursor("[[[1]]]", maximumDepth: 2)
    try deep.enterArray()
    _ = try deep.nextElement()
    try deep.enterArray()
    _ = try deep.nextElement()
    #expect(throws: JSONError.self) { try deep.enterArray() }
  }
}
