import Messages

/// Hour, minute and second on a wall clock, without a date or a zone.
package struct TimeOfDay: Hashable, Sendable {
  /// Seconds since midnight, 0 to 86,399.
  package let secondOfDay: Int32

  package static let midnight = TimeOfDay(unchecked: 0)

  @inlinable
  init(unchecked secondOfDay: Int32) {
    self.secondOfDay = secondOfDay
  }

  /// Creates the time a number of seconds after midnight; nil outside 0 to 86,399.
  @inlinable
  package init?(secondOfDay: Int) {
    guard secondOfDay >= 0, secondOfDay < 86_400 else { return nil }
    self.secondOfDay = Int32(secondOfDay)
  }

  /// Creates a time; nil outside 00:00:00 to 23:59:59.
  ///
  /// Second 60 becomes 59, since there are no leap seconds here.
  ///
  /// Source: RFC 5545 section 3.3.12.
  package init?(hour: Int, minute: Int, second: Int = 0) {
    guard hour >= 0, hour < 24, minute >= 0, minute < 60, second >= 0, second <= 60 else {
      return nil
    }
    secondOfDay = Int32(hour * 3600 + minute * 60 + min(second, 59))
  }

  /// 0 to 23.
  package var hour: Int { Int(secondOfDay) / 3600 }
  /// 0 to 59.
  package var minute: Int { Int(secondOfDay) / 60 % 60 }
  /// 0 to 59.
  package var second: Int { Int(secondOfDay) % 60 }
}

extension TimeOfDay: Comparable {
  @inlinable
  package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    left.secondOfDay < right.secondOfDay
  }
}

extension TimeOfDay: CustomStringConvertible {
  /// "09:00:00".
  package var description: String { FixedText.make { $0.add(self, signs: true) } }

  /// "09:00", the same in every locale.
  package var hourAndMinute: String {
    FixedText.make {
      $0.add(hour, width: 2)
      $0.add(":")
      $0.add(minute, width: 2)
    }
  }

  /// "090000", as in RFC 5545.
  package var basicText: String { FixedText.make { $0.add(self, signs: false) } }

  /// Reads "090000" (RFC 5545), "09:00:00", "09:00" or "9:00".
  ///
  /// - Throws: ``CivilTimeError/malformed(text:reason:)`` for another form,
  ///   ``CivilTimeError/impossible(text:reason:)`` for 24:00 and beyond.
  package init(text: some StringProtocol) throws(CivilTimeError) {
    func malformed() -> CivilTimeError {
      .malformed(
        text: String(text),
        reason: UserText(
          "\"{text}\" is not a time of day like 09:00, 09:00:00 or 090000",
          ["text": String(text)]))
    }
    let digits = Array(text.utf8)
    var fields: [Int] = []
    if digits.contains(UInt8(ascii: ":")) {
      for (index, field) in digits.split(
        separator: UInt8(ascii: ":"), omittingEmptySubsequences: false
      ).enumerated() {
        let widths = index == 0 ? 1...2 : 2...2
        guard widths.contains(field.count), let value = number(field) else { throw malformed() }
        fields.append(value)
      }
      guard fields.count == 2 || fields.count == 3 else { throw malformed() }
    } else {
      guard digits.count == 6, let hour = number(digits[0..<2]), let minute = number(digits[2..<4]),
        let second = number(digits[4..<6])
      else { throw malformed() }
      fields = [hour, minute, second]
    }
    guard
      let time = TimeOfDay(
        hour: fields[0], minute: fields[1], second: fields.count > 2 ? fields[2] : 0)
    else {
      throw .impossible(text: String(text), reason: UserText("a day ends at 23:59:59"))
    }
    self = time
  }
}
