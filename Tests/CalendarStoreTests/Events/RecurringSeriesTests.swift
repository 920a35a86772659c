import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Recurring series in the store` {
  /// At 09:00 in Berlin from 2026-11-21 on, with a reminder a quarter before.
  private func daily(_ rule: String, excluded: [String] = []) throws -> EventSeries {
    var event = Event(
      uid: EventUID("daily"),
      start: .zoned(try CivilDateTime(text: "2026-11-21T09:00"), zone: "Europe/Berlin"),
      end: .duration(CalendarDuration(seconds: 1800)), summary: "Stand-up")
    event.recurrence.rules = [try RecurrenceRule(text: rule)]
    event.recurrence.excluded = try excluded.map {
      .zoned(try CivilDateTime(text: $0), zone: "Europe/Berlin")
    }
    event.alarms = [Alarm(id: "1", trigger: .fromStart(CalendarDuration(seconds: -900)))]
    return EventSeries(calendar: personal, master: event)
  }

  private func instant(_ text: String) throws -> Timestamp { try Timestamp(text: text) }

  @Test func `what fell due over days comes one by one, and the next is known`() throws {
    let store = try StoreFixture().open()
    try store.put([try daily("FREQ=DAILY")])
    #expect(try store.nextAlarm() == (try instant("2026-11-21T07:45:00Z")))
    let due = try store.takeDue(through: try instant("2026-11-23T12:00:00Z"), limit: 10)
    #expect(
      due.map(\.key.recurrenceID) == ["20261121T080000Z", "20261122T080000Z", "20261123T080000Z"])
    #expect(try store.nextAlarm() == (try instant("2026-11-24T07:45:00Z")))
  }

  @Test func `years of missed alarms are taken in bounded steps`() throws {
    let store = try StoreFixture().open()
    try store.put([try daily("FREQ=DAILY;COUNT=1000")])
    let late = try instant("2036-01-01T00:00:00Z")
    var count = 0
    while case let batch = try store.takeDue(through: late, limit: 300), !batch.isEmpty {
      #expect(batch.count <= 300)
      count += batch.count
    }
    #expect(count == 1000)
    #expect(try store.nextAlarm() == nil)
  }

  @Test func `a series that ends is not found afterwards, one without end always`() throws {
    let store = try StoreFixture().open()
    let later = TimeSpan(
      start: try instant("2027-06-01T00:00:00Z"), end: try instant("2027-06-02T00:00:00Z"))
    try store.put([try daily("FREQ=DAILY;COUNT=5")])
    #expect(try store.series(touching: later, calendars: nil).isEmpty)
    try store.put([try daily("FREQ=DAILY")])
    #expect(try store.series(touching: later, calendars: nil).count == 1)
  }

  @Test func `the end of COUNT is counted once, when the series is written, and then believed`()
    throws
  {
    let store = try StoreFixture().open()
    let context = ZoneContext(zones: FixedZones.shared, local: .utc)
    func last() throws -> Timestamp? {
      let found = try store.series(EventUID("daily"), in: nil)
      return try found?.occurrences(in: .always, context: context).last?.span.start
    }
    try store.put([try daily("FREQ=MONTHLY;BYDAY=SA;COUNT=6")])
    let kept = try store.series(EventUID("daily"), in: nil)?.countedEnds
    #expect(kept == [try CivilDateTime(text: "2026-12-26T09:00")])
    #expect(try last() == (try instant("2026-12-26T08:00:00Z")))
    // Nothing counts again: an end that another hand wrote is taken as it stands.
    try store.database.execute("UPDATE components SET counted_ends = '15:20261205T090000'")
    store.seriesRows.rolledBack()  // forgets what was read
    #expect(try last() == (try instant("2026-12-05T08:00:00Z")))
    try store.put([try daily("FREQ=MONTHLY;BYDAY=SA;COUNT=2")])
    #expect(try last() == (try instant("2026-11-28T08:00:00Z")))
  }

  @Test func `only the reminder of the occurrence that is left out is closed`() throws {
    let store = try StoreFixture().open()
    try store.put([try daily("FREQ=DAILY")])
    let now = try instant("2026-11-22T12:00:00Z")
    #expect(try store.takeDue(through: now, limit: 10).count == 2)
    let changes = try store.put(
      [try daily("FREQ=DAILY", excluded: ["2026-11-22T09:00"])], now: now)
    #expect(changes.closedReminders.map(\.key.recurrenceID) == ["20261122T080000Z"])
    #expect(try store.pendingReminders().map(\.key.recurrenceID) == ["20261121T080000Z"])
  }

  @Test func `a series of which only one override rings is not walked to the end of time`() throws {
    let store = try StoreFixture().open()
    var master = try #require(try daily("FREQ=DAILY").master)
    var override = master
    override.recurrenceID = .utc(try instant("2026-11-23T08:00:00Z"))
    override.recurrence = RecurrencePattern()
    override.start = .utc(try instant("2026-11-23T10:00:00Z"))
    master.alarms = []
    try store.put([EventSeries(calendar: personal, master: master, overrides: [override])])
    #expect(try store.nextAlarm() == (try instant("2026-11-23T09:45:00Z")))
    let due = try store.takeDue(through: try instant("2026-11-24T00:00:00Z"), limit: 5)
    #expect(due.map(\.key.recurrenceID) == ["20261123T080000Z"])
    #expect(try store.nextAlarm() == nil)
    // An alarm that is off, and one acknowledged far ahead, are not walked for either.
    master.alarms = [Alarm(id: "1", action: .none, trigger: .fromStart(.zero))]
    try store.put([EventSeries(calendar: personal, master: master)])
    #expect(try store.nextAlarm() == nil)
    let ahead = try instant("9000-01-01T00:00:00Z")
    master.alarms = [Alarm(id: "1", trigger: .fromStart(.zero), acknowledged: ahead)]
    try store.put([EventSeries(calendar: personal, master: master)])
    #expect(try store.nextAlarm() == (try instant("9000-01-01T08:00:00Z")))
  }
}
