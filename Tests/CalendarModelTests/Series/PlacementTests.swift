import CalendarModel
import CivilTime
import TestSupport
import Testing

@Suite struct `Where an event lies in time` {
  private func span(_ start: String, _ end: String, local: String = "Europe/Berlin") throws
    -> [String]
  {
    try EventSeries(Event(start, end)).drawn(local: local)
  }

  @Test func `a zoned event keeps its zone wherever the agent is`() throws {
    let drawn = ["20261121T080000Z/20261121T090000Z"]
    let (start, end) = ("20261121T090000 Europe/Berlin", "20261121T100000 Europe/Berlin")
    #expect(try span(start, end) == drawn)
    #expect(try span(start, end, local: "America/New_York") == drawn)
  }

  @Test func `a floating event follows the agent's zone`() throws {
    let (start, end) = ("20261121T090000", "20261121T100000")
    #expect(try span(start, end) == ["20261121T080000Z/20261121T090000Z"])
    #expect(
      try span(start, end, local: "America/New_York") == ["20261121T140000Z/20261121T150000Z"])
  }

  @Test func `an event in UTC is where it is`() throws {
    #expect(
      try span("20261121T090000Z", "PT90M", local: "Asia/Tokyo")
        == ["20261121T090000Z/20261121T103000Z"])
  }

  @Test func `start and end may be in different zones`() throws {
    #expect(
      try span("20261121T090000 Europe/Berlin", "20261121T110000 America/New_York")
        == ["20261121T080000Z/20261121T160000Z"])
  }

  @Test func `an all-day event lasts from midnight to midnight of the agent's zone`() throws {
    #expect(try span("20261121", "20261123") == ["20261120T230000Z/20261122T230000Z"])
    #expect(
      try span("20261121", "", local: "America/New_York")
        == ["20261121T050000Z/20261122T050000Z"])
  }

  @Test func `a day of a clock change has 23 or 25 hours`() throws {
    #expect(try span("20260329", "") == ["20260328T230000Z/20260329T220000Z"])
    #expect(try span("20261025", "") == ["20261024T220000Z/20261025T230000Z"])
  }

  @Test func `a day whose midnight is skipped begins after the gap`() throws {
    // Sao Paulo, 4 November 2018: 00:00 became 01:00.
    #expect(
      try span("20181104", "", local: "America/Sao_Paulo")
        == ["20181104T030000Z/20181105T020000Z"])
  }

  // Source: RFC 5545 section 3.3.5.
  @Test func `a time in a gap moves on by the gap, and one that happens twice is the first`()
    throws
  {
    #expect(
      try span("20260329T023000 Europe/Berlin", "PT1H") == ["20260329T013000Z/20260329T023000Z"])
    #expect(
      try span("20261025T023000 Europe/Berlin", "PT1H") == ["20261025T003000Z/20261025T013000Z"])
  }

  // Source: RFC 5545 section 3.6.1.
  @Test func `without an end a timed event is a moment and an all-day one a day`() throws {
    #expect(try span("20261121T090000Z", "") == ["20261121T090000Z/20261121T090000Z"])
    #expect(try span("20261121", "PT0S") == ["20261120T230000Z/20261121T230000Z"])
  }

  @Test func `an end before the start makes a moment, or a day`() throws {
    #expect(
      try span("20261121T090000Z", "20261121T080000Z") == ["20261121T090000Z/20261121T090000Z"])
    #expect(try span("20261121", "20261101") == ["20261120T230000Z/20261121T230000Z"])
    #expect(try span("20261121T090000Z", "-PT1H") == ["20261121T090000Z/20261121T090000Z"])
  }

  @Test func `an all-day event of hours counts each day that it begins`() throws {
    #expect(try span("20261121", "PT25H") == ["20261120T230000Z/20261122T230000Z"])
  }

  // Source: RFC 5545 section 3.8.5.3.
  @Test func `a duration of days is nominal, and an end fixes the exact length`() throws {
    let start = "20260328T120000 Europe/Berlin"
    #expect(try span(start, "P1D") == ["20260328T110000Z/20260329T100000Z"])
    #expect(try span(start, "PT24H") == ["20260328T110000Z/20260329T110000Z"])
    let nominal = try EventSeries(Event(start, "P1D", rule: "FREQ=DAILY;COUNT=2"))
    #expect(
      try nominal.drawn() == [
        "20260328T110000Z 20260328T110000Z/20260329T100000Z",
        "20260329T100000Z 20260329T100000Z/20260330T100000Z",
      ])
    let exact = try EventSeries(
      Event(start, "20260329T120000 Europe/Berlin", rule: "FREQ=DAILY;COUNT=2"))
    #expect(
      try exact.drawn() == [
        "20260328T110000Z 20260328T110000Z/20260329T100000Z",
        "20260329T100000Z 20260329T100000Z/20260330T090000Z",
      ])
  }

  @Test func `a zone that is not installed is refused by name`() throws {
    let series = EventSeries(try Event("20261121T090000 Mars/Olympus"))
    #expect(throws: CivilTimeError.unknownZone(name: "Mars/Olympus")) { try series.drawn() }
  }

  @Test func `an occurrence shows what the clocks of its zone show`() throws {
    let series = EventSeries(try Event("20261121T090000 Europe/Berlin", "PT1H"))
    let found = try #require(
      try series.occurrence(nil, context: .fixed("America/New_York")))
    #expect(found.start.description == "2026-11-21T09:00:00")
    #expect(found.end.description == "2026-11-21T10:00:00")
    #expect(found.zone.name == "Europe/Berlin")
    #expect(!found.isAllDay)
  }
}

@Suite struct `The edges of a question` {
  private func isFound(_ start: String, _ end: String, in span: String) throws -> Bool {
    try !EventSeries(Event(start, end)).drawn(span, local: "UTC").isEmpty
  }

  private let nine = "20261121T090000Z"
  private let ten = "20261121T100000Z"

  @Test func `an event that ends where the span begins is not in it`() throws {
    #expect(try !isFound(nine, ten, in: "20261121T100000Z/20261121T110000Z"))
    #expect(try isFound(nine, ten, in: "20261121T095959Z/20261121T110000Z"))
  }

  @Test func `an event that begins where the span ends is not in it`() throws {
    #expect(try !isFound(nine, ten, in: "20261121T080000Z/20261121T090000Z"))
    #expect(try isFound(nine, ten, in: "20261121T080000Z/20261121T090001Z"))
  }

  @Test func `a moment is in the span that begins with it, not in the one that ends there`()
    throws
  {
    #expect(try isFound(nine, "", in: "20261121T090000Z/20261121T100000Z"))
    #expect(try !isFound(nine, "", in: "20261121T080000Z/20261121T090000Z"))
  }

  @Test func `an event that holds the whole span is in it`() throws {
    #expect(try isFound(nine, "P30D", in: "20261201T000000Z/20261201T000100Z"))
    #expect(try isFound(nine, "P30D", in: "20261201T000000Z/20261201T000000Z"))
  }
}
