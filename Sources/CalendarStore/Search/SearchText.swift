import CSQLite
import CalendarModel

/// Prepares texts for the words of the index.
///
/// The tokenizer, unicode61, makes a word of each run of letters and digits. It folds case and
/// Latin diacritics, but not "ß" or "ø", and knows no scripts without spaces between words. Each
/// character of these becomes a word here, so that a query for several becomes a phrase:
///
///     "東京会議 at 9"  ->  " 東  京  会  議  at 9"
///
/// Why not the "trigram" tokenizer? It finds no texts of two characters, as most Japanese words
/// are, and needs three times the space for others. Why not our own tokenizer? Other programs could
/// then neither check nor change the file.
enum SearchText {
  /// The most bytes of one text that are indexed, far more than people write.
  static let maximumOctets = 65_536

  /// Whether a character is a word by itself: Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer.
  ///
  /// Korean has spaces, but also compounds without.
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

  /// Whether the tokenizer counts a character to words: letters, digits, private use.
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

  /// Returns the usual spelling of a letter that the tokenizer does not fold; else nil.
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

  /// Returns a text as the index takes it, with folded letters and separated characters.
  ///
  /// Characters that stand alone get spaces around them; see ``folded(_:)`` and ``LetterFolding``.
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

  /// Appends what ``spaced(_:)`` returns.
  ///
  /// - Parameter text: valid UTF-8.
  private static func writeSpaced(
    _ text: UnsafeBufferPointer<UInt8>, to spaced: inout [UInt8]
  ) {
    var pending: Unicode.Scalar?
    var place = 0
    while place < text.count {
      // ASCII is copied unchanged, and composes with nothing.
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

  /// Decodes a character outside of ASCII, and moves past it.
  private static func scalar(
    in text: UnsafeBufferPointer<UInt8>, at place: inout Int
  ) -> Unicode.Scalar {
    let lead = text[place]
    let length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    // The payload bits of the lead byte: 5, 4 or 3.
    var value = UInt32(lead & (0xff >> UInt8(length + 1)))
    let end = min(place + length, text.count)
    for octet in text[place + 1..<end] { value = value << 6 | UInt32(octet & 0x3f) }
    place = end
    return Unicode.Scalar(value) ?? "\u{fffd}"
  }

  /// Appends a character in its folded form.
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

  /// Whether ``spaced(_:)`` may change a text.
  ///
  /// Characters from U+0300 on have a byte of 0xCC or more. The letters of ``folded(_:)`` begin
  /// with 0xC7, or with 0xC3 to 0xC5 and certain second bytes.
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

  /// Whether any byte is 0xC0 or more; checks eight at a time.
  private static func hasOctet(atLeastC0 text: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(text)
    var place = 0
    while place + 8 <= raw.count {
      // The top bit of each byte, if the bit below it is set too.
      let octets = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if octets & octets << 1 & 0x8080_8080_8080_8080 != 0 { return true }
      place += 8
    }
    return raw[place...].contains { $0 >= 0xc0 }
  }

  /// Returns the items of a packed list, one per line; text that is no such list stays as it is.
  ///
  /// - Parameter isWanted: decides by the index of an item, from 0.
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
    // "mailto" is in every address; nobody searches for it.
    let isAddress = item.starts(with: mailto)
    lines += item.dropFirst(isAddress ? mailto.count : 0)
    lines.append(0x0a)
  }

  private static let mailto = Array("mailto:".utf8)

  // MARK: Of events

  /// Appends what `search_text` returns for a text.
  static func write(wordsOf text: String, to octets: inout [UInt8]) {
    var text = text
    text.withUTF8 { write(wordsOf: $0, to: &octets) }
  }

  /// Appends what `search_text` returns for a text.
  ///
  /// - Parameter text: valid UTF-8.
  private static func write(
    wordsOf text: UnsafeBufferPointer<UInt8>, to octets: inout [UInt8]
  ) {
    let part = clipped(text)
    if mayChange(part) { writeSpaced(part, to: &octets) } else { octets.append(contentsOf: part) }
  }

  /// Appends what `search_items` returns for the packed items.
  static func write(wordsOf items: [String], to octets: inout [UInt8]) {
    guard !items.isEmpty else { return }
    var lines: [UInt8] = []
    for item in items { append(item.utf8, to: &lines) }
    lines.withUnsafeBufferPointer { write(wordsOf: $0, to: &octets) }
  }

  /// Appends what `search_people` returns for the packed people.
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

  /// Adds SQL functions: `search_text(TEXT)`, `search_items(PACKED)`, `search_people(PACKED)`.
  ///
  /// `search_people` leaves out how each person takes part. Rows must be deleted from the index
  /// with the same texts that were inserted, so a change of these functions needs a migration that
  /// fills the index again.
  ///
  /// Source: sqlite.org/c3ref/create_function.html.
  static func addFunctions(to handle: OpaquePointer?) {
    // Only our statements may call them, not triggers or views in the file.
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

  /// Returns a prepared text to SQLite.
  ///
  /// - Parameter value: the SQL value that the text is from; nil if there is none.
  private static func answer(
    _ context: OpaquePointer?, _ value: OpaquePointer?, _ text: UnsafeBufferPointer<UInt8>
  ) {
    let part = clipped(text)
    if mayChange(part) {
      // Text that another program wrote into the file may be invalid UTF-8.
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

  /// Returns the text, cut at the end of a character if it is too long.
  private static func clipped(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    guard text.count > maximumOctets else { return text }
    var end = maximumOctets
    while end > 0, text[end] & 0xc0 == 0x80 { end -= 1 }
    return UnsafeBufferPointer(rebasing: text[..<end])
  }
}
