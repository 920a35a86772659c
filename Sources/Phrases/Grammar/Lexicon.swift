/// The vocabulary of a language: what words and phrases mean.
struct Lexicon: Sendable {
  /// One meaning of a phrase.
  struct Entry: Sendable {
    let symbol: Symbol
    let value: Value
    /// Whether the word is common outside of times, so that it may be in a title: "may", "sun".
    let isCommon: Bool
  }

  /// The phrases, as a tree of tokens.
  private struct Node: Sendable {
    var next: [String: Int] = [:]
    var entries: [Entry] = []
  }

  private var nodes: [Node] = [Node()]
  /// Words of one token that are only times, for "did you mean".
  private(set) var strictWords: [String] = []

  /// Adds phrases, separated by "|", that mean the same.
  mutating func add(
    _ phrases: String, _ symbol: Symbol, _ value: Value = .none, common: Bool = true
  ) {
    for phrase in phrases.split(separator: "|") {
      var node = 0
      let tokens = Tokenizer.tokens(of: phrase)
      for token in tokens {
        if let known = nodes[node].next[token.text] {
          node = known
        } else {
          nodes.append(Node())
          nodes[node].next[token.text] = nodes.count - 1
          node = nodes.count - 1
        }
      }
      nodes[node].entries.append(Entry(symbol: symbol, value: value, isCommon: common))
      if !common, tokens.count == 1 { strictWords.append(String(phrase)) }
    }
  }

  /// Whether a phrase begins with a word.
  func knows(_ word: String) -> Bool { nodes[0].next[word] != nil }

  /// What a word alone means.
  func entries(of word: String) -> [Entry] {
    nodes[0].next[word].map { nodes[$0].entries } ?? []
  }

  /// Calls `body` with each entry that begins at a token, and the token after it.
  func forEachEntry(in tokens: [Token], from start: Int, _ body: (Entry, Int) -> Void) {
    var node = 0
    var position = start
    while position < tokens.count, tokens[position].kind != .quoted,
      let next = nodes[node].next[tokens[position].text]
    {
      node = next
      position += 1
      for entry in nodes[node].entries { body(entry, position) }
    }
  }
}
