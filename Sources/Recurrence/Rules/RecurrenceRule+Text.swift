import Messages

internal import CivilTime

extension RecurrenceRule {
  /// Reads the text of a rule, such as "FREQ=WEEKLY;BYDAY=MO".
  ///
  /// Mistakes that programs write and that are clear are accepted: lower case, blanks around parts
  /// and list elements, an empty part, a comma or semicolon at the end, "RRULE:" before the rule, a
  /// doubled Z, and a TZID part, which is ignored.
  ///
  /// - Throws: ``RecurrenceError`` with the part at fault and its position.
  ///
  /// Source: RFC 5545 section 3.3.10.
  package init(text: some StringProtocol) throws(RecurrenceError) {
    var reader = RuleReader(Array(text.utf8))
    self = try reader.read()
  }
}

/// Reads one rule. Positions are octets from the beginning of the text.
private struct RuleReader {
  private let octets: [UInt8]
  /// The parts so far, with their positions.
  private var seen: [(name: String, position: Int)] = []

  init(_ octets: [UInt8]) {
    self.octets = octets
  }

  mutating func read() throws(RecurrenceError) -> RecurrenceRule {
    // A rule with every value of every part has about 4,000 octets.
    guard octets.count <= 65_536 else {
      throw fault(
        .badSyntax, 0,
        UserText("the rule has {count} bytes, the limit is 65536", ["count": octets.count]))
    }
    try checkCharacters()
    var rule = RecurrenceRule(.daily)
    var begin = 0
    if upper(0..<min(6, octets.count)) == "RRULE:" { begin = 6 }
    while begin <= octets.count {
      let end = octets[begin...].firstIndex(of: UInt8(ascii: ";")) ?? octets.count
      let part = trimmed(begin..<end)
      if !part.isEmpty { try readPart(part, into: &rule) }
      begin = end + 1
    }
    guard !seen.isEmpty || !rule.extensions.isEmpty else {
      throw fault(.empty, 0, UserText("the rule is empty; it needs FREQ=… at least"))
    }
    guard seen.contains(where: { $0.name == "FREQ" }) else {
      throw RecurrenceError(
        kind: .missingFrequency, part: "FREQ", position: octets.count,
        reason: UserText("there is no FREQ; add one, such as FREQ=DAILY"))
    }
    let seen = seen
    try rule.validate { name in seen.first { $0.name == name }?.position ?? 0 }
    return rule
  }

  private func fault(_ kind: RecurrenceError.Kind, _ position: Int, _ reason: UserText)
    -> RecurrenceError
  {
    RecurrenceError(kind: kind, part: "", position: position, reason: reason)
  }

  /// Refuses invisible characters and those that no rule has.
  private func checkCharacters() throws(RecurrenceError) {
    for (position, octet) in octets.enumerated() {
      switch octet {
      case UInt8(ascii: "\t"), UInt8(ascii: "\""), UInt8(ascii: "\\"):
        throw fault(
          .badSyntax, position,
          UserText("a rule has no tabs, quotes or backslashes; parts are separated by ;"))
      case 0..<0x20, 0x7F:
        throw fault(
          .controlCharacter, position,
          UserText("there is a control character, {code}", ["code": Int(octet)]))
      case 0xE2, 0xEF:
        // Zero-width characters, the byte order mark, and U+FFFD, which replaces invalid octets.
        let three = octets[position..<min(position + 3, octets.count)]
        let isInvisible = three.starts(with: [0xE2, 0x80]) && three.last.map { 0x8B...0x8F ~= $0 }!
        if isInvisible || three.elementsEqual([0xEF, 0xBB, 0xBF])
          || three.elementsEqual([0xEF, 0xBF, 0xBD])
        {
          throw fault(
            .controlCharacter, position, UserText("there is an invisible or undecodable character"))
        }
      default: break
      }
    }
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high, octets[low] == UInt8(ascii: " ") { low += 1 }
    while high > low, octets[high - 1] == UInt8(ascii: " ") { high -= 1 }
    return low..<high
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: octets[range], as: UTF8.self)
  }

  private func upper(_ range: Range<Int>) -> String {
    String(
      decoding: octets[range].map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }, as: UTF8.self)
  }

  private mutating func readPart(
    _ range: Range<Int>, into rule: inout RecurrenceRule
  ) throws(RecurrenceError) {
    let equals = UInt8(ascii: "=")
    guard let middle = octets[range].firstIndex(of: equals) else {
      throw fault(
        .badSyntax, range.lowerBound,
        UserText("\"{text}\" is not NAME=VALUE", ["text": string(range)]))
    }
    let name = upper(range.lowerBound..<middle)
    let isName = name.utf8.allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    guard !name.isEmpty, isName else {
      throw fault(
        .badSyntax, range.lowerBound,
        UserText("\"{text}\" does not begin with a name", ["text": string(range)]))
    }
    if name.hasPrefix("X-") {
      rule.extensions.append(name + string(middle..<range.upperBound))
      return
    }
    let value = RuleValue(
      octets: octets, range: middle + 1..<range.upperBound, part: name)
    if seen.contains(where: { $0.name == name }) {
      throw RecurrenceError(
        kind: .duplicatePart, part: name, position: range.lowerBound,
        reason: UserText("it appears twice; keep one"))
    }
    if let second = octets[value.range].firstIndex(of: equals), name != "TZID", name != "UNTIL" {
      throw RecurrenceError(
        kind: .badSyntax, part: name, position: second,
        reason: UserText("there is a second \"=\"; parts are separated by ;"))
    }
    guard !value.range.isEmpty else {
      throw value.fault(.empty, UserText("there is no value after \"=\""))
    }
    seen.append((name, range.lowerBound))
    switch name {
    case "FREQ": rule.frequency = try value.frequency()
    case "INTERVAL": rule.interval = try value.positive()
    case "COUNT": rule.count = try value.count()
    case "UNTIL": rule.until = try value.until()
    case "BYMONTH": rule.months = try value.numbers(1...12, fromEnd: false)
    case "BYWEEKNO": rule.weekNumbers = try value.numbers(1...53, fromEnd: true)
    case "BYYEARDAY": rule.yearDays = try value.numbers(1...366, fromEnd: true)
    case "BYMONTHDAY": rule.monthDays = try value.numbers(1...31, fromEnd: true)
    case "BYDAY": rule.weekdays = try value.weekdays()
    case "BYHOUR": rule.hours = try value.numbers(0...23, fromEnd: false)
    case "BYMINUTE": rule.minutes = try value.numbers(0...59, fromEnd: false)
    case "BYSECOND": rule.seconds = try value.numbers(0...60, fromEnd: false)
    case "BYSETPOS": rule.setPositions = try value.numbers(1...366, fromEnd: true)
    case "WKST": rule.weekStart = try value.weekday(value.range)
    case "RSCALE": rule.namesScale = try value.isGregorian()
    case "SKIP": rule.skip = try value.skip()
    case "TZID": break
    default:
      throw RecurrenceError(
        kind: .unknownPart, part: name, position: range.lowerBound,
        reason: UserText("unknown part; a part of your own begins with X-"))
    }
  }
}
