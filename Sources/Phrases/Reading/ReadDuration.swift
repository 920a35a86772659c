package import CivilTime
import Messages

/// The meanings of a whole text as a symbol, where the present does not matter: "1h 30m" as a length.
func meanings(
  of text: some StringProtocol, as symbol: Symbol, _ setting: PhraseSetting = .timeless
) -> [Value] {
  let tokens = Tokenizer.tokens(of: text.utf8.count <= 200 ? String(text) : "")
  guard !tokens.isEmpty else { return [] }
  return PhraseLanguage.languages(of: text).flatMap { language in
    Chart(tokens, language, setting).items.filter {
      $0.symbol == symbol && $0.start == 0 && $0.end == tokens.count
    }.map(\.value)
  }
}

extension PhraseSetting {
  /// For texts in which the present does not matter.
  static let timeless = PhraseSetting(now: CivilDateTime(.epoch, .midnight))
}

/// Forms of a kind that work, in the language of a text.
func examples(
  of kind: PhraseLanguage.ExampleKind, like text: some StringProtocol
) -> [String] {
  PhraseLanguage.languages(of: text)[0].examples(of: kind)
}

/// Reads a duration: "45m", "1h 30m", "2 hours", "an hour and a half", "PT15M", "3d", 半小时.
///
/// - Throws: ``PhraseRefusal``, for months too, which differ in length.
package func readDuration(
  _ text: some StringProtocol
) throws(PhraseRefusal) -> CalendarDuration {
  let trimmed = text.trimmingBlanks()
  let lengths = meanings(of: trimmed, as: .length)
  for case .length(let length) in lengths {
    guard let duration = length.duration else { continue }
    guard duration.days <= 3_652_059, duration.seconds <= 3_652_059 * 86_400 else {
      throw PhraseRefusal(UserText("longer than 9,999 years"))
    }
    return duration
  }
  var refusal = PhraseRefusal(
    UserText("\"{text}\" is no duration", ["text": String(trimmed.prefix(200))]))
  if trimmed.isEmpty { refusal = PhraseRefusal(UserText("the duration is missing")) }
  refusal.suggestions = examples(of: .duration, like: trimmed)
  if !lengths.isEmpty {
    refusal = PhraseRefusal(
      UserText(
        "\"{text}\" has no exact length; say it in days, hours and minutes",
        ["text": String(trimmed)]))
  } else if let number = Int(trimmed), number > 0 {
    refusal = PhraseRefusal(UserText("{number} needs a unit", ["number": number]))
    refusal.suggestions = ["\(number)m", "\(number)h"]
  }
  throw refusal
}
