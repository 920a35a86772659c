import Messages
import Testing

@Suite struct `Lists in a text` {
  let chinese = Language(
    translation: {
      ["{list}, {item}": "{list}、{item}", "{list}; {item}": "{list}；{item}", "never": "从不"][$0]
        ?? $0
    },
    pluralTranslation: { one, _, _ in one })

  @Test(arguments: [([], ""), (["a"], "a"), (["a", "b"], "a, b"), (["a", "b", "c"], "a, b, c")])
  func `items are separated by commas in English`(items: [String], text: String) {
    #expect(UserText.list(items).english == text)
  }

  @Test func `the separator is that of the language, and items that are texts are translated`() {
    #expect(chinese.string(UserText.list(["甲", "乙, 丙", "{item}"])) == "甲、乙, 丙、{item}")
    #expect(chinese.string(UserText.list([UserText("never"), UserText("now")])) == "从不、now")
    #expect(chinese.string(UserText.clauses(["甲", "乙"])) == "甲；乙")
    #expect(UserText.clauses(["a", "b"]).english == "a; b")
  }

  @Test func `a list of very many items can be shown`() {
    let items = (0..<20_000).map { "\($0)" }
    #expect(UserText.list(items).english == items.joined(separator: ", "))
  }
}
