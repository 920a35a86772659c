extension Event {
  /// The address at which a meeting is joined: what is marked as that (``conference``),
  /// whoever serves it, else the first https address of a known service in URL, LOCATION or DESCRIPTION; "" where there is
  /// none.
  package var joinURL: String {
    if !conference.isEmpty { return conference }
    for text in [url, location, description] {
      if let link = meetingLink(in: text) { return link }
    }
    return ""
  }
}

/// The hosts of the meeting services, each with what the path of a meeting begins with: pages that
/// sell the service are none.
private let services: [(host: String, path: String)] = [
  ("meet.google.com", "/"), ("zoom.us", "/j/"), ("zoom.us", "/my/"), ("zoom.us", "/w/"),
  ("zoom.us", "/wc/"),
  ("zoom.us", "/s/"), ("zoomgov.com", "/j/"), ("teams.microsoft.com", "/l/meetup-join/"),
  ("teams.microsoft.com", "/meet/"), ("teams.live.com", "/meet/"),
  ("teams.cloud.microsoft", "/l/meetup-join/"), ("teams.cloud.microsoft", "/meet/"),
  ("meet.jit.si", "/"),
  ("8x8.vc", "/"), ("webex.com", "/"), ("whereby.com", "/"), ("gotomeet.me", "/"),
  ("meet.goto.com", "/"), ("app.goto.com", "/meeting/"), ("gotomeeting.com", "/join/"),
  ("bluejeans.com", "/"),
  ("chime.aws", "/"), ("around.co", "/"), ("join.skype.com", "/"), ("meet.lync.com", "/"),
  ("facetime.apple.com", "/join"), ("slack.com", "/huddle/"), ("v.ringcentral.com", "/join/"),
  ("meetings.ringcentral.com", "/j/"), ("app.gather.town", "/app/"), ("meet.zoho.com", "/"),
  ("meeting.tencent.com", "/dm/"), ("voovmeeting.com", "/dm/"), ("vc.larksuite.com", "/j/"),
  ("vc.feishu.cn", "/j/"), ("call.lifesizecloud.com", "/"), ("doxy.me", "/"),
  ("kmeet.infomaniak.com", "/"), ("riverside.fm", "/studio/"), ("streamyard.com", "/"),
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

/// Whether what stands for a host is that alone: with a user part, a port or escapes, programs differ on
/// where it leads.
private func isPlain(_ host: String) -> Bool {
  host.utf8.allSatisfy { byte in
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

private func meetingLink(in text: String) -> String? {
  guard hasAddress(text) else { return nil }
  let scheme = Array("https://".utf8)
  let bytes = Array(text.utf8)
  var position = 0
  while position + scheme.count < bytes.count {
    // Its letters may be capitals (RFC 3986 section 3.1); those of the rest keep their case.
    guard zip(bytes[position...], scheme).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && $1 > 0x60 })
    else {
      position += 1
      continue
    }
    var link: [UInt8] = []
    var length = 0
    for byte in bytes[position...] {
      length += 1
      // What HTML has for "&".
      if byte == UInt8(ascii: ";"), link.ends(with: "&amp") {
        link.removeLast(3)
        continue
      }
      // What ends an address in running text.
      guard byte > 0x20, byte < 0x7f, !Array("<>\"'()[]{}|\\^`,;".utf8).contains(byte) else {
        break
      }
      link.append(byte)
    }
    // A sentence may end with it.
    while let last = link.last, Array(".!?:".utf8).contains(last) { link.removeLast() }
    link.replaceSubrange(..<scheme.count, with: scheme)
    let rest = String(decoding: link.dropFirst(scheme.count), as: UTF8.self)
    let host = rest.prefix { !"/?#".contains($0) }.lowercased()
    let path = rest.dropFirst(host.count)
    for service in services
    where isPlain(host) && (host == service.host || host.hasSuffix("." + service.host))
      && path.hasPrefix(service.path)
    {
      return String(decoding: link, as: UTF8.self)
    }
    position += length
  }
  return nil
}

extension [UInt8] {
  fileprivate func ends(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && suffix(text.utf8CodeUnitCount).elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
