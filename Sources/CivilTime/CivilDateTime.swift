import Messages

/// A date and a time on a wall clock, without a zone.
package struct CivilDateTime: Hashable, Sendable {
  package var date: CivilDate
  package var time: TimeOfDay

  @inlinable
  package init(_ date: CivilDate, _ time: TimeOfDay) {
    self.date = date
    self.time = time
  }

  /// Seconds since 1970-01-01T00:00:00 with 86,400 seconds a day: for ordering, not an instant.
  @inlinable
  package var linearSeconds: Int64 {
    Int64(date.dayNumber) * 86_400 + Int64(time.secondOfDay)
  }

  /// The reading with these linear seconds; nil outside the years 1 to 9999.
  @inlinable
  package init?(linearSeconds: Int64) {
    var day = linearSeconds / 86_400
    var second = linearSeconds % 86_400
    if second < 0 {
      second += 86_400
      day -= 1
    }
    guard let date = CivilDate(dayNumber: Int(day)) else { return nil }
    self.date = date
    time = TimeOfDay(unchecked: Int32(second))
  }

  /// Returns the reading a number of clock seconds later; nil outside the years 1 to 9999.
  package func adding(seconds: Int64) -> CivilDateTime? {
    let (sum, overflow) = linearSeconds.addingReportingOverflow(seconds)
    return overflow ? nil : CivilDateTime(linearSeconds: sum)
  }
}

extension CivilDateTime: Comparable {
  @inlinable
  package static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
    left.linearSeconds < right.linearSeconds
  }
}

extension CivilDateTime: CustomStringConvertible {
  /// "2026-11-21T09:00:00".
  package var description: String { FixedText.make { $0.add(self, signs: true) } }

  /// "20261121T090000", as in RFC 5545.
  package var basicText: String { FixedText.make { $0.add(self, signs: false) } }

  /// Reads "20261121T090000" (RFC 5545) or "2026-11-21T09:00[:00]", also with a space for the T.
  ///
  /// - Throws: ``CivilTimeError/malformed(text:reason:)`` or
  ///   ``CivilTimeError/impossible(text:reason:)``, naming the part at fault.
  package init(text: some StringProtocol) throws(CivilTimeError) {
    guard let separator = text.firstIndex(where: { $0 == "T" || $0 == "t" || $0 == " " }) else {
      throw .malformed(
        text: String(text),
        reason: UserText(
          "\"{text}\" is not a date and time like 2026-11-21T09:00:00 or 20261121T090000",
          ["text": String(text)]))
    }
    date = try CivilDate(text: text[..<separator])
    time = try TimeOfDay(text: text[text.index(after: separator)...])
  }
}
