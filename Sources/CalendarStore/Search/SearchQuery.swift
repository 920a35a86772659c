package import CalendarModel
package import Messages

/// A search for events, parsed from the text that somebody typed.
///
///     dentist              a word that begins so, anywhere in an event
///     "board meeting"      these complete words in a row
///     location:berlin      a word in one field
///     summary:"all hands"  a phrase in one field
///     calendar:work        events of the calendar with that id or name
///
/// All terms must match; case and diacritics do not matter. Characters other than letters and
/// digits separate words. No syntax is refused: an open quote extends to the end, and an unknown
/// field before a colon is a word.
package struct SearchQuery: Equatable, Sendable {
  /// Where a term may occur.
  package enum Field: String, CaseIterable, Sendable {
    case summary, location, description, attendee, category
  }

  /// A word or phrase that must occur.
  package struct Term: Equatable, Sendable {
    /// nil for any field.
    package var field: Field?
    package var text: String
    /// Whether the last word may be the beginning of a longer one.
    package var isPrefix: Bool

    package init(_ text: String, field: Field? = nil, isPrefix: Bool = true) {
      self.field = field
      self.text = text
      self.isPrefix = isPrefix
    }
  }

  /// The words and phrases, at least one.
  package private(set) var terms: [Term] = []
  /// The values of `calendar:`, as they were typed.
  package private(set) var calendars: [String] = []

  /// The longest query in bytes: more than any title.
  package static let maximumOctets = 4096
  /// The most words and phrases, calendars included.
  package static let maximumTerms = 64

  /// Parses a query.
  ///
  /// - Throws: ``SearchQueryError`` if the text is too long, or has too many words or none.
  package init(_ text: String) throws(SearchQueryError) {
    let octets = text.utf8.count
    guard octets <= SearchQuery.maximumOctets else { throw .tooLong(octets: octets) }
    var scanner = Scanner(text)
    while let (field, word) = scanner.next() {
      if field == "calendar" {
        if !word.text.isEmpty { calendars.append(word.text) }
        continue
      }
      let known = field.flatMap { Field(rawValue: $0) }
      let isWord = SearchText.spaced(word.text).unicodeScalars.contains {
        SearchText.isOfWords($0)
      }
      if isWord { terms.append(Term(word.text, field: known, isPrefix: !word.isClosed)) }
    }
    guard terms.count + calendars.count <= SearchQuery.maximumTerms else {
      throw .tooManyTerms(count: terms.count + calendars.count)
    }
    guard !terms.isEmpty else { throw .noWords(text) }
  }

  /// Whether each `calendar:` is the calendar's id, or the beginning of its name.
  ///
  /// Case and diacritics do not matter.
  package func admits(calendar: CalendarInfo) -> Bool {
    if calendars.isEmpty { return true }
    let name = LetterFolding.plain(calendar.name)
    return calendars.allSatisfy { word in
      calendar.id.text.lowercased() == word.lowercased()
        || name.utf8.starts(with: LetterFolding.plain(word).utf8)
    }
  }

  /// Where terms without a field must occur, and whether as whole words.
  enum Place {
    case anywhere, inSummary, wholeInSummary
  }

  /// The FTS5 expression for terms in any field.
  var expression: String { expression(.anywhere) }

  /// Returns the FTS5 expression; each term is a string, so that no character is special.
  ///
  /// A word is searched whole and as a prefix, so that whole words rank before longer ones.
  ///
  /// Source: sqlite.org/fts5.html section 3.
  func expression(_ place: Place) -> String {
    terms.map { term in
      let text = "\"" + SearchText.spaced(term.text).replacing("\"", with: "\"\"") + "\""
      let isPrefix = term.isPrefix && place != .wholeInSummary
      let either = isPrefix ? "(\(text) OR \(text) *)" : text
      guard let field = term.field ?? (place == .anywhere ? nil : .summary) else { return either }
      return "{\(SearchIndex.column(of: field))} : \(either)"
    }.joined(separator: " AND ")
  }
}

/// Splits a query into words and phrases.
private struct Scanner {
  struct Word {
    var text = ""
    /// Whether it was between two quotes.
    var isClosed = false
  }

  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = text[...].unicodeScalars }

  /// Returns the next word or phrase and the field before it in lower case; nil at the end.
  mutating func next() -> (field: String?, word: Word)? {
    rest = rest.drop(while: Scanner.isBlank)
    guard let first = rest.first else { return nil }
    if first == "\"" { return (nil, quoted()) }
    let word = rest.prefix { !Scanner.isBlank($0) && $0 != "\"" }
    if let colon = word.firstIndex(of: ":") {
      let name = String(word[..<colon]).lowercased()
      if SearchQuery.Field(rawValue: name) != nil || name == "calendar" {
        rest = rest[word.index(after: colon)...]
        return (name, rest.first == "\"" ? quoted() : plain())
      }
    }
    return (nil, plain())
  }

  private mutating func plain() -> Word {
    let word = rest.prefix { !Scanner.isBlank($0) && $0 != "\"" }
    rest = rest[word.endIndex...]
    return Word(text: String(word))
  }

  /// Reads from a quote to the next, or to the end.
  private mutating func quoted() -> Word {
    rest = rest.dropFirst()
    let text = rest.prefix { $0 != "\"" }
    rest = rest[text.endIndex...]
    let isClosed = rest.popFirst() != nil
    return Word(
      text: String(String.UnicodeScalarView(text.map { Scanner.isBlank($0) ? " " : $0 })),
      isClosed: isClosed)
  }

  /// Control characters separate words too: SQLite would end the text at a NUL.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x21 || scalar.value == 0x7f || scalar.properties.isWhitespace
  }
}

/// Why a text cannot be searched for.
package enum SearchQueryError: UserError, Equatable, Sendable {
  /// The text is too long; it has that many bytes.
  case tooLong(octets: Int)
  /// The text has too many words and phrases.
  case tooManyTerms(count: Int)
  /// The text has no letter or digit outside of `calendar:` terms.
  case noWords(String)
}

extension SearchQueryError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    switch self {
    case .tooLong(let octets):
      UserText(
        "the text has {bytes} bytes, the limit is {limit}; search for a few words",
        ["bytes": octets, "limit": SearchQuery.maximumOctets])
    case .tooManyTerms(let count):
      UserText(
        "the text has {words} words, the limit is {limit}; search for a few of them",
        ["words": count, "limit": SearchQuery.maximumTerms])
    case .noWords(let text):
      UserText(
        "\"{text}\" has no word to search for; give at least one with a letter or a digit",
        ["text": text])
    }
  }

  package var description: String { text.english }
}
