import Testing

@testable import CalctlCommands

@Suite struct `Wrapped texts` {
  @Test func `lines end between words, and long words are not cut`() {
    let word = String(repeating: "a", count: 48)
    #expect(TextWrapping.lines(of: "\(word) \(word) b") == "\(word) \(word)\nb\n")
    #expect(TextWrapping.lines(of: "x \(word)\(word)\(word)") == "x\n\(word)\(word)\(word)\n")
    #expect(TextWrapping.lines(of: "a b", indent: "  ") == "  a b\n")
  }

  @Test func `a line of Chinese ends after 48 characters`() {
    let text = String(repeating: "日", count: 50)
    #expect(
      TextWrapping.lines(of: text) == String(repeating: "日", count: 48) + "\n" + "日日\n")
    #expect(TextWrapping.lines(of: "日 --json 历") == "日 --json 历\n")
  }

  @Test(arguments: [46, 47, 48])
  func `no line begins with a closing mark or ends with an opening one`(count: Int) {
    let text = String(repeating: "日", count: count) + "（程序）。"
    for line in TextWrapping.lines(of: text).split(separator: "\n") {
      #expect(!line.hasSuffix("（"))
      #expect(line.first.map { "。”，".contains($0) } == false)
    }
  }
}
