package import CivilTime

extension Event {
  /// LAST-MODIFIED, else the DTSTAMP of its text, which outside of scheduling says the same; nil without
  /// either.
  ///
  /// Source: RFC 5545 section 3.8.7.2.
  package var lastChange: Timestamp? {
    if let lastModified { return lastModified }
    for line in component.utf8.split(separator: UInt8(ascii: "\n"))
    where line.starts(with: "DTSTAMP".utf8) {
      guard let value = line.split(separator: UInt8(ascii: ":")).last else { return nil }
      let text = value.last == UInt8(ascii: "\r") ? value.dropLast() : value
      return try? Timestamp(text: Substring(text))
    }
    return nil
  }
}
