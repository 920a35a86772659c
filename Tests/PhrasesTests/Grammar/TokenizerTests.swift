import Testing

@testable import Phrases

@Suite struct `Tokens of a line` {
  private func words(_ text: String) -> [String] { Tokenizer.tokens(of: text).map(\.text) }

  @Test func `digits end a word that a number begins, and belong to one that letters begin`() {
    #expect(words("15h30 LH441 3pm") == ["15", "h", "30", "lh441", "3", "pm"])
  }

  @Test func `an apostrophe between letters is a part of the word`() {
    #expect(words("Bob's o'clock '26") == ["bob's", "o'clock", "'", "26"])
  }

  @Test func `full-width forms are made narrow`() {
    #expect(words("明天１５：３０") == ["明", "天", "15", ":", "30"])
  }

  @Test func `text in quotation marks is one token`() {
    #expect(words("\"Party at 5\" friday") == ["\"party at 5\"", "friday"])
    #expect(words("《星期五》明天") == ["《星期五》", "明", "天"])
  }

  @Test(arguments: [
    "'Bob's party' friday", "‘Party at 5’ friday", "«Party at 5» friday", "“Party at 5” friday",
    "「Party at 5」 friday",
  ])
  func `a title in any quotation marks is one token`(line: String) {
    let tokens = Tokenizer.tokens(of: line)
    #expect(tokens.map(\.kind) == [.quoted, .word])
  }

  @Test(arguments: [
    "party 'til dawn at Bobs' place", "dec 15 '26 at Bobs' place", "at 6' depth",
    "meet friday 'bout 6pm at the dogs' park",
  ])
  func `an apostrophe is no quotation mark`(line: String) {
    #expect(!Tokenizer.tokens(of: line).contains { $0.kind == .quoted && $0.text.first == "'" })
  }

  @Test func `a mark that nothing closes is a mark`() {
    #expect(words("6\" pizza") == ["6", "\"", "pizza"])
  }

  @Test func `offsets count octets of the line as it was written`() {
    let tokens = Tokenizer.tokens(of: "Ünal ３点")
    #expect(tokens.map(\.start) == [0, 6, 9])
    #expect(tokens.map(\.end) == [5, 9, 12])
    #expect(tokens.map(\.isGlued) == [false, false, true])
  }
}
