package import Messages

/// Why a line was not read: what was understood, which words were not, and what works.
package struct PhraseRefusal: UserError, Hashable, Sendable {
  /// The line, cut to 200 characters; "" where the reason names it.
  package private(set) var line = ""
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

  /// The line with its title in quotation marks, where that is read; else "".
  var quoted = ""

  /// Whether no other division of the line is tried: one that would make a
  /// title of its times.
  var isFinal = false
  /// Whether the reason says all: neither what was understood nor forms that work would help.
  var saysAll = false
  /// Whether a number at fault may be one of the title.
  var mayBeTitle = false

  init(
    _ reason: UserText, fault: Range<Int>? = nil, suggestions: [String] = [],
    isFinal: Bool = false, saysAll: Bool = false, mayBeTitle: Bool = false
  ) {
    self.reason = reason
    self.fault = fault
    self.suggestions = suggestions
    self.isFinal = isFinal
    self.saysAll = saysAll
    self.mayBeTitle = mayBeTitle
  }

  /// A word that is nearly one of times.
  static func mistype(_ token: Token, meant: String) -> PhraseRefusal {
    PhraseRefusal(
      UserText("\"{word}\" may be meant as \"{meant}\"", ["word": token.text, "meant": meant]),
      fault: token.start..<token.end, suggestions: [meant])
  }

  /// Adds the readings of an ambiguous line, and a form for each.
  mutating func addReadings(_ all: [PhraseReading]) {
    readings = all
    let hints = all.map(\.hint)
    if Set(hints).count == hints.count, Set(all.map(\.rule)).count == 1 { suggestions = hints }
    understood = all[0].parts
  }

  /// Runs what reads a line, and adds the line to a refusal.
  static func naming<Reading>(
    _ line: some StringProtocol, _ read: () throws(PhraseRefusal) -> Reading
  ) throws(PhraseRefusal) -> Reading {
    do throws(PhraseRefusal) {
      return try read()
    } catch {
      var refusal = error
      refusal.line = String(line.prefix(200))
      throw refusal
    }
  }

  /// The message for people: what is wrong, what was understood, and what works.
  package var text: UserText {
    var text = reason
    if !line.isEmpty {
      text = UserText("\"{line}\": {reason}", ["line": line, "reason": text])
    }
    if !understoodWords.isEmpty {
      text = UserText(
        "{reason} (understood: {words})",
        ["reason": text, "words": Self.quoted(understoodWords)])
    }
    if !quoted.isEmpty {
      text = UserText(
        "{reason}; put the title in quotation marks: {line}", ["reason": text, "line": quoted])
    }
    // What was refused is no advice.
    let other = suggestions.filter { $0.lowercased() != line.lowercased() }
    guard !other.isEmpty else { return text }
    let examples = Self.quoted(other)
    return quoted.isEmpty
      ? UserText("{reason}; try {examples}", ["reason": text, "examples": examples])
      : UserText("{reason}; or try {examples}", ["reason": text, "examples": examples])
  }

  /// The words of the line that were understood, other than those at fault.
  private var understoodWords: [String] {
    guard let fault, !saysAll else { return [] }
    let octets = Array(line.utf8)
    return understood.filter {
      ![.title, .filler].contains($0.kind) && !fault.overlaps($0.start..<$0.end)
        && $0.end <= octets.count
    }.map { String(decoding: octets[$0.start..<$0.end], as: UTF8.self) }
  }

  private static func quoted(_ words: [String]) -> UserText {
    .list(words.map { UserText("\"{name}\"", ["name": $0]) })
  }
}
