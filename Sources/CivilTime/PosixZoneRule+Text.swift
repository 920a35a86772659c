extension PosixZoneRule {
  /// Reads the text of a rule, such as "CET-1CEST,M3.5.0,M10.5.0/3".
  ///
  /// The sign is POSIX's: positive west of Greenwich. Times may be −167 to 167
  /// hours from midnight, as TZif from version 3 on has them.
  ///
  /// - Throws: ``CivilTimeError/malformed(text:expected:)``, which says what is
  ///   missing and at which octet.
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
    try reader.expect(",", "a comma and the day on which daylight time begins")
    let start = try reader.change()
    try reader.expect(",", "a comma and the day on which daylight time ends")
    let end = try reader.change()
    guard reader.isAtEnd else { throw reader.fault("the end") }
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

  func fault(_ expected: String) -> CivilTimeError {
    .malformed(
      text: String(decoding: text, as: UTF8.self),
      expected: "a POSIX zone rule: at octet \(position) comes not \(expected)")
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar, _ words: String) throws(CivilTimeError) {
    guard accept(character) else { throw fault(words) }
  }

  /// "CET", or "<+03>" where it is not letters alone.
  mutating func name() throws(CivilTimeError) {
    let isQuoted = accept("<")
    let begin = position
    while position < text.count, isNameOctet(text[position], quoted: isQuoted) { position += 1 }
    guard position - begin >= 3 else { throw fault("a name of three letters or more") }
    if isQuoted { try expect(">", "the > after a name") }
  }

  private func isNameOctet(_ octet: UInt8, quoted: Bool) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): quoted
    default: false
    }
  }

  /// "[+-]h[h[h]][:mm[:ss]]" in seconds.
  mutating func time(maximumHours: Int) throws(CivilTimeError) -> Int32 {
    let isNegative = accept("-")
    if !isNegative { _ = accept("+") }
    var seconds = try number(0...maximumHours, "hours from 0 to \(maximumHours)") * 3600
    if accept(":") {
      seconds += try number(0...59, "minutes from 0 to 59") * 60
      if accept(":") { seconds += try number(0...59, "seconds from 0 to 59") }
    }
    return Int32(isNegative ? -seconds : seconds)
  }

  /// "M3.5.0/2", "J60", "59/-1".
  mutating func change() throws(CivilTimeError) -> PosixZoneRule.Change {
    let day: PosixZoneRule.Day
    if accept("M") {
      let month = try number(1...12, "a month from 1 to 12")
      try expect(".", "a point and the week")
      let week = try number(1...5, "a week from 1 to 5")
      try expect(".", "a point and the weekday")
      day = .weekday(month: month, week: week, weekday: try number(0...6, "a weekday from 0 to 6"))
    } else if accept("J") {
      day = .withoutLeapDay(try number(1...365, "a day from 1 to 365"))
    } else {
      day = .zeroBased(try number(0...365, "a day: M3.5.0, J60 or 59"))
    }
    return PosixZoneRule.Change(day: day, seconds: accept("/") ? try time(maximumHours: 167) : 7200)
  }

  private mutating func number(
    _ range: ClosedRange<Int>, _ words: String
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
      throw fault(words)
    }
    return value
  }
}

extension ZoneRules {
  /// Makes a zone that follows one POSIX rule at all times, such as
  /// "EST5EDT,M3.2.0,M11.1.0".
  ///
  /// - Throws: ``CivilTimeError/badZoneData(name:reason:)`` if the text is no
  ///   rule; the reason says where it breaks.
  package convenience init(name: String, posix text: some StringProtocol) throws(CivilTimeError) {
    let rule: PosixZoneRule
    do {
      rule = try PosixZoneRule(text: Array(text.utf8))
    } catch {
      throw .badZoneData(name: name, reason: error.description)
    }
    try self.init(
      name: name, initial: UTCOffset(seconds: rule.standard), changes: [], then: rule)
  }
}
