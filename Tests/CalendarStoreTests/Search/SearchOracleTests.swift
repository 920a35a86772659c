import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

/// Texts made of words with what they are folded to, and a slow, obvious search
/// in them.
private struct Words {
  private static let latin = [
    ("Dentist", "dentist"), ("dental", "dental"), ("Den", "den"), ("Café", "cafe"),
    ("CAFE", "cafe"), ("naïve", "naive"), ("Zürich", "zurich"), ("tea", "tea"), ("Team", "team"),
    ("42", "42"), ("4", "4"),
  ]
  private static let alone = ["会", "議", "東", "京", "회", "의"]
  private static let gaps = [" ", ", ", " - ", "\n", "  ", "/"]

  var generator: SeededGenerator

  mutating func pick<T>(_ from: [T]) -> T {
    from[Int.random(in: 0..<from.count, using: &generator)]
  }
  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 1...oneIn, using: &generator) == 1 }

  /// A text and its tokens.
  mutating func text() -> (text: String, tokens: [String]) {
    var text = ""
    var tokens: [String] = []
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      if chance(3) {
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let character = pick(Words.alone)
          text += character
          tokens.append(character)
        }
        // Such a run needs no gap before or after it.
        if chance(2) { text += pick(Words.gaps) }
      } else {
        if text.last?.isLetter ?? false, !Words.alone.contains(String(text.suffix(1))) {
          text += " "
        }
        let word = pick(Words.latin)
        text += word.0
        tokens.append(word.1)
        text += pick(Words.gaps)
      }
    }
    return (text, tokens)
  }

  /// A term, as typed and as tokens of which the last may go on.
  mutating func term() -> (text: String, tokens: [String], isPrefix: Bool) {
    switch Int.random(in: 0...3, using: &generator) {
    case 0:
      let run = (0..<Int.random(in: 1...3, using: &generator)).map { _ in pick(Words.alone) }
      return (run.joined(), run, true)
    case 1:
      let words = (0..<2).map { _ in pick(Words.latin) }
      return ("\"\(words[0].0) \(words[1].0)\"", words.map(\.1), false)
    default:
      let word = pick(Words.latin)
      let beginning = String(word.0.prefix(Int.random(in: 1...word.0.count, using: &generator)))
      let folded = String(word.1.prefix(beginning.count))
      return (beginning, [folded], true)
    }
  }
}

extension [String] {
  /// Whether the tokens stand here in a row.
  fileprivate func has(_ tokens: [String], isPrefix: Bool) -> Bool {
    guard tokens.count <= count else { return false }
    return (0...(count - tokens.count)).contains { start in
      tokens.indices.allSatisfy { index in
        let isLast = index == tokens.count - 1
        return isPrefix && isLast
          ? self[start + index].hasPrefix(tokens[index]) : self[start + index] == tokens[index]
      }
    }
  }
}

@Suite struct `Search beside a slow scan` {
  @Test(arguments: runsLongProofs ? [11, 12, 13, 14] : [11])
  func `what is found is what has the words`(seed: UInt64) throws {
    var words = Words(generator: SeededGenerator(seed: seed))
    let fixture = try StoreFixture()
    let store = try fixture.open()
    var tokens: [String: [SearchQuery.Field: [String]]] = [:]
    for round in 0..<200 {
      let uid = "u\(round % 150)"
      var event = Event(uid: EventUID(uid), start: .utc(at(0)), summary: "")
      let (summary, location, description) = (words.text(), words.text(), words.text())
      event.summary = summary.text
      event.location = location.text
      event.description = description.text
      let (name, categories) = (words.text(), [words.text(), words.text()])
      event.attendees = [Attendee(address: "mailto:", name: name.text)]
      event.categories = categories.map(\.text)
      tokens[uid] = [
        .summary: summary.tokens, .location: location.tokens, .description: description.tokens,
        .attendee: name.tokens, .category: categories.flatMap(\.tokens),
      ]
      try store.put([EventSeries(calendar: personal, master: event)])
    }
    var found = 0
    for _ in 0..<300 {
      let terms = (0..<(words.chance(2) ? 1 : 2)).map { _ in
        (words.term(), words.chance(3) ? words.pick(SearchQuery.Field.allCases) : nil)
      }
      let text = terms.map { ($1.map { $0.rawValue + ":" } ?? "") + $0.text }
        .joined(separator: " ")
      let expected = tokens.filter { _, fields in
        terms.allSatisfy { term, field in
          fields.contains { name, tokens in
            field ?? name == name && tokens.has(term.tokens, isPrefix: term.isPrefix)
          }
        }
      }
      let query = try SearchQuery(text)
      let all = try store.hits(of: query)
      let hits = try all.list()
      let uids = try hits.map { hit in
        let key = try #require(try store.eventKey(of: hit))
        return try #require(try store.found(key, among: all)).series.uid.text
      }
      #expect(uids.sorted() == expected.keys.sorted(), "\(text), seed \(seed)")
      #expect(hits == hits.sorted { $0.rank < $1.rank })
      // The same are found where they are too many to be ranked.
      let many = try SearchHits(of: query, in: SearchIndex(database: store.database), mostRanked: 7)
      #expect(try Set(many.list().map(\.component)) == Set(hits.map(\.component)), "\(text)")
      found += uids.count
    }
    #expect(found > 1000)
  }
}
