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

  // MARK: What is passed by

  /// Passes by a text that is one value, so many octets at a time.
  private func pass(_ text: String, _ octets: Int) throws {
    var cursor = try cursor(text)
    while try !cursor.skipValue(octets: octets) {}
    try cursor.end()
  }

  @Test(arguments: [
    "1", "-0.5e+7", "true", "null", "\"\"", #""a\n\u00e9\ud83d\ude00 [\"""#, "[]", "{}", "[ ]",
    "{ }",
    #"[1, [2, {"a" : [], "b":{"c":false}}], "]"]"#, #" {"a":1 , "b" : "}" } "#,
  ])
  func `a value is passed by, in pieces of any length`(text: String) throws {
    for octets in [1, 2, 3, 7, 100] { try pass(text, octets) }
  }

  @Test(arguments: [
    ("[1 2]", 3), ("[1,]", 3), ("[1", 2), ("tru", 0), ("[1]]", 3), ("{\"a\" 1}", 5), ("{1:2}", 1),
    ("{\"a\":1,}", 7), ("\"a", 2), ("\"\\x\"", 2), ("\"\u{1}\"", 1), ("-", 1), ("1.", 2),
    ("[1}", 2),
    (String(repeating: "[", count: 65), 64), ("[\"\\ud800\"]", 2),
    (String(repeating: "1", count: 1025), 0), ("", 0),
  ])
  func `what is no JSON is refused there, too`(text: String, offset: Int) throws {
    for octets in [1, 7, 2000] {
      let error = #expect(throws: JSONError.self) {
        var cursor = try JSONCursor(Array(text.utf8), maximumOctets: 2000)
        while try !cursor.skipValue(octets: octets) {}
        try cursor.end()
      }
      #expect(error?.offset == offset, "\(text.prefix(20))")
    }
  }

  @Test func `a long value is passed by in many pieces`() throws {
    let text = "[" + Array(repeating: "1", count: 400).joined(separator: ",") + "]"
    for text in [text, "\"" + text + "\""] {
      var cursor = try cursor(text)
      var pieces = 1
      while try !cursor.skipValue(octets: 10) { pieces += 1 }
      #expect(pieces > 50)
      #expect(cursor.offset == text.utf8.count)
    }
  }

  @Test func `a value that is too large is left where it is`() throws {
    let text = #"[[1,2,3], 123456, "123456", 7]"#
    var cursor = try cursor(text)
    try cursor.enterArray()
    func next(_ octets: Int, _ values: Int = 10) throws -> JSONValue? {
      try cursor.value(maximumOctets: octets, maximumValues: values)
    }
    _ = try cursor.nextElement()
    #expect(try next(6) == nil && cursor.offset == 1)
    #expect(try next(8, 3) == nil && cursor.offset == 1)
    #expect(try next(8, 4) == [1, 2, 3])
    _ = try cursor.nextElement()
    // A part of the number would be one, too.
    #expect(try next(5) == nil)
    #expect(try next(7) == 123456)
    _ = try cursor.nextElement()
    #expect(try next(7) == nil)
    #expect(try cursor.skipValue(octets: 100))
    _ = try cursor.nextElement()
    #expect(try next(100) == 7)
    #expect(try !cursor.nextElement())
    try cursor.end()
  }

  @Test func `a fault within the limits is told`() throws {
    var cursor = try cursor("[tru,1]")
    let error = #expect(throws: JSONError.self) {
      _ = try cursor.value(maximumOctets: 5, maximumValues: 10)
    }
    #expect(error?.offset == 1)
  }
}
