import Testing

@testable import ICalendar

@Suite struct `Text values` {
  private func unescaped(_ text: String) -> String {
    var component = Component()
    component.octets = Array(text.utf8)
    return component.text(0..<component.octets.count)
  }

  @Test(arguments: [
    (#"a\, b\; c\\ d\ne\Nf"#, "a, b; c\\ d\ne\nf"), (#"\"g\" h\:i"#, "\"g\" h:i"),
    (#"tab \t stays"#, #"tab \t stays"#), (#"end \"#, #"end \"#), ("é\\n漢", "é\n漢"),
  ])
  func `escapes are resolved`(_ text: String, _ expected: String) {
    #expect(unescaped(text) == expected)
  }

  @Test(arguments: [
    "plain", "a,b;c\\d", "one\ntwo\n", "\\n is no break", "Größe 漢字 😀", "tab\there", "",
  ])
  func `text that was written is read again`(_ text: String) {
    #expect(unescaped(escapedText(text)) == text)
    #expect(!escapedText(text).utf8.contains(0x0A))
  }

  @Test func `line breaks of every kind are one, and controls are left out`() {
    #expect(escapedText("a\r\nb\rc\nd\u{0}\u{8}e") == "a\\nb\\nc\\nde")
  }

  @Test func `a list is cut at commas that are not escaped`() {
    var component = Component()
    component.octets = Array(#"a\,b,c,,d\\,e"#.utf8)
    let parts = component.list(0..<component.octets.count).map(component.string)
    #expect(parts == [#"a\,b"#, "c", "", #"d\\"#, "e"])
  }
}
