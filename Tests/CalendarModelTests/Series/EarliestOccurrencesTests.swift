import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarModel

@Suite struct `The earliest occurrences of many series` {
  private let context = ZoneContext(zones: FixedZones.shared, local: .utc)
  private let day = TimeSpan(
    start: Timestamp(seconds: 1_795_392_000), end: Timestamp(seconds: 1_795_478_400))

  private func series(
    _ uid: String, _ rule: String, from start: String = "20260101T000000Z", _ length: String = "",
    overrides: [Event] = []
  ) throws -> EventSeries {
    var event = try Event(start, length, rule: rule)
    event.uid = EventUID(uid)
    let named = overrides.map { override in
      var override = override
      override.uid = event.uid
      return override
    }
    return EventSeries(calendar: CalendarID("personal"), master: event, overrides: named)
  }

  private func earliest(
    _ limit: Int, of all: [EventSeries], in span: TimeSpan, startingFrom: Timestamp = .earliest,
    budget: WalkBudget? = nil
  ) throws -> [Occurrence] {
    var found = EarliestOccurrences(in: span, startingFrom: startingFrom, limit: limit)
    for one in all {
      let placed = try #require(try PlacedSeries(one, context: context))
      found.add(placed, budget: budget) { _ in true }
    }
    return found.sorted()
  }

  @Test func `a page out of a thousand series by the second takes a few steps of each`() throws {
    let all = try (0..<1000).map { try series("\($0)", "FREQ=SECONDLY") }
    let budget = WalkBudget(most: .max)
    let found = try earliest(501, of: all, in: day, budget: budget)
    #expect(found.count == 501)
    #expect(found.allSatisfy { $0.span.start == day.start })
    #expect(found.map(\.uid.text) == Array(all.map(\.uid.text).sorted().prefix(501)))
    // 501 of the first, half of them of the second, …, at least one of each.
    #expect(budget.steps < 10_000)
  }

  @Test func `they are those that a list of all begins with, wherever it is cut`() throws {
    let all = try [
      series("c", "FREQ=SECONDLY;INTERVAL=7", "PT1M"), series("a", "FREQ=MINUTELY"),
      series("b", "FREQ=DAILY", from: "20260101T000500Z", "P2D"),
      series("d", "FREQ=DAILY", from: "20260101"),
      series(
        "e", "FREQ=HOURLY",
        overrides: [
          try Event("20261123T000300Z", instead: "20261123T090000Z"),
          try Event("20261124T090000Z", instead: "20261123T000000Z"),
        ]),
    ]
    let whole = try earliest(.max, of: all, in: day)
    #expect(whole.count > 10_000)
    #expect(zip(whole, whole.dropFirst()).allSatisfy { !Occurrence.precedes($1, $0) })
    for limit in [1, 2, 3, 10, 100, 1000, 5000] {
      #expect(try earliest(limit, of: all, in: day) == Array(whole.prefix(limit)))
      #expect(try earliest(limit, of: all.reversed(), in: day) == Array(whole.prefix(limit)))
    }
  }

  @Test func `an override that keeps the days after it moved has them in their places`() throws {
    var moved = try Event("20261122T220000Z", instead: "20261122T120000Z")
    moved.appliesToFuture = true
    let one = try series("a", "FREQ=DAILY", from: "20260101T120000Z", overrides: [moved])
    #expect(
      try earliest(3, of: [one], in: day).map(\.drawn)
        == ["20261123T120000Z 20261123T220000Z/20261123T220000Z"])
  }

  @Test func `what starts before the wanted is not walked over`() throws {
    let budget = WalkBudget(most: .max)
    let one = try series("a", "FREQ=SECONDLY", "PT24H")
    let noon = day.start.adding(seconds: 43_200)
    let found = try earliest(2, of: [one], in: day, startingFrom: noon, budget: budget)
    #expect(found.map(\.span.start) == [noon, noon.adding(seconds: 1)])
    #expect(budget.steps < 5)
  }

  @Test func `an event by the second that has no length costs no step before the span`() throws {
    let budget = WalkBudget(most: .max)
    _ = try earliest(
      1, of: [series("a", "FREQ=SECONDLY", from: "20260101T000000 Europe/Berlin")], in: day,
      budget: budget)
    #expect(budget.steps < 4)
  }

  @Test func `nominal days are stepped back over by what the clock changed, not by a day`() throws {
    let budget = WalkBudget(most: .max)
    let one = try series("a", "FREQ=SECONDLY", from: "20260101T000000 Europe/Berlin", "P1D")
    let found = try earliest(1, of: [one], in: day, budget: budget)
    #expect(found.map(\.span.start) == [day.start.adding(seconds: -86_399)])
    #expect(budget.steps < 10)
    // On the day after the clock went back, and forward: nothing that runs is missing.
    for text in ["20261025T230000Z", "20260329T220000Z"] {
      let start = try Timestamp(text: text)
      let span = TimeSpan(start: start, end: start.adding(seconds: 1))
      let slow = try one.occurrences(
        in: TimeSpan(start: start.adding(seconds: -200_000), end: span.end), context: context)
      let running = slow.filter { $0.span.overlaps(span) }
      #expect(try earliest(.max, of: [one], in: span).count == running.count)
    }
  }

  @Test func `all of a span are refused as soon as there are too many`() throws {
    let placed = try #require(try PlacedSeries(series("a", "FREQ=SECONDLY"), context: context))
    let budget = WalkBudget(most: .max)
    var found = EarliestOccurrences(in: day, atMost: 100)
    found.add(placed, budget: budget) { _ in true }
    #expect(found.isOverfull)
    found.add(placed, budget: budget) { _ in true }
    #expect(budget.steps < 105)
    var enough = EarliestOccurrences(in: day, atMost: 24)
    let hourly = try series("h", "FREQ=HOURLY")
    enough.add(try #require(try PlacedSeries(hourly, context: context)), budget: nil) { _ in true }
    #expect(!enough.isOverfull)
    #expect(enough.sorted().count == 24)
  }

  @Test func `a budget ends a walk, over excluded instances too`() throws {
    var event = try Event("20260101T000000Z", rule: "FREQ=SECONDLY")
    event.recurrence.exclusionRules = [
      try RecurrenceRule(
        text: "FREQ=MINUTELY;BYSECOND=\((0..<60).map(String.init).joined(separator: ","))")
    ]
    let budget = WalkBudget(most: 1000)
    #expect(try earliest(1, of: [EventSeries(event)], in: day, budget: budget).isEmpty)
    #expect(budget.isSpent)
    #expect(budget.steps == 1001)
  }
}

@Suite struct `An event that happens once` {
  private static let forms: [(start: String, end: String)] = [
    ("20261121", ""), ("20261121", "20261123"), ("20261121", "P2D"), ("20261121T090000", ""),
    ("20261121T090000", "PT90M"), ("20261121T090000", "20261121T100000"),
    ("20261121T080000Z", "20261121T100000 Europe/Berlin"), ("20261121T080000Z", "20261121T083000Z"),
    ("20261121T090000 Europe/Berlin", "20261121T100000 Europe/Berlin"),
    ("20261121T090000 Europe/Berlin", "20261121T100000 America/New_York"),
    ("20261121T090000 Europe/Berlin", "20261121T080000 Europe/Berlin"),
    ("20261121T090000 Europe/Berlin", "P1D"), ("20261121T090000 Europe/Berlin", ""),
    // In the hour that is skipped, and the one that comes twice.
    ("20260329T023000 Europe/Berlin", "20260329T033000 Europe/Berlin"),
    ("20261025T023000 Europe/Berlin", "20261025T030000 Europe/Berlin"),
  ]

  @Test(arguments: forms)
  func `is placed as a walk places it`(start: String, end: String) throws {
    let series = EventSeries(try Event(start, end))
    let context = ZoneContext.fixed("America/New_York")
    let whole = try #require(
      try series.occurrences(in: .always, context: context, limit: .max).first)
    let placed = try #require(try PlacedSeries(series, context: context))
    #expect(placed.single == whole)
    let (first, last) = (whole.span.start, whole.span.end)
    for from in [first.adding(seconds: -1), first, last.adding(seconds: -1), last] {
      for to in [first, first.adding(seconds: 1), last, last.adding(seconds: 1)] where from < to {
        for earliest in [.earliest, first, first.adding(seconds: 1)] {
          let span = TimeSpan(start: from, end: to)
          var found = EarliestOccurrences(in: span, startingFrom: earliest, limit: 2)
          found.add(placed, budget: nil) { _ in true }
          let walked = try series.occurrences(in: span, context: context)
            .filter { $0.span.start >= earliest }
          #expect(found.sorted() == walked, "\(span)")
        }
      }
    }
  }

  @Test func `is no event that recurs, has overrides, or has no time`() throws {
    let context = ZoneContext.fixed("Europe/Berlin")
    var timeless = try Event("20261121")
    timeless.anchor = .none
    let others = [
      EventSeries(try Event("20261121", rule: "FREQ=DAILY;COUNT=1")), EventSeries(timeless),
      EventSeries(try Event("20261121"), overrides: [try Event("20261122", instead: "20261121")]),
      EventSeries(nil, overrides: [try Event("20261122", instead: "20261121")]),
    ]
    for series in others {
      let placed = try #require(try PlacedSeries(series, context: context))
      #expect(placed.single == nil)
    }
  }

  @Test func `is refused where its zone is not installed`() throws {
    for event in [
      try Event("20261121T090000 Mars/Base", "20261121T100000 Mars/Base"),
      try Event("20261121T090000Z", "20261121T100000 Mars/Base"),
    ] {
      #expect(throws: CivilTimeError.unknownZone(name: "Mars/Base")) {
        try PlacedSeries(EventSeries(event), context: .fixed("Europe/Berlin"))
      }
    }
  }

  @Test func `has its place among others by start, end, uid and calendar`() throws {
    let context = ZoneContext.fixed("Europe/Berlin")
    var numbers = SeededGenerator(seed: 7)
    var all: [Occurrence] = []
    for _ in 0..<300 {
      var event = try Event(
        "2026112\(Int.random(in: 1...3, using: &numbers))T090000Z",
        "PT\(Int.random(in: 1...3, using: &numbers))H")
      event.uid = EventUID("\(Int.random(in: 1...9, using: &numbers))")
      let calendar = CalendarID(["a", "b"][Int.random(in: 0...1, using: &numbers)])
      let series = EventSeries(calendar: calendar, master: event)
      let placed = try #require(try PlacedSeries(series, context: context))
      all.append(try #require(placed.single))
    }
    let expected = all.sorted(by: Occurrence.precedes)
    for var list in [all, expected, expected.reversed()] {
      list.putInOrder()
      #expect(
        zip(list, expected).allSatisfy {
          ($0.span, $0.uid, $0.calendar) == ($1.span, $1.uid, $1.calendar)
        })
    }
  }
}
