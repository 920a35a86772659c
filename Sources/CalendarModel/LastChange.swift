package import CivilTime

extension Event {
  /// LAST-MODIFIED, else the DTSTAMP of its text, which outside of scheduling says the same; nil
  /// without either, and where that is no time.
  ///
  /// Source: RFC 5545 section 3.8.7.2.
  package var lastChange: Timestamp? {
    if let lastModified { return lastModified }
    let name = "DTSTAMP".utf8
    for line in component.utf8.split(separator: UInt8(ascii: "\n"))
    where line.starts(with: name) {
      // Other names may begin so.
      let follower = line.dropFirst(name.count).first
      guard follower == UInt8(ascii: ":") || follower == UInt8(ascii: ";") else { continue }
      guard let value = line.split(separator: UInt8(ascii: ":")).last else { return nil }
      let text = value.last == UInt8(ascii: "\r") ? value.dropLast() : value
      return try? Timestamp(text: Substring(text))
    }
    return nil
  }
}

extension Event {
  /// Whether another version of this event, which comes in, takes its place: a higher SEQUENCE does, then a
  /// later change. Without anything that tells its age it takes the place of what nobody has changed here,
  /// since then there is nothing to lose.
  ///
  /// - Parameter time: as of ``lastChange``.
  ///
  /// Source: RFC 5546 section 2.1.5, with LAST-MODIFIED for programs that never
  /// raise SEQUENCE.
  package func givesWay(toSequence other: Int, changedAt time: Timestamp?) -> Bool {
    if other != sequence { return other > sequence }
    guard let mine = lastChange else { return true }
    guard let time else { return lastModified == nil }
    return time >= mine
  }
}
