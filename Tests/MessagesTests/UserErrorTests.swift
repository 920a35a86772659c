import Messages
import Testing

@Suite struct `The text of an error` {
  private struct Refusal: UserError {
    var text: UserText { UserText("unknown word \"{word}\"", ["word": "tomorow"]) }
  }

  private struct Plain: Error, CustomStringConvertible {
    var description: String { "{no} pattern" }
  }

  @Test func `is its own, to be translated`() {
    let error: any Error = Refusal()
    #expect(UserText(error) == Refusal().text)
  }

  @Test func `is the description of any other error, as it is`() {
    #expect(UserText(Plain()) == UserText(verbatim: "{no} pattern"))
    #expect(UserText(Plain()).english == "{no} pattern")
  }
}
