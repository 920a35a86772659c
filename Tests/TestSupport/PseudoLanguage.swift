package import Messages

extension Language {
  /// A generated language: every pattern in brackets, with accents and 40 % longer, its
  /// placeholders kept. "Next: {when}" becomes "[Ñéẋť: {when} ~~~]".
  ///
  /// What is not in brackets on a screen was not looked up in the catalogue.
  package static let pseudo = Language(
    code: "qps-ploc", translation: pseudoTranslation,
    pluralTranslation: { one, other, count in pseudoTranslation(count == 1 ? one : other) })

  private static let accented: [Character: Character] = Dictionary(
    uniqueKeysWithValues: zip(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
      "àƀçďéƒĝĥîĵķļṁñöþɋŕšťûṽŵẋýžÀƁÇĎÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŤÛṼŴẊÝŽ"))

  @Sendable package static func pseudoTranslation(_ pattern: String) -> String {
    var text = ""
    var letters = 0
    for part in PatternPart.parts(of: pattern) {
      switch part {
      case .placeholder(let name): text += "{\(name)}"
      case .text(let plain):
        for character in plain {
          // A brace that is text stays one.
          let isBrace = character == "{" || character == "}"
          text += isBrace ? "\(character)\(character)" : "\(accented[character] ?? character)"
          if accented[character] != nil { letters += 1 }
        }
      }
    }
    let more = (letters * 2 + 4) / 5
    return "[\(text)" + (more > 0 ? " " + String(repeating: "~", count: more) : "") + "]"
  }
}
