package import CivilTime

extension Event {
  /// The parameter of a DTSTAMP that only says when a text without one was read.
  package static let stampParameter = "X-DATEBOOK-IMPORTED"

  /// LAST-MODIFIED, else the DTSTAMP of its text, which outside of scheduling says the same; nil
  /// without either, and where that is no time.
  ///
  /// Source: RFC 5545 section 3.8.7.2.
  package var lastChange: Timestamp? {
    if let lastModified { return lastModified }
    // Of thousands of exceptions each is asked.
    var text = component
    return text.withUTF8 { octets in
      Event.stamp(in: octets).flatMap { Event.instant(UnsafeBufferPointer(rebasing: octets[$0])) }
    }
  }

  /// Returns where the value of the DTSTAMP of a text lies; nil without one, and of one that says nothing of the event.
  private static func stamp(in octets: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let name: StaticString = "DTSTAMP"
    var start = 0
    while start < octets.count {
      var end = start
      while end < octets.count, octets[end] != UInt8(ascii: "\n") { end += 1 }
      defer { start = end + 1 }
      let follower = start + name.utf8CodeUnitCount
      guard follower < end,
        UnsafeBufferPointer(rebasing: octets[start..<follower]).elementsEqual(
          UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)),
        // Other names may begin so.
        octets[follower] == UInt8(ascii: ":") || octets[follower] == UInt8(ascii: ";")
      else { continue }
      var (colon, isQuoted) = (follower, false)
      while colon < end, isQuoted || octets[colon] != UInt8(ascii: ":") {
        if octets[colon] == UInt8(ascii: "\"") { isQuoted.toggle() }
        colon += 1
      }
      let parameters = octets[follower..<colon]
      guard colon < end, parameters.isEmpty || !parameters.contains(Event.stampParameter.utf8)
      else { return nil }
      return colon + 1..<(octets[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
    }
    return nil
  }

  /// A time without a zone is one of UTC, and a date its midnight. Some programs write the forms of RFC 3339.
  private static func instant(_ octets: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    let isUTC = octets.last == UInt8(ascii: "Z")
    let time = isUTC ? UnsafeBufferPointer(rebasing: octets.dropLast()) : octets
    if let reading = CivilDateTime(basic: time) { return Timestamp(reading, offset: .utc) }
    let text = Substring(decoding: octets, as: UTF8.self)
    if let instant = try? Timestamp(text: text) { return instant }
    let reading =
      (try? CivilDateTime(text: text))
      ?? (try? CivilDate(text: text)).map { CivilDateTime($0, .midnight) }
    return reading.map { Timestamp($0, offset: .utc) }
  }
}

/// The version of an event or an override, by which versions are compared, both in one text and from one import
/// to the next.
///
/// Source: RFC 5546 section 2.1.5, with LAST-MODIFIED for programs that never raise SEQUENCE.
package struct VersionAge: Equatable, Sendable {
  package var sequence: Int
  /// LAST-MODIFIED, else DTSTAMP; nil without either.
  package var lastChange: Timestamp?
  /// Whether ``lastChange`` is LAST-MODIFIED: what has none has nobody changed here.
  package var isModified: Bool
  /// Whether a DTSTAMP in place of LAST-MODIFIED only says when the file was made, as in one with METHOD:PUBLISH. Then a
  /// feed has another with each download, and one beside a version that was changed says nothing.
  ///
  /// Source: RFC 5545 section 3.8.7.2.
  package var isStampOfFile = false

  package init(sequence: Int, lastModified: Timestamp?, stamp: Timestamp? = nil) {
    self.sequence = sequence
    lastChange = lastModified ?? stamp
    isModified = lastModified != nil
  }

  /// Whether another version, which comes later, takes the place of this one: a higher SEQUENCE does, then a
  /// later change, and what is as new. Without anything that tells its age it takes the place of what nobody has
  /// changed here, since then there is nothing to lose.
  package func isSuperseded(by other: VersionAge) -> Bool {
    if other.sequence != sequence { return other.sequence > sequence }
    if isSilent(beside: other) { return true }
    if other.isSilent(beside: self) { return false }
    guard let mine = lastChange else { return true }
    guard let theirs = other.lastChange else { return !isModified }
    return theirs >= mine
  }

  /// Whether this was certainly changed after the other.
  package func isLater(than other: VersionAge) -> Bool {
    if isSilent(beside: other) { return sequence > other.sequence }
    if other.isSilent(beside: self) { return sequence >= other.sequence }
    guard let lastChange, let theirs = other.lastChange else { return false }
    return lastChange > theirs
  }

  /// Whether this has no time that tells its age beside another.
  private func isSilent(beside other: VersionAge) -> Bool {
    isStampOfFile && !isModified && other.isModified
  }
}

extension Event {
  package var age: VersionAge {
    var age = VersionAge(sequence: sequence, lastModified: lastModified)
    age.lastChange = lastChange
    return age
  }
}
