import Messages

extension PosixZoneRule {
  /// Reads the text of a rule, such as "CET-1CEST,M3.5.0,M10.5.0/3".
  ///
  /// The sign is POSIX's: positive is west of Greenwich. Times may be −167 to 167 hours from
  /// midnight, as in TZif from version 3 on.
  ///
  /// - Throws: ``CivilTimeError/malformed(text:reason:)`` with what is missing and at which octet.
  package init(text: some Collection<UInt8>) throws(CivilTimeError) {
    var reader = PosixRuleReader(Array(text))
    try reader.name()
    standard = -(try reader.time(maximumHours: 24))
    guard !reader.isAtEnd else {
      daylight = nil
      return
    }
    try reader.name()
    var offset = standard + 3600
    if !reader.isNext(",") { offset = -(try reader.time(maximumHours: 24)) }
    try reader.expect(",", UserText("expected a comma and the day on which daylight time begins"))
    let start = try reader.change()
    try reader.expect(",", UserText("expected a comma and the day on which daylight time ends"))
    let end = try reader.change()
    guard reader.isAtEnd else { throw reader.fault(UserText("expected the end")) }
    daylight = Daylight(offset: offset, start: start, end: end)
  }
}

/// A cursor over the octets of a rule.
private struct PosixRuleReader {
  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) {
    self.text = text
  }

  var isAtEnd: Bool { position == text.count }

  func isNext(_ character: Unicode.Scalar) -> Bool {
    position < text.count && text[position] == UInt8(ascii: character)
  }

  /// Returns the error for what is missing at the current position.
  func fault(_ reason: UserText) -> CivilTimeError {
    let text = String(decoding: text, as: UTF8.self)
    return .malformed(
      text: text,
      reason: UserText(
        "\"{text}\" is not a POSIX zone rule: {reason}, at byte {position}",
        ["text": text, "reason": reason, "position": position]))
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar, _ reason: UserText) throws(CivilTimeError) {
    guard accept(character) else { throw fault(reason) }
  }

  /// Reads "CET", or "<+03>" for a name that is not only letters.
  mutating func name() throws(CivilTimeError) {
    let isQuoted = accept("<")
    let begin = position
    while position < text.count, isNameOctet(text[position], quoted: isQuoted) { position += 1 }
    guard position - begin >= 3 else {
      throw fault(UserText("expected a name of three letters or more"))
    }
    if isQuoted { try expect(">", UserText("expected the > after a name")) }
  }

  private func isNameOctet(_ octet: UInt8, quoted: Bool) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): quoted
    default: false
    }
  }

  /// Reads "[+-]h[h[h]][:mm[:ss]]", in seconds.
  mutating func time(maximumHours: Int) throws(CivilTimeError) -> Int32 {
    let isNegative = accept("-")
    if !isNegative { _ = accept("+") }
    var seconds = try number(
      0...maximumHours, UserText("expected hours from 0 to {last}", ["last": maximumHours]))
    seconds *= 3600
    if accept(":") {
      seconds += try number(0...59, UserText("expected minutes from 0 to 59")) * 60
      if accept(":") { seconds += try number(0...59, UserText("expected seconds from 0 to 59")) }
    }
    return Int32(isNegative ? -seconds : seconds)
  }

  /// Reads a change: "M3.5.0/2", "J60", "59/-1".
  mutating func change() throws(CivilTimeError) -> PosixZoneRule.Change {
    let day: PosixZoneRule.Day
    if accept("M") {
      let month = try number(1...12, UserText("expected a month from 1 to 12"))
      try expect(".", UserText("expected a point and the week"))
      let week = try number(1...5, UserText("expected a week from 1 to 5"))
      try expect(".", UserText("expected a point and the weekday"))
      day = .weekday(
        month: month, week: week,
        weekday: try number(0...6, UserText("expected a weekday from 0 to 6")))
    } else if accept("J") {
      day = .withoutLeapDay(try number(1...365, UserText("expected a day from 1 to 365")))
    } else {
      day = .zeroBased(try number(0...365, UserText("expected a day: M3.5.0, J60 or 59")))
    }
    return PosixZoneRule.Change(day: day, seconds: accept("/") ? try time(maximumHours: 167) : 7200)
  }

  private mutating func number(
    _ range: ClosedRange<Int>, _ reason: UserText
  ) throws(CivilTimeError) -> Int {
    var value = 0
    let begin = position
    while position < text.count, position - begin < 3,
      case UInt8(ascii: "0")...UInt8(ascii: "9") = text[position]
    {
      value = value * 10 + Int(text[position] - UInt8(ascii: "0"))
      position += 1
    }
    guard position > begin, range.contains(value) else {
      position = begin
      throw fault(reason)
    }
    return value
  }
}

extension ZoneRules {
  /// Creates a zone with one POSIX rule for all time, such as "EST5EDT,M3.2.0,M11.1.0".
  ///
  /// - Throws: ``CivilTimeError/badZoneData(name:reason:)`` if the text is not a rule.
  package convenience init(name: String, posix text: some StringProtocol) throws(CivilTimeError) {
    let rule: PosixZoneRule
    do {
      rule = try PosixZoneRule(text: Array(text.utf8))
    } catch {
      throw .badZoneData(name: name, reason: error.text)
    }
    try self.init(
      name: name, initial: UTCOffset(seconds: rule.standard), changes: [], then: rule)
  }
}
