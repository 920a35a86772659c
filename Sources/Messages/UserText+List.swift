/// Lists whose separators are those of the language: "a, b, c", "甲、乙、丙".
extension UserText {
  /// Makes a list of words or names: "a, b, c"; empty text for no items.
  ///
  /// It is for texts for people. What programs read, and what people type, has commas in every
  /// language.
  package static func list(_ items: some Sequence<some UserTextContent>) -> UserText {
    joined(items) { UserText("{list}, {item}", ["list": $0, "item": $1]) }
  }

  /// Makes a list of clauses, which may have commas themselves: "a; b; c".
  package static func clauses(_ items: some Sequence<some UserTextContent>) -> UserText {
    joined(items) { UserText("{list}; {item}", ["list": $0, "item": $1]) }
  }

  /// Makes a paragraph of whole sentences, between which some languages have no space.
  package static func sentences(_ items: some Sequence<some UserTextContent>) -> UserText {
    joined(items) { UserText("{sentences} {sentence}", ["sentences": $0, "sentence": $1]) }
  }

  private static func joined(
    _ items: some Sequence<some UserTextContent>, _ pair: (UserText, UserText) -> UserText
  ) -> UserText {
    let texts = items.map { item in
      if case .message(let message) = item.userTextContent {
        message
      } else {
        UserText(verbatim: item)
      }
    }
    return joined(texts[...], pair)
  }

  /// Joins two halves, so that a text of very many items is not nested deeply.
  private static func joined(
    _ texts: ArraySlice<UserText>, _ pair: (UserText, UserText) -> UserText
  ) -> UserText {
    guard texts.count > 1 else { return texts.first ?? UserText(verbatim: "") }
    let middle = texts.startIndex + texts.count / 2
    return pair(joined(texts[..<middle], pair), joined(texts[middle...], pair))
  }
}
