import CivilTime
import Recurrence
import Testing

@Suite struct `A rule whose start moves` {
  struct Move: CustomTestStringConvertible {
    let rule: String
    let from: String
    let to: String
    /// nil where the rule cannot follow.
    let moved: String?
    var testDescription: String { "\(rule) \(from) \(to)" }
  }

  static let moves = [
    Move(
      rule: "FREQ=DAILY;COUNT=3", from: "20260601T090000", to: "20260603T100000",
      moved: "FREQ=DAILY;COUNT=3"),
    Move(
      rule: "FREQ=WEEKLY;BYDAY=MO,TH,SU", from: "20260601T090000", to: "20260602T090000",
      moved: "FREQ=WEEKLY;BYDAY=TU,FR,MO"),
    Move(
      rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", from: "20260601T090000",
      to: "20260531T090000", moved: "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,SA;WKST=SU"),
    Move(
      rule: "FREQ=MONTHLY;BYDAY=2TU", from: "20260609T090000", to: "20260617T090000",
      moved: "FREQ=MONTHLY;BYDAY=3WE"),
    Move(
      rule: "FREQ=MONTHLY;BYDAY=-1FR", from: "20260626T090000", to: "20260618T090000",
      moved: "FREQ=MONTHLY;BYDAY=-2TH"),
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=1,15", from: "20260601T090000", to: "20260602T090000",
      moved: "FREQ=MONTHLY;BYMONTHDAY=2,16"),
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=31", from: "20260531T090000", to: "20260530T090000",
      moved: "FREQ=MONTHLY;BYMONTHDAY=30"),
    Move(
      rule: "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=1", from: "20260601T090000",
      to: "20260702T090000", moved: "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=2"),
    Move(
      rule: "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0", from: "20260601T090000",
      to: "20260601T103000", moved: "FREQ=DAILY;BYMINUTE=30;BYHOUR=10,18"),
    Move(
      rule: "FREQ=DAILY;BYHOUR=9,17", from: "20260601T090000", to: "20260601T190000",
      moved: nil),
    Move(
      rule: "FREQ=DAILY;BYMINUTE=0,30", from: "20260601T090000", to: "20260601T091500",
      moved: nil),
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=1,31", from: "20260601T090000", to: "20260602T090000",
      moved: nil),
    Move(
      rule: "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1", from: "20260601T090000",
      to: "20260602T090000", moved: nil),
    Move(
      rule: "FREQ=YEARLY;BYWEEKNO=20", from: "20260511T090000", to: "20260512T090000",
      moved: nil),
  ]

  @Test(arguments: moves) func `it follows, or it says that it cannot`(_ move: Move) throws {
    let rule = try RecurrenceRule(text: move.rule)
    let moved = rule.moved(
      from: try CivilDateTime(text: move.from), to: try CivilDateTime(text: move.to))
    #expect(try moved == move.moved.map { try RecurrenceRule(text: $0) })
  }

  @Test func `it stays as it is where the start does`() throws {
    let rule = try RecurrenceRule(text: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO,TU;BYHOUR=9,17")
    let start = try CivilDateTime(text: "20260511T090000")
    #expect(rule.moved(from: start, to: start) == rule)
  }
}
