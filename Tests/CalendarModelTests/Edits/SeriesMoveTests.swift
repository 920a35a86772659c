import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `An edit of all occurrences` {
  private let nine = "20260601T090000 Europe/Berlin"

  @Test func `each override takes a new value where it had the old one`() throws {
    var own = try Event("20260602T110000Z", "PT1H", instead: "20260602T090000Z")
    own.summary = "Dinner"
    var other = try Event("20260603T110000Z", "PT1H", instead: "20260603T090000Z")
    other.attendees = [Attendee(address: "mailto:ana@example.org")]
    let whole = EventSeries(
      try Event("20260601T090000Z", "PT1H", rule: "FREQ=DAILY;COUNT=4"), overrides: [own, other])
    let edit = try whole.edited(.all) { $0.summary = "Tea" }
    let series = try #require(edit.series)
    #expect(
      try series.titles() == [
        "20260601T090000Z Tea", "20260602T110000Z Dinner", "20260603T110000Z Tea",
        "20260604T090000Z Tea",
      ])
    #expect(series.overrides[0] == own)
    #expect(series.overrides[1].attendees == other.attendees)
    #expect(series.overrides[1].lastModified == editTime)
    #expect(series.master?.lastModified == editTime)
    // A title is no reason to ask anybody again.
    #expect(series.master?.sequence == 0)
  }

  @Test func `what changes nothing leaves the series as it is`() throws {
    let whole = EventSeries(try Event(nine, rule: "FREQ=DAILY"))
    let edit = try whole.edited(.all) {
      $0.summary = "Lunch"
      $0.start = try EventTime(nine)
      $0.rules = [try RecurrenceRule(text: "FREQ=DAILY")]
    }
    #expect(edit.series?.master == whole.master)
  }

  @Test func `SEQUENCE grows with the time, the rule and the status`() throws {
    let changes: [(inout EventChange) throws -> Void] = [
      { $0.start = try EventTime("20260601T100000 Europe/Berlin") },
      { $0.end = .duration(CalendarDuration(seconds: 60)) },
      { $0.rules = [try RecurrenceRule(text: "FREQ=WEEKLY")] },
      { $0.status = .cancelled },
    ]
    for change in changes {
      let edit = try EventSeries(Event(nine, rule: "FREQ=DAILY")).edited(.all, change)
      #expect(edit.series?.master?.sequence == 1)
    }
  }

  @Test func `exceptions, dates, overrides and UNTIL move along`() throws {
    var master = try Event(
      nine, "PT1H", rule: "FREQ=DAILY;UNTIL=20260606T070000Z",
      except: ["20260602T090000 Europe/Berlin", "20260603T070000Z"])
    master.recurrence.added = [AddedDate(start: try EventTime("20260610T120000 Europe/Berlin"))]
    var titled = try Event("20260604T090000 Europe/Berlin", "PT1H", instead: "20260604T070000Z")
    titled.summary = "Dinner"
    let placed = try Event(
      "20260605T200000 Europe/Berlin", "PT1H", instead: "20260605T090000 Europe/Berlin")
    let whole = EventSeries(master, overrides: [titled, placed])
    let edit = try whole.edited(.all, at: "20260606T070000Z") {
      $0.start = try EventTime("20260606T103000 Europe/Berlin")
    }
    let series = try #require(edit.series)
    #expect(
      try series.titles() == [
        "20260601T083000Z Lunch", "20260604T083000Z Dinner",
        // Somebody put it at eight in the evening.
        "20260605T180000Z Lunch", "20260606T083000Z Lunch", "20260610T113000Z Lunch",
      ])
    #expect(
      series.overrides.map(\.recurrenceID) == [
        try EventTime("20260604T103000 Europe/Berlin"),
        try EventTime("20260605T103000 Europe/Berlin"),
      ])
    #expect(
      series.master?.recurrence.rules.map(\.text) == ["FREQ=DAILY;UNTIL=20260606T083000Z"])
  }

  @Test(arguments: [
    ("20261203T190000Z", "20261203"), ("20261203T185959Z", "20261202"),
    ("20261203T120000Z", "20261202"), ("20261203T235959Z", "20261203"),
  ])
  func `whole days are as many as the times were`(until: String, expected: String) throws {
    let whole = EventSeries(
      try Event("20261201T200000 Europe/Berlin", "PT1H", rule: "FREQ=DAILY;UNTIL=\(until)"))
    let count = try whole.titles().count
    let days = try #require(try whole.edited(.all) { $0.clock = .days }.series)
    #expect(days.master?.recurrence.rules.map(\.text) == ["FREQ=DAILY;UNTIL=\(expected)"])
    #expect(try days.titles().count == count)
  }

  @Test(arguments: [
    // The day is moved; the time of the day, and how many days it is off, stay.
    ("20260602T100000Z", "20260603T120000Z", "20260604T120000Z"),
    ("20260531T100000Z", "20260603T120000Z", "20260602T120000Z"),
    ("20260602T083000Z", "20260604T200000Z", "20260605T200000Z"),
    ("20260602T100000Z", "20260602T100000Z", "20260603T100000Z"),
    // The clock alone does not move what has a time of its own.
    ("20260601T110000Z", "20260603T120000Z", "20260603T120000Z"),
  ])
  func `an override with a start of its own moves by the days`(
    start: String, own: String, expected: String
  ) throws {
    let whole = EventSeries(
      try Event("20260601T100000Z", "PT1H", rule: "FREQ=DAILY;COUNT=9"),
      overrides: [try Event(own, "PT2H", instead: "20260603T100000Z")])
    let edit = try whole.edited(.all) { $0.start = try EventTime(start) }
    let override = try #require(edit.series?.overrides.first)
    #expect(override.start == (try EventTime(expected)))
    #expect(override.end == .duration(CalendarDuration(seconds: 7200)))
  }

  @Test func `a day among times stays a day`() throws {
    var day = try Event("20260611", instead: "20260611T100000 Europe/Berlin")
    day.summary = "Off"
    let whole = EventSeries(
      try Event(
        "20260610T100000 Europe/Berlin", "20260610T120000 Europe/Berlin",
        rule: "FREQ=DAILY;COUNT=3"), overrides: [day])
    let changes: [(day: String, change: (inout EventChange) throws -> Void)] = [
      ("20260611", { $0.end = .duration(CalendarDuration(seconds: 10_800)) }),
      ("20260611", { $0.start = try EventTime("20260610T113000 Europe/Berlin") }),
      ("20260611", { $0.clock = .zone("America/New_York") }),
      ("20260612", { $0.start = try EventTime("20260611T100000 Europe/Berlin") }),
      ("20260611", { $0.clock = .days }),
    ]
    for (expected, change) in changes {
      let override = try #require(try whole.edited(.all, change).series?.overrides.first)
      #expect(override.start == (try EventTime(expected)))
      #expect(override.end == .none)
    }
  }

  @Test func `a time among days stays a time`() throws {
    let timed = try Event("20260204T100000 Europe/Berlin", "PT1H", instead: "20260204")
    let whole = EventSeries(
      try Event("20260201", rule: "FREQ=DAILY;COUNT=6"), overrides: [timed])
    let moved = try #require(
      try whole.edited(.all) { $0.start = try EventTime("20260202") }.series?.overrides.first)
    #expect(moved.recurrenceID == (try EventTime("20260205")))
    #expect(moved.start == (try EventTime("20260205T100000 Europe/Berlin")))
    #expect(moved.end == timed.end)
    let longer = try #require(
      try whole.edited(.all) { $0.end = .time(try EventTime("20260203")) }.series?.overrides.first)
    #expect((longer.start, longer.end) == (timed.start, timed.end))
    let clocked = try #require(
      try whole.edited(.all) { $0.start = try EventTime("20260201T080000 Europe/Berlin") }
        .series?.overrides.first)
    #expect((clocked.start, clocked.end) == (timed.start, timed.end))
  }

  @Test func `a change of the clock does not tear the series apart`() throws {
    let whole = EventSeries(
      try Event(
        "20260327T020000 Europe/Berlin", "PT1H", rule: "FREQ=DAILY;COUNT=4",
        except: ["20260329T010000Z"]))
    // 02:00 is shown as 03:00 on the 29th, and 02:30 as 03:30.
    let edit = try whole.edited(.all) { $0.start = try EventTime("20260327T023000 Europe/Berlin") }
    #expect(
      try edit.series?.starts() == ["20260327T013000Z", "20260328T013000Z", "20260330T003000Z"])
  }

  @Test func `a rule follows to another day`() throws {
    var titled = try Event("20260610T090000 Europe/Berlin", "PT1H", instead: "20260610T070000Z")
    titled.summary = "Dinner"
    let whole = EventSeries(
      try Event(
        nine, "PT1H", rule: "FREQ=WEEKLY;COUNT=4;BYDAY=MO,WE", except: ["20260608T070000Z"]),
      overrides: [titled])
    let edit = try whole.edited(.all) { $0.start = try EventTime("20260602T090000 Europe/Berlin") }
    #expect(
      try edit.series?.titles() == [
        "20260602T070000Z Lunch", "20260604T070000Z Lunch", "20260611T070000Z Dinner",
      ])
  }

  @Test func `where a month moves its instances by different lengths, the nearest is meant`() throws
  {
    // The second Monday becomes the second Wednesday: 2 days later, or 5 earlier.
    var titled = try Event("20260713T090000Z", "PT1H", instead: "20260713T090000Z")
    titled.summary = "Dinner"
    let whole = EventSeries(
      try Event(
        "20260608T090000Z", "PT1H", rule: "FREQ=MONTHLY;COUNT=3;BYDAY=2MO",
        except: ["20260810T090000Z"]), overrides: [titled])
    let edit = try whole.edited(.all) { $0.start = try EventTime("20260610T090000Z") }
    #expect(try edit.series?.titles() == ["20260610T090000Z Lunch", "20260708T090000Z Dinner"])
  }

  @Test func `a rule that does not say how it follows is refused`() throws {
    let whole = EventSeries(try Event(nine, rule: "FREQ=YEARLY;BYYEARDAY=152,200"))
    #expect(
      throws: ModelError.ruleCannotFollow(
        rule: "FREQ=YEARLY;BYYEARDAY=152,200", start: "2026-06-02T09:00:00")
    ) {
      try whole.edited(.all) { $0.start = try EventTime("20260602T090000 Europe/Berlin") }
    }
  }

  @Test func `a new rule drops what names no instance any more`() throws {
    let titles = try ["20260602T090000Z", "20260608T090000Z"].map {
      var event = try Event($0, "PT1H", instead: $0)
      event.summary = "Dinner"
      return event
    }
    let stray = try Event("20260620T100000Z", "PT1H", instead: "20260620T100000Z")
    let whole = EventSeries(
      try Event(
        "20260601T090000Z", "PT1H", rule: "FREQ=DAILY;COUNT=10",
        except: ["20260603T090000Z", "20260615T090000Z"]), overrides: titles + [stray])
    let edit = try whole.edited(.all) {
      $0.rules = [try RecurrenceRule(text: "FREQ=WEEKLY;COUNT=3")]
    }
    #expect(
      try edit.series?.titles() == [
        "20260601T090000Z Lunch", "20260608T090000Z Dinner", "20260620T100000Z Lunch",
      ])
    #expect(edit.series?.master?.recurrence.excluded == [try EventTime("20260615T090000Z")])
  }

  @Test func `without a rule only the first is left`() throws {
    let whole = EventSeries(
      try Event("20260601T090000Z", "PT1H", rule: "FREQ=DAILY", except: ["20260601T090000Z"]),
      overrides: [try Event("20260602T100000Z", instead: "20260602T090000Z")])
    let edit = try whole.edited(.all) { $0.rules = [] }
    #expect(try edit.series?.starts() == ["20260601T090000Z"])
    #expect(edit.series?.isRecurring == false)
  }

  @Test func `a series without any occurrence is gone`() throws {
    let whole = EventSeries(
      try Event("20260601T090000Z", "PT1H", rule: "FREQ=DAILY", except: ["20260601T090000Z"]))
    let edit = try whole.edited(.all) {
      $0.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=1")]
    }
    #expect(edit.series == nil)
  }

  @Test func `another zone keeps the clock, and all go with it`() throws {
    let whole = EventSeries(
      try Event(nine, "PT1H", rule: "FREQ=DAILY;COUNT=4", except: ["20260602T070000Z"]),
      overrides: [
        try Event("20260603T120000 Europe/Berlin", "PT1H", instead: "20260603T070000Z")
      ])
    let edit = try whole.edited(.all) { $0.clock = .zone("America/New_York") }
    let series = try #require(edit.series)
    #expect(
      try series.starts() == ["20260601T130000Z", "20260603T100000Z", "20260604T130000Z"])
    #expect(
      series.overrides.map(\.recurrenceID) == [try EventTime("20260603T090000 America/New_York")])
    #expect(throws: ModelError.time(.unknownZone(name: "Mars/Olympus"))) {
      try whole.edited(.all) { $0.clock = .zone("Mars/Olympus") }
    }
  }

  @Test func `a timed series turns into days and back`() throws {
    var titled = try Event("20260603T090000 Europe/Berlin", "PT1H", instead: "20260603T070000Z")
    titled.summary = "Dinner"
    let whole = EventSeries(
      try Event(
        nine, "20260602T100000 Europe/Berlin", rule: "FREQ=DAILY;UNTIL=20260605T070000Z",
        except: ["20260602T090000 Europe/Berlin"]), overrides: [titled])
    let days = try #require(try whole.edited(.all) { $0.clock = .days }.series)
    #expect(days.master?.start == (try EventTime("20260601")))
    #expect(days.master?.end == .time(try EventTime("20260603")))
    #expect(try days.starts() == ["20260601", "20260603", "20260604", "20260605"])
    #expect(days.master?.recurrence.rules.map(\.text) == ["FREQ=DAILY;UNTIL=20260605"])
    #expect(days.overrides.map(\.recurrenceID) == [try EventTime("20260603")])
    #expect(days.overrides.map(\.summary) == ["Dinner"])
    let timed = try #require(
      try days.edited(.all, at: "20260604") {
        $0.start = try EventTime("20260604T090000 Europe/Berlin")
      }.series)
    #expect(try timed.titles() == whole.titles())
    #expect(timed.master?.end == whole.master?.end)
    #expect(timed.master?.recurrence == whole.master?.recurrence)
  }

  @Test func `an override that then stands where the series does goes`() throws {
    let whole = EventSeries(
      try Event("20260601T090000Z", "PT1H", rule: "FREQ=DAILY;COUNT=3"),
      overrides: [try Event("20260602T110000Z", "PT1H", instead: "20260602T090000Z")])
    let edit = try whole.edited(.all, at: "20260603T090000Z") {
      $0.start = try EventTime("20260603T110000Z")
    }
    #expect(edit.series?.overrides == [])
    #expect(
      try edit.series?.starts() == ["20260601T110000Z", "20260602T110000Z", "20260603T110000Z"])
  }

  @Test func `an end that is given is as far from its start everywhere`() throws {
    let whole = EventSeries(try Event(nine, "PT1H", rule: "FREQ=DAILY;COUNT=2"))
    let edit = try whole.edited(.all, at: "20260602T070000Z") {
      $0.end = .time(try EventTime("20260602T123000 Europe/Berlin"))
    }
    #expect(edit.series?.master?.end == .time(try EventTime("20260601T123000 Europe/Berlin")))
  }
}
