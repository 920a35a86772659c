import Messages

/// A word, number or mark of a phrase.
struct PhraseToken: Equatable {
  enum Kind: Equatable {
    /// Letters, in lower case; everything beyond ASCII counts as a letter.
    ///
    /// The marks of ``PhraseScanner/typographicMark(at:)`` do not.
    case word(String)
    /// A run of ASCII digits, at most nine of them.
    case number(Int)
    /// Any other octet, such as ":" or "+".
    case mark(UInt8)
    case end
  }

  let kind: Kind
  /// Offsets in the phrase, in octets.
  let start: Int
  let end: Int
  /// Whether white space, or the beginning of the phrase, precedes it.
  let isApart: Bool

  var digits: Int { end - start }
}

/// Reads the words, numbers and marks of a phrase in order.
///
/// A scanner is a value, so a reader can try one form on a copy, and then another.
struct PhraseScanner {
  let text: String
  private let octets: [UInt8]
  private(set) var token: PhraseToken
  /// The end of the last consumed token, in octets.
  private(set) var passed = 0

  /// Scans a sentence of any length, which may begin with a hyphen.
  init(sentence: some StringProtocol) {
    text = String(sentence)
    octets = Array(sentence.utf8)
    token = PhraseToken(kind: .end, start: 0, end: 0, isApart: true)
    advance()
  }

  /// - Throws: ``PhraseError`` for a phrase that is too long or begins with a hyphen.
  init(_ text: some StringProtocol) throws(PhraseError) {
    self.text = String(text)
    octets = Array(text.utf8.prefix(PhraseError.maximumOctets + 1))
    token = PhraseToken(kind: .end, start: 0, end: 0, isApart: true)
    guard octets.count <= PhraseError.maximumOctets else {
      throw PhraseError(
        phrase: self.text, position: PhraseError.maximumOctets,
        reason: UserText("longer than {limit} bytes", ["limit": PhraseError.maximumOctets]),
        example: "tomorrow 14:00")
    }
    advance()
    if isAt("-") {
      // The command line would take it for an option.
      throw fault(UserText("a phrase cannot begin with a hyphen"), example: "2h ago")
    }
  }

  // MARK: Reading

  var isAtEnd: Bool { token.kind == .end }

  /// The next token if it is a word.
  var word: String? {
    if case .word(let word) = token.kind { word } else { nil }
  }

  /// The next token if it is a number.
  var number: Int? {
    if case .number(let value) = token.kind { value } else { nil }
  }

  func isAt(_ mark: Unicode.Scalar) -> Bool { token.kind == .mark(UInt8(ascii: mark)) }

  /// Consumes the mark if it is next, and returns whether it was.
  mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    guard isAt(mark) else { return false }
    advance()
    return true
  }

  /// Consumes the word if it is next, and returns whether it was.
  mutating func skip(word expected: String) -> Bool {
    guard word == expected else { return false }
    advance()
    return true
  }

  /// Returns the text between two offsets, in octets.
  func slice(_ start: Int, _ end: Int) -> String {
    String(decoding: octets[start..<end], as: UTF8.self)
  }

  mutating func advance() {
    var position = token.end
    passed = position
    while position < octets.count, octets[position] == 0x20 || octets[position] == 0x09 {
      position += 1
    }
    let start = position
    let kind: PhraseToken.Kind
    if position == octets.count {
      kind = .end
    } else if isDigit(octets[position]) {
      var value = 0
      // Nine digits suffice for every form except epoch seconds, which read several tokens.
      while position < octets.count, position - start < 9, isDigit(octets[position]) {
        value = value * 10 + Int(octets[position] - UInt8(ascii: "0"))
        position += 1
      }
      kind = .number(value)
    } else if let mark = typographicMark(at: position) {
      kind = .mark(mark)
      position += 3
    } else if isLetter(octets[position]) {
      while position < octets.count, isLetter(octets[position]),
        typographicMark(at: position) == nil
      {
        position += 1
      }
      let lowered = octets[start..<position].map { isUpper($0) ? $0 + 0x20 : $0 }
      kind = .word(String(decoding: lowered, as: UTF8.self))
    } else {
      kind = .mark(octets[position])
      position += 1
    }
    token = PhraseToken(
      kind: kind, start: start, end: position, isApart: start == 0 || start > token.end)
  }

  /// Returns the ASCII mark for a typographic dash or double quotation mark.
  ///
  /// Those are U+2010 to U+2015 and U+201C to U+201F, so that copied text reads like typed text.
  private func typographicMark(at position: Int) -> UInt8? {
    guard position + 2 < octets.count, octets[position] == 0xe2, octets[position + 1] == 0x80
    else { return nil }
    switch octets[position + 2] {
    case 0x90...0x95: return UInt8(ascii: "-")
    case 0x9c...0x9f: return UInt8(ascii: "\"")
    default: return nil
    }
  }

  // MARK: Faults

  /// Returns the error at a position, by default that of the next token.
  func fault(_ reason: UserText, at position: Int? = nil, example: String) -> PhraseError {
    PhraseError(
      phrase: text, position: position ?? token.start, reason: reason, example: example)
  }

  /// The next token, for a message.
  var found: UserText {
    isAtEnd
      ? UserText("the end") : UserText(verbatim: "\"\(slice(token.start, token.end))\"")
  }
}

private func isDigit(_ octet: UInt8) -> Bool {
  octet >= UInt8(ascii: "0") && octet <= UInt8(ascii: "9")
}

private func isUpper(_ octet: UInt8) -> Bool {
  octet >= UInt8(ascii: "A") && octet <= UInt8(ascii: "Z")
}

private func isLetter(_ octet: UInt8) -> Bool {
  isUpper(octet) || (octet >= UInt8(ascii: "a") && octet <= UInt8(ascii: "z")) || octet >= 0x80
}
