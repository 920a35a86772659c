package import CalendarModel

/// What somebody looks for in events, read from the text that they typed.
///
///     dentist              a word that begins so, anywhere in an event
///     "board meeting"      these words in a row, the last one whole
///     location:berlin      a word in one field
///     summary:"all hands"  a phrase in one field
///     calendar:work        events of the calendar with that id or name
///
/// All of it must hold. Case and diacritics do not count. What is not a letter
/// or a digit parts words and means nothing, so that no text is refused for its
/// grammar: a quote that is not closed ends with the text, and is still being
/// typed; a word before a colon that is no field is a word.
package struct SearchQuery: Equatable, Sendable {
  /// Where a term may occur.
  package enum Field: String, CaseIterable, Sendable {
    case summary, location, description, attendee, category
  }

  /// A word or a phrase that must occur.
  package struct Term: Equatable, Sendable {
    /// nil is any of them.
    package var field: Field?
    package var text: String
    /// Whether the last word of the text may go on.
    package var isPrefix: Bool

    package init(_ text: String, field: Field? = nil, isPrefix: Bool = true) {
      self.field = field
      self.text = text
      self.isPrefix = isPrefix
    }
  }

  /// At least one.
  package private(set) var terms: [Term] = []
  /// What `calendar:` asked for, as it was typed.
  package private(set) var calendars: [String] = []

  /// Most of a query, in octets: more than any title.
  package static let maximumOctets = 4096
  /// Most words and phrases of a query.
  package static let maximumTerms = 64

  /// - Throws: ``SearchQueryError``.
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

  /// Whether each `calendar:` is the id of a calendar, or the beginning of its name: without case
  /// and diacritics, as words are found.
  package func admits(calendar: CalendarInfo) -> Bool {
    if calendars.isEmpty { return true }
    let name = LetterFolding.plain(calendar.name)
    return calendars.allSatisfy { word in
      calendar.id.text.lowercased() == word.lowercased()
        || name.utf8.starts(with: LetterFolding.plain(word).utf8)
    }
  }

  /// Where and how terms that name no field are looked for.
  enum Place {
    case anywhere, inSummary, wholeInSummary
  }

  /// The terms for FTS5, wherever they stand.
  var expression: String { expression(.anywhere) }

  /// The terms for FTS5: each is a string of its own, in which nothing has a
  /// meaning.
  ///
  /// A word is looked for as such and as the beginning of one, so that who has
  /// all of it ranks before who only has more than it.
  ///
  /// Source: sqlite.org/fts5.html section 3.
  func expression(_ place: Place) -> String {
    terms.map { term in
      let text = "\"" + SearchText.spaced(term.text).replacing("\"", with: "\"\"") + "\""
      let mayGoOn = term.isPrefix && place != .wholeInSummary
      let either = mayGoOn ? "(\(text) OR \(text) *)" : text
      guard let field = term.field ?? (place == .anywhere ? nil : .summary) else { return either }
      return "{\(SearchIndex.column(of: field))} : \(either)"
    }.joined(separator: " AND ")
  }
}

/// Takes the words and phrases of a query apart.
private struct Scanner {
  struct Word {
    var text = ""
    /// Whether it stood in quotes, both of them.
    var isClosed = false
  }

  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = text[...].unicodeScalars }

  /// Returns the next word or phrase with the field before it, in lower case; nil
  /// at the end.
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

  /// From a quote to the next, or to the end.
  private mutating func quoted() -> Word {
    rest = rest.dropFirst()
    let text = rest.prefix { $0 != "\"" }
    rest = rest[text.endIndex...]
    let isClosed = rest.popFirst() != nil
    return Word(
      text: String(String.UnicodeScalarView(text.map { Scanner.isBlank($0) ? " " : $0 })),
      isClosed: isClosed)
  }

  /// Control characters part words like any space: a NUL would end the text for
  /// SQLite.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x21 || scalar.value == 0x7f || scalar.properties.isWhitespace
  }
}

/// Why a text cannot be looked for.
package enum SearchQueryError: Error, Equatable, Sendable {
  /// The text has so many octets.
  case tooLong(octets: Int)
  /// The text has so many words and phrases.
  case tooManyTerms(count: Int)
  /// The text has no letter and no digit, or names nothing but a calendar.
  case noWords(String)
}

extension SearchQueryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong(let octets):
      "\(octets) octets of text, where \(SearchQuery.maximumOctets) are allowed: look for a few words"
    case .tooManyTerms(let count):
      "\(count) words, where \(SearchQuery.maximumTerms) are allowed: look for a few of them"
    case .noWords(let text):
      "\"\(text)\" has no word to look for: give at least one with a letter or a digit"
    }
  }
}
