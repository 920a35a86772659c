import CSQLite
import CalendarModel

/// Splits texts into the words of the index.
///
/// Its tokenizer, unicode61, makes a word of each run of letters and digits, folds
/// case and the diacritics of Latin, takes "ß" and "ø" for letters of their own, and knows
/// nothing of scripts that put no spaces between words. Of these each character is made a word,
/// and so a word of theirs is a phrase, found wherever it stands:
///
///     "東京会議 at 9"  ->  " 東  京  会  議  at 9"
///
/// Why not the tokenizer "trigram"? It finds no text of two characters, which is
/// what most Japanese words have, and takes three times the room for the others. Why
/// not a tokenizer of our own? Whoever opens the file with another program could
/// neither check nor change it.
enum SearchText {
  /// The index has no more octets of one text than these; titles and
  /// descriptions that people write are far shorter.
  static let maximumOctets = 65_536

  /// Whether a character is a word alone: of Chinese, Japanese and Korean, Thai,
  /// Lao, Burmese and Khmer. Korean has spaces, and compounds without.
  ///
  /// Source: unicode.org, Blocks.txt; UAX #14 class SA for those of South-East Asia.
  static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x0e00: false
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x2e80...0x2fdf, 0x3005...0x3007,
      0x3040...0x312f, 0x31a0...0x31bf, 0x31f0...0x31ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
      0xac00...0xd7a3, 0xf900...0xfaff, 0xff66...0xff9f, 0x20000...0x3ffff:
      true
    default: false
    }
  }

  /// Whether the tokenizer makes words of a character: letters, digits, and what
  /// is for private use.
  ///
  /// Source: sqlite.org/fts5.html section 4.3.1.
  static func isOfWords(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// What stands for a letter that the tokenizer takes for one without a diacritic: people
  /// who have no key for it write it so. nil for all others.
  private static func folded(_ scalar: Unicode.Scalar) -> StaticString? {
    switch scalar {
    case "ß", "ẞ": "ss"
    case "æ", "Æ", "ǽ", "Ǽ", "ǣ", "Ǣ": "ae"
    case "œ", "Œ": "oe"
    case "ø", "Ø", "ǿ", "Ǿ": "o"
    case "đ", "Đ": "d"
    case "ł", "Ł": "l"
    default: nil
    }
  }

  /// Returns a text with spaces around each character that stands alone, with letters in place of
  /// those that ``folded(_:)`` names, and without what ``LetterFolding`` takes away.
  static func spaced(_ text: String) -> String {
    var text = text
    let changed = text.withUTF8 { octets -> String? in
      guard mayChange(octets) else { return nil }
      var spaced: [UInt8] = []
      writeSpaced(octets, to: &spaced)
      return String(decoding: spaced, as: UTF8.self)
    }
    return changed ?? text
  }

  /// Adds what ``spaced(_:)`` returns.
  ///
  /// - Parameter text: valid UTF-8.
  private static func writeSpaced(
    _ text: UnsafeBufferPointer<UInt8>, to spaced: inout [UInt8]
  ) {
    var pending: Unicode.Scalar?
    var place = 0
    while place < text.count {
      // What is in ASCII stays as it is, and joins nothing.
      let start = place
      while place < text.count, text[place] < 0x80 { place += 1 }
      if place > start {
        if let last = pending.take() { write(last, to: &spaced) }
        spaced.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
      }
      guard place < text.count else { break }
      let scalar = scalar(in: text, at: &place)
      guard let first = pending else {
        pending = scalar
        continue
      }
      if let one = LetterFolding.composed(first, scalar) {
        pending = one
      } else {
        write(first, to: &spaced)
        pending = scalar
      }
    }
    if let last = pending { write(last, to: &spaced) }
  }

  /// Reads a character that is not of ASCII, and goes on behind it.
  private static func scalar(
    in text: UnsafeBufferPointer<UInt8>, at place: inout Int
  ) -> Unicode.Scalar {
    let lead = text[place]
    let length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    // The bits of the lead that count: 5, 4 or 3.
    var value = UInt32(lead & (0xff >> UInt8(length + 1)))
    let end = min(place + length, text.count)
    for octet in text[place + 1..<end] { value = value << 6 | UInt32(octet & 0x3f) }
    place = end
    return Unicode.Scalar(value) ?? "\u{fffd}"
  }

  /// Adds a character as the index takes it.
  private static func write(_ scalar: Unicode.Scalar, to octets: inout [UInt8]) {
    if standsAlone(scalar) {
      octets.append(0x20)
      append(scalar, to: &octets)
      octets.append(0x20)
    } else if let letters = folded(scalar) {
      letters.withUTF8Buffer { octets.append(contentsOf: $0) }
    } else if LetterFolding.isMark(scalar) {
      return
    } else {
      append(LetterFolding.base(of: scalar) ?? scalar, to: &octets)
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to octets: inout [UInt8]) {
    if let encoded = UTF8.encode(scalar) { octets.append(contentsOf: encoded) }
  }

  /// Whether there may be characters that are put into others: U+0300 and all after it have an
  /// octet from 0xCC on, the letters of ``folded(_:)`` one of 0xC3 to 0xC5 with one of few
  /// after it, or 0xC7.
  private static func mayChange(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard hasOctet(atLeastC0: text) else { return false }
    var lead: UInt8 = 0
    for octet in text {
      if octet >= 0xcc || octet == 0xc7 { return true }
      switch (lead, octet) {
      case (0xc3, 0x86), (0xc3, 0x98), (0xc3, 0x9f), (0xc3, 0xa6), (0xc3, 0xb8), (0xc4, 0x90),
        (0xc4, 0x91), (0xc5, 0x81), (0xc5, 0x82), (0xc5, 0x92), (0xc5, 0x93):
        return true
      default: lead = octet
      }
    }
    return false
  }

  /// Whether any octet is 0xC0 or more: eight are looked at together.
  private static func hasOctet(atLeastC0 text: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(text)
    var place = 0
    while place + 8 <= raw.count {
      // The topmost bit of each octet, if the one below it is set as well.
      let octets = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if octets & octets << 1 & 0x8080_8080_8080_8080 != 0 { return true }
      place += 8
    }
    return raw[place...].contains { $0 >= 0xc0 }
  }

  /// Returns the items of a packed list, a line each; text that is no such list
  /// as it is.
  ///
  /// - Parameter isWanted: by the place of an item, from 0.
  static func items(
    _ packed: UnsafeBufferPointer<UInt8>, where isWanted: (Int) -> Bool
  ) -> [UInt8] {
    var lines: [UInt8] = []
    var reader = PackedReader(packed)
    var place = 0
    while !reader.isAtEnd {
      guard let item = try? reader.next() else { return Array(packed) }
      if isWanted(place) { append(item, to: &lines) }
      place += 1
    }
    return lines
  }

  private static func append(_ item: some Collection<UInt8>, to lines: inout [UInt8]) {
    // "mailto" is in every address, and nobody looks for it.
    let isAddress = item.starts(with: mailto)
    lines += item.dropFirst(isAddress ? mailto.count : 0)
    lines.append(0x0a)
  }

  private static let mailto = Array("mailto:".utf8)

  // MARK: Of events

  /// Adds what `search_text` makes of a text.
  static func write(wordsOf text: String, to octets: inout [UInt8]) {
    var text = text
    text.withUTF8 { write(wordsOf: $0, to: &octets) }
  }

  /// - Parameter text: valid UTF-8.
  private static func write(
    wordsOf text: UnsafeBufferPointer<UInt8>, to octets: inout [UInt8]
  ) {
    let part = clipped(text)
    if mayChange(part) { writeSpaced(part, to: &octets) } else { octets.append(contentsOf: part) }
  }

  /// Adds what `search_items` makes of the packed texts.
  static func write(wordsOf items: [String], to octets: inout [UInt8]) {
    guard !items.isEmpty else { return }
    var lines: [UInt8] = []
    for item in items { append(item.utf8, to: &lines) }
    lines.withUnsafeBufferPointer { write(wordsOf: $0, to: &octets) }
  }

  /// Adds what `search_people` makes of the packed people.
  static func write(
    wordsOf organizer: Attendee?, _ attendees: [Attendee], to octets: inout [UInt8]
  ) {
    guard organizer != nil || !attendees.isEmpty else { return }
    var lines: [UInt8] = []
    func add(_ one: Attendee) {
      append(one.address.utf8, to: &lines)
      append(one.name.utf8, to: &lines)
    }
    if let organizer { add(organizer) }
    for one in attendees { add(one) }
    lines.withUnsafeBufferPointer { write(wordsOf: $0, to: &octets) }
  }

  // MARK: In SQL

  /// Teaches a connection three functions: `search_text(TEXT)`,
  /// `search_items(PACKED)` and `search_people(PACKED)`, which leaves out how each
  /// takes part. What they return goes into the index, and must come out of it just so:
  /// whoever changes what they do makes a migration that fills it again.
  ///
  /// Source: sqlite.org/c3ref/create_function.html.
  static func addFunctions(to handle: OpaquePointer?) {
    // Only statements of ours may call them, nothing that the file brings along.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    sqlite3_create_function_v2(
      handle, "search_text", 1, flags, nil,
      { context, _, values in
        let value = values?[0]
        SearchText.answer(context, value, SearchText.argument(value))
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, "search_items", 1, flags, nil,
      { context, _, values in
        let lines = SearchText.items(SearchText.argument(values?[0])) { _ in true }
        lines.withUnsafeBufferPointer { SearchText.answer(context, nil, $0) }
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, "search_people", 1, flags, nil,
      { context, _, values in
        let lines = SearchText.items(SearchText.argument(values?[0])) { $0 % 3 != 2 }
        lines.withUnsafeBufferPointer { SearchText.answer(context, nil, $0) }
      }, nil, nil, nil)
  }

  private static func argument(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    guard let text = sqlite3_value_text(value) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
  }

  /// Answers with a text in words.
  ///
  /// - Parameter value: what the text came from, nil where it was made.
  private static func answer(
    _ context: OpaquePointer?, _ value: OpaquePointer?, _ text: UnsafeBufferPointer<UInt8>
  ) {
    let part = clipped(text)
    if mayChange(part) {
      // What somebody else has written into the file may be no UTF-8.
      var spaced = spaced(String(decoding: part, as: UTF8.self))
      spaced.withUTF8 { result(context, $0) }
    } else if let value, part.count == text.count {
      sqlite3_result_value(context, value)
    } else {
      result(context, part)
    }
  }

  private static func result(_ context: OpaquePointer?, _ text: UnsafeBufferPointer<UInt8>) {
    text.withMemoryRebound(to: CChar.self) {
      datebook_sqlite3_result_text(context, $0.baseAddress, Int32($0.count))
    }
  }

  /// The beginning of a text that is too long, to the end of a character.
  private static func clipped(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    guard text.count > maximumOctets else { return text }
    var end = maximumOctets
    while end > 0, text[end] & 0xc0 == 0x80 { end -= 1 }
    return UnsafeBufferPointer(rebasing: text[..<end])
  }
}
