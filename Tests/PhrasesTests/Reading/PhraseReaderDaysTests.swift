import CivilTime
import Messages
import TestSupport
import Testing

@testable import Phrases

/// Saturday, 21 November 2026, 10:20:30 in Berlin, where weeks begin on Monday.
private var berlin: PhraseReader {
  PhraseReader(
    PhraseContext(
      now: Timestamp(seconds: 1_795_252_830), zone: FixedZones.shared["Europe/Berlin"]),
    zones: FixedZones.shared,
    customs: TimeCustoms(usesTwentyFourHours: true, firstWeekday: .monday))
}

@Suite struct `Days to look at` {
  @Test(arguments: [
    ("next week", "2026-11-23", "2026-11-29"), ("last week", "2026-11-09", "2026-11-15"),
    ("this week", "2026-11-16", "2026-11-22"), ("week -1", "2026-11-09", "2026-11-15"),
    ("week +2", "2026-11-30", "2026-12-06"), ("下周", "2026-11-23", "2026-11-29"),
    ("上周", "2026-11-09", "2026-11-15"), ("本周", "2026-11-16", "2026-11-22"),
    ("week 50", "2026-12-07", "2026-12-13"), ("Week 47", "2026-11-16", "2026-11-22"),
    ("week 46", "2027-11-15", "2027-11-21"), ("week 53 2026", "2026-12-28", "2027-01-03"),
    ("2026-W46", "2026-11-09", "2026-11-15"),
    ("第50周", "2026-12-07", "2026-12-13"), ("2027年第1周", "2027-01-04", "2027-01-10"),
  ])
  func `a week is its seven days`(text: String, first: String, last: String) throws {
    let read = try berlin.days(text)
    #expect(read.days == (try CivilDate(text: first))...(try CivilDate(text: last)))
    #expect(read.unit == .week && read.count == 7)
  }

  @Test func `a week begins on the first weekday`() throws {
    var reader = berlin
    reader.customs.firstWeekday = .sunday
    #expect(try reader.days("this week").days.lowerBound == CivilDate(text: "2026-11-15"))
  }

  @Test(arguments: [
    ("this month", "2026-11-01", "2026-11-30"), ("december", "2026-12-01", "2026-12-31"),
    ("November", "2026-11-01", "2026-11-30"), ("march", "2027-03-01", "2027-03-31"),
    ("feb 2028", "2028-02-01", "2028-02-29"), ("last month", "2026-10-01", "2026-10-31"),
    ("month -1", "2026-10-01", "2026-10-31"), ("上个月", "2026-10-01", "2026-10-31"),
  ])
  func `a month is all its days`(text: String, first: String, last: String) throws {
    let read = try berlin.days(text)
    #expect(read.days == (try CivilDate(text: first))...(try CivilDate(text: last)))
    #expect(read.unit == .month)
  }

  @Test(arguments: [
    ("this weekend", "2026-11-21", "2026-11-22"), ("3-5 Dec", "2026-12-03", "2026-12-05"),
    ("next 3 days", "2026-11-22", "2026-11-24"), ("weekend", "2026-11-21", "2026-11-22"),
    ("next weekend", "2026-11-28", "2026-11-29"), ("last weekend", "2026-11-14", "2026-11-15"),
    ("本周末", "2026-11-21", "2026-11-22"), ("下周末", "2026-11-28", "2026-11-29"),
    ("上周末", "2026-11-14", "2026-11-15"),
  ])
  func `a range is its days, the last included`(text: String, first: String, last: String) throws {
    let read = try berlin.days(text)
    #expect(read.days == (try CivilDate(text: first))...(try CivilDate(text: last)))
    #expect(read.unit == .range)
  }

  @Test(arguments: [
    ("fri", "2026-11-27"), ("-7d", "2026-11-14"), ("2026-11-21", "2026-11-21"),
    ("yesterday", "2026-11-20"), ("tomorrow 14:00", "2026-11-22"),
    ("昨天", "2026-11-20"), ("前天", "2026-11-19"), ("三天前", "2026-11-18"),
  ])
  func `any other time is its day`(text: String, day: String) throws {
    let read = try berlin.days(text)
    #expect(read.days.lowerBound.description == day)
    #expect(read.unit == .day && read.count == 1)
  }

  @Test func `on Wednesday and Sunday a weekend is that of the same week`() throws {
    for (now, first) in [(1_794_999_630, "2026-11-21"), (1_795_339_230, "2026-11-21")] {
      let reader = berlin.at(now: Timestamp(seconds: Int64(now)))
      #expect(try reader.days("weekend").days.lowerBound.description == first)
      #expect(try reader.days("next weekend").days.lowerBound.description == "2026-11-28")
    }
  }

  @Test(arguments: [
    "", "x", "week", "every day", "9:00-10:00", "week -999999", "week 0", "week 54", "2025-W53",
    "week 53 2027", "2026-W", "50周", "50 week",
  ])
  func `all else is refused`(text: String) {
    #expect(throws: PhraseRefusal.self) { try berlin.days(text) }
  }

  @Test(arguments: [
    ("next week", "", "2026-11-23", "2026-11-30"), ("december", "", "2026-12-01", "2027-01-01"),
    ("3-5 Dec", "", "2026-12-03", "2026-12-06"), ("fri", "", "2026-11-27", "2026-11-28"),
    ("this week", "next week", "2026-11-16", "2026-11-23"),
    ("december", "2d", "2026-12-01", "2026-12-03"),
  ])
  func `a range is all its days without an end, and its first one as an end`(
    from: String, to: String, first: String, end: String
  ) throws {
    let span = try berlin.span(from: from, to: to)
    let zone = FixedZones.shared["Europe/Berlin"]
    #expect(span.start == zone.startOfDay(try CivilDate(text: first)))
    #expect(span.end == zone.startOfDay(try CivilDate(text: end)))
  }

  @Test func `a week is its first day where it is only looked at, and no start of an event`() throws
  {
    #expect(
      try berlin.moment("next week", takesPast: true) == .date(CivilDate(text: "2026-11-23")))
    #expect(throws: PhraseRefusal.self) { try berlin.moment("next week") }
    #expect(throws: PhraseRefusal.self) { try berlin.start("december", takesPast: true) }
  }

  @Test func `a refusal leaves itself out of its advice`() {
    let refusal = #expect(throws: PhraseRefusal.self) {
      try PhraseRefusal.naming("Friday") { () throws(PhraseRefusal) in
        var refusal = PhraseRefusal(UserText("x"))
        refusal.suggestions = ["friday", "saturday"]
        throw refusal
      }
    }
    #expect(refusal?.text.english == "\"Friday\": x; try \"saturday\"")
  }
}
