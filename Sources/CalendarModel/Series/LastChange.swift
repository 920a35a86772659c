package import CivilTime

extension Event {
  /// A parameter that marks a DTSTAMP we added on import, so that it tells no version.
  package static let stampParameter = "X-DATEBOOK-IMPORTED"

  /// LAST-MODIFIED, else the DTSTAMP of the text; nil if there is no valid one.
  ///
  /// Source: RFC 5545 section 3.8.7.2.
  package var lastChange: Timestamp? {
    if let lastModified { return lastModified }
    // Reads octets for speed: it is called for thousands of overrides.
    var text = component
    return text.withUTF8 { octets in
      Event.stamp(in: octets).flatMap { Event.instant(UnsafeBufferPointer(rebasing: octets[$0])) }
    }
  }

  /// Returns where the value of DTSTAMP is; nil if there is none or we added it on import.
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
        // Skip longer names.
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

  /// Reads a time; without a zone it is UTC. Some programs write the forms of RFC 3339.
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

/// The version of an event or an override: SEQUENCE, then LAST-MODIFIED.
///
/// Source: RFC 5546 section 2.1.5, with LAST-MODIFIED for programs that never raise SEQUENCE.
package struct VersionAge: Equatable, Sendable {
  package var sequence: Int
  /// LAST-MODIFIED, else DTSTAMP; nil without either.
  package var lastChange: Timestamp?
  /// Whether ``lastChange`` is LAST-MODIFIED; without one the event was never edited here.
  package var isModified: Bool
  /// Whether a DTSTAMP only tells when the file was made, as with METHOD:PUBLISH.
  ///
  /// A feed then has a new one in each download, so it does not count against a LAST-MODIFIED.
  ///
  /// Source: RFC 5545 section 3.8.7.2.
  package var isStampOfFile = false

  package init(sequence: Int, lastModified: Timestamp?, stamp: Timestamp? = nil) {
    self.sequence = sequence
    lastChange = lastModified ?? stamp
    isModified = lastModified != nil
  }

  /// Whether another version replaces this one: by SEQUENCE, then by a later or equal time.
  ///
  /// A version without a time only replaces one that was never edited here.
  package func isSuperseded(by other: VersionAge) -> Bool {
    if other.sequence != sequence { return other.sequence > sequence }
    if isSilent(beside: other) { return true }
    if other.isSilent(beside: self) { return false }
    guard let mine = lastChange else { return true }
    guard let theirs = other.lastChange else { return !isModified }
    return theirs >= mine
  }

  /// Whether this version was certainly changed after the other.
  package func isLater(than other: VersionAge) -> Bool {
    if isSilent(beside: other) { return sequence > other.sequence }
    if other.isSilent(beside: self) { return sequence >= other.sequence }
    guard let lastChange, let theirs = other.lastChange else { return false }
    return lastChange > theirs
  }

  /// Whether this version has no time that can be compared with the other's.
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
