import CalendarModel
import CivilTime
import TestSupport
import Testing

@Suite struct `A series with an occurrence left out` {
  private let context = ZoneContext.fixed("Europe/Berlin")

  private func starts(_ series: EventSeries?) throws -> [String] {
    try (series?.drawn() ?? []).map { String($0.prefix { $0 != " " }) }
  }

  @Test func `it gets an EXDATE in the form of its start`() throws {
    for (start, id, time) in [
      ("20260601T090000 Europe/Berlin", "20260602T070000Z", "20260602T090000 Europe/Berlin"),
      ("20260601T090000", "20260602T090000", "20260602T090000"),
      ("20260601T090000Z", "20260602T090000Z", "20260602T090000Z"),
      ("20260601", "20260602", "20260602"),
    ] {
      let series = EventSeries(try Event(start, rule: "FREQ=DAILY;COUNT=3"))
      let left = try #require(try series.excluding(RecurrenceID(text: id), context: context))
      #expect(left.master?.recurrence.excluded == [try EventTime(time)])
      #expect(try starts(left).count == 2)
      #expect(try left.occurrence(RecurrenceID(text: id), context: context) == nil)
    }
  }

  @Test func `a reading that happens twice is named in UTC where it is the second`() throws {
    let series = EventSeries(
      try Event("20261024T013000 UTC", rule: "FREQ=HOURLY;COUNT=2"))
    let left = try series.excluding(RecurrenceID(text: "20261024T013000Z"), context: context)
    #expect(try starts(left) == ["20261024T023000Z"])
  }

  @Test func `the override of that occurrence goes, and others stay`() throws {
    let series = EventSeries(
      try Event("20260601T090000Z", rule: "FREQ=DAILY;COUNT=3"),
      overrides: [
        try Event("20260602T100000Z", instead: "20260602T090000Z"),
        try Event("20260603T100000Z", instead: "20260603T090000Z"),
      ])
    let left = try series.excluding(RecurrenceID(text: "20260602T090000Z"), context: context)
    #expect(left?.overrides.map(\.start) == [try EventTime("20260603T100000Z")])
    #expect(try starts(left) == ["20260601T090000Z", "20260603T090000Z"])
  }

  @Test func `nothing is left of the last one`() throws {
    let series = EventSeries(
      try Event(
        "20260601T090000Z", rule: "FREQ=DAILY;COUNT=2", except: ["20260601T090000Z"]))
    #expect(try series.excluding(RecurrenceID(text: "20260602T090000Z"), context: context) == nil)
    let lone = EventSeries(
      nil, overrides: [try Event("20260602T100000Z", instead: "20260602T090000Z")])
    #expect(try lone.excluding(RecurrenceID(text: "20260602T090000Z"), context: context) == nil)
  }

  @Test func `an occurrence that is not there is refused`() throws {
    let series = EventSeries(try Event("20260601T090000Z", rule: "FREQ=DAILY;COUNT=2"))
    for id in ["20260605T090000Z", "20260602T100000Z", "20260602"] {
      #expect(throws: ModelError.unknownEvent(uid: EventUID("event"), recurrenceID: id)) {
        try series.excluding(RecurrenceID(text: id), context: context)
      }
    }
  }

  @Test func `a zone that is not installed is refused`() throws {
    let series = EventSeries(try Event("20260601T090000 Mars/Olympus", rule: "FREQ=DAILY"))
    #expect(throws: ModelError.time(.unknownZone(name: "Mars/Olympus"))) {
      try series.excluding(RecurrenceID(text: "20260602T090000Z"), context: context)
    }
  }
}

@Suite struct `A series that ends before an occurrence` {
  private let context = ZoneContext.fixed("Europe/Berlin")

  private func ending(_ series: EventSeries, _ id: String) throws -> [String] {
    let left = try series.ending(before: RecurrenceID(text: id), context: context)
    return try (left?.drawn("20260101T000000Z/20270101T000000Z") ?? [])
      .map { String($0.prefix { $0 != " " }) }
  }

  @Test func `endless and counted rules end, in every form of start`() throws {
    for (start, id, kept) in [
      ("20260601T090000 Europe/Berlin", "20260603T070000Z", "20260601T070000Z 20260602T070000Z"),
      ("20260601T090000", "20260603T090000", "20260601T090000 20260602T090000"),
      ("20260601T090000Z", "20260603T090000Z", "20260601T090000Z 20260602T090000Z"),
      ("20260601", "20260603", "20260601 20260602"),
    ] {
      for rule in ["FREQ=DAILY", "FREQ=DAILY;COUNT=5", "FREQ=DAILY;UNTIL=20260701"] {
        let series = EventSeries(try Event(start, rule: rule))
        #expect(try ending(series, id).joined(separator: " ") == kept, "\(start) \(rule)")
      }
    }
  }

  @Test func `later dates, exceptions and overrides go, earlier ones stay`() throws {
    var master = try Event(
      "20260601T090000Z", rule: "FREQ=DAILY", except: ["20260602T090000Z", "20260607T090000Z"])
    master.recurrence.added = [
      AddedDate(start: try EventTime("20260602T180000Z")),
      AddedDate(start: try EventTime("20260608T180000Z")),
    ]
    let series = EventSeries(
      master,
      overrides: [
        try Event("20260603T100000Z", instead: "20260603T090000Z"),
        try Event("20260606T100000Z", instead: "20260606T090000Z"),
      ])
    let left = try #require(
      try series.ending(before: RecurrenceID(text: "20260605T090000Z"), context: context))
    #expect(left.master?.recurrence.excluded == [try EventTime("20260602T090000Z")])
    #expect(left.master?.recurrence.added.count == 1)
    #expect(left.overrides.count == 1)
    #expect(
      try left.drawn().map { $0.prefix(16) } == [
        "20260601T090000Z", "20260602T180000Z", "20260603T090000Z", "20260604T090000Z",
      ])
  }

  @Test func `nothing is left before the first`() throws {
    let series = EventSeries(try Event("20260601T090000Z", rule: "FREQ=DAILY"))
    #expect(
      try series.ending(before: RecurrenceID(text: "20260601T090000Z"), context: context) == nil)
  }
}
