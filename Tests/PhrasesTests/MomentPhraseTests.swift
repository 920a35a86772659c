import CivilTime
import Messages
import Testing

@testable import Phrases

/// Saturday, 21 November 2026, 10:20:30 on a clock an hour ahead of UTC.
private let saturday = PhraseContext(
  now: Timestamp(seconds: 1_795_252_830),
  zone: ZoneRules(fixed: UTCOffset(seconds: 3600), name: "Test/OneHourEast"))

/// A phrase and what it stands for, as the tables below write it: a day, a
/// reading, or an instant in UTC.
private struct Case: CustomTestStringConvertible, Sendable {
  let phrase: String
  let expected: String

  init(_ phrase: String, _ expected: String) {
    self.phrase = phrase
    self.expected = expected
  }

  var testDescription: String { "\"\(phrase)\" is \(expected)" }
}

private func described(_ moment: Moment) -> String {
  switch moment {
  case .date(let date): date.description
  case .local(let reading): reading.description
  case .instant(let instant): instant.description
  }
}

@Suite struct `Moments in phrases` {
  private static let dates = [
    Case("2026-11-21", "2026-11-21"), Case("20261121", "2026-11-21"),
    Case("  2026-11-21 ", "2026-11-21"), Case("0001-01-01", "0001-01-01"),
    Case("9999-12-31", "9999-12-31"), Case("2028-02-29", "2028-02-29"),
    Case("today", "2026-11-21"), Case("Tomorrow", "2026-11-22"), Case("YESTERDAY", "2026-11-20"),
    Case("+3d", "2026-11-24"), Case("+ 3 days", "2026-11-24"), Case("+0d", "2026-11-21"),
    Case("+1w", "2026-11-28"), Case("in 2 weeks", "2026-12-05"), Case("+1w2d", "2026-11-30"),
    Case("3 days ago", "2026-11-18"), Case("1w ago", "2026-11-14"), Case("30 Nov", "2026-11-30"),
    Case("Nov 30", "2026-11-30"), Case("november 30, 2027", "2027-11-30"),
    Case("3rd Sept 2027", "2027-09-03"), Case("20 Nov", "2027-11-20"), Case("21 nov", "2026-11-21"),
    Case("29 Feb", "2028-02-29"), Case("21.11.2026", "2026-11-21"), Case("1.2.", "2027-02-01"),
    Case("24.12", "2026-12-24"), Case("may 1", "2027-05-01"),
    Case("in 1 month", "2026-12-21"), Case("in a month", "2026-12-21"),
    Case("+3 months", "2027-02-21"), Case("in 2 years", "2028-11-21"),
    Case("1 month ago", "2026-10-21"), Case("3rd of December", "2026-12-03"),
    Case("24.12.27", "2027-12-24"), Case("fri next week", "2026-11-27"),
    Case("next week sun", "2026-11-29"), Case("this fri", "2026-11-27"),
    Case("day after tomorrow", "2026-11-23"), Case("the day before yesterday", "2026-11-19"),
    Case("last friday of december", "2026-12-25"), Case("first monday of next month", "2026-12-07"),
    Case("1st of next month", "2026-12-01"),
  ]

  @Test(arguments: [
    Case("24:00", "2026-11-22T00:00:00"), Case("24:00:00", "2026-11-22T00:00:00"),
    Case("tomorrow 24:00", "2026-11-23T00:00:00"), Case("fri at 24:00", "2026-11-28T00:00:00"),
    Case("24:00 on fri", "2026-11-28T00:00:00"), Case("tonight 24:00", "2026-11-22T00:00:00"),
    Case("2026-12-31 24:00", "2027-01-01T00:00:00"),
    Case("2026-12-31T24:00", "2027-01-01T00:00:00"),
    Case("2026-12-31T24:00:00Z", "2027-01-01T00:00:00Z"), Case("0:00", "2026-11-21T00:00:00"),
  ])
  private func `24:00 ends a day`(_ row: Case) throws {
    #expect(described(try readMoment(row.phrase, saturday, isEnd: true)) == row.expected)
  }

  @Test(arguments: ["24:01", "24:00:01", "24:0", "9999-12-31 24:00"])
  func `nothing comes after the end of a day, or of the last one`(phrase: String) {
    #expect(throws: PhraseError.self) { try readMoment(phrase, saturday, isEnd: true) }
  }

  @Test(arguments: dates)
  private func `a day by its name or number is a day`(_ row: Case) throws {
    #expect(described(try readMoment(row.phrase, saturday)) == row.expected)
  }

  private static let weekdays = [
    Case("sat", "2026-11-21"), Case("saturday", "2026-11-21"), Case("sun", "2026-11-22"),
    Case("Mon", "2026-11-23"), Case("tues", "2026-11-24"), Case("weds", "2026-11-25"),
    Case("thurs", "2026-11-26"), Case("friday", "2026-11-27"), Case("next sat", "2026-11-28"),
    Case("next friday", "2026-11-27"), Case("next sun", "2026-11-22"),
    Case("last sat", "2026-11-14"), Case("last friday", "2026-11-20"),
    Case("last sun", "2026-11-15"),
  ]

  @Test(arguments: weekdays)
  private func `a weekday is today or after it, and next and last leave today out`(
    _ row: Case
  ) throws {
    #expect(described(try readMoment(row.phrase, saturday)) == row.expected)
  }

  private static let readings = [
    Case("2026-11-21T14:00", "2026-11-21T14:00:00"),
    Case("2026-11-21 14:00", "2026-11-21T14:00:00"),
    Case("2026-11-21t14:00:15", "2026-11-21T14:00:15"),
    Case("20261121T140015", "2026-11-21T14:00:15"), Case("20261121T1400", "2026-11-21T14:00:00"),
    Case("2026-11-21 9am", "2026-11-21T09:00:00"), Case("tomorrow 14:00", "2026-11-22T14:00:00"),
    Case("tomorrow, 14:00", "2026-11-22T14:00:00"), Case("tomorrow at 9am", "2026-11-22T09:00:00"),
    Case("fri 9:30", "2026-11-27T09:30:00"), Case("sat 9:30", "2026-11-21T09:30:00"),
    Case("next sat noon", "2026-11-28T12:00:00"), Case("+3d 9:30", "2026-11-24T09:30:00"),
    Case("in 3 days at noon", "2026-11-24T12:00:00"), Case("14:00", "2026-11-21T14:00:00"),
    Case("9am", "2026-11-21T09:00:00"), Case("9:30pm", "2026-11-21T21:30:00"),
    Case("9:30 PM", "2026-11-21T21:30:00"), Case("12am", "2026-11-21T00:00:00"),
    Case("12pm", "2026-11-21T12:00:00"), Case("12:30am", "2026-11-21T00:30:00"),
    Case("noon", "2026-11-21T12:00:00"), Case("midnight", "2026-11-21T00:00:00"),
    Case("tomorrow midnight", "2026-11-22T00:00:00"), Case("9:30 fri", "2026-11-27T09:30:00"),
    Case("9am on friday", "2026-11-27T09:00:00"), Case("9am 2026-12-01", "2026-12-01T09:00:00"),
    Case("30 Nov 14:00", "2026-11-30T14:00:00"), Case("Nov 30, 14:00", "2026-11-30T14:00:00"),
    Case("21.11.2027 9:30", "2027-11-21T09:30:00"), Case("9am on Dec 24", "2026-12-24T09:00:00"),
    Case("nov 30, 2027 at noon", "2027-11-30T12:00:00"),
    Case("tonight", "2026-11-21T20:00:00"), Case("tonight 21:30", "2026-11-21T21:30:00"),
    Case("tonight at 8:30", "2026-11-21T20:30:00"), Case("in 1 month 9:00", "2026-12-21T09:00:00"),
    Case("00:00", "2026-11-21T00:00:00"), Case("23:59:59", "2026-11-21T23:59:59"),
  ]

  @Test(arguments: readings)
  private func `a time of day gives a reading of the clock`(_ row: Case) throws {
    #expect(described(try readMoment(row.phrase, saturday)) == row.expected)
  }

  private static let instants = [
    Case("now", "2026-11-21T09:20:30Z"), Case("in 2h", "2026-11-21T11:20:30Z"),
    Case("+90m", "2026-11-21T10:50:30Z"), Case("2h ago", "2026-11-21T07:20:30Z"),
    Case("1h30m ago", "2026-11-21T07:50:30Z"), Case("+1d2h", "2026-11-22T11:20:30Z"),
    Case("1d2h ago", "2026-11-20T07:20:30Z"), Case("+0m", "2026-11-21T09:20:30Z"),
    Case("@0", "1970-01-01T00:00:00Z"), Case("@-60", "1969-12-31T23:59:00Z"),
    Case("@1795252830", "2026-11-21T09:20:30Z"),
    Case("@253402300799", "9999-12-31T23:59:59Z"),
    Case("2026-11-21T14:00:00Z", "2026-11-21T14:00:00Z"),
    Case("20261121T140000Z", "2026-11-21T14:00:00Z"),
    Case("2026-11-21T14:00:00+01:00", "2026-11-21T13:00:00Z"),
    Case("2026-11-21T14:00-03:30", "2026-11-21T17:30:00Z"),
    Case("2026-11-21 14:00:00 +0100", "2026-11-21T13:00:00Z"),
    Case("2026-11-21T14:00:00.999Z", "2026-11-21T14:00:00Z"),
  ]

  @Test(arguments: instants)
  private func `what counts from now, and what has an offset, is an instant`(_ row: Case) throws {
    #expect(described(try readMoment(row.phrase, saturday)) == row.expected)
  }

  @Test func `today is the day of the zone, not of UTC`() throws {
    let context = PhraseContext(
      now: Timestamp(seconds: 1_795_252_830),
      zone: ZoneRules(fixed: UTCOffset(seconds: 50_400), name: "Test/FarEast"))
    #expect(described(try readMoment("today", context)) == "2026-11-21")
    let evening = PhraseContext(now: Timestamp(seconds: 1_795_258_800), zone: context.zone)
    #expect(described(try readMoment("today", evening)) == "2026-11-22")
  }

  @Test func `a day begins at its first instant, and a reading is placed in the zone`() throws {
    let day = try readMoment("tomorrow", saturday).instant(in: saturday.zone)
    #expect(day.description == "2026-11-21T23:00:00Z")
    let reading = try readMoment("tomorrow 14:00", saturday).instant(in: saturday.zone)
    #expect(reading.description == "2026-11-22T13:00:00Z")
  }
}

@Suite struct `Phrases that are no moment` {
  struct Refusal: CustomTestStringConvertible, Sendable {
    let phrase: String
    let position: Int
    let reason: String
    let example: String

    var testDescription: String { "\"\(phrase)\" is refused" }
  }

  static let refusals = [
    Refusal(
      phrase: "december", position: 0, reason: "\"december\" is a month, not a day",
      example: "1 December"),
    Refusal(
      phrase: "day after", position: 0, reason: "unknown word \"day\"",
      example: "tomorrow 14:00"),
    Refusal(
      phrase: "fri at 5", position: 7, reason: "\"5\" could be 5:00 or 17:00", example: "17:00"),
    Refusal(
      phrase: "quarter to five", position: 0,
      reason: "\"quarter to five\" could be 4:45 or 16:45", example: "16:45"),
    Refusal(phrase: "", position: 0, reason: "the phrase is empty", example: "tomorrow 14:00"),
    Refusal(
      phrase: "31 Nov", position: 0, reason: "there is no day 31 in November", example: "30 Nov"),
    Refusal(
      phrase: "29 feb 2027", position: 0, reason: "there is no day 29 in February 2027",
      example: "28 Feb 2027"),
    Refusal(
      phrase: "-3d", position: 0, reason: "a phrase cannot begin with a hyphen", example: "2h ago"),
    Refusal(
      phrase: "tomorow", position: 0, reason: "unknown word \"tomorow\"",
      example: "tomorrow"),
    Refusal(
      phrase: "wendsday", position: 0, reason: "unknown word \"wendsday\"",
      example: "wednesday"),
    Refusal(
      phrase: "xyzzy", position: 0, reason: "unknown word \"xyzzy\"",
      example: "tomorrow 14:00"),
    Refusal(
      phrase: "2026-02-30", position: 0, reason: "month 2 of 2026 has the days 1 to 28, not 30",
      example: "2026-11-21"),
    Refusal(
      phrase: "2026-13-01", position: 0, reason: "there is no month 13", example: "2026-11-21"),
    Refusal(
      phrase: "2026-1-1", position: 5,
      reason: "expected month and day in two digits each, found \"1\"", example: "2026-11-21"),
    Refusal(
      phrase: "tomorrow 25:00", position: 9, reason: "a day ends at 23:59:59", example: "23:59"),
    Refusal(phrase: "24:00", position: 0, reason: "24:00 can only be an end", example: "0:00"),
    Refusal(phrase: "24:01", position: 0, reason: "a day ends at 23:59:59", example: "23:59"),
    Refusal(phrase: "13pm", position: 0, reason: "there is no 13 pm", example: "9:30pm"),
    Refusal(
      phrase: "9:3", position: 2, reason: "expected two digits, found \"3\"",
      example: "14:00"),
    Refusal(
      phrase: "9", position: 0, reason: "9 could be a day or an hour", example: "9:00"),
    Refusal(
      phrase: "2h", position: 0, reason: "\"2h\" is a duration, not a time", example: "in 2h"),
    Refusal(
      phrase: "99999999d", position: 0, reason: "longer than 9,999 years", example: "2w"),
    Refusal(
      phrase: "+3", position: 1, reason: "3 needs a unit: w, d, h, m or s", example: "3m"),
    Refusal(
      phrase: "next week", position: 5, reason: "expected a weekday, found \"week\"",
      example: "next fri"),
    Refusal(
      phrase: "12/24/2026", position: 0, reason: "days cannot be written with slashes",
      example: "2026-12-24"),
    Refusal(
      phrase: "3/4/2026", position: 0, reason: "\"3/4/2026\" could be 2026-04-03 or 2026-03-04",
      example: "2026-04-03"),
    Refusal(
      phrase: "12/24", position: 0, reason: "days cannot be written with slashes",
      example: "2026-12-24"),
    Refusal(
      phrase: "2026/12/24", position: 0, reason: "days cannot be written with slashes",
      example: "2026-12-24"),
    Refusal(
      phrase: "99/99/2026", position: 0, reason: "\"99/99/2026\" is not a day", example: "2026-12-24"),
    Refusal(
      phrase: "tonight 3am", position: 8, reason: "\"3am\" is not in the evening",
      example: "tomorrow 03:00"),
    Refusal(
      phrase: "1 month", position: 0, reason: "\"1 month\" is a duration, not a time",
      example: "in 1 month"),
    Refusal(
      phrase: "tomorrow fish", position: 9, reason: "expected a time of day, found \"fish\"",
      example: "tomorrow 14:00"),
    Refusal(
      phrase: "now and then", position: 4, reason: "expected the end, found \"and\"",
      example: "tomorrow 14:00"),
    Refusal(
      phrase: "+9999999d", position: 1, reason: "longer than 9,999 years", example: "2w"),
    Refusal(
      phrase: "+3652059d", position: 0, reason: "the date is outside the years 1 to 9999",
      example: "2026-11-21"),
    Refusal(
      phrase: "@", position: 1, reason: "expected a number of seconds since 1970, found the end",
      example: "@1795262400"),
    Refusal(
      phrase: "@99999999999999999999", position: 1,
      reason: "the date is outside the years 1 to 9999", example: "@1795262400"),
    Refusal(
      phrase: "9999-12-31T23:59:59-01:00", position: 0,
      reason: "the date is outside the years 1 to 9999", example: "2026-11-21"),
    Refusal(
      phrase: "2026-11-21T14:00+25:00", position: 16, reason: "an offset ends at 23:59",
      example: "+01:00"),
    Refusal(
      phrase: "mañana", position: 0, reason: "unknown word \"mañana\"",
      example: "tomorrow 14:00"),
  ]

  @Test(arguments: refusals)
  func `the error names the place, the reason and an example`(_ row: Refusal) {
    let error = #expect(throws: PhraseError.self) { try readMoment(row.phrase, saturday) }
    #expect(error?.phrase == row.phrase && error?.position == row.position)
    #expect(error?.reason.english == row.reason && error?.example == row.example)
  }

  @Test(arguments: [
    Case("half past nine", "2026-11-21T09:30:00"), Case("9 o'clock", "2026-11-21T09:00:00"),
    Case("10 o\u{2019}clock", "2026-11-21T10:00:00"), Case("9 oclock", "2026-11-21T09:00:00"),
    Case("tomorrow at 9", "2026-11-22T09:00:00"), Case("fri at 14", "2026-11-27T14:00:00"),
    Case("at 12 on fri", "2026-11-27T12:00:00"), Case("quarter to 10 fri", "2026-11-27T09:45:00"),
    Case("tomorrow quarter past nine pm", "2026-11-22T21:15:00"),
    Case("9:30 day after tomorrow", "2026-11-23T09:30:00"),
  ])
  private func `a time as it is spoken, and an hour after "at", is a reading`(_ row: Case) throws {
    #expect(described(try readMoment(row.phrase, saturday)) == row.expected)
  }

  @Test(arguments: [
    ("december", "2026-12-01"), ("Dec 2027", "2027-12-01"), ("march", "2027-03-01"),
    ("november", "2026-11-01"), ("sept, 2026", "2026-09-01"), ("next month", "2026-12-01"),
    ("this month", "2026-11-01"), ("last month", "2026-10-01"),
  ])
  func `a month by its name is its first day`(phrase: String, first: String) {
    #expect(readMonthName(phrase, saturday)?.description == first)
  }

  @Test(arguments: ["", "1 december", "december 1", "2027-12", "next week", "next", "dec 27", "x"])
  func `what names no month is none`(phrase: String) {
    #expect(readMonthName(phrase, saturday) == nil)
  }

  @Test(arguments: ["day", "december", "may", "noon", "tomorrow"])
  func `no word is suggested in place of itself, or of a short one that begins otherwise`(
    word: String
  ) {
    #expect(PhraseWords.nearest(to: word) == nil)
  }

  @Test func `a phrase of more than 200 octets is refused and cut in the error`() {
    let long = String(repeating: "tomorrow ", count: 10_000)
    let error = #expect(throws: PhraseError.self) { try readMoment(long, saturday) }
    #expect(error?.phrase.utf8.count == 200)
    #expect(error?.position == 200)
  }

  @Test func `the description is one line with the example`() {
    let error = PhraseError(
      phrase: "tomorow", position: 0,
      reason: UserText("unknown word \"{word}\"", ["word": "tomorow"]), example: "tomorrow")
    #expect(
      error.description == "\"tomorow\": unknown word \"tomorow\"; try \"tomorrow\"")
  }

  @Test func `no run of octets makes the reader do anything but answer or refuse`() {
    var state: UInt64 = 42
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let parts = [
      "2026", "-", "11", "21", "T", " ", ":", "+", "@", "d", "h", "m", "in", "ago", "fri", "next",
      "noon", "9", "999999999", "0", "Z", "am", "pm", "at", "on", ".", "é", "\u{0}", "20261121",
      "1400", "P", "PT", ",", "and", "tomorrow", "now",
    ]
    for _ in 0..<5_000 {
      let phrase = (0..<next(9)).map { _ in parts[next(parts.count)] }.joined()
      if let moment = try? readMoment(phrase, saturday) {
        let instant = moment.instant(in: saturday.zone)
        #expect(instant.adding(seconds: 86_400) >= .earliest, "\(phrase)")
        #expect(instant.adding(seconds: -86_400) <= .latest, "\(phrase)")
      }
      _ = try? readDuration(phrase)
      _ = try? readSpan(from: "now", to: phrase, saturday)
    }
  }
}
