import Messages

// Repairs lines that were broken without a fold, and detects calendars without line breaks.

extension Component {
  /// Returns the line that the rest of a broken one is joined to; nil if the rest is dropped.
  ///
  /// - Parameter width: The octets in the last physical line of that line.
  private func lineToJoin(_ width: Int) -> ContentLine? {
    guard let last = lines.last, last.property != .begin, last.property != .end else { return nil }
    // A longer UID would be another event. Only a UID long enough to be folded can have lost its
    // rest.
    return last.property != .uid || width >= Component.leastFolded ? last : nil
  }

  /// Lines are folded at 75 octets; some programs fold a little earlier.
  private static let leastFolded = 70

  /// The name of that line.
  func nameToJoin(_ width: Int) -> String? { lineToJoin(width).map { excerpt($0.name) } }

  /// Joins the octets from `start` on to the last line, as a line break in its TEXT.
  ///
  /// A UID gets no line break. After a BEGIN, an END or a short UID the octets are dropped.
  mutating func joinToLastLine(_ width: Int, from start: Int) {
    guard var last = lineToJoin(width) else {
      octets.removeSubrange(start...)
      return
    }
    // Replaces the CRLF between them.
    octets.replaceSubrange(
      last.end..<start, with: last.property == .uid ? [] : [.backslash, UInt8(ascii: "n")])
    last.end = octets.count
    lines[lines.count - 1] = last
    endLine()
  }

  /// Parses the last line again after something was joined to it.
  ///
  /// What was joined may contain the closing quote of a parameter, so the value may begin
  /// elsewhere.
  mutating func readLastLineAgain() {
    guard let last = lines.last else { return }
    lines[lines.count - 1] = ContentLine(octets, last.range, number: last.number) ?? last
  }

  /// Whether a line continues after BEGIN:VCALENDAR, as in a text without line breaks.
  func isCalendarInOneLine(_ line: Range<Int>) -> Bool {
    let calendar = "BEGIN:VCALENDAR"
    let rest = line.dropFirst(calendar.utf8.count)
    return isName(line.prefix(calendar.utf8.count), calendar) && octets[rest].contains(.colon)
  }

  /// Whether a component that is left out was an event or the like.
  ///
  /// Its name may include the rest of a line ("VEVENT UID:a") or be misspelt ("VEVNT").
  var isOfKind: Bool {
    kind != nil || ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"].contains(where: name.hasPrefix)
      || first(.uid) != nil && first(.start) != nil
  }
}

/// The error for a calendar whose lines are not separated.
let noLineEnds = UserText(
  "the line breaks are lost: the calendar is in one line with its BEGIN, and cannot be read")

/// The first line of a component that was broken without a fold.
struct Foldless {
  /// The line of the text.
  let line: Int
  /// The name of the line that it was joined to; nil if it was dropped.
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
