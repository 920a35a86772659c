import JSON
import Testing

@Suite struct `JSON reader` {
  private func read(_ text: String, depth: Int = 64) throws(JSONError) -> JSONValue {
    try JSONReader.value(of: text, maximumOctets: 1 << 20, maximumDepth: depth)
  }

  private func fault(of text: String, depth: Int = 64) -> JSONError? {
    do {
      _ = try read(text, depth: depth)
      return nil
    } catch {
      return error
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let value: JSONValue
    var testDescription: String { text }
    init(_ text: String, _ value: JSONValue) {
      self.text = text
      self.value = value
    }
  }

  @Test(arguments: [
    Case("null", .null),
    Case(" \t\r\n true \n", true),
    Case("false", false),
    Case("0", 0),
    Case("-0", .number(-0.0)),
    Case("-12", -12),
    Case("9223372036854775807", .integer(.max)),
    Case("-9223372036854775808", .integer(.min)),
    Case("9223372036854775808", .number(9_223_372_036_854_775_808)),
    Case("1.0", 1.0),
    Case("1e2", 100.0),
    Case("25E-1", 2.5),
    Case("0e+1", 0.0),
    Case("\"\"", ""),
    Case(#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"),
    Case(#""\u0041\u00e9\u20AC""#, "Aé€"),
    Case(#""x\ud83d\uDE00y""#, "x😀y"),
    Case("\"zo\u{eb} \u{7f}😀\"", "zo\u{eb} \u{7f}😀"),
    Case("[]", []),
    Case("[ 1 , [ 2 ] ]", [1, [2]]),
    Case("{}", [:]),
    Case(#"{"b":1,"a":{"c":null}}"#, ["b": 1, "a": ["c": nil]]),
  ])
  func `a text of RFC 8259 gives its value`(_ one: Case) throws {
    #expect(try read(one.text) == one.value)
  }

  @Test(arguments: [
    "", " ", "nul", "nullx", "True", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN",
    "Infinity", "[", "[1", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
    "{a:1}", "{'a':1}", "{\"a\":1 \"b\":2}", "\"", "\"a", "'a'", "\"\t\"", "\"\\x\"", "\"\\",
    "\"\\u12",
    "\"\\u12g4\"", "1 2", "// x\n1", "\u{feff}1", "1\u{a0}", "1e999",
    #""\ud800""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#, #""\udc00""#,
    #""\ud800\ud800""#,
  ])
  func `a text that is not JSON is refused`(_ text: String) {
    #expect(fault(of: text) != nil)
  }

  @Test func `an error names octet, line, column, what was found and what was expected`() throws {
    let error = try #require(fault(of: "{\n  \"é\": ,\n}"))
    #expect(error.offset == 10)
    #expect(error.line == 2)
    #expect(error.column == 8)
    #expect(error.fault == .unexpected(found: "\",\"", expected: "a value"))
    #expect(error.description == "line 2, column 8 (byte 10): expected a value, found \",\"")
  }

  @Test func `a text that ends early says so`() {
    #expect(
      fault(of: "[1")?.fault
        == .unexpected(found: "the end of the text", expected: "\",\" or \"]\""))
  }

  @Test func `a byte order mark is named as what was found`() {
    #expect(
      fault(of: "\u{feff}1")?.fault
        == .unexpected(found: "the character U+FEFF", expected: "a value"))
  }

  @Test func `a name that comes twice is refused where it comes again`() {
    let error = fault(of: #"{"a":1,"\u0061":2}"#)
    #expect(error?.fault == .repeatedName("a"))
    #expect(error?.offset == 7)
  }

  @Test func `a name that comes twice among hundreds is refused`() {
    let members = (0..<300).map { "\"name\($0)\":\($0)" }
    #expect(fault(of: "{\(members.joined(separator: ","))}") == nil)
    let repeated = members + ["\"name17\":0"]
    #expect(fault(of: "{\(repeated.joined(separator: ","))}")?.fault == .repeatedName("name17"))
  }

  @Test func `nesting is allowed to the given depth and not beyond`() {
    #expect(fault(of: "[[[1]]]", depth: 3) == nil)
    #expect(fault(of: "[[1],[[2]]]", depth: 3) == nil)
    #expect(fault(of: "[[{\"a\":[]}]]", depth: 3)?.fault == .tooDeep(maximumDepth: 3))
    let bomb = String(repeating: "[", count: 100_000)
    #expect(fault(of: bomb)?.fault == .tooDeep(maximumDepth: 64))
  }

  @Test func `a text over the given size is refused unread`() {
    #expect(throws: JSONError.self) { try JSONReader.value(of: "[1,2]", maximumOctets: 4) }
    #expect(throws: Never.self) { try JSONReader.value(of: "[1,2]", maximumOctets: 5) }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xC0, 0x80, 0x22],
    ] as [[UInt8]])
  func `octets that are not UTF-8 are refused at their place`(_ octets: [UInt8]) throws {
    do {
      _ = try JSONReader.value(of: octets, maximumOctets: 100)
      Issue.record("it was read")
    } catch {
      #expect(error.fault == .notUTF8)
      #expect(error.offset == 1)
    }
  }
}
