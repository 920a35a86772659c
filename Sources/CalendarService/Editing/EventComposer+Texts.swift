import CalendarBus
import CalendarModel
import Platform

/// Reads and checks the words and texts of a draft.
extension EventComposer {
  /// Returns the case with a raw value; nil for "" and nil.
  func word<Word: RawRepresentable & CaseIterable>(
    _ text: String?, key: String
  ) throws(CallError) -> Word? where Word.RawValue == String {
    guard let text, !text.isEmpty else { return nil }
    guard let word = Word(rawValue: text) else {
      throw CallError(
        .invalidArguments, about: key, notOneOf(Word.allCases.map(\.rawValue), text))
    }
    return word
  }

  /// Returns a colour; nil for "", which means the calendar's colour.
  func color(_ text: String) throws(CallError) -> EventColor? {
    text.isEmpty ? nil : try CalendarComposer.color(named: text)
  }

  func checkTitle(_ summary: String) throws(CallError) {
    guard !summary.unicodeScalars.allSatisfy(\.properties.isWhitespace) else {
      throw CallError(
        .invalidArguments, about: "summary",
        summary.isEmpty
          ? localized("must not be empty") : localized("must not be empty or only spaces"))
    }
  }

  func checkTexts(_ draft: EventDraft) throws(CallError) {
    try check(draft.summary, key: "summary", limit: Limit.line, lines: false)
    try check(draft.location, key: "location", limit: Limit.line, lines: true)
    try check(draft.url, key: "url", limit: Limit.line, lines: false)
    try check(draft.description, key: "description", limit: Limit.description, lines: true)
    let categories = draft.categories ?? []
    try checkLimit("categories", categories.count, .entries, most: Limit.categories)
    for category in categories {
      try check(category, key: "categories", limit: Limit.line, lines: false)
    }
  }

  private func check(
    _ text: String?, key: String, limit: Int, lines: Bool
  ) throws(CallError) {
    guard let text else { return }
    try checkLimit(key, text.utf8.count, .bytes, most: limit)
    var isAfterC2 = false
    for (position, byte) in text.utf8.enumerated() {
      // U+0080 to U+009F are control characters, too.
      let isSecondOfC1 = isAfterC2 && byte < 0xa0
      isAfterC2 = byte == 0xc2
      guard byte < 0x20 || byte == 0x7f || isSecondOfC1 else { continue }
      if byte == 0x09 || (byte == 0x0a && lines) { continue }
      throw CallError(
        .invalidArguments, about: key,
        localized(
          "control character {code} at byte {offset} is not allowed",
          ["code": Int(byte), "offset": position - (isSecondOfC1 ? 1 : 0)]))
    }
  }
}
