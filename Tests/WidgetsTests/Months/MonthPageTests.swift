import CivilTime
import TestSupport
import Testing
import Widgets

@Suite struct `The days of a page` {
  static func page(
    _ day: String, _ mode: MonthMode = .normal, _ first: Weekday = .monday
  ) throws -> MonthPage {
    try #require(MonthPage(day: try CivilDate(text: day), mode: mode, firstWeekday: first))
  }

  @Test func `a month has six weeks, from the week of its first day on`() throws {
    let page = try Self.page("2026-11-21")
    #expect(page.count == 42 && page.dates.count == 42)
    #expect(page.first.description == "2026-10-26")
    #expect(page.end.description == "2026-12-07")
    #expect(page.month.description == "2026-11")
    // It begins on the first where that is the first weekday.
    #expect(try Self.page("2027-02-28").first.description == "2027-02-01")
  }

  @Test(arguments: [
    (Weekday.monday, "2026-10-26"), (.sunday, "2026-11-01"), (.saturday, "2026-10-31"),
  ])
  func `rows begin with the first weekday`(_ first: Weekday, _ date: String) throws {
    #expect(try Self.page("2026-11-21", .normal, first).first.description == date)
  }

  @Test func `a page of weeks begins with the week of its day`() throws {
    #expect(try Self.page("2026-11-21", .collapsed).dates.map(\.day) == Array(16...22))
    #expect(
      try Self.page("2026-11-21", .twoWeeks, .sunday).dates.map(\.day) == Array(15...28))
    #expect(try Self.page("2026-11-21", .twoWeeks).count == 14)
  }

  @Test func `every month has all its days on its page, for every first weekday`() throws {
    for year in 2024...2028 {
      for number in 1...12 {
        let month = try #require(CalendarMonth(year: year, month: number))
        for weekday in Weekday.allCases {
          let page = try #require(
            MonthPage(day: month.firstDay, mode: .expanded, firstWeekday: weekday))
          #expect(page.first.weekday == weekday)
          #expect(page.dates.count { CalendarMonth($0) == month } == month.length)
          #expect(page.first.days(since: month.firstDay) > -7)
        }
      }
    }
  }

  @Test func `a page is turned by a month, or by its own weeks`() throws {
    #expect(try Self.page("2026-11-30").next?.description == "2026-12-01")
    #expect(try Self.page("2026-01-31").previous?.description == "2025-12-01")
    #expect(try Self.page("2026-11-21", .collapsed).next?.description == "2026-11-28")
    #expect(try Self.page("2026-11-21", .twoWeeks).previous?.description == "2026-11-07")
  }

  @Test func `a page that leaves the calendar is none, and nothing leads there`() throws {
    let last = try CivilDate(text: "9999-12-31")
    for mode in MonthMode.allCases {
      #expect(MonthPage(day: last, mode: mode, firstWeekday: .monday) == nil)
    }
    // 0001-01-01 was a Monday.
    let first = try Self.page("0001-01-15")
    #expect(first.first == .earliest && first.previous == nil && first.next != nil)
    #expect(MonthPage(day: .earliest, mode: .normal, firstWeekday: .sunday) == nil)
    #expect(try Self.page("9999-11-05").next == nil)
  }

  @Test func `its span is that of local days, also where a clock changes`() throws {
    let zone = FixedZones.shared["Europe/Berlin"]
    let span = try Self.page("2026-11-21").span(in: zone)
    #expect(span.start == (try Timestamp(text: "2026-10-25T23:00:00Z")))
    #expect(span.end == (try Timestamp(text: "2026-12-06T23:00:00Z")))
    let october = try Self.page("2026-10-21", .collapsed).span(in: zone)
    #expect(october.end.seconds - october.start.seconds == 7 * 86_400 + 3600)
  }
}
