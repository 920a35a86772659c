/// A text for people: an English pattern of the catalogue and the values of its placeholders.
///
/// It is translated only where it is shown.
///
///     UserText("Added {title}: {when}", ["title": title, "when": when])
package struct UserText: Hashable, Sendable {
  /// The English text, with placeholders such as `{title}`; the singular if there is a ``plural``.
  package let pattern: String
  /// The English text for any number but 1, and the number; nil if the text has no number.
  package let plural: Plural?
  /// The values of the placeholders.
  package let values: [Value]

  /// A text that depends on a number.
  package struct Plural: Hashable, Sendable {
    package let pattern: String
    package let count: Int
  }

  /// The value of a placeholder.
  package struct Value: Hashable, Sendable {
    package let name: String
    package let content: Content
  }

  /// What may fill a placeholder.
  package enum Content: Hashable, Sendable {
    /// Text that is the same in every language: a title, a number, a path.
    case text(String)
    /// A message inside a message.
    case message(UserText)
    /// What each language says in its own way, by its code: "en", and others.
    case composed([String: String])
  }

  /// Makes a text from an English pattern, such as `"Added {title}"`, and values.
  ///
  /// `{{` and `}}` are literal braces. The pattern is a literal, so that it can be extracted for
  /// the catalogue.
  package init(
    _ pattern: StaticString, _ values: KeyValuePairs<String, any UserTextContent> = [:]
  ) {
    self.pattern = pattern.description
    self.plural = nil
    self.values = UserText.values(values)
  }

  /// Makes a text that depends on a number.
  ///
  /// `one` is the English for 1, `other` for every other number; `{count}` in them is the number.
  package init(
    _ count: Int, one: StaticString, other: StaticString,
    _ values: KeyValuePairs<String, any UserTextContent> = [:]
  ) {
    self.pattern = one.description
    self.plural = Plural(pattern: other.description, count: count)
    self.values = UserText.values(values)
  }

  private static func values(_ values: KeyValuePairs<String, any UserTextContent>) -> [Value] {
    values.map { Value(name: $0.key, content: $0.value.userTextContent) }
  }

  /// Makes a text that is not translated: what a person or another program wrote.
  package init(verbatim text: some UserTextContent) {
    pattern = "{text}"
    plural = nil
    values = UserText.values(["text": text])
  }
}

/// A value that may fill a placeholder of a message.
package protocol UserTextContent {
  var userTextContent: UserText.Content { get }
}

extension String: UserTextContent {
  package var userTextContent: UserText.Content { .text(self) }
}

extension Substring: UserTextContent {
  package var userTextContent: UserText.Content { .text(String(self)) }
}

extension Int: UserTextContent {
  package var userTextContent: UserText.Content { .text(String(self)) }
}

extension UserText: UserTextContent {
  package var userTextContent: UserText.Content { .message(self) }
}
