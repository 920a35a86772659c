package import CivilTime
package import Recurrence

/// Makes rules of any parts that go together.
package struct RandomRules {
  package var numbers: SeededGenerator

  package init(seed: UInt64) {
    numbers = SeededGenerator(seed: seed)
  }

  package mutating func start() -> CivilDateTime {
    // 1990 to 2060.
    let second = Int64.random(in: 631_152_000..<2_840_140_800, using: &numbers)
    return CivilDateTime(linearSeconds: second) ?? CivilDateTime(.epoch, .midnight)
  }

  /// The text of a rule without COUNT and UNTIL.
  package mutating func text(_ frequency: RecurrenceRule.Frequency) -> String {
    var text = "FREQ=" + frequency.name
    if chance(2) { text += ";INTERVAL=\(Int.random(in: 1 ... 5, using: &numbers))" }
    var isLimited = false
    func list(_ values: [Int]) -> String { values.map(String.init).joined(separator: ",") }
    for part in RulePart.allCases where PartAction.of(part, in: frequency) != .forbidden {
      guard chance(part.rawValue < 5 ? 4 : 5) else { continue }
      isLimited = true
      switch part {
      case .byMonth: text += ";BYMONTH=" + list(pick(1...12, isSigned: false))
      case .byWeekNumber: text += ";BYWEEKNO=" + list(pick(1...53, isSigned: true))
      case .byYearDay: text += ";BYYEARDAY=" + list(pick(1...366, isSigned: true))
      case .byMonthDay: text += ";BYMONTHDAY=" + list(pick(1...31, isSigned: true))
      case .byDay: text += ";BYDAY=" + weekdays(frequency, isNumbered: !text.contains("BYWEEKNO"))
      case .byHour: text += ";BYHOUR=" + list(pick(0...23, isSigned: false))
      case .byMinute: text += ";BYMINUTE=" + list(pick(0...59, isSigned: false))
      case .bySecond: text += ";BYSECOND=" + list(pick(0...60, isSigned: false))
      }
    }
    if isLimited, chance(4) { text += ";BYSETPOS=" + list(pick(1...5, isSigned: true)) }
    if chance(3) {
      text += ";WKST=" + (Weekday.allCases.randomElement(using: &numbers) ?? .monday).code
    }
    return text
  }

  private mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 0..<oneIn, using: &numbers) == 0
  }

  private mutating func pick(_ range: ClosedRange<Int>, isSigned: Bool) -> [Int] {
    (0..<Int.random(in: 1...6, using: &numbers)).map { _ in
      let value = Int.random(in: range, using: &numbers)
      return isSigned && chance(3) ? -value : value
    }
  }

  private mutating func weekdays(_ frequency: RecurrenceRule.Frequency, isNumbered: Bool) -> String
  {
    (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
      let weekday = Weekday.allCases.randomElement(using: &numbers) ?? .monday
      guard frequency >= .monthly, isNumbered, chance(2) else { return weekday.code }
      let ordinal = Int.random(in: 1...5, using: &numbers)
      return "\(chance(3) ? -ordinal : ordinal)" + weekday.code
    }.joined(separator: ",")
  }
}
