import Messages

/// Days in the title of a line that names no other day: "friday's game 3pm" is not today.
extension LeftoverWords {
  func refuseDayWords() throws(PhraseRefusal) {
    for (index, token) in tokens.enumerated() where isLeft[index] && token.kind == .word {
      if token.text.hasSuffix("'s") { try refuseOwner(index) }
      // A capital begins a name: "email Tom 3pm".
      if let meant = titles.shortForms[token.text], words(index, index + 1) == token.text {
        throw PhraseRefusal.mistype(token, meant: meant)
      }
    }
  }

  /// "friday's", "next week's"
  private func refuseOwner(_ token: Int) throws(PhraseRefusal) {
    let owner = String(tokens[token].text.dropLast(2))
    let entries = assembly.language.lexicon.entries(of: owner)
    if entries.contains(where: {
      [.day, .weekday, .partWhen].contains($0.symbol) && !$0.isCommon
    }) {
      throw PhraseRefusal.mistype(tokens[token], meant: owner)
    }
    let isAfterNext = assembly.chart.items.contains {
      $0.end == token && ($0.symbol == .next || $0.symbol == .this)
    }
    guard isAfterNext,
      entries.contains(where: { [.unit, .month, .part, .weekend].contains($0.symbol) })
    else { return }
    throw fault(
      UserText(
        "\"{words}\" looks like a time, and does not fit", ["words": words(token - 1, token + 1)]),
      token - 1, token + 1)
  }
}
