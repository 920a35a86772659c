extension Event {
  /// Whether the text of an override has no property or component that the model
  /// does not know and the text of the master does not have.
  func textAddsNothing(to other: Event) -> Bool {
    component.isEmpty || component == other.component
      || OverrideText.unknownLines(component) == OverrideText.unknownLines(other.component)
  }
}

/// The properties in the text of an override that the model does not know.
private enum OverrideText {
  /// What the fields of ``Event`` say.
  private static let known: Set<Substring> = [
    "UID", "DTSTAMP", "RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE",
    "EXDATE", "SEQUENCE", "CREATED", "LAST-MODIFIED", "SUMMARY", "LOCATION", "DESCRIPTION", "URL",
    "STATUS", "TRANSP", "CLASS", "COLOR", "X-DATEBOOK-COLOR", "CATEGORIES", "ORGANIZER",
    "ATTENDEE",
  ]

  /// The other lines, unfolded, in an order of their own; alarms are fields, too.
  static func unknownLines(_ component: String) -> [Substring] {
    var lines: [Substring] = []
    for line in component.split(separator: "\r\n") {
      if line.first == " ", !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(line)
      }
    }
    var isInAlarm = false
    return lines.filter { line in
      if line == "BEGIN:VALARM" { isInAlarm = true }
      defer { if line == "END:VALARM" { isInAlarm = false } }
      return !isInAlarm && !known.contains(line.prefix { $0 != ":" && $0 != ";" })
    }.sorted()
  }
}
