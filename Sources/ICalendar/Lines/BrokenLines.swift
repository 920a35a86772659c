import Messages

// Lines that somebody has broken without a fold, and calendars without line ends.

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

  /// Whether a line goes on with something behind the BEGIN of a VCALENDAR, as where all line ends of a text are lost.
  func isCalendarInOneLine(_ line: Range<Int>) -> Bool {
    let calendar = "BEGIN:VCALENDAR"
    let rest = line.dropFirst(calendar.utf8.count)
    return isName(line.prefix(calendar.utf8.count), calendar) && octets[rest].contains(.colon)
  }

  /// Whether it counts as an event, a to-do and so on where it is left out: also with the rest of a line in its name, as
  /// "VEVENT UID:a", and by what it has, as "VEVNT" may.
  var isOfKind: Bool {
    kind != nil || ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"].contains(where: name.hasPrefix)
      || first(.uid) != nil && first(.start) != nil
  }
}

/// What is said of a calendar that stands in one line.
let noLineEnds = UserText(
  "the line breaks are lost: the calendar is in one line with its BEGIN, and cannot be read")

/// The first line of a component that is broken without a fold.
struct Foldless {
  /// Of the text.
  let line: Int
  /// Of the line that it was joined to; nil where it is dropped.
  let property: String?

  func problem(of component: String, uid: String, summary: String) -> ParseDiagnostic {
    ParseDiagnostic(
      line: line, column: 1, uid: uid, summary: summary, word: "bad-syntax",
      text: property.map {
        UserText(
          "{property}: the line is not a content line; it was joined to the one before it",
          ["property": $0])
      }
        ?? UserText(
          "{component}: the line is not a content line; it is ignored", ["component": component]),
      severity: .tolerated)
  }
}
