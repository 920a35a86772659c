/// What tells iCalendar from other text.
enum CalendarText {
  /// The components that may stand in a file alone, and what they stand in.
  private static let names = ["VCALENDAR", "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]
    .map { Array("BEGIN:\($0)".utf8) }
  private static let longest = names.map(\.count).max() ?? 0
  /// So many octets are looked at: nothing has a calendar behind more than that.
  private static let reach = 262_144

  /// Whether one of its lines begins a calendar, however it is folded. One that has the whole calendar in it does not.
  static func begins(in text: some Collection<UInt8>) -> Bool {
    // The beginning of the line that is read, in capitals and without blanks.
    var line: [UInt8] = []
    var isAtEnd = false
    for octet in text.prefix(reach) {
      if octet == 0x0A || octet == 0x0D {
        isAtEnd = true
        continue
      }
      let isBlank = octet == 0x20 || octet == 0x09
      // What begins with a blank goes on with the line before.
      if isAtEnd, !isBlank {
        if names.contains(line) { return true }
        line.removeAll(keepingCapacity: true)
      }
      isAtEnd = false
      guard !isBlank, line.count <= longest else { continue }
      let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet)
      line.append(isLower ? octet - 0x20 : octet)
    }
    return names.contains(line)
  }

  /// Whether it begins as iCalendar does.
  static func isLike(_ text: some Collection<UInt8>) -> Bool {
    String(decoding: text.prefix(6), as: UTF8.self).uppercased() == "BEGIN:"
  }
}
