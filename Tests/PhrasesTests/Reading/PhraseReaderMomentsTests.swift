import CivilTime
import Messages
import Phrases
import TestSupport
import Testing

/// Saturday, 21 November 2026, 10:20:30 in Berlin.
private var berlin: PhraseReader {
  PhraseReader(
    PhraseContext(
      now: Timestamp(seconds: 1_795_252_830), zone: FixedZones.shared["Europe/Berlin"]),
    zones: FixedZones.shared,
    customs: TimeCustoms(usesTwentyFourHours: true, firstWeekday: .monday))
}

private func described(_ moment: Moment) -> String {
  switch moment {
  case .date(let date): date.description
  case .local(let reading): "\(reading.date) \(reading.time.hourAndMinute)"
  case .instant(let instant): instant.description
  }
}

@Suite struct `Moments by the grammar` {
  @Test(arguments: [
    ("now", "2026-11-21T09:20:30Z"), ("in 2h", "2026-11-21T11:20:30Z"),
    ("2h ago", "2026-11-21T07:20:30Z"), ("-7d", "2026-11-14"), ("-30m", "2026-11-21T08:50:30Z"),
    ("+90m", "2026-11-21T10:50:30Z"),
    ("3 days ago", "2026-11-18"), ("+3d", "2026-11-24"), ("+3d 9:30", "2026-11-24 09:30"),
    ("yesterday", "2026-11-20"), ("sat", "2026-11-21"), ("sat 9:30", "2026-11-21 09:30"),
    ("9:00", "2026-11-21 09:00"), ("last sat", "2026-11-14"), ("24.12", "2026-12-24"),
    ("tonight 21:30", "2026-11-21 21:30"), ("tomorrow 24:00", "2026-11-23 00:00"),
    ("20261121", "2026-11-21"), ("20261121T1400", "2026-11-21 14:00"),
    ("2026-11-21t14:00:15", "2026-11-21 14:00"), ("@1795252830", "2026-11-21T09:20:30Z"),
    ("2026-11-21T14:00:00+01:00", "2026-11-21T13:00:00Z"),
    ("2026-11-21 14:00:00 +0100", "2026-11-21T13:00:00Z"),
    ("20261121T140000Z", "2026-11-21T14:00:00Z"),
    ("2026-11-21T14:00:00.999Z", "2026-11-21T14:00:00Z"),
    ("9:00 America/New_York", "2026-11-21T14:00:00Z"),
  ])
  func `what is only looked at may be past`(text: String, expected: String) throws {
    #expect(described(try berlin.moment(text, takesPast: true)) == expected)
  }

  // At 3:20 in Berlin it is the day before in New York.
  @Test(arguments: [
    ("today 10am EST", "2026-11-23T15:00:00Z"), ("tomorrow 10am EST", "2026-11-24T15:00:00Z"),
    ("tue 10am EST", "2026-11-24T15:00:00Z"), ("明天纽约时间上午10点", "2026-11-24T15:00:00Z"),
    ("10pm EST", "2026-11-23T03:00:00Z"),
  ])
  func `days count at the place, and times in the zone that the text names`(
    text: String, expected: String
  ) throws {
    let reader = berlin.at(now: try Timestamp(text: "2026-11-23T02:20:00Z"))
    #expect(described(try reader.moment(text)) == expected)
  }

  @Test(arguments: [("9:00", "2026-11-22 09:00"), ("11:00", "2026-11-21 11:00")])
  func `what is to come is not past`(text: String, expected: String) throws {
    #expect(described(try berlin.moment(text)) == expected)
  }

  @Test(arguments: [
    ("in 5m", "2026-11-21T09:26:00Z"), ("+5m", "2026-11-21T09:26:00Z"),
    ("In 1 hour", "2026-11-21T10:21:00Z"), ("in 90s", "2026-11-21T09:22:00Z"),
    ("半小时后", "2026-11-21T09:51:00Z"), ("in 2 days", "2026-11-23"),
    ("@1795252830", "2026-11-21T09:20:30Z"),
  ])
  func `an event that counts in minutes from now begins with a whole one, at 30 s past`(
    text: String, expected: String
  ) throws {
    #expect(described(try berlin.start(text)) == expected)
  }

  @Test(arguments: [
    ("9:00", true), ("9am", true), ("noon", true), ("half past nine", true), ("下午3点", true),
    ("24:00", true), ("in the morning", true), ("9:00 America/New_York", true), ("fri 9:00", false),
    ("2026-11-21T14:00", false), ("today 9:00", false), ("tomorrow", false),
    ("in 2h", false), ("9:00-10:00", false), ("", false), ("8:60", false),
  ])
  func `a time alone is told from one with a day`(text: String, isAlone: Bool) {
    #expect(berlin.isTimeAlone(text) == isAlone)
  }

  @Test(arguments: [
    "", "sat", "last sat", "2h", "9:00-10:00", "every day 9:00", "fri !15m", "tomorrow fish", "@",
    "9999-12-31T23:59:59-01:00", "+9999999d", "december", "a\u{1b}b", "31 Nov",
  ])
  func `all else is refused`(text: String) {
    #expect(throws: PhraseRefusal.self) { try berlin.moment(text) }
  }

  @Test(arguments: [
    ("last friday", ["2026-11-20", "2026-11-13"]), ("next sun", ["2026-11-22", "2026-11-29"]),
  ])
  func `a near weekday of another week is refused with both`(text: String, days: [String]) {
    let refusal = #expect(throws: PhraseRefusal.self) { try berlin.moment(text, takesPast: true) }
    #expect(refusal?.readings.map(\.inShort) == days)
  }

  @Test func `the first day of the week settles which week is next`() throws {
    var reader = berlin
    reader.customs.firstWeekday = .sunday
    #expect(described(try reader.moment("next sun")) == "2026-11-22")
    #expect(described(try reader.moment("sunday next week")) == "2026-11-22")
    #expect(described(try berlin.moment("sunday next week")) == "2026-11-29")
  }

  @Test(arguments: [
    ("december", "2026-12-01"), ("dec 2027", "2027-12-01"), ("march", "2027-03-01"),
    ("this month", "2026-11-01"), ("next month", "2026-12-01"), ("last month", "2026-10-01"),
  ])
  func `a month is its first day`(text: String, expected: String) {
    #expect(berlin.month(text)?.description == expected)
  }

  @Test(arguments: ["", "1 december", "2027-12", "next week", "x"])
  func `what is no month is none`(text: String) {
    #expect(berlin.month(text) == nil)
  }
}

@Suite struct `Ends by the grammar` {
  @Test(arguments: [
    ("2026-12-01 14:00", "15:30", "2026-12-01 15:30"),
    ("2026-12-01 22:00", "1:00", "2026-12-02 01:00"),
    ("2026-12-01 14:00", "14:00", "2026-12-02 14:00"),
    ("2026-12-01 22:00", "24:00", "2026-12-02 00:00"),
    ("fri 22:00", "sat 2:00", "2026-11-28 02:00"), ("fri 22:00", "fri 23:00", "2026-11-27 23:00"),
    ("fri 22:00", "thu 21:00", "2026-12-03 21:00"),
    ("2026-12-01 11:00", "+2d 9:00", "2026-12-03 09:00"),
    ("2026-11-21 11:00", "tomorrow 9:00", "2026-11-22 09:00"),
    ("2026-11-21 11:00", "in 6h", "2026-11-21T15:21:00Z"),
    // What is said in full is not moved behind the start.
    ("2026-12-01 11:00", "2026-11-30 9:00", "2026-11-30 09:00"), ("tomorrow", "fri", "2026-11-27"),
    ("30 Dec", "2 Jan", "2027-01-02"), ("7 Dec", "1 Jun", "2027-06-01"),
    ("7 Dec", "6 Dec 2027", "2027-12-06"), ("7 Dec", "7 Dec", "2026-12-07"),
    ("7 Dec", "2027-12-06", "2027-12-06"), ("tomorrow", "in 11 months", "2027-10-21"),
  ])
  func `what is left open counts from the start`(
    start: String, end: String, expected: String
  ) throws {
    let moment = try berlin.end(end, after: try berlin.moment(start))
    #expect(described(moment) == expected)
  }

  @Test(arguments: [
    ("45m", "2026-11-27T09:15:00Z"), ("+1h", "2026-11-27T09:30:00Z"),
    ("2 days", "2026-11-29T08:30:00Z"), ("PT8H", "2026-11-27T16:30:00Z"),
  ])
  func `a duration counts from the start`(text: String, expected: String) throws {
    #expect(described(try berlin.end(text, after: try berlin.moment("fri 9:30"))) == expected)
  }

  @Test(arguments: ["fri 9:00", "fri 9:30", "later", ""])
  func `the weekday of the start is no week later`(text: String) throws {
    let start = try berlin.moment("fri 9:30")
    #expect(throws: PhraseRefusal.self) { try berlin.end(text, after: start) }
  }

  @Test(arguments: [
    ("7 Dec", "6 Dec"), ("7 Dec", "10 Nov"), ("7 Dec 9:00", "6 Dec 17:00"),
    ("2028-03-01", "29 Feb"), ("7 Dec", "12月6日"),
  ])
  func `a day shortly before the start is not that of the next year`(
    start: String, end: String
  ) throws {
    let start = try berlin.moment(start)
    let refusal = #expect(throws: PhraseRefusal.self) { try berlin.end(end, after: start) }
    #expect(refusal?.reason.pattern.contains("is before the start") == true, "\(end)")
  }

  @Test func `a list may reach to a day without a year`() throws {
    #expect(try berlin.span(from: "7 Dec", to: "6 Dec").seconds == 364 * 86_400)
  }

  @Test(arguments: [
    ("today", "", "2026-11-20T23:00:00Z", "2026-11-21T23:00:00Z"),
    ("tomorrow 14:00", "2h", "2026-11-22T13:00:00Z", "2026-11-22T15:00:00Z"),
    ("3d ago", "2h ago", "2026-11-17T23:00:00Z", "2026-11-21T07:20:30Z"),
    ("2026-11-21", "+3d 14:00", "2026-11-20T23:00:00Z", "2026-11-24T13:00:00Z"),
    ("mon next week", "fri", "2026-11-22T23:00:00Z", "2026-11-26T23:00:00Z"),
  ])
  func `a span is from a moment to an end`(
    from: String, to: String, start: String, end: String
  ) throws {
    let span = try berlin.span(from: from, to: to)
    #expect("\(span.start) \(span.end)" == "\(start) \(end)")
  }

  @Test func `days of a span keep the time on the clock across a change of it`() throws {
    let reader = PhraseReader(
      PhraseContext(
        now: try Timestamp(text: "2026-03-28T11:00:00Z"), zone: FixedZones.shared["Europe/Berlin"]),
      zones: FixedZones.shared)
    #expect(try reader.span(from: "2026-03-29", to: "").seconds == 23 * 3600)
    #expect(try reader.span(from: "now", to: "1d").end.description == "2026-03-29T10:00:00Z")
  }

  @Test func `a span that ends before it begins is refused`() {
    #expect(throws: PhraseRefusal.self) { try berlin.span(from: "tomorrow", to: "today") }
    #expect(throws: PhraseRefusal.self) { try berlin.span(from: "9999-12-31", to: "") }
  }
}
