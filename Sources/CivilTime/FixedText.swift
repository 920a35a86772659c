/// Short text of a date or time in a fixed buffer, for many rows without string allocations.
package struct FixedText {
  private var octets: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var count = 0

  /// The most octets that fit.
  static let capacity = 32

  /// Returns the text that the closure writes.
  static func make(_ write: (inout FixedText) -> Void) -> String {
    FixedText(write).withOctets { String(decoding: $0, as: UTF8.self) }
  }

  init(_ write: (inout FixedText) -> Void) { write(&self) }

  /// Calls `body` with the text as ASCII.
  package func withOctets<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
    withUnsafeBytes(of: octets) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Adds a number that is not negative, padded with zeros to `width`.
  mutating func add(_ number: Int, width: Int) {
    if width == 2, number < 100 { return add(digits: UInt8(number)) }
    var (size, limit) = (1, 10)
    while number >= limit {
      limit *= 10
      size += 1
    }
    let length = max(size, width)
    var rest = number
    for place in stride(from: count + length - 1, through: count, by: -1) {
      put(UInt8(ascii: "0") + UInt8(rest % 10), at: place)
      rest /= 10
    }
    count += length
  }

  /// Adds two digits, the most frequent case.
  private mutating func add(digits number: UInt8) {
    put(UInt8(ascii: "0") + number / 10, at: count)
    put(UInt8(ascii: "0") + number % 10, at: count + 1)
    count += 2
  }

  /// Adds one ASCII character.
  mutating func add(_ character: Unicode.Scalar) {
    put(UInt8(ascii: character), at: count)
    count += 1
  }

  private mutating func put(_ octet: UInt8, at place: Int) {
    precondition(place < FixedText.capacity, "a text of dates and times is short")
    withUnsafeMutableBytes(of: &octets) { $0[place] = octet }
  }
}

extension FixedText {
  /// "2026-11-21", or "20261121" without separators.
  mutating func add(_ date: CivilDate, signs: Bool) {
    let (year, month, day) = date.parts
    add(year, width: 4)
    if signs { add("-") }
    add(month, width: 2)
    if signs { add("-") }
    add(day, width: 2)
  }

  /// "09:00:00", or "090000" without separators.
  mutating func add(_ time: TimeOfDay, signs: Bool) {
    add(time.hour, width: 2)
    if signs { add(":") }
    add(time.minute, width: 2)
    if signs { add(":") }
    add(time.second, width: 2)
  }

  /// "2026-11-21T09:00:00", or "20261121T090000" without separators.
  mutating func add(_ reading: CivilDateTime, signs: Bool) {
    add(reading.date, signs: signs)
    add("T")
    add(reading.time, signs: signs)
  }

  /// "+01:00", "-03:30", "+00:19:32", or the same without the colons.
  mutating func add(_ offset: UTCOffset, signs: Bool) {
    let size = Int(offset.seconds.magnitude)
    add(offset.seconds < 0 ? "-" : "+")
    add(size / 3600, width: 2)
    if signs { add(":") }
    add(size / 60 % 60, width: 2)
    guard size % 60 != 0 else { return }
    if signs { add(":") }
    add(size % 60, width: 2)
  }
}

// Texts for copying into an answer without a string each.
extension CivilDate {
  /// See ``description``.
  package var fixedText: FixedText { FixedText { $0.add(self, signs: true) } }
  /// See ``basicText``.
  package var fixedBasicText: FixedText { FixedText { $0.add(self, signs: false) } }
}

extension CivilDateTime {
  /// See ``basicText``.
  package var fixedBasicText: FixedText { FixedText { $0.add(self, signs: false) } }
}

extension Timestamp {
  /// See ``basicText``.
  package var fixedBasicText: FixedText {
    FixedText {
      $0.add(clamped.reading(offset: .utc)!, signs: false)
      $0.add("Z")
    }
  }

  /// See ``rfc3339(offset:)``.
  package func fixedRFC3339(offset: UTCOffset) -> FixedText {
    let minutes = UTCOffset(seconds: offset.seconds - offset.seconds % 60)
    return FixedText {
      guard let reading = clamped.reading(offset: minutes) else {
        $0.add(clamped.reading(offset: .utc)!, signs: true)
        return $0.add("Z")
      }
      $0.add(reading, signs: true)
      if minutes == .utc { $0.add("Z") } else { $0.add(minutes, signs: true) }
    }
  }
}
