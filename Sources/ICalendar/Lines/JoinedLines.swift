// Lines of which somebody has lost the line end before a BEGIN or an END, or between the two the blank of a fold.

extension Component {
  /// The line that the rest of a broken one is joined to; nil where that is dropped.
  ///
  /// - Parameter width: how many octets the line of the text has in which it ends.
  private func lineToJoin(_ width: Int) -> ContentLine? {
    guard let last = lines.last, last.property != .begin, last.property != .end else { return nil }
    // By another UID it would be another event: only where it was long enough to be folded it has lost its rest.
    return last.property != .uid || width >= Component.leastFolded ? last : nil
  }

  /// Lines are folded at 75 octets, some programs do it a little before.
  private static let leastFolded = 70

  /// The name of that line.
  func nameToJoin(_ width: Int) -> String? { lineToJoin(width).map { excerpt($0.name) } }

  /// Joins the octets from `start` on, which belong to no line yet, to the last
  /// line, with a line break of TEXT between them; a UID has none. After a BEGIN, an
  /// END or a short UID they are dropped.
  mutating func joinToLastLine(_ width: Int, from start: Int) {
    guard var last = lineToJoin(width) else {
      octets.removeSubrange(start...)
      return
    }
    // In place of the CRLF that is there.
    octets.replaceSubrange(
      last.end..<start, with: last.property == .uid ? [] : [.backslash, UInt8(ascii: "n")])
    last.end = octets.count
    lines[lines.count - 1] = last
    endLine()
  }

  /// To be called once something was joined to the last line, and before that is looked at.
  ///
  /// What was added may hold the quote that the line had lost, so that its value begins elsewhere: it is read as it will
  /// be from the text that is kept.
  mutating func readLastLineAgain() {
    guard let last = lines.last else { return }
    lines[lines.count - 1] = ContentLine(octets, last.range, number: last.number) ?? last
  }

  /// Whether a line has the BEGIN of a VCALENDAR and of what stands in that, as where all line ends of a text are lost.
  ///
  /// - Parameter isCut: whether only the beginning of the line is there, and it is too long for anything else.
  func isCalendarInOneLine(_ line: Range<Int>, isCut: Bool = false) -> Bool {
    let calendar = "BEGIN:VCALENDAR"
    let rest = line.dropFirst(calendar.utf8.count)
    guard !rest.isEmpty, isName(line.prefix(calendar.utf8.count), calendar) else { return false }
    let begin = PropertyName.begin.text
    return rest.contains { place in
      octets[place] == .colon && (isCut || isName(place - begin.utf8.count..<place, begin))
    }
  }

  /// What a value may have swallowed.
  private static let swallowed = ["BEGIN:VEVENT", "BEGIN:VTODO"]
  private static let lastLetters = swallowed.compactMap(\.utf8.last)

  /// Where in a BEGIN or END line another one begins, as in "END:VEVENT BEGIN:VEVENT"; nil where none does.
  func joinedDelimiter(in line: ContentLine) -> Int? {
    guard let colon = octets[line.value].firstIndex(of: .colon) else { return nil }
    return [PropertyName.begin, .end].lazy.map { colon - $0.text.utf8.count }.first { start in
      start > line.valueStart && !trimmed(line.valueStart..<start).isEmpty
        && [PropertyName.begin, .end].contains { isName(start..<colon, $0.text) }
    }
  }

  /// Where the BEGIN of an event or of a to-do begins with which a value ends, as in "SUMMARY:Tea BEGIN:VEVENT"; nil
  /// where it ends otherwise.
  func joinedBegin(in line: ContentLine) -> Int? {
    // From its end: it may be long, and is looked at each time that something is joined to it.
    let last = line.value.last { place in octets[place] != 0x20 && octets[place] != 0x09 }
    // Nearly none does.
    guard let last, Component.lastLetters.contains(octets[last].upperCased) else { return nil }
    for text in Component.swallowed {
      let start = last + 1 - text.utf8.count
      if start >= line.valueStart, isName(start..<last + 1, text) { return start }
    }
    return nil
  }

  /// From where that of the last line can be read, the end of which was read last; nil where it cannot, or there is none.
  func joinedBeginOfLast(_ reader: LineReader) -> JoinedLine? {
    guard let last = lines.last, let begin = joinedBegin(in: last) else { return nil }
    return JoinedLine(self, last, last.name, at: begin, reader)
  }

  /// Whether it counts as an event, a to-do and so on where it is left out: also with the rest of a line in its name, as
  /// "VEVENT UID:a", and by what it has, as "VEVNT" may.
  var isOfKind: Bool {
    kind != nil || ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"].contains(where: name.hasPrefix)
      || first(.uid) != nil && first(.start) != nil
  }

  /// Ends the component within one of its own lines.
  ///
  /// - Parameters:
  ///   - end: where that line is cut off.
  ///   - number: of the line of the text that stands for its END.
  mutating func cut(at index: Int, _ end: Int, number: Int) {
    let name = name
    octets.removeSubrange(trimmed(lines[index].valueStart..<end).upperBound...)
    lines.removeSubrange((index + 1)...)
    lines[index].end = octets.count
    endLine()
    append(delimiter: .end, name, number: number)
  }
}

/// What is said of a calendar that stands in one line.
let noLineEnds =
  "the calendar goes on in the line of its BEGIN: the line ends of the text are lost, and nothing of it can be read"

/// What no event has twice: where one comes once more, it is of another event.
struct SingleProperties: OptionSet {
  let rawValue: UInt8
  static let uid = SingleProperties(rawValue: 1)
  static let start = SingleProperties(rawValue: 2)
  static let stamp = SingleProperties(rawValue: 4)

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The property, or nothing where it is none of these.
  init(_ property: PropertyName) {
    switch property {
    case .uid: self = .uid
    case .start: self = .start
    case .stamp: self = .stamp
    default: self = []
    }
  }
}

/// A BEGIN or END that stands in the line of something else.
struct JoinedLine {
  /// Of the text.
  let number: Int
  /// The octet of the line, from 1.
  let column: Int
  /// Where it is to be read from.
  let place: LineReader.Place
  /// "END:VEVENT", or the name of a property before it, and what it is.
  let (before, text): (String, String)

  /// Finds out where the text has it; nil where it is not in one piece there.
  ///
  /// - Parameters:
  ///   - line: the one that was read last.
  ///   - start: where it begins in that.
  init?(
    _ component: Component, _ line: ContentLine, _ name: Range<Int>, at start: Int,
    _ reader: LineReader
  ) {
    guard let place = reader.place(ofLast: component.octets[start..<line.end]) else { return nil }
    self.place = place
    number = line.number
    column = start - line.name.lowerBound + 1
    before = component.excerpt(component.trimmed(name))
    text = component.excerpt(component.trimmed(start..<line.end))
  }

  func problem(uid: String = "", summary: String = "") -> ParseDiagnostic {
    ParseDiagnostic(
      line: number, column: column, uid: uid, summary: summary, word: "bad-syntax",
      text: "\(before): \(text) stands in the same line; it is read as one of its own",
      severity: .tolerated)
  }
}

/// The first line of a component that is broken without a fold.
struct Foldless {
  /// Of the text.
  let line: Int
  /// Of the line that it was joined to; nil where it is dropped.
  let property: String?

  func problem(of component: String, uid: String, summary: String) -> ParseDiagnostic {
    ParseDiagnostic(
      line: line, column: 1, uid: uid, summary: summary, word: "bad-syntax",
      text: (property ?? component) + ": the line is no content line; it "
        + (property == nil ? "is passed by" : "was joined to the one before"),
      severity: .tolerated)
  }
}

/// A line of a component's own that may have swallowed the BEGIN of another: the first of those behind the same of what
/// no event has twice.
struct Swallowing {
  /// Of the line.
  let index: Int
  /// Where in that it would stand.
  let start: Int
  /// From where it can be read; nil where it cannot.
  let joined: JoinedLine?
  /// What the component has up to there that no event has twice, and what was wrong with it.
  let known: SingleProperties
  let flaws: LineFlaws
  let foldless: Foldless?
}

/// What stands in a VCALENDAR itself and is of a component that has lost its BEGIN, as far as that is known.
struct StrayLines {
  /// The line of the text where the first of it stands; nil where nothing says so. A VCALENDAR may have a UID and more
  /// of what events have, but no time.
  private(set) var line: Int?
  private(set) var (uid, summary) = ("", "")
  private var hasStart = false

  /// The same where even without an END it is an event: some programs write a DTSTAMP in their VCALENDARs.
  var lineOfEvent: Int? { hasStart ? line : nil }

  mutating func take(_ line: ContentLine, of component: Component) {
    switch line.property {
    case .start, .stamp:
      self.line = min(line.number, self.line ?? .max)
      hasStart = hasStart || line.property == .start
    case .uid: uid = component.text(component.trimmed(line.value))
    case .summary: summary = component.text(line.value)
    default: break
    }
  }
}
