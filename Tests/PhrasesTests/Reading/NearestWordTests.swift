import Phrases
import Testing

@Suite struct `The nearest word` {
  private static let keys = ["summary", "start", "end", "all-day", "time-zone", "reminders"]

  @Test(
    arguments: [
      ("sumary", "summary"), ("sumamry", "summary"), ("allday", "all-day"),
      ("timezone", "time-zone"),
      ("reminder", "reminders"), ("strat", "start"), ("ned", "end"), ("en", "end"),
      ("rem", "reminders"),
      ("zzz", nil), ("", nil), ("description", nil),
    ] as [(String, String?)])
  func `a typing mistake finds what was meant, and a strange word nothing`(
    word: String, meant: String?
  ) {
    #expect(nearest(word, among: Self.keys) == meant)
  }

  @Test func `a word of a megabyte is compared by its beginning`() {
    #expect(nearest(String(repeating: "x", count: 1 << 20), among: Self.keys) == nil)
  }

  @Test func `no words have no nearest`() {
    #expect(nearest("start", among: []) == nil)
  }
}
