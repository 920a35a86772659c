import Platform
import Testing

@Suite struct `The text of settings` {
  private let text = """
    language = fr
    # A comment.
    [calendar]
      language =  zh_CN   # as on the other computer
    nonsense
    [reminders]
    language = de
    map = https://example.org/#q=
    """

  @Test func `lines have their numbers, and lose comments and blanks`() {
    let lines = SettingsText.lines(text)
    #expect(lines.map(\.number) == [1, 3, 4, 5, 6, 7, 8])
    #expect(lines[1].line == .section("calendar"))
    #expect(lines[2].line == .setting(name: "language", value: "zh_CN"))
    #expect(lines[3].line == .other("nonsense"))
    #expect(lines[6].line == .setting(name: "map", value: "https://example.org/#q="))
  }

  @Test func `a value is the one of its section`() {
    #expect(SettingsText.value(of: "language", section: "calendar", in: text) == "zh_CN")
    #expect(SettingsText.value(of: "language", section: "export", in: text) == nil)
  }
}
