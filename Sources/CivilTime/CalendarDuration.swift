import Messages

/// A duration with a nominal and an exact part.
///
/// Weeks and days are nominal: they keep the time on the clock, so one lasts 23 or 25 hours across
/// a clock change. Hours, minutes and seconds are exact. Days are added first.
///
/// Source: RFC 5545 section 3.3.6.
package struct CalendarDuration: Hashable, Sendable {
  /// Nominal days; a week is seven. Same sign as ``seconds``, or zero.
  package let days: Int
  /// Exact seconds.
  package let seconds: Int64

  package static let zero = CalendarDuration(days: 0, seconds: 0)

  /// - Precondition: `days` and `seconds` do not have opposite signs, as in RFC 5545.
  package init(days: Int = 0, seconds: Int64 = 0) {
    precondition(days == 0 || seconds == 0 || (days < 0) == (seconds < 0))
    self.days = days
    self.seconds = seconds
  }

  package var isNegative: Bool { days < 0 || seconds < 0 }
  package var isZero: Bool { days == 0 && seconds == 0 }

  /// The same duration with the opposite sign.
  package var negated: CalendarDuration { CalendarDuration(days: -days, seconds: -seconds) }

  /// The duration in seconds if every day had 24 hours.
  package var approximateSeconds: Int64 { Int64(days) * 86_400 + seconds }
}

extension CalendarDuration: CustomStringConvertible {
  /// The shortest text of RFC 5545: "PT15M", "-P1DT2H", "PT0S". Weeks are written as days.
  package var description: String {
    let size = Int64(seconds.magnitude)
    var time = ""
    if size >= 3600 { time += "\(size / 3600)H" }
    // RFC 5545 allows no gap: hours and seconds need the minutes between them.
    if size / 60 % 60 != 0 || (size >= 3600 && size % 60 != 0) { time += "\(size / 60 % 60)M" }
    if size % 60 != 0 { time += "\(size % 60)S" }
    let sign = isNegative ? "-" : ""
    if days == 0 { return sign + "PT" + (time.isEmpty ? "0S" : time) }
    return sign + "P\(days.magnitude)D" + (time.isEmpty ? "" : "T" + time)
  }

  /// Reads a DURATION value: "PT15M", "-P1W", "+P1DT2H".
  ///
  /// Mixtures that RFC 5545 forbids and ISO 8601 allows, such as "P1W2D" and "PT1H5S", are read,
  /// since calendars contain them.
  ///
  /// - Throws: ``CivilTimeError/malformed(text:reason:)``, or
  ///   ``CivilTimeError/impossible(text:reason:)`` for more than 9,999 years.
  ///
  /// Source: RFC 5545 section 3.3.6.
  package init(text: some StringProtocol) throws(CivilTimeError) {
    func malformed() -> CivilTimeError {
      .malformed(
        text: String(text),
        reason: UserText(
          "\"{text}\" is not a duration like PT15M, P1D or -P1DT2H", ["text": String(text)]))
    }
    var rest = Array(text.utf8.map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 })[...]
    var negative = false
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      negative = sign == UInt8(ascii: "-")
      rest.removeFirst()
    }
    guard rest.first == UInt8(ascii: "P") else { throw malformed() }
    rest.removeFirst()
    // The units in their required order, with their values.
    let dateUnits: [(UInt8, Int64)] = [(UInt8(ascii: "W"), 7), (UInt8(ascii: "D"), 1)]
    let timeUnits: [(UInt8, Int64)] = [
      (UInt8(ascii: "H"), 3600), (UInt8(ascii: "M"), 60), (UInt8(ascii: "S"), 1),
    ]
    var (days, seconds): (Int64, Int64) = (0, 0)
    var units = dateUnits[...]
    var inTime = false
    var found = 0
    while let first = rest.first {
      if first == UInt8(ascii: "T"), !inTime {
        inTime = true
        units = timeUnits[...]
        rest.removeFirst()
        guard !rest.isEmpty else { throw malformed() }
        continue
      }
      let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 12 else {
        throw .impossible(text: String(text), reason: UserText("longer than 9,999 years"))
      }
      guard let value = number(digits), let unit = rest.popFirst(),
        let position = units.firstIndex(where: { $0.0 == unit })
      else { throw malformed() }
      if inTime {
        seconds += Int64(value) * units[position].1
      } else {
        days += Int64(value) * units[position].1
      }
      units = units[(position + 1)...]
      found += 1
    }
    guard found > 0 else { throw malformed() }
    guard days <= 3_652_059, seconds <= 3_652_059 * 86_400 else {
      throw .impossible(text: String(text), reason: UserText("longer than 9,999 years"))
    }
    self.init(days: Int(negative ? -days : days), seconds: negative ? -seconds : seconds)
  }
}
