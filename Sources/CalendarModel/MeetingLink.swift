extension Event {
  /// The address at which a meeting is joined: the first https address of a
  /// known service in URL, LOCATION or DESCRIPTION; "" where there is none.
  package var joinURL: String {
    for text in [url, location, description] {
      if let link = meetingLink(in: text) { return link }
    }
    return ""
  }
}

/// The hosts of the meeting services, each with what its path begins with.
private let services: [(host: String, path: String)] = [
  ("meet.google.com", "/"), ("zoom.us", "/j/"), ("zoom.us", "/my/"),
  ("teams.microsoft.com", "/l/meetup-join/"), ("teams.live.com", "/meet/"),
  ("meet.jit.si", "/"), ("webex.com", "/"), ("whereby.com", "/"), ("gotomeet.me", "/"),
  ("bluejeans.com", "/"), ("chime.aws", "/"), ("meet.goto.com", "/"), ("around.co", "/"),
]

/// True where "://" stands in a text: most have none, and each row of an answer asks.
private func hasAddress(_ text: String) -> Bool {
  var last: UInt32 = 0
  for octet in text.utf8 {
    last = (last << 8 | UInt32(octet)) & 0xff_ffff
    if last == 0x3a_2f_2f { return true }
  }
  return false
}

private func meetingLink(in text: String) -> String? {
  guard hasAddress(text) else { return nil }
  let scheme = Array("https://".utf8)
  let bytes = Array(text.utf8)
  var position = 0
  while position + scheme.count < bytes.count {
    guard bytes[position...].starts(with: scheme) else {
      position += 1
      continue
    }
    var link = bytes[position...].prefix { byte in
      // What ends an address in running text.
      byte > 0x20 && byte < 0x7f && !Array("<>\"'()[]{}|\\^`,;".utf8).contains(byte)
    }
    // A sentence may end with it.
    while let last = link.last, Array(".!?:".utf8).contains(last) { link.removeLast() }
    let rest = String(decoding: link.dropFirst(scheme.count), as: UTF8.self)
    let host = rest.prefix { $0 != "/" && $0 != "?" }.lowercased()
    let path = rest.dropFirst(host.count)
    for service in services
    where (host == service.host || host.hasSuffix("." + service.host))
      && path.hasPrefix(service.path)
    {
      return String(decoding: link, as: UTF8.self)
    }
    position += link.count
  }
  return nil
}
