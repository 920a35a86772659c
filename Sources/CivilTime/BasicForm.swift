// Reads the basic forms of RFC 5545 from octets, for speed: imports read tens of thousands.

extension CivilDate {
  /// Reads "20261121"; nil for any other form, and for a day that does not exist.
  ///
  /// Source: RFC 5545 section 3.3.4.
  package init?(basic octets: UnsafeBufferPointer<UInt8>) {
    guard octets.count == 8, let year = octets.number(at: 0, digits: 4),
      let month = octets.number(at: 4, digits: 2), let day = octets.number(at: 6, digits: 2)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

extension CivilDateTime {
  /// Reads "20261121T090000"; nil for any other form, and for a reading that does not exist.
  ///
  /// Source: RFC 5545 section 3.3.5, form 1.
  package init?(basic octets: UnsafeBufferPointer<UInt8>) {
    guard octets.count == 15, octets[8] == UInt8(ascii: "T"),
      let date = CivilDate(basic: UnsafeBufferPointer(rebasing: octets[..<8])),
      let hour = octets.number(at: 9, digits: 2), let minute = octets.number(at: 11, digits: 2),
      let second = octets.number(at: 13, digits: 2),
      let time = TimeOfDay(hour: hour, minute: minute, second: second)
    else { return nil }
    self.init(date, time)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// - Precondition: There are enough octets.
  fileprivate func number(at start: Int, digits: Int) -> Int? {
    var value = 0
    for octet in self[start..<start + digits] {
      guard octet >= UInt8(ascii: "0"), octet <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int(octet - UInt8(ascii: "0"))
    }
    return value
  }
}
