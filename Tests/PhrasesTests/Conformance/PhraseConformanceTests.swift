import Phrases
import Testing

@Suite(.enabled(if: phraseConformanceFolder != nil, "DATEBOOK_CONFORMANCE names no folder"))
struct `The corpora of phrases` {
  @Test func `no English line is read wrong, and 97 of 100 are read right`() throws {
    try expect("en.dev.jsonl", leastRight: 97)
  }

  @Test func `no Chinese line is read wrong, and 99 of 100 are read right`() throws {
    try expect("zh.dev.jsonl", leastRight: 99)
  }

  private func expect(_ name: String, leastRight: Int) throws {
    let rows = try PhraseRow.rows(of: name).filter { !$0.isDisputed }
    #expect(rows.count > 400)
    var counts: [String: [Int]] = [:]
    for row in rows {
      let (verdict, detail) = try row.verdict()
      for kind in [row.kind, "total"] {
        counts[kind, default: [0, 0, 0]][verdict.rawValue] += 1
      }
      // A title is a matter of taste where "24h" may be a duration.
      if verdict == .wrong, !Self.dissents.contains(row.text) {
        Issue.record("\(row.text): \(detail)")
      }
    }
    for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
      print("\(name) \(kind): right \(count[0]), refused \(count[1]), wrong \(count[2])")
    }
    #expect((counts["total"]?[0] ?? 0) * 100 >= rows.count * leastRight)
  }

  /// Lines of which we follow the days and times, and not the title.
  private static let dissents: Set<String> = ["24h race friday 9:30am"]
}
