import CivilTime
import JSON
import TestSupport
import Testing
import Widgets

@Suite struct `Selecting days of a month` {
  private func date(_ text: String) throws -> CivilDate { try CivilDate(text: "2026-" + text) }

  private func selection(_ picks: String...) throws -> MonthSelection {
    var selection = MonthSelection()
    for pick in picks { selection.pick(try date(pick)) }
    return selection
  }

  @Test func `nothing is selected at first`() throws {
    #expect(MonthSelection().days == nil)
    #expect(MonthSelection().segments(on: try `The days of a page`.page("2026-11-21")).isEmpty)
  }

  @Test func `two picks are a range, in whichever order they come`() throws {
    #expect(try selection("11-21").days == date("11-21")...date("11-21"))
    #expect(try selection("11-21", "11-24").days == date("11-21")...date("11-24"))
    #expect(try selection("11-24", "11-21").days == date("11-21")...date("11-24"))
    #expect(try selection("11-24", "11-24").days == date("11-24")...date("11-24"))
  }

  @Test func `a third pick begins anew, and a fourth makes a range with it`() throws {
    #expect(try selection("11-21", "11-24", "11-02").days == date("11-02")...date("11-02"))
    #expect(
      try selection("11-21", "11-24", "11-10", "11-02").days == date("11-02")...date("11-10"))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let from: String
    let to: String
    let segments: [String]
    var testDescription: String { "\(from) to \(to)" }
  }

  @Test(arguments: [
    Case(from: "11-21", to: "11-21", segments: ["3 single 21-21"]),
    Case(from: "11-17", to: "11-19", segments: ["3 whole 17-19"]),
    Case(from: "11-21", to: "11-24", segments: ["3 start 21-22", "4 end 23-24"]),
    Case(
      from: "11-12", to: "11-24", segments: ["2 start 12-15", "3 middle 16-22", "4 end 23-24"]),
    Case(from: "11-22", to: "11-23", segments: ["3 start 22-22", "4 end 23-23"]),
    Case(from: "11-30", to: "12-02", segments: ["5 whole 30-2 across"]),
    Case(from: "10-28", to: "11-03", segments: ["0 start 28-1 across", "1 end 2-3"]),
    // What lies beyond the page is no end there.
    Case(from: "10-01", to: "11-02", segments: ["0 middle 26-1 across", "1 end 2-2"]),
    Case(from: "11-28", to: "12-31", segments: ["4 start 28-29", "5 middle 30-6 across"]),
    Case(from: "10-01", to: "10-25", segments: []), Case(from: "12-07", to: "12-09", segments: []),
  ])
  func `each row has its part`(_ item: Case) throws {
    let page = try `The days of a page`.page("2026-11-21")
    let found = try selection(item.from, item.to).segments(on: page).map {
      "\($0.row) \($0.part.rawValue) \($0.days.lowerBound.day)-\($0.days.upperBound.day)"
        + ($0.isAcrossMonths ? " across" : "")
    }
    #expect(found == item.segments)
  }

  @Test func `segments cover what is selected of the page, each day once`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let mode = try #require(MonthMode.allCases.randomElement(using: &generator))
      let weekday = try #require(Weekday.allCases.randomElement(using: &generator))
      let page = try `The days of a page`.page("2026-11-21", mode, weekday)
      let one = try #require(
        page.first.adding(days: Int.random(in: -10...50, using: &generator)))
      let two = try #require(
        page.first.adding(days: Int.random(in: -10...50, using: &generator)))
      let selection = MonthSelection(one, two)
      let covered = selection.segments(on: page).flatMap { segment in
        page.dates.enumerated().filter {
          $0.offset / 7 == segment.row && segment.days.contains($0.element)
        }.map(\.element)
      }
      #expect(covered == page.dates.filter { selection.days?.contains($0) ?? false })
    }
  }

  @Test func `it is written with its rows`() throws {
    let page = try `The days of a page`.page("2026-11-21")
    let value = try #require(try selection("12-02", "11-28").jsonValue(on: page))
    #expect(
      JSONWriter.text(of: value) == """
        {"from":"2026-11-28","to":"2026-12-02","days":5,"segments":[{"row":4,"from":"2026-11-28",\
        "to":"2026-11-29","part":"start"},{"row":5,"from":"2026-11-30","to":"2026-12-02",\
        "part":"end","across-months":true,"across_months":true}]}
        """)
    #expect(MonthSelection().jsonValue(on: page) == nil)
  }
}
