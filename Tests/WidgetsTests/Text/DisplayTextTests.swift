import Messages
import TestSupport
import Testing
import Widgets

@Suite struct `A stranger's text on one line` {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let line: String
    let testDescription: String

    init(_ text: String, _ line: String, _ description: String) {
      (self.text, self.line, testDescription) = (text, line, description)
    }
  }

  @Test(arguments: [
    Case("Standup", "Standup", "plain text stays"),
    Case("a\nb\r\nc\td\u{2028}e", "a b c d e", "line breaks and tabs become one space"),
    Case("  a   b  ", "a b", "spaces at the ends go, and runs become one"),
    Case("\u{1B}[31mred\u{7}", "[31mred", "a terminal's commands lose their ESC"),
    Case("a\u{9B}31mb", "a31mb", "the one-character CSI goes"),
    Case("\u{202E}abc\u{2066}", "abc", "bidirectional overrides and isolates go"),
    Case("a\u{200E}b\u{200F}c\u{61C}d", "abcd", "directional marks go"),
    Case("👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪", "👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪", "joined emoji and flags stay whole"),
    Case("שלום", "שלום", "other scripts stay"),
    Case("می\u{200C}خواهم", "می\u{200C}خواهم", "joiners within words stay"),
    Case("a\u{0}b\u{FFFF}", "ab", "NUL and noncharacters go"),
  ])
  func `it shows what it says and commands nothing`(_ each: Case) {
    #expect(displayLine(each.text) == each.line)
  }

  @Test func `of marks on one letter eight stay`() {
    let text = displayLine("Z" + String(repeating: "\u{301}", count: 4000) + "ebra")
    #expect(text.unicodeScalars.count == 1 + 8 + 4)
  }

  @Test(arguments: hostileTitles)
  func `no control character, line break or override is left of any title`(_ title: String) {
    let line = displayLine(title)
    for scalar in line.unicodeScalars {
      #expect(scalar.properties.generalCategory != .control)
      #expect(
        !(0x2028...0x202E).contains(scalar.value) && !(0x2066...0x206F).contains(scalar.value))
      #expect(!scalar.properties.isNoncharacterCodePoint)
    }
    #expect(displayLine(line) == line, "cleaning twice changes nothing")
  }
}

@Suite struct `Titles of rows` {
  @Test func `a row of many says how many`() {
    #expect(titleText("Tick", times: 1, .english) == "Tick")
    #expect(titleText("", times: 1, .english) == "(no title)")
    #expect(titleText("Tick", times: 97, .english) == "Tick (97 times)")
    #expect(titleText("", times: 1440, .english) == "(no title) (1,440 times)")
    #expect(titleText("Tick", times: 0, .english) == "Tick (many times)")
  }
}

@Suite struct `Shortened text` {
  @Test func `what fits stays, what is longer ends with an ellipsis`() {
    #expect(shortened("Standup", toCharacters: 7) == "Standup")
    #expect(shortened("Standup", toCharacters: 6) == "Stand…")
    #expect(shortened("Standup", toCharacters: 1) == "…")
    #expect(shortened("Standup", toCharacters: 0) == "")
    #expect(shortened("Tea at five", toCharacters: 5) == "Tea…", "no space before the ellipsis")
  }

  @Test func `graphemes are counted and never cut`() {
    #expect(shortened("👩‍💻👩‍💻👩‍💻", toCharacters: 3) == "👩‍💻👩‍💻👩‍💻")
    #expect(shortened("👩‍💻👩‍💻👩‍💻", toCharacters: 2) == "👩‍💻…")
    #expect(shortened("e\u{301}e\u{301}e\u{301}", toCharacters: 2) == "e\u{301}…")
  }

  @Test func `a Chinese character takes two columns, and half of one is not shown`() {
    #expect(shortened("项目会议", toColumns: 8) == "项目会议")
    #expect(shortened("项目会议", toColumns: 7) == "项目会…")
    #expect(shortened("项目会议", toColumns: 6) == "项目…")
    #expect(shortened("项目会议", toColumns: 2) == "…")
    #expect(shortened("周会 A", toColumns: 5) == "周会…")
    #expect(shortened("Standup", toColumns: 6) == "Stand…")
  }

  @Test func `a grapheme without end has a bound in octets`() {
    #expect(shortened("a" + String(repeating: "\u{301}", count: 4000), toCharacters: 10) == "…")
    #expect(
      shortened("ab" + String(repeating: "\u{301}", count: 4000), toCharacters: 10) == "a…")
  }
}
