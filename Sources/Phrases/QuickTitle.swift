import CivilTime
import Messages

/// The title and the place: what is left of a quick text after its times are read.
struct QuickTitle {
  let scanner: PhraseScanner
  let pieces: [QuickPiece]
  private(set) var summary = ""
  private(set) var location = ""
  private(set) var placeIsGuess = false
  private(set) var hasLeftover = false
  /// Whether something was left that can hardly belong to the title.
  private(set) var hasUnread = false
  private(set) var spans: [QuickPhrase.Span] = []

  private var length: Int { scanner.text.utf8.count }

  private let known: QuickLeftovers.Known

  init(scanner: PhraseScanner, pieces: [QuickPiece]) {
    self.scanner = scanner
    self.pieces = pieces
    known = QuickLeftovers.Known(
      hasDay: pieces.contains { $0.isDay || $0.isInstant },
      hasClock: pieces.contains { $0.isClock || $0.isInstant })
  }

  /// - Throws: ``PhraseError`` for two places after "@".
  mutating func read() throws(PhraseError) {
    let place = try placePiece()
    var texts: [(start: Int, end: Int)] = []
    var position = 0
    var remaining = pieces[...]
    while position < length {
      let next = remaining.first
      let textEnd = next?.start ?? length
      if textEnd > position { texts.append((position, textEnd)) }
      guard let piece = remaining.popFirst() else { break }
      position = piece.end
      switch piece.content {
      case .quoted:
        texts.append((piece.start, piece.end))
      case .place where piece.start != place?.start:
        // This "at" belongs to the title.
        texts.append((piece.start, piece.end))
      case .place:
        let end = placeEnd(from: piece.end, &remaining)
        if readPlace(piece, end: end) {
          position = end
        } else {
          // "tea @ #work"
          texts.append((piece.start, piece.end))
        }
      default:
        if let meaning = piece.meaning { add(meaning, piece.start, piece.end) }
      }
    }
    join(texts)
    spans.sort { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  // MARK: The place

  /// Returns the piece of the place: an "@" rather than an "at", else the last "at".
  ///
  /// - Throws: ``PhraseError`` for two "@".
  private func placePiece() throws(PhraseError) -> QuickPiece? {
    let places = pieces.filter(\.content.isPlace)
    let marked = places.filter { scanner.slice($0.start, $0.start + 1) == "@" }
    guard marked.count < 2 else {
      throw scanner.fault(
        UserText("there are two places after \"@\""), at: marked[1].start,
        example: "lunch fri 12:30 @ Sal's")
    }
    return marked.first ?? places.last
  }

  /// Returns the end of the place: before the next unquoted piece, "with" or "about".
  private func placeEnd(from start: Int, _ remaining: inout ArraySlice<QuickPiece>) -> Int {
    var end = length
    while let piece = remaining.first {
      if case .quoted = piece.content {
        remaining.removeFirst()
        continue
      }
      end = piece.start
      break
    }
    var words = PhraseScanner(sentence: scanner.slice(start, end))
    while !words.isAtEnd {
      if words.isAt("\""), words.readQuoted() != nil { continue }
      if words.token.isApart, words.passed > 0, words.word == "with" || words.word == "about" {
        // Skips over quoted text before it.
        return start + words.token.start
      }
      words.advance()
    }
    return end
  }

  /// Reads the place; returns whether there is one.
  private mutating func readPlace(_ piece: QuickPiece, end: Int) -> Bool {
    let (first, last) = trimmed(piece.end, end)
    guard first < last else { return false }
    location = unquoted(scanner.slice(first, last))
    placeIsGuess = scanner.slice(piece.start, piece.start + 1) != "@"
    // Addresses have numbers and months, so only certain leftovers count.
    let leftovers = leftovers(first, last, of: (piece.end, end))
    add(.where, piece.start, last, without: leftovers)
    return true
  }

  // MARK: The title

  /// Joins the rest; a title that is quoted as a whole loses its quotation marks.
  private mutating func join(_ texts: [(start: Int, end: Int)]) {
    var joined: [(start: Int, end: Int)] = []
    for text in texts {
      if let last = joined.last, last.end == text.start {
        joined[joined.count - 1].end = text.end
      } else {
        joined.append(text)
      }
    }
    var parts: [String] = []
    for text in joined {
      let (first, last) = trimmed(text.start, text.end)
      guard first < last else {
        // A bracket that closes one of the title's stays.
        let marks = scanner.slice(text.start, text.end)
        if let part = parts.last, marks.utf8.contains(UInt8(ascii: ")")),
          part.utf8.lastIndex(of: UInt8(ascii: "(")) != nil, !part.hasSuffix(")")
        {
          parts[parts.count - 1] += ")"
        }
        continue
      }
      parts.append(scanner.slice(first, last))
      let leftovers = leftovers(first, last, of: text)
      if leftovers.hasNumber || leftovers.found.contains(where: { !$0.isCertain }) {
        hasLeftover = true
      }
      add(.summary, first, last, without: leftovers)
    }
    summary = unquoted(parts.joined(separator: " "))
  }

  /// - Parameter text: The text up to its neighbors, of which `start` and `end` are a part.
  private func leftovers(
    _ start: Int, _ end: Int, of text: (start: Int, end: Int)
  ) -> QuickLeftovers {
    var neighbours: QuickLeftovers.Neighbours = []
    for piece in pieces where piece.meaning != nil && piece.meaning != .calendar {
      if piece.end == text.start { neighbours.insert(.before) }
      guard piece.start == text.end else { continue }
      neighbours.insert(piece.isDay ? [.after, .dayAfter] : .after)
    }
    return QuickLeftovers(
      scanner.slice(start, end), at: start, known, neighbours)
  }

  /// Adds a span for a text, except for the leftovers in it that can hardly belong to it.
  private mutating func add(
    _ meaning: QuickPhrase.Span.Meaning, _ start: Int, _ end: Int,
    without leftovers: QuickLeftovers
  ) {
    var position = start
    for leftover in leftovers.found where leftover.isCertain {
      add(meaning, position, leftover.start)
      add(.unread, leftover.start, leftover.end)
      hasUnread = true
      position = leftover.end
    }
    add(meaning, position, end)
  }

  private mutating func add(_ meaning: QuickPhrase.Span.Meaning, _ start: Int, _ end: Int) {
    let (first, last) = trimmed(start, end, marks: " \t")
    if first < last { spans.append(QuickPhrase.Span(meaning: meaning, start: first, end: last)) }
  }

  /// Removes white space and the marks that joined a text to its neighbors.
  ///
  /// An opening bracket is removed only at the end.
  private func trimmed(_ start: Int, _ end: Int, marks: String = " \t,;-–") -> (Int, Int) {
    let octets = Array(scanner.slice(start, end).utf8)
    let isAlone = octets.allSatisfy { " \t,;:-().!".utf8.contains($0) }
    if isAlone, marks.count > 2, !isLoneReminder(start, octets) { return (start, start) }
    let dropped = Array(marks.utf8.filter { $0 < 0x80 })
    var (first, last) = (0, octets.count)
    while first < last, dropped.contains(octets[first]) { first += 1 }
    while last > first, dropped.contains(octets[last - 1]) { last -= 1 }
    if marks.count > 2, last > first, octets[last - 1] == UInt8(ascii: "(") { last -= 1 }
    while last > first, dropped.contains(octets[last - 1]) { last -= 1 }
    // A colon next to a piece that was taken out.
    if marks.count > 2, last > first, octets[last - 1] == UInt8(ascii: ":") { last -= 1 }
    if marks.count > 2, first < last, octets[first] == UInt8(ascii: ":") { first += 1 }
    while first < last, dropped.contains(octets[first]) { first += 1 }
    return (start + first, start + last)
  }

  /// Whether there is a "!" with nothing before it, so that it does not end a sentence.
  private func isLoneReminder(_ start: Int, _ octets: [UInt8]) -> Bool {
    guard let index = octets.firstIndex(of: UInt8(ascii: "!")) else { return false }
    return index == 0 ? start == 0 : octets[index - 1] == 0x20 || octets[index - 1] == 0x09
  }

  private func unquoted(_ text: String) -> String {
    var words = PhraseScanner(sentence: text)
    guard let range = words.readQuoted(), words.isAtEnd else { return text }
    return String(words.slice(range.lowerBound, range.upperBound).trimmingBlanks())
  }
}

extension QuickPiece {
  fileprivate var meaning: QuickPhrase.Span.Meaning? {
    switch content {
    case .day, .clock, .part, .instant, .allDay: .when
    case .end: .end
    case .length: .duration
    case .repeats, .count: .repeat
    case .calendar: .calendar
    case .reminder: .reminder
    case .place, .quoted: nil
    }
  }
}
