import CivilTime
import Testing

@Suite struct `A civil date` {
  @Test func `every day of 400 years comes after the one before it`() throws {
    var previous = try #require(CivilDate(year: 1999, month: 12, day: 31))
    for year in 2000..<2400 {
      for month in 1...12 {
        for day in 1...CivilDate.length(ofMonth: month, year: year) {
          let date = try #require(CivilDate(year: year, month: month, day: day))
          #expect(date.days(since: previous) == 1)
          #expect(date.parts == (year, month, day))
          previous = date
        }
      }
    }
  }

  @Test func `a day is made of its year, month and day again, in all years`() {
    for dayNumber in stride(from: -719_162, through: 2_932_896, by: 11) {
      guard let date = CivilDate(dayNumber: dayNumber) else { continue }
      let (year, month, day) = date.parts
      let isSame = CivilDate.dayNumber(year: year, month: month, day: day) == dayNumber
      guard isSame, (1...12).contains(month), (1...31).contains(day) else {
        Issue.record("day \(dayNumber) is shown as \(date)")
        return
      }
    }
  }

  @Test func `the ends are 1 January 1 and 31 December 9999`() {
    #expect(CivilDate.earliest.description == "0001-01-01")
    #expect(CivilDate.latest.description == "9999-12-31")
    #expect(CivilDate.earliest.adding(days: -1) == nil)
    #expect(CivilDate.latest.adding(days: 1) == nil)
    #expect(CivilDate.earliest.weekday == .monday)
    #expect(CivilDate.latest.weekday == .friday)
  }

  @Test(arguments: [
    (2026, 2, 29), (2100, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (0, 1, 1),
  ])
  func `a day that does not exist is refused`(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test func `a day past the end of its month moves to its last`() throws {
    let date = try CivilDate(text: "2026-01-31")
    #expect(date.adding(months: 1)?.description == "2026-02-28")
    #expect(date.adding(months: 25)?.description == "2028-02-29")
    #expect(date.adding(months: -2)?.description == "2025-11-30")
    #expect(date.adding(months: 12 * 8000) == nil)
  }

  @Test(arguments: ["2026-11-21", "20261121", "0001-01-01", "99991231"])
  func `text is read in both forms and written back`(text: String) throws {
    let date = try CivilDate(text: text)
    #expect(text.contains("-") ? date.description == text : date.basicText == text)
  }

  @Test(arguments: ["", "2026-1-1", "2026/11/21", "2026112", "20261121Z", "٢٠٢٦1121", "2026-02-30"])
  func `other text is refused`(text: String) {
    #expect(throws: CivilTimeError.self) { try CivilDate(text: text) }
  }
}

@Suite struct `A week of the year` {
  /// Source: ISO 8601, with python's isocalendar as the witness.
  @Test(arguments: [
    ("2024-12-30", 2025, 1), ("2021-01-03", 2020, 53), ("2026-01-01", 2026, 1),
    ("2027-01-01", 2026, 53), ("2026-11-21", 2026, 47), ("2023-01-01", 2022, 52),
  ])
  func `the days round New Year may belong to the other year`(
    text: String, year: Int, week: Int
  ) throws {
    #expect(WeekDate(try CivilDate(text: text)) == WeekDate(year: year, week: week))
  }

  @Test func `the first weekday decides where a week begins`() throws {
    let sunday = try CivilDate(text: "2026-01-11")
    #expect(WeekDate(sunday).week == 2)
    #expect(WeekDate(sunday, firstWeekday: .sunday).week == 2)
    #expect(WeekDate(try CivilDate(text: "2026-01-04")).week == 1)
    #expect(WeekDate(try CivilDate(text: "2026-01-04"), firstWeekday: .sunday).week == 1)
    #expect(WeekDate(try CivilDate(text: "2026-01-03"), firstWeekday: .sunday).week == 53)
  }

  @Test func `71 of 400 years have 53 weeks`() {
    #expect((2000..<2400).count { WeekDate.weeks(inYear: $0) == 53 } == 71)
  }
}
