import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

/// The moment at which the tests edit.
let editTime = Timestamp(seconds: 1_780_000_000)

extension EditContext {
  static var berlin: EditContext {
    EditContext(zones: .fixed("Europe/Berlin"), now: editTime, newUID: EventUID("right"))
  }
}

extension EventSeries {
  /// An edit by texts; "" names no occurrence.
  func edited(
    _ scope: EditScope, at id: String = "", _ change: (inout EventChange) throws -> Void
  ) throws -> SeriesEdit {
    var changes = EventChange()
    try change(&changes)
    return try editing(
      changes, at: id.isEmpty ? nil : RecurrenceID(text: id), scope: scope, context: .berlin)
  }

  /// The starts of all occurrences with their titles: "20260601T090000Z Lunch".
  func titles() throws -> [String] {
    try occurrences(in: .always, context: .fixed("Europe/Berlin"), limit: 100).map {
      "\($0.span.start.basicText) \($0.event.summary)"
    }
  }

  /// The starts of all occurrences.
  func starts() throws -> [String] {
    try occurrences(in: .always, context: .fixed("Europe/Berlin"), limit: 100).map {
      $0.isAllDay ? $0.start.date.basicText : $0.span.start.basicText
    }
  }
}

@Suite struct `An edit of one occurrence` {
  private func daily(_ overrides: [Event] = []) throws -> EventSeries {
    EventSeries(
      try Event("20260601T090000Z", "PT1H", rule: "FREQ=DAILY;COUNT=3"), overrides: overrides)
  }

  @Test func `it makes an override, and the others stay`() throws {
    let edit = try daily().edited(.this, at: "20260602T090000Z") { $0.summary = "Dinner" }
    #expect(edit.split == nil)
    let series = try #require(edit.series)
    #expect(
      try series.titles() == [
        "20260601T090000Z Lunch", "20260602T090000Z Dinner", "20260603T090000Z Lunch",
      ])
    let override = try #require(series.overrides.first)
    #expect(override.recurrenceID == (try EventTime("20260602T090000Z")))
    #expect(override.recurrence == RecurrencePattern())
    #expect(override.lastModified == editTime)
    #expect(override.sequence == 0)
    #expect(series.master == (try daily().master))
  }

  @Test func `the first one can be moved`() throws {
    let edit = try daily().edited(.this, at: "20260601T090000Z") {
      $0.start = try EventTime("20260601T150000Z")
    }
    let series = try #require(edit.series)
    #expect(try series.starts() == ["20260601T150000Z", "20260602T090000Z", "20260603T090000Z"])
    #expect(series.overrides[0].sequence == 1)
    #expect(series.overrides[0].end == .duration(CalendarDuration(seconds: 3600)))
  }

  @Test func `an override that is there is changed, not doubled`() throws {
    var override = try Event("20260602T120000Z", "PT2H", instead: "20260602T090000Z")
    override.component = "X-ROOM:7"
    let edit = try daily([override]).edited(.this, at: "20260602T090000Z") { $0.location = "Sal's" }
    let changed = try #require(edit.series?.overrides)
    #expect(changed.map(\.location) == ["Sal's"])
    #expect(changed.map(\.start) == [override.start])
    #expect(changed.map(\.component) == ["X-ROOM:7"])
  }

  @Test func `an override that says no more than the series goes`() throws {
    let series = try daily()
    let moved = try series.edited(.this, at: "20260602T090000Z") {
      $0.start = try EventTime("20260602T150000Z")
      $0.summary = "Dinner"
    }
    let back = try #require(moved.series).edited(.this, at: "20260602T090000Z") {
      $0.start = try EventTime("20260602T090000Z")
      $0.summary = "Lunch"
    }
    #expect(back.series?.overrides == [])
    // The same as before from the first.
    let none = try series.edited(.this, at: "20260602T090000Z") { $0.summary = "Lunch" }
    #expect(none.series?.overrides == [])
  }

  @Test func `an override with a property of its own stays`() throws {
    var override = try Event("20260602T100000Z", "PT1H", instead: "20260602T090000Z")
    override.component =
      "BEGIN:VEVENT\r\nRECURRENCE-ID:20260602T090000Z\r\nX-ROOM:long\r\n er\r\nEND:VEVENT\r\n"
    let edit = try daily([override]).edited(.this, at: "20260602T090000Z") {
      $0.start = try EventTime("20260602T090000Z")
    }
    #expect(edit.series?.overrides.count == 1)
  }

  @Test func `an alarm at a fixed moment stays with the series`() throws {
    var master = try Event("20260601T090000Z", rule: "FREQ=DAILY")
    let before = Alarm(id: "1", trigger: .fromStart(CalendarDuration(seconds: -600)))
    master.alarms = [before, Alarm(id: "2", trigger: .absolute(editTime))]
    let edit = try EventSeries(master).edited(.this, at: "20260602T090000Z") { $0.summary = "Tea" }
    #expect(edit.series?.overrides.map(\.alarms) == [[before]])
  }

  @Test func `it keeps the exact length across a change of the clock`() throws {
    let series = EventSeries(
      try Event(
        "20260327T230000 Europe/Berlin", "20260328T050000 Europe/Berlin", rule: "FREQ=DAILY"))
    let edit = try series.edited(.this, at: "20260328T220000Z") { $0.summary = "Watch" }
    let override = try #require(edit.series?.overrides.first)
    #expect(override.end == .time(try EventTime("20260329T060000 Europe/Berlin")))
  }

  @Test func `an RDATE keeps the length of its period`() throws {
    var master = try Event("20260601T090000Z", "PT1H")
    master.recurrence.added = [
      AddedDate(
        start: try EventTime("20260605T090000Z"), end: .duration(CalendarDuration(seconds: 7200)))
    ]
    let edit = try EventSeries(master).edited(.this, at: "20260605T090000Z") { $0.summary = "Tea" }
    #expect(edit.series?.overrides.map(\.end) == [.duration(CalendarDuration(seconds: 7200))])
  }

  @Test func `a range that began with it goes on after it`() throws {
    var range = try Event("20260602T110000Z", "PT1H", instead: "20260602T090000Z")
    range.appliesToFuture = true
    range.summary = "Late"
    let series = try daily([range])
    let edit = try series.edited(.this, at: "20260602T090000Z") { $0.summary = "Dinner" }
    #expect(
      try edit.series?.titles() == [
        "20260601T090000Z Lunch", "20260602T110000Z Dinner", "20260603T110000Z Late",
      ])
    let removed = try series.removing(
      RecurrenceID(text: "20260602T090000Z"), scope: .this, context: .fixed("Europe/Berlin"),
      now: editTime)
    #expect(try removed?.titles() == ["20260601T090000Z Lunch", "20260603T110000Z Late"])
  }

  @Test func `a rule is refused, and so is what is no occurrence`() throws {
    let series = try daily()
    #expect(
      throws: ModelError.recurrenceOfOne(uid: EventUID("event"), recurrenceID: "20260602T090000Z")
    ) {
      try series.edited(.this, at: "20260602T090000Z") {
        $0.rules = [try RecurrenceRule(text: "FREQ=WEEKLY")]
      }
    }
    for scope in EditScope.allCases {
      #expect(
        throws: ModelError.unknownEvent(uid: EventUID("event"), recurrenceID: "20260604T090000Z")
      ) {
        try series.edited(scope, at: "20260604T090000Z") { $0.summary = "Tea" }
      }
    }
    #expect(throws: ModelError.occurrenceNeeded(.this)) {
      try series.edited(.this) { $0.summary = "Tea" }
    }
    #expect(
      throws: ModelError.endBeforeStart(start: "2026-06-02T09:00:00", end: "2026-06-02T08:00:00")
    ) {
      try series.edited(.this, at: "20260602T090000Z") {
        $0.end = .time(try EventTime("20260602T080000Z"))
      }
    }
    #expect(throws: ModelError.mixedDateAndTime) {
      try series.edited(.all) { $0.end = .time(try EventTime("20260602")) }
    }
  }

  @Test func `an event that does not recur is edited whatever the scope`() throws {
    for scope in EditScope.allCases {
      let edit = try EventSeries(Event("20260601T090000Z")).edited(scope) { $0.summary = "Tea" }
      #expect(edit.series?.master?.summary == "Tea")
      #expect(edit.series?.overrides == [])
    }
  }

  @Test func `where only an override is known, it is edited`() throws {
    let lone = EventSeries(
      nil, overrides: [try Event("20260602T100000Z", instead: "20260602T090000Z")])
    let edit = try lone.edited(.this, at: "20260602T090000Z") { $0.summary = "Tea" }
    #expect(try edit.series?.titles() == ["20260602T100000Z Tea"])
    let all = try lone.edited(.all) { $0.summary = "Tea" }
    #expect(try all.series?.titles() == ["20260602T100000Z Tea"])
  }
}

@Suite struct `Removing with a scope` {
  private let context = ZoneContext.fixed("Europe/Berlin")

  @Test func `SEQUENCE and LAST-MODIFIED grow`() throws {
    let series = EventSeries(try Event("20260601T090000Z", rule: "FREQ=DAILY"))
    for scope in [EditScope.this, .thisAndFuture] {
      let left = try series.removing(
        RecurrenceID(text: "20260602T090000Z"), scope: scope, context: context, now: editTime)
      #expect(left?.master?.sequence == 1)
      #expect(left?.master?.lastModified == editTime)
    }
  }

  @Test func `nothing is left of the last one, nor of all`() throws {
    let series = EventSeries(try Event("20260601T090000Z", rule: "FREQ=DAILY;COUNT=1"))
    for scope in EditScope.allCases {
      #expect(
        try series.removing(
          RecurrenceID(text: "20260601T090000Z"), scope: scope, context: context, now: editTime)
          == nil)
    }
    let single = EventSeries(try Event("20260601T090000Z"))
    #expect(try single.removing(nil, scope: .this, context: context, now: editTime) == nil)
  }

  @Test func `a part of a series needs an occurrence`() throws {
    let series = EventSeries(try Event("20260601T090000Z", rule: "FREQ=DAILY;COUNT=1"))
    #expect(throws: ModelError.occurrenceNeeded(.thisAndFuture)) {
      try series.removing(nil, scope: .thisAndFuture, context: context, now: editTime)
    }
  }
}
