package import Messages

/// Why a line was not read: what was understood, which words were not, and what works.
package struct PhraseRefusal: UserError, Hashable, Sendable {
  /// What is wrong, without the line and the forms that work.
  package let reason: UserText
  /// The words at fault: offsets in octets of UTF-8; nil where it is none in particular.
  package var fault: Range<Int>?
  /// What was understood of the rest.
  package var understood: [PhraseReading.Part] = []
  /// Two readings of an ambiguous line; else empty.
  package var readings: [PhraseReading] = []
  /// Forms that work, nearest first.
  package var suggestions: [String] = []

  /// Whether no other division of the line is tried: one that would make a
  /// title of its times.
  var isFinal = false

  init(_ reason: UserText, fault: Range<Int>? = nil) {
    self.reason = reason
    self.fault = fault
  }

  /// A word that is nearly one of times.
  static func mistype(_ token: Token, meant: String) -> PhraseRefusal {
    var refusal = PhraseRefusal(
      UserText("\"{word}\" may be meant as \"{meant}\"", ["word": token.text, "meant": meant]),
      fault: token.start..<token.end)
    refusal.suggestions = [meant]
    return refusal
  }

  /// Adds the readings of an ambiguous line, and a form for each.
  mutating func addReadings(_ all: [PhraseReading]) {
    readings = all
    let starts = all.map(\.startInShort)
    if Set(starts).count == starts.count { suggestions = starts }
    understood = all[0].parts
  }

  package var text: UserText {
    guard !suggestions.isEmpty else { return reason }
    return UserText(
      "{reason}; try {examples}",
      ["reason": reason, "examples": suggestions.map { "\"\($0)\"" }.joined(separator: ", ")])
  }
}
