import Recurrence
import Testing

@Suite struct `Remarks on rules` {
  struct Case: Sendable {
    let text: String
    let start: RecurrenceRule.StartForm
    /// Position and part of each remark.
    let remarks: [String]

    init(_ text: String, _ start: RecurrenceRule.StartForm = .floating, _ remarks: String...) {
      self.text = text
      self.start = start
      self.remarks = remarks
    }
  }

  @Test(arguments: [
    Case("FREQ=DAILY"), Case("freq=weekly;byday=mo,tu"),
    Case("FREQ=DAILY;X-MINE=a b", .zoned, "11 X-MINE"),
    Case("RRULE:FREQ=DAILY", .zoned, "0 "), Case("FREQ=DAILY;;COUNT=3", .zoned, "11 "),
    Case("FREQ=DAILY;", .zoned, "11 "), Case("FREQ=DAILY; COUNT=3", .zoned, "11 COUNT"),
    Case("FREQ=WEEKLY;BYDAY=MO,", .zoned, "20 BYDAY"),
    Case("FREQ=DAILY;COUNT=-1", .zoned, "17 COUNT"),
    Case("FREQ=DAILY;COUNT=3;UNTIL=20240103T090000Z", .zoned, "19 UNTIL"),
    Case("FREQ=DAILY;UNTIL=20240103T090000Z;COUNT=3", .zoned, "34 COUNT"),
    Case("FREQ=WEEKLY;BYMONTHDAY=1", .zoned, "12 BYMONTHDAY"),
    Case("FREQ=DAILY;BYSETPOS=1", .zoned, "11 BYSETPOS"),
    Case("FREQ=DAILY;UNTIL=20241231T000000ZZ", .zoned, "11 UNTIL"),
    Case("FREQ=DAILY;UNTIL=00000000T000000", .zoned, "11 UNTIL"),
    Case("FREQ=DAILY;TZID=Europe/Berlin", .zoned, "11 TZID"),
    Case("FREQ=DAILY;UNTIL=20241231", .date), Case("FREQ=DAILY;UNTIL=20241231", .zoned, "11 UNTIL"),
    Case("FREQ=DAILY;UNTIL=20241231T000000", .floating),
    Case("FREQ=DAILY;UNTIL=20241231T000000", .zoned, "11 UNTIL"),
    Case("FREQ=DAILY;UNTIL=20241231T000000Z", .zoned),
    Case("FREQ=DAILY;UNTIL=20241231T000000Z", .floating, "11 UNTIL"),
    Case("FREQ=DAILY;UNTIL=20241231T000000Z", .date, "11 UNTIL"),
    Case("FREQ=HOURLY;BYMINUTE=5", .date, "0 FREQ", "12 BYMINUTE"),
  ])
  func `name what a strict reader would refuse, and where`(row: Case) throws {
    let rule = try RecurrenceRule(text: row.text)
    let found = rule.remarks(on: row.text, start: row.start)
    #expect(found.map { "\($0.position) \($0.part)" } == row.remarks, "\(found)")
  }

  @Test func `read as a sentence`() throws {
    let text = "FREQ=DAILY;UNTIL=20241231"
    let remark = try RecurrenceRule(text: text).remarks(on: text, start: .zoned).first
    #expect(
      remark?.description
        == "UNTIL, at byte 11: it is a date, but the start is a time; that day is included")
  }
}
