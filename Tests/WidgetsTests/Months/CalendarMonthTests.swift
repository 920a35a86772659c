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
}
