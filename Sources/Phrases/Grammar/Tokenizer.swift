/// Cuts a line into tokens.
///
///     "dentist 3pm @Ana's"   dentist | 3 | pm | @ | ana's
///     "明天下午３点半"          明 | 天 | 下 | 午 | 3 | 点 | 半
///
/// Digits end a word that a number begins ("15h30" is 15, h, 30) but belong to one that letters
/// begin ("LH441").
struct Tokenizer {
  private let scalars: [Unicode.Scalar]
  /// The offset of each scalar in octets, and the end.
  private let offsets: [Int]
  private var position = 0
  private var tokens: [Token] = []
  private var isGlued = false

  static func tokens(of text: some StringProtocol) -> [Token] {
    var tokenizer = Tokenizer(text)
    return tokenizer.run()
  }

  private init(_ text: some StringProtocol) {
    var scalars: [Unicode.Scalar] = []
    var offsets = [0]
    scalars.reserveCapacity(text.utf8.count)
    offsets.reserveCapacity(text.utf8.count + 1)
    for scalar in text.unicodeScalars {
      offsets.append(offsets[offsets.count - 1] + UTF8.width(scalar))
      scalars.append(Self.narrow(scalar))
    }
    self.scalars = scalars
    self.offsets = offsets
  }

  private mutating func run() -> [Token] {
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar.properties.isWhitespace {
        position += 1
        isGlued = false
        continue
      }
      let start = position
      let kind = take(scalar)
      tokens.append(
        Token(
          kind: kind, text: folded(start, position), start: offsets[start], end: offsets[position],
          isGlued: isGlued && start > 0))
      isGlued = true
    }
    return tokens
  }

  /// Passes one token and returns its kind.
  private mutating func take(_ first: Unicode.Scalar) -> Token.Kind {
    if let close = Self.closing(first), let end = find(close, after: position) {
      position = end + 1
      return .quoted
    }
    if let end = singleQuotes(first) {
      position = end + 1
      return .quoted
    }
    if first == "#", let next = scalar(after: position), let close = Self.closing(next),
      let end = find(close, after: position + 1)
    {
      position = end + 1
      return .calendar
    }
    if first == "#", let next = scalar(after: position), Self.isName(next) {
      position += 1
      while position < scalars.count, Self.isName(scalars[position]) { position += 1 }
      return .calendar
    }
    position += 1
    if Self.isDigit(first) {
      while position < scalars.count, Self.isDigit(scalars[position]) { position += 1 }
      return .number
    }
    if Self.isIdeograph(first) { return .ideograph }
    guard first.properties.isAlphabetic else { return .mark }
    // "h30" of "15h30" is two tokens; "LH441" is one.
    let takesDigits = !(isGlued && tokens.last?.kind == .number)
    while position < scalars.count {
      let scalar = scalars[position]
      if Self.isLetter(scalar) || takesDigits && Self.isDigit(scalar) {
        position += 1
      } else if Self.isApostrophe(scalar), let next = self.scalar(after: position),
        Self.isLetter(next)
      {
        position += 2
      } else {
        break
      }
    }
    return .word
  }

  private func folded(_ start: Int, _ end: Int) -> String {
    var text = ""
    for scalar in scalars[start..<end] {
      if scalar.isASCII {
        text.unicodeScalars.append(
          (65...90).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
      } else if Self.isApostrophe(scalar) {
        text += "'"
      } else {
        text += scalar.properties.lowercaseMapping
      }
    }
    return text
  }

  private func scalar(after index: Int) -> Unicode.Scalar? {
    index + 1 < scalars.count ? scalars[index + 1] : nil
  }

  private func find(_ scalar: Unicode.Scalar, after start: Int) -> Int? {
    scalars[(start + 1)...].firstIndex(of: scalar)
  }

  private static let elided: Set = ["til", "bout", "round", "cause", "em", "n", "tis", "twas"]

  /// The end of 'words', but not of "Bob's", "'til", "'bout" and "'26".
  private func singleQuotes(_ first: Unicode.Scalar) -> Int? {
    guard first == "‘" || Self.isApostrophe(first), !isGlued, let next = scalar(after: position),
      position == 0 || next.properties.isAlphabetic,
      !Self.elided.contains(
        String(String.UnicodeScalarView(scalars[(position + 1)...].prefix { Self.isName($0) }))
          .lowercased())
    else { return nil }
    return scalars.indices.dropFirst(position + 2).first { index in
      Self.isApostrophe(scalars[index]) && !scalars[index - 1].properties.isWhitespace
        && (scalar(after: index).map { !Self.isName($0) } ?? true)
    }
  }

  // MARK: Characters

  /// Full-width forms and the ideographic space as their ASCII.
  private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    case 0x3000: " "
    default: scalar
    }
  }

  private static func closing(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "\"": "\""
    case "“": "”"
    case "「": "」"
    case "『": "』"
    case "《": "》"
    case "«": "»"
    default: nil
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    (48...57).contains(scalar.value)
  }

  private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "'" || scalar == "’"
  }

  static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x2E80 && (scalar.properties.isIdeographic || scalar == "〇")
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? (97...122).contains(scalar.value | 32)
      : scalar.properties.isAlphabetic && !isIdeograph(scalar)
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || isDigit(scalar) || scalar == "-" || scalar == "_"
  }
}
