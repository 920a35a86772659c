import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Alarms that fall due` {
  private func due(_ store: EventStore, _ minutes: Int64, limit: Int = 100) throws -> [String] {
    try store.takeDue(through: at(minutes), limit: limit).map {
      "\($0.summary)@\(($0.key.trigger.seconds - midnight.seconds) / 60)"
    }
  }

  @Test func `the first alarm of all is known`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [10]), single("b", at: 90, reminders: [20, 5])])
    #expect(try store.nextAlarm() == at(70))
    try store.remove("b")
    #expect(try store.nextAlarm() == at(90))
    try store.remove("a")
    #expect(try store.nextAlarm() == nil)
  }

  @Test func `they are taken once, in order of instant and then summary`() throws {
    let store = try StoreFixture().open()
    try store.put([
      single("c", at: 100, reminders: [10]), single("b", at: 100, reminders: [40, 20, 10]),
      single("a", at: 95, reminders: [5]), single("later", at: 500, reminders: [5]),
    ])
    #expect(try due(store, 59) == [])
    #expect(try due(store, 60) == ["b@60"])
    #expect(try due(store, 60) == [])
    #expect(try due(store, 95) == ["b@80", "a@90", "b@90", "c@90"])
    #expect(try store.nextAlarm() == at(495))
    #expect(try store.pendingReminders().count == 5)
  }

  @Test func `what was put when its alarm had passed does not ring`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [60, 10])], now: at(41))
    #expect(try due(store, 200) == ["a@90"])
  }

  @Test func `what was put in the second of its alarm rings`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [60])], now: at(40))
    #expect(try store.nextAlarm() == at(40))
    #expect(try due(store, 40) == ["a@40"])
  }

  @Test func `a limit bounds one call, and the rest comes in order`() throws {
    let store = try StoreFixture().open()
    try store.put((0..<25).map { single("event-\($0)", at: $0 + 10, reminders: [5, 5, 2]) })
    var all: [String] = []
    var instants: [Timestamp] = []
    while true {
      let batch = try store.takeDue(through: at(60), limit: 7)
      #expect(batch.count <= 7)
      all += batch.map(\.id)
      instants += batch.map(\.key.trigger)
      if batch.count < 7 { break }
    }
    #expect(all.count == 50)
    #expect(Set(all).count == 50)
    #expect(instants == instants.sorted())
    #expect(try store.takeDue(through: at(60), limit: 7).isEmpty)
  }

  @Test func `the alarms of one instant are split by a limit, and none is lost`() throws {
    let store = try StoreFixture().open()
    var event = Event(uid: EventUID("m"), start: .utc(at(60)))
    event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
    var overrides: [Event] = []
    for minute: Int64 in 0..<5 {
      var override = event
      override.recurrenceID = .utc(at(1000 + minute))
      overrides.append(override)
    }
    try store.put([EventSeries(calendar: personal, master: nil, overrides: overrides)])
    var ids: [String] = []
    for _ in 0..<3 { ids += try store.takeDue(through: at(60), limit: 2).map(\.id) }
    #expect(Set(ids).count == 5)
    #expect(ids.count == 5)
    #expect(try store.nextAlarm() == nil)
  }

  @Test func `ten thousand at once are all taken`() throws {
    let store = try StoreFixture().open()
    try store.put((0..<10_000).map { single("event-\($0)", at: 60, reminders: [0]) })
    var count = 0
    while case let batch = try store.takeDue(through: at(60), limit: 1000), !batch.isEmpty {
      count += batch.count
    }
    #expect(count == 10_000)
  }

  @Test func `nothing is taken twice after a restart, nor when the clock goes back`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("a", at: 100, reminders: [10, 5])])
    #expect(try due(store, 90) == ["a@90"])
    store.close()
    let again = try fixture.open()
    #expect(try due(again, 50) == [])
    #expect(try due(again, 92) == [])
    // Written again with the clock an hour back: the alarm lies ahead once more.
    try again.put([single("a", at: 100, summary: "new", reminders: [10, 5])], now: at(30))
    #expect(try due(again, 100) == ["new@95"])
  }

  @Test func `an alarm that is due and not taken survives an edit`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [10])])
    // Suspended from 80 to 200; the edit comes first on waking.
    try store.put([single("a", at: 100, summary: "b", reminders: [10])], now: at(200))
    #expect(try due(store, 200) == ["b@90"])
  }

  @Test(arguments: [Reminder.State.delivered, .snoozed, .acknowledged])
  func `one whose alarm has another name after a change in its second is told once`(
    state: Reminder.State
  ) throws {
    let store = try StoreFixture().open()
    var calendar = try store.calendars()[0]
    calendar.timedReminders = [CalendarDuration(seconds: 1800)]
    try store.put(calendar: calendar, now: midnight)
    try store.put([single("a", at: 60, reminders: [30])])
    var taken = try store.takeDue(through: at(30), limit: 10)
    try #require(taken.map(\.key.alarm) == ["1"])
    taken[0].state = state
    try store.record(taken, at: at(30))
    try store.put([single("a", at: 60)], now: at(30))
    #expect(try store.takeDue(through: at(60), limit: 10).isEmpty)
    #expect(try store.pendingReminders().map(\.key.alarm) == (state == .acknowledged ? [] : ["1"]))
    // What was not told there rings.
    try store.put([single("b", at: 90, reminders: [30, 20])], now: at(60))
    try store.put([single("b", at: 90)], now: at(60))
    #expect(try store.takeDue(through: at(90), limit: 10).map(\.key.alarm) == ["default-1"])
  }

  @Test func `default reminders ring for events that have none`() throws {
    let store = try StoreFixture().open()
    try store.put([
      single("old", at: 10), single("a", at: 100), single("b", at: 100, reminders: [50]),
    ])
    #expect(try store.nextAlarm() == at(50))
    var calendar = try #require(try store.calendars().first)
    calendar.timedReminders = [CalendarDuration(seconds: 3600)]
    try store.put(calendar: calendar, now: at(20))
    #expect(try due(store, 45) == ["a@40"])
    #expect(try due(store, 100) == ["b@50"])
    calendar.timedReminders = []
    try store.put(calendar: calendar, now: at(101))
    #expect(try store.nextAlarm() == nil)
  }

  @Test func `an event whose zone is missing rings once the zone is there`() throws {
    let fixture = try StoreFixture()
    let zones = ChangingZones()
    let store = try fixture.open(zones: zones)
    var event = Event(
      uid: EventUID("a"),
      start: .zoned(ZoneRules.utc.reading(at: at(600)), zone: "Europe/London"), summary: "a")
    event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
    zones.hidden = "Europe/London"
    try store.put([
      EventSeries(calendar: personal, master: event), single("b", at: 60, reminders: [0]),
    ])
    #expect(try due(store, 60) == ["b@60"])
    #expect(try store.nextAlarm() == nil)
    zones.hidden = ""
    try store.replanAlarms(after: at(60))
    #expect(try store.nextAlarm() == at(600))
    let early = TimeSpan(start: at(0), end: at(100))
    #expect(try store.series(touching: early, calendars: nil).map(\.uid.text) == ["b"])
    // And a zone that goes away holds nothing up.
    zones.hidden = "Europe/London"
    #expect(try due(store, 600) == [])
    #expect(try store.nextAlarm() == nil)
  }

  @Test func `floating alarms follow the agent's zone`() throws {
    let fixture = try StoreFixture()
    var zone = "Europe/Berlin"
    let store = try fixture.open(local: { FixedZones.shared[zone] })
    var event = Event(
      uid: EventUID("a"), start: .floating(try CivilDateTime(text: "2026-11-22T09:00")),
      summary: "a")
    event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
    try store.put([EventSeries(calendar: personal, master: event)])
    #expect(try store.nextAlarm() == (try Timestamp(text: "2026-11-22T08:00:00Z")))
    zone = "America/New_York"
    try store.replanAlarms(after: midnight)
    #expect(try store.nextAlarm() == (try Timestamp(text: "2026-11-22T14:00:00Z")))
    // Arriving in Tokyo after nine o'clock there: it is late, not lost.
    zone = "Asia/Tokyo"
    let now = try Timestamp(text: "2026-11-22T03:00:00Z")
    try store.replanAlarms(after: now)
    #expect(
      try store.takeDue(through: now, limit: 10).map(\.due) == [
        try Timestamp(text: "2026-11-22T00:00:00Z")
      ])
  }

  @Test func `what a clock in a wrong year took for past is planned again`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [10])], now: at(1_000_000))
    #expect(try store.nextAlarm() == nil)
    try store.replanAlarms(after: at(0))
    #expect(try store.nextAlarm() == at(90))
  }

  @Test func `what a clock in a wrong year found too old is free to ring`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [10]), single("b", at: 20, reminders: [5])])
    var taken = try store.takeDue(through: at(1_000_000), limit: 9)
    #expect(taken.count == 2)
    for place in taken.indices { taken[place].state = .closed(.missed) }
    try store.record(taken, at: at(1_000_000))
    #expect(try store.latestAlarmInstant() == at(90))
    try store.replanAlarms(after: at(50))
    #expect(try store.latestAlarmInstant() == at(50))
    #expect(try due(store, 2_000_000) == ["a@90"])
  }

  @Test func `what was told by a clock in a wrong year is not told again`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [10])])
    var told = try #require(try store.takeDue(through: at(95), limit: 9).first)
    for state in [Reminder.State.delivered, .acknowledged, .closed(.eventMoved)] {
      told.state = state
      try store.record([told], at: at(95))
      try store.replanAlarms(after: at(50))
      #expect(try due(store, 95) == [])
    }
  }
}

/// The fixed zones, one of which can be taken away.
private final class ChangingZones: Zones {
  var hidden = ""

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if name == hidden { throw .unknownZone(name: name) }
    return try FixedZones.shared.rules(named: name)
  }
}

@Suite struct `The ledger` {
  private func taken(_ store: EventStore) throws -> Reminder {
    try store.put([single("a", at: 100, summary: "Call", reminders: [10])])
    return try #require(try store.takeDue(through: at(90), limit: 1).first)
  }

  @Test func `a reminder comes back as it was taken`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    var event = Event(uid: EventUID("a"), start: .utc(at(100)), end: .time(.utc(at(130))))
    event.summary = "Call"
    event.location = "https://meet.jit.si/room"
    event.classification = .private
    event.alarms = [Alarm(id: "x", trigger: .fromEnd(CalendarDuration(seconds: -60)))]
    try store.put([EventSeries(calendar: personal, master: event)])
    let reminder = try #require(try store.takeDue(through: at(200), limit: 5).first)
    #expect(reminder.key.alarm == "x")
    #expect(reminder.joinURL == "https://meet.jit.si/room")
    #expect(reminder.isPrivate)
    #expect(reminder.due == at(129))
    store.close()
    let again = try fixture.open()
    #expect(try again.reminder(id: reminder.id) == reminder)
    #expect(try again.pendingReminders() == [reminder])
    #expect(try again.reminder(id: "0000000000000000") == nil)
  }

  @Test(arguments: [
    Reminder.State.due, .delivered, .snoozed, .acknowledged, .closed(.missed),
    .closed(.eventMoved), .closed(.eventRemoved),
  ])
  func `each state is kept, and the pending ones are pending`(state: Reminder.State) throws {
    let store = try StoreFixture().open()
    var reminder = try taken(store)
    reminder.state = state
    reminder.due = at(95)
    reminder.snoozes = 2
    reminder.isMissed = true
    try store.record([reminder], at: at(91))
    #expect(try store.reminder(id: reminder.id) == reminder)
    #expect(try store.pendingReminders().count == (reminder.isPending ? 1 : 0))
  }

  @Test func `the instant of each step is kept`() throws {
    let store = try StoreFixture().open()
    var reminder = try taken(store)
    for (state, minute) in [(Reminder.State.delivered, Int64(91)), (.snoozed, 92), (.due, 97)] {
      reminder.state = state
      try store.record([reminder], at: at(minute))
    }
    reminder.state = .acknowledged
    try store.record([reminder], at: at(99))
    let row = try store.database.statement(
      "SELECT due_at, delivered_at, snoozed_at, acknowledged_at, closed_at FROM reminders")
    defer { row.reset() }
    #expect(try row.step())
    #expect(
      (0..<5).map { row.optionalInteger($0) }
        == [at(97).seconds, at(91).seconds, at(92).seconds, at(99).seconds, nil])
  }

  @Test func `pending reminders are listed by when they are due`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 10, reminders: [0]), single("b", at: 20, reminders: [0])])
    var first = try #require(try store.takeDue(through: at(20), limit: 9).first)
    first.state = .snoozed
    first.due = at(50)
    try store.record([first], at: at(21))
    #expect(try store.pendingReminders().map(\.summary) == ["b", "a"])
  }

  @Test func `an event that is removed takes its pending reminders along`() throws {
    let store = try StoreFixture().open()
    let reminder = try taken(store)
    let changes = try store.remove("a")
    #expect(changes.closedReminders.map(\.id) == [reminder.id])
    #expect(changes.closedReminders.map(\.state) == [.closed(.eventRemoved)])
    #expect(try store.pendingReminders().isEmpty)
    #expect(try store.reminder(id: reminder.id)?.state == .closed(.eventRemoved))
  }

  @Test func `an event that is moved takes them along, one that is renamed does not`() throws {
    let store = try StoreFixture().open()
    _ = try taken(store)
    let renamed = try store.put(
      [single("a", at: 100, summary: "Phone", reminders: [10])], now: at(91))
    #expect(renamed.closedReminders.isEmpty)
    #expect(try store.pendingReminders().count == 1)
    let moved = try store.put([single("a", at: 300, reminders: [10])], now: at(92))
    #expect(moved.closedReminders.map(\.state) == [.closed(.eventMoved)])
    #expect(try store.pendingReminders().isEmpty)
    #expect(try store.nextAlarm() == at(290))
  }

  @Test func `an acknowledgement that comes with the event ends the reminder`() throws {
    let store = try StoreFixture().open()
    _ = try taken(store)
    var event = try #require(try store.series(EventUID("a"), in: nil)?.master)
    event.alarms[0].acknowledged = at(91)
    let changes = try store.put([EventSeries(calendar: personal, master: event)], now: at(92))
    #expect(changes.closedReminders.map(\.state) == [.acknowledged])
    #expect(try store.pendingReminders().isEmpty)
  }

  @Test func `a reminder that a change closed is back when the change failed`() throws {
    let store = try StoreFixture().open()
    let reminder = try taken(store)
    #expect(throws: StoreError.self) {
      try store.change(origin: .local, now: at(91)) { change throws(StoreError) in
        _ = try change.remove(EventUID("a"), from: personal)
        _ = try change.remove(EventUID("a"), from: CalendarID("nowhere"))
      }
    }
    #expect(try store.pendingReminders() == [reminder])
  }
}
