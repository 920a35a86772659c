extension Event {
  /// The address for joining the event's meeting; "" if there is none.
  ///
  /// That is ``conference`` if the event has one, else the first https address of a known service
  /// in URL, LOCATION or DESCRIPTION, also inside an Outlook Safe Link.
  package var joinURL: String {
    if !conference.isEmpty { return conference }
    for text in [url, location, description] {
      if let link = meetingLink(in: text) { return link }
    }
    return ""
  }
}

/// The hosts of meeting services, each with the start of a meeting's path.
///
/// The path tells a meeting from a page that sells the service.
private let services: [(host: String, path: String)] = [
  ("meet.google.com", "/"), ("zoom.us", "/j/"), ("zoom.us", "/my/"), ("zoom.us", "/w/"),
  ("zoom.us", "/wc/"),
  ("zoom.us", "/s/"), ("zoom.com", "/j/"), ("zoom.com", "/my/"), ("zoom.com", "/w/"),
  ("zoom.com", "/wc/"), ("zoom.com", "/s/"), ("zoomgov.com", "/j/"), ("teams.microsoft.com", "/l/meetup-join/"),
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

/// Whether a text has "://"; a quick test, since most texts have no address.
private func hasAddress(_ text: String) -> Bool {
  var last: UInt32 = 0
  for octet in text.utf8 {
    last = (last << 8 | UInt32(octet)) & 0xff_ffff
    if last == 0x3a_2f_2f { return true }
  }
  return false
}

/// Whether a host is a plain name, without a user, a port or escapes.
///
/// Programs differ on where other forms lead.
private func isPlain(_ host: String) -> Bool {
  host.utf8.allSatisfy { byte in
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

private func meetingLink(in text: String) -> String? {
  guard hasAddress(text) else { return nil }
  let bytes = Array(text.utf8)
  var position = 0
  while position + WebAddress.scheme.count < bytes.count {
    guard let (address, length) = WebAddress.read(bytes[position...]) else {
      position += 1
      continue
    }
    if let meeting = address.meeting { return String(decoding: meeting.bytes, as: UTF8.self) }
    position += length
  }
  return nil
}

/// An https address found in running text.
private struct WebAddress {
  static let scheme = Array("https://".utf8)

  let bytes: [UInt8]
  let host: String
  /// The rest of the address after the host.
  let path: Substring

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let rest = String(decoding: bytes.dropFirst(WebAddress.scheme.count), as: UTF8.self)
    host = rest.prefix { !"/?#".contains($0) }.lowercased()
    path = rest.dropFirst(host.count)
  }

  /// Reads the address at the start of a text, with its length there; nil if there is none.
  static func read(_ text: ArraySlice<UInt8>) -> (address: WebAddress, length: Int)? {
    // The scheme may have capitals (RFC 3986 section 3.1).
    guard text.count > scheme.count,
      zip(text, scheme).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && $1 > 0x60 })
    else { return nil }
    var link: [UInt8] = []
    var length = 0
    for byte in text {
      length += 1
      // HTML writes "&" as "&amp;".
      if byte == UInt8(ascii: ";"), link.ends(with: "&amp") {
        link.removeLast(3)
        continue
      }
      // Characters that end an address in running text.
      guard byte > 0x20, byte < 0x7f, !Array("<>\"'()[]{}|\\^`,;".utf8).contains(byte) else {
        break
      }
      link.append(byte)
    }
    // Punctuation at the end belongs to the sentence.
    while let last = link.last, Array(".!?:".utf8).contains(last) { link.removeLast() }
    link.replaceSubrange(..<scheme.count, with: scheme)
    return (WebAddress(link), length)
  }

  /// This address or the one that it wraps, if it is a meeting of a known service; else nil.
  var meeting: WebAddress? {
    if isMeeting { return self }
    guard let wrapped, wrapped.isMeeting else { return nil }
    return wrapped
  }

  private var isMeeting: Bool {
    isPlain(host)
      && services.contains { service in
        isOf(service.host) && path.hasPrefix(service.path)
      }
  }

  private func isOf(_ domain: String) -> Bool { host == domain || host.hasSuffix("." + domain) }

  /// The address inside an Outlook Safe Link, as Outlook writes them in mails and invitations.
  ///
  ///     https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fzoom.us%2Fj%2F1&data=…
  ///
  /// A Safe Link within another is not followed: a hostile text could nest thousands.
  private var wrapped: WebAddress? {
    guard isPlain(host), isOf("safelinks.protection.outlook.com") else { return nil }
    let query = path.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    guard let part = query.split(separator: "&").first(where: { $0.hasPrefix("url=") }) else {
      return nil
    }
    return WebAddress.read(percentDecoded(part.dropFirst(4))[...])?.address
  }
}

/// Decodes percent escapes; other octets are returned unchanged.
private func percentDecoded(_ text: Substring) -> [UInt8] {
  var decoded: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%"), rest.count >= 2,
      let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
    {
      decoded.append(value)
      rest.removeFirst(2)
    } else {
      decoded.append(byte)
    }
  }
  return decoded
}

extension [UInt8] {
  fileprivate func ends(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && suffix(text.utf8CodeUnitCount).elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
