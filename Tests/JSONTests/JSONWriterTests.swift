import JSON
import Testing

@Suite struct `JSON writer` {
  @Test func `members keep their order and there is no space`() {
    let value: JSONValue = ["b": 1, "a": [true, nil, -5, 2.5, "x"], "c": [:], "d": []]
    #expect(JSONWriter.text(of: value) == #"{"b":1,"a":[true,null,-5,2.5,"x"],"c":{},"d":[]}"#)
  }

  @Test func `only what has to be is escaped`() {
    let text =
      "a\"b\\c/d\u{0}\u{8}\t\n\u{c}\r\u{1f}é€😀\u{7e}\u{7f}\u{80}\u{9f}\u{a0}\u{2027}\u{2028}\u{2029}\u{202a}"
    #expect(
      JSONWriter.text(of: .string(text))
        == #""a\"b\\c/d\u0000\b\t\n\f\r\u001fé€😀~\u007f\u0080\u009f"#
        + "\u{a0}\u{2027}" + #"\u2028\u2029"# + "\u{202a}\"")
  }

  @Test func `names are escaped as texts are`() {
    #expect(JSONWriter.text(of: ["a\"\n": 1]) == #"{"a\"\n":1}"#)
  }

  @Test(arguments: [
    (0.1, "0.1"), (1.0, "1.0"), (-0.0, "-0.0"), (1e100, "1e+100"),
    (Double.leastNonzeroMagnitude, "5e-324"),
    (0.1 + 0.2, "0.30000000000000004"),
  ])
  func `numbers have the fewest digits that read back`(_ number: Double, _ text: String) {
    #expect(JSONWriter.text(of: .number(number)) == text)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `a number without a text becomes null`(_ number: Double) {
    #expect(JSONWriter.text(of: .number(number)) == "null")
  }

  @Test(arguments: [Int64.min, -10, -1, 0, 7, 10, 1_000_000_007, .max])
  func `whole numbers are written in full`(_ number: Int64) {
    #expect(JSONWriter.text(of: .integer(number)) == "\(number)")
  }

  @Test func `what is written reads back as the same value`() throws {
    let scalars = (0..<0x3000).compactMap { Unicode.Scalar($0) } + ["😀", "\u{10ffff}"]
    let value: JSONValue = [
      "every character": .string(String(String.UnicodeScalarView(scalars))),
      "numbers": [
        0, -1, .integer(.min), .integer(.max), 1e300, -0.0, .number(.leastNonzeroMagnitude), 0.1,
      ],
      "nested": [[], [:], [[["deep": [nil, true, false]]]]],
      "": "",
    ]
    let octets = JSONWriter.octets(of: value)
    #expect(try JSONReader.value(of: octets, maximumOctets: octets.count) == value)
    let again = JSONWriter.octets(
      of: try JSONReader.value(of: octets, maximumOctets: octets.count))
    #expect(again == octets)
  }

  @Test func `one writer makes several lines and forgets them`() {
    var writer = JSONWriter(reserving: 64)
    writer.write(["a": 1])
    writer.endLine()
    writer.write(["b": 2])
    writer.endLine()
    #expect(String(decoding: writer.octets, as: UTF8.self) == "{\"a\":1}\n{\"b\":2}\n")
    writer.removeAll()
    #expect(writer.octets.isEmpty)
  }

  @Test func `pieces are the text of the same value`() throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("title")
    writer.value("a \"b\" {")
    writer.name("none")
    writer.beginArray()
    writer.endArray()
    writer.name("list")
    writer.beginArray()
    writer.element("[")
    writer.element(-7)
    writer.separate()
    writer.beginObject()
    writer.endObject()
    writer.separate()
    writer.beginObject()
    writer.name("flag")
    writer.value(false)
    writer.endObject()
    writer.endArray()
    writer.name("last")
    writer.value(Int64.min)
    writer.endObject()
    let value: JSONValue = [
      "title": "a \"b\" {", "none": [], "list": ["[", -7, [:], ["flag": false]],
      "last": .integer(.min),
    ]
    #expect(writer.octets == JSONWriter.octets(of: value))
  }
}
