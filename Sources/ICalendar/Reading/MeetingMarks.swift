extension Component {
  /// The properties by which other programs mark the address of a meeting, where there is no
  /// CONFERENCE: Google Calendar, and Outlook with Teams and with other services.
  private static let meetingMarks = [
    "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL",
    "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK", "X-MICROSOFT-ONLINEMEETINGCONFLINK",
  ]

  func isMeetingMark(_ line: ContentLine) -> Bool {
    // Each line that has no meaning here comes by: most names are shorter than any of these.
    line.name.count >= 19 && Component.meetingMarks.contains { isName(line.name, $0) }
  }

  /// Whether a CONFERENCE leads to a meeting; one that has nothing but a chat or a feed does not.
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

  /// The https address that is the value of a line, a URI or a TEXT; nil for any other value.
  func secureAddress(_ line: ContentLine) -> String? {
    let address = text(trimmed(line.value))
    guard address.lowercased().hasPrefix("https://"), !address.utf8.contains(where: { $0 <= 0x20 })
    else { return nil }
    return address
  }
}
