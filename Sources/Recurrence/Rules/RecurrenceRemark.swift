package import Messages

/// A mistake in the text of a rule that was read anyway, since programs write it and it is clear.
package struct RecurrenceRemark: Equatable, Sendable {
  /// The name of the part, such as "UNTIL"; empty for the rule as a whole.
  package let part: String
  /// The start of the mistake in the text, in octets of UTF-8 from 0.
  package let position: Int
  /// What is wrong, and how it was read.
  package let reason: UserText
}

extension RecurrenceRemark: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    part.isEmpty
      ? UserText("at byte {position}: {reason}", ["position": position, "reason": reason])
      : UserText(
        "{part}, at byte {position}: {reason}",
        ["part": part, "position": position, "reason": reason])
  }

  package var description: String { text.english }
}

extension RecurrenceRule {
  /// The form of the start of a rule's event.
  package enum StartForm: Sendable {
    /// DTSTART is a date.
    case date
    /// DTSTART is a time without a zone.
    case floating
    /// DTSTART is a time in a zone, or in UTC.
    case zoned
  }

  /// Returns the mistakes in the text of this rule that a strict reader would refuse, in order.
  ///
  /// Source: RFC 5545 section 3.3.10.
  package func remarks(on text: some StringProtocol, start: StartForm) -> [RecurrenceRemark] {
    var lint = RuleLint(Array(text.utf8))
    lint.checkText()
    if count != nil, until != nil {
      lint.remark(
        lint.last("COUNT", "UNTIL"),
        UserText("COUNT and UNTIL exclude each other; the first end counts"))
    }
    if frequency == .weekly, !monthDays.isEmpty {
      lint.remark("BYMONTHDAY", UserText("not allowed with FREQ=WEEKLY; read as a limit"))
    }
    if !setPositions.isEmpty, !RulePart.allCases.contains(where: isSet) {
      lint.remark(
        "BYSETPOS", UserText("it needs another BY part; it chooses from the only instance"))
    }
    lint.check(until, start)
    if start == .date {
      if frequency < .daily {
        lint.remark("FREQ", UserText("the start is a date; only its days count"))
      }
      for part in [RulePart.byHour, .byMinute, .bySecond] where isSet(part) {
        lint.remark(part.name, UserText("ignored, since the start is a date"))
      }
    }
    return lint.remarks.sorted { $0.position < $1.position }
  }
}

/// Finds the mistakes in the text of a rule that has been read.
private struct RuleLint {
  private let octets: [UInt8]
  private var positions: [String: Int] = [:]
  private(set) var remarks: [RecurrenceRemark] = []

  init(_ octets: [UInt8]) {
    self.octets = octets
  }

  mutating func remark(_ part: String, _ reason: UserText) {
    remarks.append(
      RecurrenceRemark(part: part, position: positions[part] ?? 0, reason: reason))
  }

  /// Returns whichever of two parts is later in the text.
  func last(_ first: String, _ second: String) -> String {
    positions[first, default: 0] > positions[second, default: 0] ? first : second
  }

  mutating func checkText() {
    var begin = 0
    if octets.prefix(6).elementsEqual("RRULE:".utf8, by: { $0 & 0xDF == $1 & 0xDF }) {
      begin = 6
      remark("", UserText("the value begins with the name of the property; ignored"))
    }
    while begin <= octets.count {
      let end = octets[begin...].firstIndex(of: UInt8(ascii: ";")) ?? octets.count
      checkPart(begin..<end)
      begin = end + 1
    }
  }

  private mutating func checkPart(_ range: Range<Int>) {
    guard let middle = octets[range].firstIndex(of: UInt8(ascii: "=")) else {
      return add("", range.lowerBound, UserText("a part is empty; ignored"))
    }
    let name = String(decoding: octets[range.lowerBound..<middle], as: UTF8.self)
      .filter { $0 != " " }.uppercased()
    positions[name] = range.lowerBound
    let value = octets[(middle + 1)..<range.upperBound]
    if octets[range].contains(UInt8(ascii: " ")) {
      add(name, range.lowerBound, UserText("there is a blank; ignored"))
    }
    let significant = value.filter { $0 != UInt8(ascii: " ") }
    if significant.last == UInt8(ascii: ",") {
      add(name, range.upperBound - 1, UserText("the list ends in a comma; ignored"))
    }
    if name == "TZID" {
      add(
        name, range.lowerBound,
        UserText("a rule has no zone of its own; the zone of the start is used"))
    }
    if name == "COUNT", significant.first == UInt8(ascii: "-") {
      add(name, middle + 1, UserText("-1 is not a count; read as no end"))
    }
  }

  private mutating func add(_ part: String, _ position: Int, _ reason: UserText) {
    remarks.append(RecurrenceRemark(part: part, position: position, reason: reason))
  }

  mutating func check(_ until: RecurrenceUntil?, _ start: RecurrenceRule.StartForm) {
    guard let begin = positions["UNTIL"] else { return }
    let value = octets[begin...].prefix { $0 != UInt8(ascii: ";") }.filter {
      $0 != UInt8(ascii: " ")
    }
    if value.suffix(2).elementsEqual("ZZ".utf8, by: { $0 & 0xDF == $1 & 0xDF }) {
      remark("UNTIL", UserText("the Z is doubled; read as one"))
    }
    switch (until, start) {
    case (nil, _): remark("UNTIL", UserText("zeros are not a date; read as no end"))
    case (.date, .date), (.local, .floating), (.instant, .zoned): break
    case (.date, _):
      remark("UNTIL", UserText("it is a date, but the start is a time; that day is included"))
    case (_, .date):
      remark("UNTIL", UserText("it is a time, but the start is a date; its day is included"))
    case (.local, _):
      remark("UNTIL", UserText("it should be in UTC; read in the zone of the start"))
    case (.instant, _):
      remark("UNTIL", UserText("it is in UTC, but the start has no zone; read without the zone"))
    }
  }
}
