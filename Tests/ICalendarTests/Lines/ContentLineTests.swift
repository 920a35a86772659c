import Testing

@testable import ICalendar

/// A component whose only line is this one.
private func component(_ text: String) throws -> (Component, ContentLine) {
  var component = Component()
  component.octets = Array(text.utf8)
  let line = try #require(
    ContentLine(component.octets, 0..<component.octets.count, number: 1))
  component.lines = [line]
  return (component, line)
}

@Suite struct `Content lines` {
  @Test(arguments: [
    ("SUMMARY:a:b", "SUMMARY", "a:b"), ("x-a_1;P=\"a:b;c\":v", "x-a_1", "v"),
    ("DTSTART ;TZID=X:1", "DTSTART", "1"), ("A:", "A", ""),
    ("CN;P=\"open:v", "CN", "v"), ("D;TZID=tzone://Microsoft/Utc:1", "D", "1"),
  ])
  func `name and value are told apart`(_ text: String, _ name: String, _ value: String) throws {
    let (component, line) = try component(text)
    #expect(component.string(line.name) == name)
    #expect(component.string(line.value) == value)
  }

  @Test(arguments: ["", "no colon", ":value", "a b:c", "http://example.com/", "é:1", "A;B=c"])
  func `what is no content line is refused`(_ text: String) {
    let octets = Array(text.utf8)
    let line = ContentLine(octets, 0..<octets.count, number: 1)
    // "http" could be a name: such a line is a property that nobody knows.
    #expect(line == nil || text.hasPrefix("http"))
  }

  @Test func `a known name is known in either case`() throws {
    #expect(try component("dtStart:1").1.property == .start)
    #expect(try component("DTSTARTS:1").1.property == .other)
    #expect(try component("X-DATEBOOK-COLORS:1").1.property == .other)
    for property in PropertyName.allCases.dropFirst() {
      #expect(try component("\(property.text):1").1.property == property)
    }
  }

  @Test func `parameters are found whatever is round them`() throws {
    let (component, line) = try component("A;x=1;CN=\"Doe; J, x\";LIST=a,\"b;c\";E=;CN=2:v")
    func text(_ name: String) -> String? {
      component.parameter(name, of: line).map(component.string)
    }
    #expect(text("X") == "1")
    #expect(text("cn") == "Doe; J, x")
    #expect(text("LIST") == "a,\"b;c\"")
    #expect(text("E") == "")
    #expect(text("NONE") == nil)
  }

  // Source: RFC 6868 section 3.2.
  @Test func `carets stand for quotes, breaks and themselves`() throws {
    let (component, line) = try component("A;CN=\"^'x^' ^^ ^n^a^\":v")
    #expect(component.parameterText("CN", of: line) == "\"x\" ^ \n^a^")
  }

  @Test(arguments: ["plain", "with \"quotes\"", "a:b;c,d", "^ caret", "two\nlines", ""])
  func `a parameter value that was written is read again`(_ text: String) throws {
    let (component, line) = try component("A;CN=\(escapedParameter(text)):v")
    #expect(component.parameterText("CN", of: line) == text)
  }
}
