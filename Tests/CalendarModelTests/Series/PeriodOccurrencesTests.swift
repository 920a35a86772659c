import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `Occurrences that are added with a length of their own` {
  private func span(_ start: String, _ end: String) throws -> TimeSpan {
    TimeSpan(start: try Timestamp(text: start), end: try Timestamp(text: end))
  }

  private func occurrences(
    of series: EventSeries, limit: Int
  ) throws -> (found: [Occurrence], steps: Int) {
    let placed = try #require(try PlacedSeries(series, context: .fixed("Europe/Berlin")))
    let budget = WalkBudget(most: .max)
    var found = EarliestOccurrences(
      in: try span("20261121T000000Z", "20261128T000000Z"), limit: limit)
    found.add(placed, budget: budget) { _ in true }
    return (found.sorted(), budget.steps)
  }

  // A walk from where the long one began would pass 63 million others.
  @Test func `one of years among those of seconds is found without a walk over the seconds`() throws
  {
    var event = try Event("20241121T000000Z", "PT10S", rule: "FREQ=SECONDLY")
    event.recurrence.added = [
      AddedDate(
        start: try EventTime("20241121T000001Z"), end: .time(try EventTime("99981231T000000Z"))),
      AddedDate(
        start: try EventTime("20241121T000002Z"), end: .duration(CalendarDuration(days: 1))),
    ]
    let (found, steps) = try occurrences(of: EventSeries(event), limit: 3)
    #expect(
      found.map(\.drawn) == [
        "20241121T000001Z 20241121T000001Z/99981231T000000Z",
        "20261120T235951Z 20261120T235951Z/20261121T000001Z",
        "20261120T235952Z 20261120T235952Z/20261121T000002Z",
      ])
    #expect(steps < 100)
  }

  @Test func `what follows an override that lasts for years does not make those before it long`()
    throws
  {
    var future = try Event("20261121T000000Z", "P3000D", instead: "20261121T000000Z")
    future.appliesToFuture = true
    let series = EventSeries(
      try Event("20201121T000000Z", "PT1S", rule: "FREQ=SECONDLY"), overrides: [future])
    let (found, steps) = try occurrences(of: series, limit: 2)
    #expect(found.map { $0.drawn.prefix(16) } == ["20261121T000000Z", "20261121T000001Z"])
    // Two hours on either side, for the clocks that an override may change; six years are 189 million.
    #expect(steps < 20_000)
  }

  @Test func `in any span they are those of the whole series that run in it`() throws {
    let whole = try span("20250101T000000Z", "20280101T000000Z")
    let begin = try Timestamp(text: "20261101T000000Z")
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      func day() -> String { "202611\(Int.random(in: 10...29, using: &random))" }
      func one(_ texts: String...) -> String { texts.randomElement(using: &random) ?? "" }
      let rule = one("FREQ=DAILY;COUNT=40", "FREQ=HOURLY;INTERVAL=5;COUNT=90", "")
      let isDate = rule.contains("DAILY") && Bool.random(using: &random)
      func time() -> String { isDate ? day() : "\(day())T090000 Europe/Berlin" }
      var event = try Event(
        isDate ? "20261112" : "20261112T090000 Europe/Berlin",
        isDate ? "P1D" : one("PT1H", "P2D", "PT0S"), rule: rule,
        except: [time()])
      event.recurrence.added = try (0..<4).map { _ in
        AddedDate(
          start: try EventTime(time()),
          end: .duration(CalendarDuration(days: Int.random(in: 0...30, using: &random))))
      }
      let overrides = try (0..<Int.random(in: 0...2, using: &random)).map { number in
        var override = try Event(time(), "P9D", instead: time())
        override.appliesToFuture = number == 0 && Bool.random(using: &random)
        return override
      }
      let series = EventSeries(event, overrides: overrides)
      let context = ZoneContext.fixed("Europe/Berlin")
      let all = try series.occurrences(in: whole, context: context)
      for day in 8..<48 {
        let start = begin.adding(seconds: Int64(day) * 86_400)
        let span = TimeSpan(start: start, end: start.adding(seconds: 43_200))
        let expected = all.filter { $0.span.overlaps(span) }.map(\.drawn)
        #expect(
          try series.occurrences(in: span, context: context).map(\.drawn) == expected,
          "seed \(seed), \(span.start.basicText)")
      }
    }
  }
}
