import CalendarModel
import CivilTime
import Recurrence
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

  /// A master with several rules and added dates; an id that is cut at, and what is
  /// left, as identifiers.
  struct Cut: CustomTestStringConvertible {
    let name: String
    let start: String
    let rules: [String]
    var added: [String] = []
    var except: [String] = []
    let id: String
    let rulesLeft: [String]
    let left: String
    var testDescription: String { name }
  }

  static let cuts = [
    Cut(
      name: "COUNT that ended before a later RDATE", start: "20261201T090000Z",
      rules: ["FREQ=DAILY;COUNT=3"], added: ["20270301T090000Z"], id: "20270301T090000Z",
      rulesLeft: ["FREQ=DAILY;COUNT=3"], left: "20261201T090000Z 20261202T090000Z 20261203T090000Z"),
    Cut(
      name: "COUNT of days that ended before a later RDATE", start: "20261201",
      rules: ["FREQ=DAILY;COUNT=3"], added: ["20270301"], id: "20270301",
      rulesLeft: ["FREQ=DAILY;COUNT=3"], left: "20261201 20261202 20261203"),
    Cut(
      name: "COUNT of readings that ended before a later RDATE", start: "20261201T090000",
      rules: ["FREQ=DAILY;COUNT=2"], added: ["20270301T090000"], id: "20270301T090000",
      rulesLeft: ["FREQ=DAILY;COUNT=2"], left: "20261201T090000 20261202T090000"),
    Cut(
      name: "UNTIL that lies before the cut beside one that does not",
      start: "20261201T090000Z",
      rules: ["FREQ=DAILY;UNTIL=20261203T090000Z", "FREQ=WEEKLY;COUNT=10"],
      id: "20261222T090000Z",
      rulesLeft: ["FREQ=DAILY;UNTIL=20261203T090000Z", "FREQ=WEEKLY;UNTIL=20261222T085959Z"],
      left: "20261201T090000Z 20261202T090000Z 20261203T090000Z 20261208T090000Z 20261215T090000Z"),
    Cut(
      name: "a rule that begins after the cut", start: "20261201T090000Z",
      rules: ["FREQ=DAILY", "FREQ=YEARLY;BYMONTH=6"], id: "20261203T090000Z",
      rulesLeft: ["FREQ=DAILY;UNTIL=20261203T085959Z"],
      left: "20261201T090000Z 20261202T090000Z"),
    Cut(
      // 1 December 2026 is a Tuesday.
      name: "COUNT that was not counting the start and now does", start: "20261201T090000Z",
      rules: ["FREQ=DAILY;BYDAY=WE,TH;COUNT=2", "FREQ=YEARLY;BYMONTH=6"],
      id: "20270601T090000Z", rulesLeft: ["FREQ=DAILY;COUNT=3;BYDAY=WE,TH"],
      left: "20261201T090000Z 20261202T090000Z 20261203T090000Z"),
    Cut(
      name: "a start that no rule matches and that alone is left", start: "20261201T090000Z",
      rules: ["FREQ=YEARLY;BYMONTH=5", "FREQ=YEARLY;BYMONTH=6"], id: "20270501T090000Z",
      rulesLeft: [], left: "20261201T090000Z"),
    Cut(
      name: "a start that EXDATE took does not come back", start: "20261201T090000Z", rules: [],
      added: ["20261203T090000Z"], except: ["20261201T090000Z"], id: "20261203T090000Z",
      rulesLeft: [], left: ""),
    Cut(
      name: "a date before the start", start: "20261201T090000Z", rules: ["FREQ=DAILY;COUNT=3"],
      added: ["20261120T070000Z"], id: "20261201T090000Z", rulesLeft: [],
      left: "20261120T070000Z"),
    Cut(
      name: "a change of the clock before the cut", start: "20260327T090000 Europe/Berlin",
      rules: ["FREQ=DAILY;COUNT=10"], id: "20260330T070000Z",
      rulesLeft: ["FREQ=DAILY;UNTIL=20260330T065959Z"],
      left: "20260327T080000Z 20260328T080000Z 20260329T070000Z"),
    Cut(
      name: "an occurrence in a gap", start: "20260327T023000 Europe/Berlin",
      rules: ["FREQ=DAILY"], id: "20260329T013000Z",
      rulesLeft: ["FREQ=DAILY;UNTIL=20260329T012959Z"], left: "20260327T013000Z 20260328T013000Z"),
    Cut(
      name: "a floating occurrence in a gap", start: "20260327T023000",
      rules: ["FREQ=DAILY"], id: "20260329T033000",
      rulesLeft: ["FREQ=DAILY;UNTIL=20260329T022959"], left: "20260327T023000 20260328T023000"),
  ]

  @Test(arguments: cuts) func `each rule ends by itself, none later than it did`(
    _ cut: Cut
  ) throws {
    var master = try Event(cut.start, "PT1H", except: cut.except)
    master.recurrence.rules = try cut.rules.map { try RecurrenceRule(text: $0) }
    master.recurrence.added = try cut.added.map { AddedDate(start: try EventTime($0)) }
    let series = EventSeries(master)
    let left = try series.ending(before: RecurrenceID(text: cut.id), context: context)
    #expect(try (left?.drawn() ?? []).map { String($0.prefix { $0 != " " }) } == words(cut.left))
    let rules = left?.master?.recurrence.rules.map(\.text)
    #expect(rules ?? [] == cut.rulesLeft)
  }

  private func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
