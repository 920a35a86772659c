import CivilTime
import Testing
import Widgets

@Suite struct `Months by index` {
  @Test func `an index and a month are one another, from the year 1 to 9999`() throws {
    var expected = 0
    for year in [1, 2, 1969, 1970, 2026, 9999] {
      for month in 1...12 {
        let one = try #require(CalendarMonth(year: year, month: month))
        #expect((one.year, one.month) == (year, month))
        #expect(one.index == (year - 1) * 12 + month - 1)
        #expect(CalendarMonth(index: one.index) == one)
        #expect(CalendarMonth(one.firstDay) == one && one.firstDay.day == 1)
        if year <= 2 {
          #expect(one.index == expected)
          expected += 1
        }
      }
    }
    #expect(CalendarMonth(index: -1) == nil && CalendarMonth(index: 119_988) == nil)
    #expect(CalendarMonth(year: 2026, month: 13) == nil && CalendarMonth(year: 0, month: 1) == nil)
  }

  @Test func `a month is counted on over years, up to the ends of the calendar`() throws {
    let month = try #require(CalendarMonth(year: 2026, month: 11))
    #expect(month.adding(months: 2)?.description == "2027-01")
    #expect(month.adding(months: -11)?.description == "2025-12")
    #expect(month.adding(months: .max) == nil && month.adding(months: .min) == nil)
    #expect(month.length == 30 && CalendarMonth(year: 2028, month: 2)?.length == 29)
    let next = try #require(month.adding(months: 1))
    #expect(month < next)
  }

  @Test(arguments: ["2026-11", "0001-01", "9999-12"])
  func `its text is read back`(_ text: String) {
    #expect(CalendarMonth(text: text)?.description == text)
  }

  @Test(arguments: ["", "2026", "2026-13", "2026-1", "26-11", "2026-11-21", "2026/11", "0000-01"])
  func `what is no month is refused`(_ text: String) {
    #expect(CalendarMonth(text: text) == nil)
  }

  @Test func `a range of years counts from its own first January`() throws {
    let range = MonthRange(years: 2000...2030)
    #expect(range.count == 372)
    #expect(range.month(at: 0)?.description == "2000-01")
    #expect(range.month(at: 371)?.description == "2030-12")
    #expect(range.month(at: 372) == nil && range.month(at: -1) == nil)
    for index in 0..<range.count {
      #expect(range.month(at: index).flatMap(range.index(of:)) == index)
    }
    let before = try #require(CalendarMonth(year: 1999, month: 12))
    #expect(range.index(of: before) == nil)
    #expect(range.index(before: 0) == nil && range.index(before: 1) == 0)
    #expect(range.index(after: 371) == nil && range.index(after: 370) == 371)
  }

  @Test func `today leads to its month, or the nearest that there is`() throws {
    let range = MonthRange(years: 2000...2030)
    #expect(range.index(nearest: try CivilDate(text: "2026-11-21")) == 26 * 12 + 10)
    #expect(range.index(nearest: try CivilDate(text: "1985-06-01")) == 0)
    #expect(range.index(nearest: try CivilDate(text: "2031-01-01")) == 371)
  }

  @Test func `years outside the calendar are taken as the nearest`() {
    #expect(MonthRange(years: -5...20_000) == MonthRange())
    #expect(MonthRange(years: 10_000...20_000).years == 9999...9999)
  }
}
