import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `Occurrences of a series` {
  private let daily = "FREQ=DAILY;COUNT=4"
  private let nine = "20260328T090000 Europe/Berlin"

  @Test func `a daily event keeps its time on the clock across a spring change`() throws {
    #expect(
      try EventSeries(Event(nine, "PT1H", rule: "FREQ=DAILY;COUNT=3")).drawn() == [
        "20260328T080000Z 20260328T080000Z/20260328T090000Z",
        "20260329T070000Z 20260329T070000Z/20260329T080000Z",
        "20260330T070000Z 20260330T070000Z/20260330T080000Z",
      ])
  }

  @Test func `all-day and floating series are named by their day or reading`() throws {
    #expect(
      try EventSeries(Event("20260328", rule: "FREQ=DAILY;COUNT=2")).drawn() == [
        "20260328 20260327T230000Z/20260328T230000Z",
        "20260329 20260328T230000Z/20260329T220000Z",
      ])
    #expect(
      try EventSeries(Event("20260328T090000", rule: "FREQ=DAILY;COUNT=2")).drawn() == [
        "20260328T090000 20260328T080000Z/20260328T080000Z",
        "20260329T090000 20260329T070000Z/20260329T070000Z",
      ])
  }

  @Test func `all-day occurrences are found in zones a day from UTC`() throws {
    let series = EventSeries(try Event("20260328", rule: "FREQ=DAILY"))
    #expect(
      try series.drawn("20260328T000000Z/20260328T000001Z", local: "Pacific/Kiritimati")
        == ["20260328 20260327T100000Z/20260328T100000Z"])
    #expect(
      try series.drawn("20260329T105959Z/20260329T110000Z", local: "Pacific/Pago_Pago")
        == ["20260328 20260328T110000Z/20260329T110000Z"])
  }

  @Test func `one that began before the span and reaches into it is found`() throws {
    let series = EventSeries(
      try Event("20260101T000000Z", "P10D", rule: "FREQ=MONTHLY;COUNT=6"))
    #expect(
      try series.drawn("20260309T000000Z/20260320T000000Z")
        == ["20260301T000000Z 20260301T000000Z/20260311T000000Z"])
  }

  @Test func `a limit keeps the earliest`() throws {
    let series = EventSeries(
      try Event(nine, rule: "FREQ=DAILY"),
      overrides: [try Event("20260328T200000 Europe/Berlin", instead: nine)])
    #expect(
      try series.drawn(limit: 2).map { $0.prefix(16) } == ["20260328T080000Z", "20260329T070000Z"])
  }

  @Test(arguments: [
    (
      "FREQ=DAILY;COUNT=4",
      ["20260330T090000 Europe/Berlin", "20260329T080000Z", "20260401T070000Z"]
    ),
    // It never is, and is looked for once.
    (
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
      ["20260330T090000 Europe/Berlin", "20260329T080000Z", "20260401T070000Z", "20260331T070000Z"]
    ),
    (
      "",
      [
        "20260330T090000 Europe/Berlin", "20260329T080000Z", "20260401T070000Z",
        "20260331T070000Z", "20260328T080000Z",
      ]
    ),
  ])
  func `the RECURRENCE-IDs that name none are known, in whatever order and spelling`(
    rule: String, missing: [String]
  ) throws {
    let series = EventSeries(
      try Event(nine, rule: rule, except: rule.isEmpty ? [] : ["20260330T070000Z"]),
      overrides: [try Event("20260330T200000Z", instead: "20260330T090000 Europe/Berlin")])
    let names = [
      "20260331T070000Z", "20260401T070000Z", "20260329T080000Z", "20260328T080000Z",
      "20260330T090000 Europe/Berlin", "20260328T090000 Nowhere/Else",
    ]
    #expect(
      try series.namesWithoutOccurrence(
        names.map { try EventTime($0) }, context: .fixed("Europe/Berlin"))
        == Set(missing.map { try EventTime($0) }))
  }

  @Test func `an EXDATE removes its occurrence, in whichever zone it is written`() throws {
    let series = EventSeries(
      try Event(
        nine, rule: daily, except: ["20260329T070000Z", "20260330T030000 America/New_York"]))
    #expect(
      try series.drawn().map { $0.prefix(16) } == ["20260328T080000Z", "20260331T070000Z"])
  }

  @Test func `an RDATE with a period brings its own length`() throws {
    var event = try Event(nine, "PT1H")
    event.recurrence.added = [
      AddedDate(start: try EventTime("20260401T120000 Europe/Berlin")),
      AddedDate(
        start: try EventTime("20260402T100000Z"), end: .duration(CalendarDuration(seconds: 1800))),
      AddedDate(
        start: try EventTime("20260403T100000Z"),
        end: .time(try EventTime("20260403T130000Z"))),
    ]
    #expect(
      try EventSeries(event).drawn() == [
        "20260328T080000Z 20260328T080000Z/20260328T090000Z",
        "20260401T100000Z 20260401T100000Z/20260401T110000Z",
        "20260402T100000Z 20260402T100000Z/20260402T103000Z",
        "20260403T100000Z 20260403T100000Z/20260403T130000Z",
      ])
  }

  @Test func `occurrences are ordered by start, then end`() throws {
    let series = EventSeries(
      try Event(nine, "PT1H", rule: daily),
      overrides: [
        try Event("20260330T090000 Europe/Berlin", "PT30M", instead: "20260331T070000Z")
      ])
    #expect(
      try series.drawn("20260330T000000Z/20260401T000000Z") == [
        "20260331T070000Z 20260330T070000Z/20260330T073000Z",
        "20260330T070000Z 20260330T070000Z/20260330T080000Z",
      ])
  }
}

@Suite struct `Overrides of a series` {
  private let daily = "FREQ=DAILY;COUNT=4"
  private let nine = "20260601T090000 Europe/Berlin"

  private func moved(_ original: String, to start: String, _ end: String = "PT1H") throws -> Event {
    try Event(start, end, instead: original)
  }

  @Test func `an override stands for its occurrence, under the same identifier`() throws {
    let series = EventSeries(
      try Event(nine, "PT1H", rule: daily),
      overrides: [
        try moved("20260602T090000 Europe/Berlin", to: "20260602T140000 Europe/Berlin", "PT2H")
      ])
    #expect(
      try series.drawn("20260602T000000Z/20260603T000000Z")
        == ["20260602T070000Z 20260602T120000Z/20260602T140000Z"])
  }

  @Test func `one that is moved out of the span is not found there, and one moved in is`() throws {
    let series = EventSeries(
      try Event(nine, "PT1H", rule: daily),
      overrides: [try moved("20260602T070000Z", to: "20260901T100000Z")])
    #expect(try series.drawn("20260602T000000Z/20260603T000000Z") == [])
    #expect(
      try series.drawn("20260901T000000Z/20260902T000000Z")
        == ["20260602T070000Z 20260901T100000Z/20260901T110000Z"])
  }

  @Test func `an EXDATE of the same occurrence removes the override, too`() throws {
    let series = EventSeries(
      try Event(nine, rule: daily, except: ["20260602T070000Z"]),
      overrides: [try moved("20260602T070000Z", to: "20260602T120000Z")])
    #expect(
      try series.drawn().map { $0.prefix(16) }
        == ["20260601T070000Z", "20260603T070000Z", "20260604T070000Z"])
  }

  @Test func `an override of a day or reading fits its series`() throws {
    let days = EventSeries(
      try Event("20260601", rule: daily), overrides: [try Event("20260610", instead: "20260602")])
    #expect(
      try days.drawn("20260609T220000Z/20260610T220000Z")
        == ["20260602 20260609T220000Z/20260610T220000Z"])
    let floating = EventSeries(
      try Event("20260601T090000", rule: daily),
      overrides: [try Event("20260602T100000", instead: "20260602T090000")])
    #expect(
      try floating.drawn("20260602T000000Z/20260603T000000Z")
        == ["20260602T090000 20260602T080000Z/20260602T080000Z"])
  }

  @Test func `one occurrence may become all-day`() throws {
    let series = EventSeries(
      try Event(nine, rule: daily), overrides: [try Event("20260602", instead: "20260602T070000Z")])
    let found = try #require(
      try series.occurrence(
        .instant(Timestamp(text: "20260602T070000Z")), context: .fixed("Europe/Berlin")))
    #expect(found.isAllDay)
    #expect(found.drawn == "20260602T070000Z 20260601T220000Z/20260602T220000Z")
  }

  // Source: RFC 5545 section 3.8.4.4.
  @Test func `THISANDFUTURE moves and changes all that follow`() throws {
    var future = try moved("20260602T070000Z", to: "20260602T110000 Europe/Berlin", "PT3H")
    future.appliesToFuture = true
    future.summary = "Brunch"
    let series = EventSeries(try Event(nine, "PT1H", rule: daily), overrides: [future])
    #expect(
      try series.drawn() == [
        "20260601T070000Z 20260601T070000Z/20260601T080000Z",
        "20260602T070000Z 20260602T090000Z/20260602T120000Z",
        "20260603T070000Z 20260603T090000Z/20260603T120000Z",
        "20260604T070000Z 20260604T090000Z/20260604T120000Z",
      ])
    let last = try #require(
      try series.occurrence(
        .instant(Timestamp(text: "20260604T070000Z")), context: .fixed("Europe/Berlin")))
    #expect(last.event.summary == "Brunch")
  }

  @Test func `of two THISANDFUTURE the later one holds from its occurrence on`() throws {
    var first = try moved("20260602T070000Z", to: "20260602T110000 Europe/Berlin")
    var second = try moved("20260604T070000Z", to: "20260604T150000 Europe/Berlin")
    first.appliesToFuture = true
    second.appliesToFuture = true
    let series = EventSeries(
      try Event(nine, "PT1H", rule: "FREQ=DAILY;COUNT=5"), overrides: [second, first])
    #expect(
      try series.drawn().map { $0.suffix(33).prefix(16) } == [
        "20260601T070000Z", "20260602T090000Z", "20260603T090000Z", "20260604T130000Z",
        "20260605T130000Z",
      ])
  }

  @Test func `a plain override within a future one stands for itself alone`() throws {
    var future = try moved("20260602T070000Z", to: "20260602T110000 Europe/Berlin")
    future.appliesToFuture = true
    let series = EventSeries(
      try Event(nine, "PT1H", rule: daily),
      overrides: [try moved("20260603T070000Z", to: "20260603T180000 Europe/Berlin"), future])
    #expect(
      try series.drawn().map { $0.suffix(33).prefix(16) } == [
        "20260601T070000Z", "20260602T090000Z", "20260603T160000Z", "20260604T090000Z",
      ])
  }

  @Test func `a THISANDFUTURE that moves by weeks is found where its occurrences went`() throws {
    var future = try moved("20260602T070000Z", to: "20260702T090000 Europe/Berlin")
    future.appliesToFuture = true
    let series = EventSeries(try Event(nine, "PT1H", rule: daily), overrides: [future])
    #expect(try series.drawn("20260602T000000Z/20260605T000000Z") == [])
    #expect(
      try series.drawn("20260703T000000Z/20260704T000000Z")
        == ["20260603T070000Z 20260703T070000Z/20260703T080000Z"])
  }

  @Test func `a THISANDFUTURE that moves by two thousand years is not looked for in those between`()
    throws
  {
    var future = try moved("20260602T070000Z", to: "40260602T090000 Europe/Berlin")
    future.appliesToFuture = true
    let series = EventSeries(
      try Event(nine, "PT1H", rule: "FREQ=DAILY;UNTIL=20270601T070000Z"), overrides: [future])
    #expect(
      try series.drawn("40260703T000000Z/40260704T000000Z").map { $0.prefix(16) }
        == ["20260703T070000Z"])
    #expect(try series.drawn("20260703T000000Z/20260704T000000Z") == [])
    let week = TimeSpan(
      start: try Timestamp(text: "40260703T000000Z"), end: try Timestamp(text: "40260710T000000Z"))
    let endless = EventSeries(try Event(nine, "PT1H", rule: "FREQ=DAILY"), overrides: [future])
    for series in [series, endless] {
      let placed = try #require(try PlacedSeries(series, context: .fixed("Europe/Berlin")))
      let budget = WalkBudget(most: .max)
      var found = EarliestOccurrences(in: week, limit: .max)
      found.add(placed, budget: budget) { _ in true }
      #expect(found.sorted().count == 7)
      #expect(budget.steps < 20)
    }
  }

  @Test func `overrides without a master are all there is`() throws {
    let series = EventSeries(
      nil, overrides: [try moved("20260602T070000Z", to: "20260602T120000Z")])
    #expect(try series.drawn() == ["20260602T070000Z 20260602T120000Z/20260602T130000Z"])
    #expect(series.isRecurring)
    #expect(series.uid.text == "event")
  }

  @Test func `an override of an event that does not recur takes its place`() throws {
    let series = EventSeries(
      try Event(nine, "PT1H"), overrides: [try moved(nine, to: "20260601T120000Z")])
    #expect(try series.drawn() == ["20260601T070000Z 20260601T120000Z/20260601T130000Z"])
  }
}

@Suite struct `One occurrence by its identifier` {
  private let context = ZoneContext.fixed("Europe/Berlin")

  private func series() throws -> EventSeries {
    EventSeries(
      try Event("20260601T090000 Europe/Berlin", rule: "FREQ=DAILY", except: ["20260603T070000Z"]),
      overrides: [try Event("20260602T120000Z", instead: "20260602T070000Z")])
  }

  private func found(_ id: String) throws -> String? {
    try series().occurrence(RecurrenceID(text: id), context: context)?.drawn
  }

  @Test func `plain and moved ones are found`() throws {
    #expect(try found("20260601T070000Z") == "20260601T070000Z 20260601T070000Z/20260601T070000Z")
    #expect(try found("20260602T070000Z") == "20260602T070000Z 20260602T120000Z/20260602T120000Z")
    #expect(try found("20900601T070000Z") != nil)
  }

  @Test func `one that is excluded, never was, or has another form is not`() throws {
    #expect(try found("20260603T070000Z") == nil)
    #expect(try found("20260604T080000Z") == nil)
    #expect(try found("20260604") == nil)
    #expect(try series().occurrence(nil, context: context) == nil)
  }

  @Test func `the only occurrence of a plain event has no identifier`() throws {
    let plain = EventSeries(try Event("20260601T090000Z"))
    #expect(
      try plain.occurrence(nil, context: context)?.drawn == "20260601T090000Z/20260601T090000Z")
    #expect(
      try plain.occurrence(RecurrenceID(text: "20260601T090000Z"), context: context) == nil)
  }
}

@Suite struct `The extent of a series` {
  private func extent(_ event: Event, overrides: [Event] = []) throws -> String {
    let span = try EventSeries(event, overrides: overrides).extent(zones: FixedZones.shared)
    return "\(span.start.basicText)/\(span.end.basicText)"
  }

  @Test func `a zoned event reaches from start to end`() throws {
    #expect(
      try extent(Event("20260601T090000 Europe/Berlin", "PT1H"))
        == "20260601T070000Z/20260601T080000Z")
  }

  @Test func `days and floating times are as wide as the zones of the world differ`() throws {
    #expect(try extent(Event("20260601")) == "20260531T080000Z/20260602T160000Z")
    #expect(
      try extent(Event("20260601T090000", "PT1H")) == "20260531T170000Z/20260602T020000Z")
  }

  @Test func `a rule without an end reaches to the last year`() throws {
    #expect(
      try extent(Event("20260601T090000Z", rule: "FREQ=YEARLY"))
        == "20260601T090000Z/99991231T235959Z")
  }

  @Test(arguments: ["SECONDLY", "DAILY", "YEARLY"])
  func `a rule that never happens again reaches no further than its start`(word: String) throws {
    #expect(
      try extent(
        Event("20260101T000000Z", "PT1H", rule: "FREQ=\(word);BYMONTH=2;BYMONTHDAY=30"))
        == "20260101T000000Z/20260101T030000Z")
  }

  @Test func `a rule goes on behind years of excluded days`() throws {
    let days = (0..<3200).compactMap { CivilDate(year: 2026, month: 1, day: 2)?.adding(days: $0) }
    var event = try Event("20260101T235900Z", rule: "FREQ=MINUTELY")
    event.recurrence.excluded = days.map(EventTime.date)
    #expect(try extent(event).hasSuffix("/99991231T235959Z"))
  }

  @Test func `overrides count where they went`() throws {
    #expect(
      try extent(
        Event("20260601T090000Z", "PT1H", rule: "FREQ=DAILY;COUNT=2"),
        overrides: [
          Event("20250101T000000Z", "PT1H", instead: "20260601T090000Z"),
          Event("20270101T000000Z", "PT1H", instead: "20260602T090000Z"),
        ]) == "20250101T000000Z/20270101T010000Z")
  }

  @Test func `every occurrence lies within it, in every zone`() throws {
    for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin"] {
      for event in [
        try Event("20260601", "P3D", rule: "FREQ=WEEKLY;COUNT=5"),
        try Event("20260327T230000", "PT26H", rule: "FREQ=DAILY;COUNT=4"),
        try Event("20260327T120000 Europe/Berlin", "P1D", rule: "FREQ=DAILY;COUNT=4"),
      ] {
        let series = EventSeries(event)
        let extent = try series.extent(zones: FixedZones.shared)
        for found in try series.occurrences(in: .always, context: .fixed(zone)) {
          #expect(extent.start <= found.span.start && found.span.end <= extent.end)
        }
      }
    }
  }

  @Test func `a series whose every instance is excluded has none`() throws {
    let event = try Event(
      "20260601T090000Z", rule: "FREQ=DAILY;COUNT=1", except: ["20260601T090000Z"])
    #expect(try extent(event) == "00010101T000000Z/00010101T000000Z")
    #expect(try EventSeries(event).drawn() == [])
  }
}
