extension Component {
  /// Properties with the address of a meeting that Google Calendar and Outlook write.
  private static let meetingMarks = [
    "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL",
    "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK", "X-MICROSOFT-ONLINEMEETINGCONFLINK",
  ]

  func isMeetingMark(_ line: ContentLine) -> Bool {
    // A quick test, since every unknown property is asked: most names are shorter than these.
    line.name.count >= 19 && Component.meetingMarks.contains { isName(line.name, $0) }
  }

  /// Whether a CONFERENCE leads to a meeting, rather than only to a chat or a feed.
  ///
  /// Source: RFC 7986 section 6.3.
  func isMeeting(_ line: ContentLine) -> Bool {
    var features: [Substring] = []
    forEachParameter(of: line) { name, value in
      if isName(name, "FEATURE") { features += string(value).split { ",\" ".contains($0) } }
      return true
    }
    return features.isEmpty || !features.allSatisfy { ["CHAT", "FEED"].contains($0.uppercased()) }
  }

  /// Returns the value of a line if it is an https address; else nil.
  func secureAddress(_ line: ContentLine) -> String? {
    let address = text(trimmed(line.value))
    guard address.lowercased().hasPrefix("https://"), !address.utf8.contains(where: { $0 <= 0x20 })
    else { return nil }
    return address
  }
}
