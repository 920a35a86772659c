import CivilTime
import Recurrence
import Testing

@Suite struct `The text of a rule` {
  @Test func `every part is read`() throws {
    let rule = try RecurrenceRule(
      text: "FREQ=YEARLY;INTERVAL=2;COUNT=9;BYMONTH=1,12;BYYEARDAY=1,-1;BYMONTHDAY=1,31;"
        + "BYDAY=MO,-1FR,+2TU;BYHOUR=0,23;BYMINUTE=0,59;BYSECOND=0,60;BYSETPOS=1,-2;WKST=SU;X-A=b")
    #expect(rule.frequency == .yearly)
    #expect(rule.interval == 2)
    #expect(rule.count == 9)
    #expect(rule.months == [1, 12])
    #expect(rule.yearDays == [1, -1])
    #expect(rule.monthDays == [1, 31])
    #expect(rule.weekdays.map(\.description) == ["MO", "-1FR", "2TU"])
    #expect(rule.hours == [0, 23])
    #expect(rule.minutes == [0, 59])
    #expect(rule.seconds == [0, 60])
    #expect(rule.setPositions == [1, -2])
    #expect(rule.weekStart == .sunday)
    #expect(rule.extensions == ["X-A=b"])
  }

  @Test func `UNTIL is read in its three forms`() throws {
    let date = try CivilDate(text: "2026-12-24")
    let reading = try CivilDateTime(text: "2026-12-24T09:00")
    #expect(try RecurrenceRule(text: "FREQ=DAILY;UNTIL=20261224").until == .date(date))
    #expect(try RecurrenceRule(text: "FREQ=DAILY;UNTIL=20261224T090000").until == .local(reading))
    #expect(
      try RecurrenceRule(text: "FREQ=DAILY;UNTIL=20261224T090000Z").until
        == .instant(Timestamp(reading, offset: .utc)))
  }

  struct Reading: Sendable, CustomTestStringConvertible {
    let given: String
    let written: String
    var testDescription: String { "\"\(given)\"" }
  }

  @Test(arguments: [
    Reading(given: "freq=weekly;byday=mo", written: "FREQ=WEEKLY;BYDAY=MO"),
    Reading(given: "COUNT=2;FREQ=DAILY", written: "FREQ=DAILY;COUNT=2"),
    Reading(given: "FREQ=DAILY;INTERVAL=1;WKST=MO", written: "FREQ=DAILY"),
    Reading(given: " FREQ=DAILY; COUNT=2 ", written: "FREQ=DAILY;COUNT=2"),
    Reading(given: "FREQ=DAILY;;COUNT=2;", written: "FREQ=DAILY;COUNT=2"),
    Reading(given: "RRULE:FREQ=DAILY", written: "FREQ=DAILY"),
    Reading(given: "FREQ=WEEKLY;BYDAY=MO, WE,", written: "FREQ=WEEKLY;BYDAY=MO,WE"),
    Reading(given: "FREQ=YEARLY;BYMONTH=01,1", written: "FREQ=YEARLY;BYMONTH=1"),
    Reading(given: "FREQ=DAILY;TZID=Europe/Berlin", written: "FREQ=DAILY"),
    Reading(
      given: "FREQ=DAILY;UNTIL=20261224T090000ZZ", written: "FREQ=DAILY;UNTIL=20261224T090000Z"),
    Reading(given: "FREQ=DAILY;UNTIL=00000000T000000Z", written: "FREQ=DAILY"),
    Reading(given: "FREQ=DAILY;COUNT=-1", written: "FREQ=DAILY"),
    Reading(given: "FREQ=MONTHLY;RSCALE=gregorian", written: "FREQ=MONTHLY;RSCALE=GREGORIAN"),
    Reading(
      given: "SKIP=backward;FREQ=MONTHLY;RSCALE=GREGORIAN",
      written: "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD"),
  ])
  func `what programs in use write is read and put right`(reading: Reading) throws {
    #expect(try RecurrenceRule(text: reading.given).text == reading.written)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let text: String
    let kind: RecurrenceError.Kind
    let part: String
    let position: Int
    var testDescription: String { "\"\(text)\"" }
  }

  @Test(arguments: [
    Refusal(text: "", kind: .empty, part: "", position: 0),
    Refusal(text: ";", kind: .empty, part: "", position: 0),
    Refusal(text: "DAILY", kind: .badSyntax, part: "", position: 0),
    Refusal(text: "FREQ=DAILY;COUNT", kind: .badSyntax, part: "", position: 11),
    Refusal(text: "FREQ=DAILY,COUNT=3", kind: .badSyntax, part: "FREQ", position: 16),
    Refusal(text: "FREQ=DAILY\\;COUNT=3", kind: .badSyntax, part: "", position: 10),
    Refusal(text: "FREQ=DAILY;COUNT=3\u{0}", kind: .controlCharacter, part: "", position: 18),
    Refusal(text: "FREQ=DAILY;COUNT=3\u{200B}", kind: .controlCharacter, part: "", position: 18),
    Refusal(text: "COUNT=3", kind: .missingFrequency, part: "FREQ", position: 7),
    Refusal(text: "FREQ=FORTNIGHTLY", kind: .unknownFrequency, part: "FREQ", position: 5),
    Refusal(text: "FREQ=DAILY;BYFOO=1", kind: .unknownPart, part: "BYFOO", position: 11),
    Refusal(text: "FREQ=DAILY;COUNT=3;COUNT=3", kind: .duplicatePart, part: "COUNT", position: 19),
    Refusal(text: "FREQ=DAILY;COUNT=0", kind: .outOfRange, part: "COUNT", position: 17),
    Refusal(text: "FREQ=DAILY;COUNT=3.5", kind: .notANumber, part: "COUNT", position: 17),
    Refusal(text: "FREQ=DAILY;COUNT=٣", kind: .notANumber, part: "COUNT", position: 17),
    Refusal(
      text: "FREQ=DAILY;INTERVAL=9223372036854775808", kind: .overflow, part: "INTERVAL",
      position: 20),
    Refusal(text: "FREQ=DAILY;BYHOUR=4294967305", kind: .overflow, part: "BYHOUR", position: 18),
    Refusal(text: "FREQ=YEARLY;BYMONTH=1,13", kind: .outOfRange, part: "BYMONTH", position: 22),
    Refusal(text: "FREQ=MONTHLY;BYMONTHDAY=1,,2", kind: .empty, part: "BYMONTHDAY", position: 26),
    Refusal(text: "FREQ=MONTHLY;BYDAY=0MO", kind: .outOfRange, part: "BYDAY", position: 19),
    Refusal(text: "FREQ=MONTHLY;BYDAY=MO1", kind: .badWeekday, part: "BYDAY", position: 19),
    Refusal(text: "FREQ=WEEKLY;BYDAY=1MO", kind: .partNotAllowed, part: "BYDAY", position: 12),
    Refusal(
      text: "FREQ=MONTHLY;BYWEEKNO=10", kind: .partNotAllowed, part: "BYWEEKNO", position: 13),
    Refusal(text: "FREQ=DAILY;UNTIL=20230229", kind: .badDate, part: "UNTIL", position: 17),
    Refusal(text: "FREQ=DAILY;UNTIL=20240101T250000", kind: .badTime, part: "UNTIL", position: 26),
    Refusal(
      text: "RSCALE=CHINESE;FREQ=DAILY", kind: .unsupportedScale, part: "RSCALE", position: 7),
    Refusal(text: "FREQ=DAILY;SKIP=OMIT", kind: .badSyntax, part: "SKIP", position: 11),
    Refusal(
      text: "FREQ=DAILY;RSCALE=GREGORIAN;SKIP=OVER", kind: .outOfRange, part: "SKIP", position: 33),
  ])
  func `a rule that says nothing clear is refused with the place`(refusal: Refusal) throws {
    let error = #expect(throws: RecurrenceError.self) {
      try RecurrenceRule(text: refusal.text)
    }
    #expect(error?.kind == refusal.kind)
    #expect(error?.part == refusal.part)
    #expect(error?.position == refusal.position)
    #expect(error?.description.isEmpty == false)
  }

  @Test func `a refusal says what, where and with which value`() {
    let error = #expect(throws: RecurrenceError.self) {
      try RecurrenceRule(text: "FREQ=YEARLY;BYMONTH=1,13")
    }
    #expect(
      error?.description == "recurrence rule: BYMONTH, at byte 22: 13 must be from 1 to 12")
  }

  @Test func `a rule of 64 KiB and more is refused`() {
    let text = "FREQ=DAILY;X-LONG=" + String(repeating: "a", count: 70_000)
    #expect(throws: RecurrenceError.self) { try RecurrenceRule(text: text) }
  }
}
