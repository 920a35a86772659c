import Messages
import Testing

@Suite struct `Messages in a language` {
  /// Upside down, with "event" declined as in Polish: one, few, many.
  let invented = Language(
    translation: { ["Added {title}: {when}": "{when}, {title} +", "never": "nie"][$0] ?? $0 },
    pluralTranslation: { one, _, count in
      guard one == "{count} event" else { return one }
      return count == 1 ? "{count} rok" : count < 5 ? "{count} lata" : "{count} lat"
    })

  @Test func `placeholders are filled in the order of the language`() {
    let message = UserText("Added {title}: {when}", ["title": "Tea", "when": "16:00"])
    #expect(message.english == "Added Tea: 16:00")
    #expect(invented.string(message) == "16:00, Tea +")
  }

  @Test func `a message inside a message is translated, a text is not`() {
    #expect(
      invented.string(UserText("Added {title}: {when}", ["title": "never", "when": UserText("never")]))
        == "nie, never +")
  }

  @Test(arguments: [(1, "1 event", "1 rok"), (3, "3 events", "3 lata"), (7, "7 events", "7 lat")])
  func `a number chooses the form`(count: Int, english: String, other: String) {
    let message = UserText(count, one: "{count} event", other: "{count} events")
    #expect(message.english == english)
    #expect(invented.string(message) == other)
  }

  @Test func `what is filled in is not read as a pattern`() {
    #expect(UserText("{a}{b}", ["a": "{b}", "b": "{a}{{"]).english == "{b}{a}{{")
    #expect(UserText(verbatim: "{title}").english == "{title}")
  }

  @Test func `a pattern that the language lacks is shown in English`() {
    #expect(invented.string(UserText("Removed {title}", ["title": "Tea"])) == "Removed Tea")
  }

  @Test func `a placeholder without a value stays visible`() {
    #expect(UserText("Added {titel}", ["title": "Tea"]).english == "Added {titel}")
  }
}

@Suite struct `Parts of a pattern` {
  @Test(arguments: [
    ("", []), ("plain", [.text("plain")]), ("{a}", [.placeholder("a")]),
    ("x{a}y", [.text("x"), .placeholder("a"), .text("y")]),
    ("{{a}}", [.text("{a}")]), ("{ a}", [.text("{ a}")]), ("a{", [.text("a{")]),
    ("}{}", [.text("}{}")]),
  ] as [(String, [PatternPart])])
  func `braces are placeholders where they hold a name`(pattern: String, parts: [PatternPart]) {
    #expect(PatternPart.parts(of: pattern) == parts)
  }
}
