import Testing

@Suite struct `README in two languages` {
  static let names = ["README.md", "README.zh-CN.md"]

  private func lines(_ name: String) throws -> [Substring] {
    try Checkout.here.text(of: name).split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `each leads to the other, and is not longer than 250 lines`() throws {
    #expect(try lines("README.md").contains("[简体中文](README.zh-CN.md)"))
    #expect(try lines("README.zh-CN.md").contains("[English](README.md)"))
    for name in Self.names { #expect(try lines(name).count <= 251, "\(name)") }
  }

  @Test func `both have the same headings, tables, pictures and list items`() throws {
    /// What a line begins with, if that is a mark of Markdown.
    func marks(_ name: String) throws -> [String] {
      try lines(name).compactMap { line in
        if line.hasPrefix("|") { return "|" + String(line.filter { $0 == "|" }.count) }
        if line.hasPrefix("- ") || line.hasPrefix("![") { return String(line.prefix(1)) }
        return line.hasPrefix("#") ? String(line.prefix { $0 == "#" }) : nil
      }
    }
    #expect(try marks("README.zh-CN.md") == marks("README.md"))
  }

  @Test func `both show the same commands and settings`() throws {
    /// The indented lines without comments and, where there are prompts, without output.
    func blocks(_ name: String) throws -> [String] {
      let text = try lines(name).map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : "" }
      return text.split(separator: "").flatMap { block in
        let typed = block.filter { $0.hasPrefix("$ ") }
        return (typed.isEmpty ? Array(block) : typed).map { line in
          let end = line.firstRange(of: "  # ")?.lowerBound ?? line.endIndex
          return line[..<end].split(separator: " ").joined(separator: " ")
        }
      }
    }
    let english = try blocks("README.md")
    #expect(english.contains("packaging/try"))
    #expect(try blocks("README.zh-CN.md") == english)
  }
}
