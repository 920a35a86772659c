/// Tells iCalendar from other text, for the agent and the command line.
package enum CalendarText {
  /// BEGIN lines of VCALENDAR, and of the components that a file may contain without it.
  private static let names = ["VCALENDAR", "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]
    .map { Array("BEGIN:\($0)".utf8) }
  private static let longest = (names + joined).map(\.count).max() ?? 0
  /// The beginnings of lines that have lost their line break.
  private static let joined = names.map { $0 + Array("BEGIN:".utf8) }
  /// How many bytes are searched; no file has more text before a calendar.
  private static let reach = 262_144

  /// Returns whether one of the lines begins a calendar, however it is folded.
  ///
  /// A line that contains the whole calendar does not count.
  package static func begins(in text: some Collection<UInt8>) -> Bool {
    // The beginning of the current line, in capitals and without blanks.
    var line: [UInt8] = []
    var isAtEnd = false
    for octet in text.prefix(reach) {
      if octet == 0x0A || octet == 0x0D {
        isAtEnd = true
        continue
      }
      let isBlank = octet == 0x20 || octet == 0x09
      // A line that begins with a blank continues the previous one.
      if isAtEnd, !isBlank {
        if isBegin(line) { return true }
        line.removeAll(keepingCapacity: true)
      }
      isAtEnd = false
      guard !isBlank, line.count <= longest else { continue }
      let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet)
      line.append(isLower ? octet - 0x20 : octet)
    }
    return isBegin(line)
  }

  private static func isBegin(_ line: [UInt8]) -> Bool {
    names.contains(line) || joined.contains(where: line.starts)
  }

  /// Returns whether a text begins like iCalendar.
  package static func isLike(_ text: some Collection<UInt8>) -> Bool {
    String(decoding: text.prefix(6), as: UTF8.self).uppercased() == "BEGIN:"
  }
}
