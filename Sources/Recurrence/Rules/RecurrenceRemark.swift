/// Something in the text of a rule that no RFC allows and that was read all the
/// same, because programs in use write it and it can mean one thing only.
package struct RecurrenceRemark: Equatable, Sendable {
  /// The part it stands in, such as "UNTIL"; empty for the rule as a whole.
  package let part: String
  /// Where it begins in the text of the rule, in octets of UTF-8 from 0.
  package let position: Int
  /// What stands there, and how it was read, in words.
  package let reason: String
}

extension RecurrenceRemark: CustomStringConvertible {
  package var description: String {
    (part.isEmpty ? "at octet \(position)" : "\(part), at octet \(position)") + ": \(reason)"
  }
}

extension RecurrenceRule {
  /// What is known of the start that a rule goes with.
  package enum StartForm: Sendable {
    /// DTSTART is a date.
    case date
    /// DTSTART is a time without a zone.
    case floating
    /// DTSTART is a time in a zone, or in UTC.
    case zoned
  }

  /// Returns what a strict reader would refuse in a text that gave this rule, in
  /// the order of its positions.
  ///
  /// Source: RFC 5545 section 3.3.10.
  package func remarks(on text: some StringProtocol, start: StartForm) -> [RecurrenceRemark] {
    var lint = RuleLint(Array(text.utf8))
    lint.checkText()
    if count != nil, until != nil {
      lint.remark(
        lint.last("COUNT", "UNTIL"), "COUNT and UNTIL exclude each other; the first end counts")
    }
    if frequency == .weekly, !monthDays.isEmpty {
      lint.remark("BYMONTHDAY", "it does not go with FREQ=WEEKLY; read as a limit")
    }
    if !setPositions.isEmpty, !RulePart.allCases.contains(where: isSet) {
      lint.remark("BYSETPOS", "it needs another BY part; it picks from the one instance there is")
    }
    lint.check(until, start)
    if start == .date {
      if frequency < .daily { lint.remark("FREQ", "the start is a date; its days alone count") }
      for part in [RulePart.byHour, .byMinute, .bySecond] where isSet(part) {
        lint.remark(part.name, "the start is a date; it is ignored")
      }
    }
    return lint.remarks.sorted { $0.position < $1.position }
  }
}

/// Looks through the text of a rule that has been read.
private struct RuleLint {
  private let octets: [UInt8]
  private var positions: [String: Int] = [:]
  private(set) var remarks: [RecurrenceRemark] = []

  init(_ octets: [UInt8]) {
    self.octets = octets
  }

  mutating func remark(_ part: String, _ reason: String) {
    remarks.append(
      RecurrenceRemark(part: part, position: positions[part] ?? 0, reason: reason))
  }

  /// The one of two parts that stands last.
  func last(_ first: String, _ second: String) -> String {
    positions[first, default: 0] > positions[second, default: 0] ? first : second
  }

  mutating func checkText() {
    var begin = 0
    if octets.prefix(6).elementsEqual("RRULE:".utf8, by: { $0 & 0xDF == $1 & 0xDF }) {
      begin = 6
      remark("", "the property's name stands in its value; passed by")
    }
    while begin <= octets.count {
      let end = octets[begin...].firstIndex(of: UInt8(ascii: ";")) ?? octets.count
      checkPart(begin..<end)
      begin = end + 1
    }
  }

  private mutating func checkPart(_ range: Range<Int>) {
    guard let middle = octets[range].firstIndex(of: UInt8(ascii: "=")) else {
      return add("", range.lowerBound, "a part is empty; passed by")
    }
    let name = String(decoding: octets[range.lowerBound..<middle], as: UTF8.self)
      .filter { $0 != " " }.uppercased()
    positions[name] = range.lowerBound
    let value = octets[(middle + 1)..<range.upperBound]
    if octets[range].contains(UInt8(ascii: " ")) {
      add(name, range.lowerBound, "there is a blank; passed by")
    }
    let significant = value.filter { $0 != UInt8(ascii: " ") }
    if significant.last == UInt8(ascii: ",") {
      add(name, range.upperBound - 1, "the list ends in a comma; passed by")
    }
    if name == "TZID" {
      add(name, range.lowerBound, "a rule has no zone of its own; that of the start counts")
    }
    if name == "COUNT", significant.first == UInt8(ascii: "-") {
      add(name, middle + 1, "-1 is no count; read as no end")
    }
  }

  private mutating func add(_ part: String, _ position: Int, _ reason: String) {
    remarks.append(RecurrenceRemark(part: part, position: position, reason: reason))
  }

  mutating func check(_ until: RecurrenceUntil?, _ start: RecurrenceRule.StartForm) {
    guard let begin = positions["UNTIL"] else { return }
    let value = octets[begin...].prefix { $0 != UInt8(ascii: ";") }.filter {
      $0 != UInt8(ascii: " ")
    }
    if value.suffix(2).elementsEqual("ZZ".utf8, by: { $0 & 0xDF == $1 & 0xDF }) {
      remark("UNTIL", "the Z is doubled; one counts")
    }
    switch (until, start) {
    case (nil, _): remark("UNTIL", "zeros are no date; read as no end")
    case (.date, .date), (.local, .floating), (.instant, .zoned): break
    case (.date, _): remark("UNTIL", "it is a date and the start is a time; that day is in")
    case (_, .date): remark("UNTIL", "it is a time and the start is a date; its day is in")
    case (.local, _): remark("UNTIL", "it should be in UTC; read in the zone of the start")
    case (.instant, _): remark("UNTIL", "it is in UTC and the start is floating; its digits count")
    }
  }
}
