/// A language for messages: its translations of the catalogue's patterns.
package struct Language: Sendable {
  /// Its code for documents, such as "en" or "pt-BR".
  ///
  /// Source: RFC 5646.
  package let code: String
  /// Returns the pattern in this language; the English one if there is no translation.
  let translation: @Sendable (_ pattern: String) -> String
  /// Returns the pattern for a number; the English one if there is no translation.
  let pluralTranslation: @Sendable (_ one: String, _ other: String, _ count: Int) -> String

  package init(
    code: String = "en",
    translation: @escaping @Sendable (_ pattern: String) -> String,
    pluralTranslation: @escaping @Sendable (_ one: String, _ other: String, _ count: Int) -> String
  ) {
    self.code = code
    self.translation = translation
    self.pluralTranslation = pluralTranslation
  }

  /// English, the language of the source.
  package static let english = Language(
    translation: { $0 }, pluralTranslation: { one, other, count in count == 1 ? one : other })

  /// Returns a message in this language.
  package func string(_ message: UserText) -> String {
    guard let plural = message.plural else {
      return filled(translation(message.pattern), message)
    }
    return filled(pluralTranslation(message.pattern, plural.pattern, plural.count), message)
  }

  /// Returns a pattern with its placeholders filled.
  ///
  /// A placeholder without a value stays visible, so that a faulty translation shows.
  private func filled(_ pattern: String, _ message: UserText) -> String {
    var result = ""
    for part in PatternPart.parts(of: pattern) {
      switch part {
      case .text(let text): result += text
      case .placeholder(let name):
        if let value = message.values.first(where: { $0.name == name }) {
          switch value.content {
          case .text(let text): result += text
          case .message(let inner): result += string(inner)
          case .composed(let texts): result += texts[code] ?? texts["en"] ?? ""
          }
        } else if name == "count", let plural = message.plural {
          result += String(plural.count)
        } else {
          result += "{\(name)}"
        }
      }
    }
    return result
  }
}

extension UserText {
  /// The message in English.
  package var english: String { Language.english.string(self) }
}
