extension Event {
  /// Whether an override's text has the same unknown properties and components as the master's.
  ///
  /// Unknown means that the model has no field for them.
  func textAddsNothing(to other: Event) -> Bool {
    component.isEmpty || component == other.component
      || OverrideText.unknownLines(component) == OverrideText.unknownLines(other.component)
  }
}

/// Finds the properties in an override's text that the model does not know.
private enum OverrideText {
  /// The properties that ``Event`` has fields for.
  private static let known: Set<Substring> = [
    "UID", "DTSTAMP", "RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE",
    "EXDATE", "SEQUENCE", "CREATED", "LAST-MODIFIED", "SUMMARY", "LOCATION", "DESCRIPTION", "URL",
    "STATUS", "TRANSP", "CLASS", "COLOR", "X-DATEBOOK-COLOR", "CATEGORIES", "ORGANIZER",
    "ATTENDEE",
  ]

  /// Returns the other lines, unfolded and sorted. Alarms are fields, too.
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
