import CivilTime
import Testing

@Suite struct `A time of day` {
  @Test(arguments: [("090000", 32_400), ("09:00", 32_400), ("9:05", 32_700), ("23:59:60", 86_399)])
  func `text is read in its forms`(text: String, second: Int) throws {
    #expect(try TimeOfDay(text: text) == TimeOfDay(secondOfDay: second))
  }

  @Test(arguments: ["24:00", "12:60", "1200", "12", "12:0", "-1:00", "12:00:00:00", ""])
  func `other text is refused`(text: String) {
    #expect(throws: CivilTimeError.self) { try TimeOfDay(text: text) }
  }

  @Test func `the parts are those it was made of`() throws {
    let time = try #require(TimeOfDay(hour: 23, minute: 4, second: 5))
    #expect((time.hour, time.minute, time.second) == (23, 4, 5))
    #expect(time.description == "23:04:05")
    #expect(time.basicText == "230405")
    #expect(time.hourAndMinute == "23:04")
    #expect(TimeOfDay(secondOfDay: 86_400) == nil)
  }
}

@Suite struct `An instant` {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", Int64(0)), ("20261121T090000Z", 1_795_251_600),
    ("2026-11-21T10:00:00+01:00", 1_795_251_600), ("1969-12-31T23:59:59Z", -1),
  ])
  func `text is read with its offset`(text: String, seconds: Int64) throws {
    #expect(try Timestamp(text: text).seconds == seconds)
  }

  @Test(arguments: ["2026-11-21T09:00:00", "Z", "", "2026-11-21T09:00:00+1:00", "20261121Z"])
  func `text without a clear offset is refused`(text: String) {
    #expect(throws: CivilTimeError.self) { try Timestamp(text: text) }
  }

  @Test func `it is written as the clock of an offset shows it`() {
    let instant = Timestamp(seconds: 1_795_251_600)
    #expect(instant.description == "2026-11-21T09:00:00Z")
    #expect(instant.basicText == "20261121T090000Z")
    #expect(instant.rfc3339(offset: UTCOffset(seconds: 20_700)) == "2026-11-21T14:45:00+05:45")
    #expect(instant.rfc3339(offset: UTCOffset(seconds: -12_600)) == "2026-11-21T05:30:00-03:30")
  }

  @Test func `readings before 1970 round down`() {
    #expect(Timestamp(seconds: -1).reading(offset: .utc)?.description == "1969-12-31T23:59:59")
    #expect(Timestamp.latest.adding(seconds: 1).reading(offset: .utc) == nil)
    #expect(CivilDateTime(.latest, .midnight).adding(seconds: .max) == nil)
  }
}

@Suite struct `A length of time` {
  @Test(arguments: [
    ("PT15M", 0, Int64(900), "PT15M"), ("-P1W", -7, 0, "-P7D"), ("+P1DT2H", 1, 7200, "P1DT2H"),
    ("PT1H5S", 0, 3605, "PT1H0M5S"), ("P0D", 0, 0, "PT0S"), ("pt90m", 0, 5400, "PT1H30M"),
    ("P1W2D", 9, 0, "P9D"),
  ])
  func `text is read and written in the shortest form`(
    text: String, days: Int, seconds: Int64, written: String
  ) throws {
    let duration = try CalendarDuration(text: text)
    #expect(duration == CalendarDuration(days: days, seconds: seconds))
    #expect(duration.description == written)
    #expect(try CalendarDuration(text: written) == duration)
  }

  @Test(arguments: [
    "", "P", "PT", "15M", "P15M", "PT15", "PT1S1M", "P1DT", "P-1D", "P1H", "PT1D", "--P1D",
    "P99999999999999D", "P9999999W",
  ])
  func `other text is refused`(text: String) {
    #expect(throws: CivilTimeError.self) { try CalendarDuration(text: text) }
  }
}

@Suite struct `A span` {
  private func span(_ start: Int64, _ end: Int64) -> TimeSpan {
    TimeSpan(start: Timestamp(seconds: start), end: Timestamp(seconds: end))
  }

  @Test func `spans that touch have nothing in common`() {
    #expect(!span(9, 10).overlaps(span(10, 11)))
    #expect(span(9, 11).overlaps(span(10, 12)))
  }

  @Test func `a moment is met where a span begins and not where it ends`() {
    #expect(span(9, 9).overlaps(span(9, 10)))
    #expect(!span(9, 9).overlaps(span(8, 9)))
    #expect(span(8, 10).overlaps(span(9, 9)))
    #expect(span(9, 9).overlaps(span(9, 9)))
  }
}
