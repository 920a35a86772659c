import Messages

/// An instant: whole seconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package let seconds: Int64

  /// 0001-01-01T00:00:00Z.
  package static let earliest = Timestamp(seconds: -62_135_596_800)
  /// 9999-12-31T23:59:59Z.
  package static let latest = Timestamp(seconds: 253_402_300_799)

  @inlinable
  package init(seconds: Int64) {
    self.seconds = seconds
  }

  /// Creates the instant at which a clock ahead of UTC by `offset` shows `reading`.
  @inlinable
  package init(_ reading: CivilDateTime, offset: UTCOffset) {
    seconds = reading.linearSeconds - Int64(offset.seconds)
  }

  /// Returns the instant a number of seconds later.
  @inlinable
  package func adding(seconds: Int64) -> Timestamp {
    Timestamp(seconds: self.seconds + seconds)
  }

  /// Returns the reading of a clock ahead of UTC by `offset`; nil outside the years 1 to 9999.
  @inlinable
  package func reading(offset: UTCOffset) -> CivilDateTime? {
    CivilDateTime(linearSeconds: seconds + Int64(offset.seconds))
  }
}

extension Timestamp: Comparable {
  @inlinable
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds < right.seconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// "2026-11-21T09:00:00Z".
  package var description: String { rfc3339(offset: .utc) }

  /// "20261121T090000Z", as in RFC 5545.
  package var basicText: String {
    fixedBasicText.withOctets { String(decoding: $0, as: UTF8.self) }
  }

  /// "2026-11-21T10:00:00+01:00", or with a Z if the offset is 0.
  ///
  /// The offset is rounded down to minutes, since RFC 3339 has no seconds in it; such offsets ended
  /// in 1972.
  ///
  /// Source: RFC 3339 section 5.6.
  package func rfc3339(offset: UTCOffset) -> String {
    fixedRFC3339(offset: offset).withOctets { String(decoding: $0, as: UTF8.self) }
  }

  var clamped: Timestamp { min(max(self, .earliest), .latest) }

  /// Reads "20261121T090000Z" (RFC 5545) or "2026-11-21T10:00:00+01:00" (RFC 3339).
  ///
  /// - Throws: ``CivilTimeError/malformed(text:reason:)`` or
  ///   ``CivilTimeError/impossible(text:reason:)``.
  package init(text: some StringProtocol) throws(CivilTimeError) {
    if let last = text.last, last == "Z" || last == "z" {
      self.init(try CivilDateTime(text: text.dropLast()), offset: .utc)
      return
    }
    let tail = Array(text.utf8.suffix(6))
    guard tail.count == 6, tail[0] == UInt8(ascii: "+") || tail[0] == UInt8(ascii: "-"),
      tail[3] == UInt8(ascii: ":"), let hours = number(tail[1..<3]),
      let minutes = number(tail[4..<6]), hours < 24, minutes < 60
    else {
      throw .malformed(
        text: String(text),
        reason: UserText(
          "\"{text}\" is not a time with its offset, like 2026-11-21T09:00:00Z or …+01:00",
          ["text": String(text)]))
    }
    let size = Int32(hours * 3600 + minutes * 60)
    let offset = UTCOffset(seconds: tail[0] == UInt8(ascii: "-") ? -size : size)
    self.init(try CivilDateTime(text: text.dropLast(6)), offset: offset)
  }
}
