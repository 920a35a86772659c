import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Alarms when the agent's zone changes` {
  /// A store whose agent travels.
  private final class Journey {
    var zone = "Europe/London"
    let store: EventStore

    init() throws {
      var current: () -> String = { "Europe/London" }
      store = try StoreFixture().open(local: { FixedZones.shared[current()] })
      current = { [unowned self] in zone }
    }

    /// Arrives, and returns what is due there: uid and trigger.
    func arrive(in zone: String, at now: String) throws -> [String] {
      self.zone = zone
      try store.replanAlarms(after: Timestamp(text: now))
      return try due(now)
    }

    func due(_ now: String) throws -> [String] {
      try store.takeDue(through: Timestamp(text: now), limit: 100).map {
        "\($0.key.uid) \($0.key.trigger.basicText)"
      }
    }
  }

  private func floating(
    _ start: String = "2026-11-21T09:00", rule: String = "FREQ=DAILY", repeats: Int = 0
  ) throws -> EventSeries {
    var event = Event(uid: EventUID("a"), start: .floating(try CivilDateTime(text: start)))
    if !rule.isEmpty { event.recurrence.rules = [try RecurrenceRule(text: rule)] }
    event.alarms = [
      Alarm(
        id: "1", trigger: .fromStart(.zero), repeatCount: repeats,
        repeatInterval: CalendarDuration(seconds: 7200))
    ]
    return EventSeries(calendar: personal, master: event)
  }

  @Test func `a floating alarm that was told is not told again in the west, late or early`() throws
  {
    for rule in ["FREQ=DAILY", ""] {
      let journey = try Journey()
      try journey.store.put([try floating(rule: rule)])
      #expect(try journey.due("20261121T090000Z") == ["a 20261121T090000Z"])
      // 10:00 in New York: nine o'clock there has passed.
      #expect(try journey.arrive(in: "America/New_York", at: "20261121T150000Z") == [])
    }
    let journey = try Journey()
    try journey.store.put([try floating()])
    #expect(try journey.due("20261121T090000Z") == ["a 20261121T090000Z"])
    // 08:30 in New York: it is still to come there.
    #expect(try journey.arrive(in: "America/New_York", at: "20261121T133000Z") == [])
    #expect(try journey.due("20261121T140000Z") == [])
    #expect(try journey.due("20261122T140000Z") == ["a 20261122T140000Z"])
  }

  @Test func `nor after two flights, nor back home`() throws {
    let journey = try Journey()
    try journey.store.put([try floating()])
    #expect(try journey.due("20261121T090000Z").count == 1)
    #expect(try journey.arrive(in: "America/New_York", at: "20261121T150000Z") == [])
    #expect(try journey.arrive(in: "America/Los_Angeles", at: "20261121T180000Z") == [])
    #expect(try journey.arrive(in: "Europe/London", at: "20261121T230000Z") == [])
    #expect(try journey.due("20261122T090000Z") == ["a 20261122T090000Z"])
  }

  @Test func `an all-day alarm neither`() throws {
    let journey = try Journey()
    var event = Event(uid: EventUID("a"), start: .date(try CivilDate(text: "2026-11-21")))
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY")]
    event.alarms = [Alarm(id: "1", trigger: .fromStart(CalendarDuration(seconds: 9 * 3600)))]
    try journey.store.put([EventSeries(calendar: personal, master: event)])
    #expect(try journey.due("20261121T090000Z").count == 1)
    #expect(try journey.arrive(in: "America/New_York", at: "20261121T150000Z") == [])
  }

  @Test func `its ledger says that the event moved`() throws {
    let journey = try Journey()
    try journey.store.put([try floating()])
    _ = try journey.due("20261121T090000Z")
    _ = try journey.arrive(in: "America/New_York", at: "20261121T150000Z")
    let key = ReminderKey(
      calendar: personal, uid: EventUID("a"), recurrenceID: "20261121T090000", alarm: "1",
      trigger: try Timestamp(text: "20261121T140000Z"))
    #expect(try journey.store.reminder(id: key.id)?.state == .closed(.eventMoved))
    #expect(try journey.store.pendingReminders().count == 1)
  }

  @Test func `a repeat that was not told is told late in the east`() throws {
    let journey = try Journey()
    try journey.store.put([try floating(repeats: 2)])
    #expect(try journey.due("20261121T090000Z").count == 1)
    // 11:45 in Berlin, where the first repeat was at 10:00Z; the second is at 12:00Z.
    #expect(
      try journey.arrive(in: "Europe/Berlin", at: "20261121T104500Z") == ["a 20261121T100000Z"])
    #expect(try journey.due("20261121T120000Z") == ["a 20261121T120000Z"])
  }

  @Test func `what was not told and has passed in the east is due at once`() throws {
    let journey = try Journey()
    var event = try #require(floating(rule: "FREQ=DAILY;COUNT=2").master)
    event.alarms.append(Alarm(id: "2", trigger: .fromStart(CalendarDuration(seconds: 3600))))
    try journey.store.put([EventSeries(calendar: personal, master: event)])
    // One is told at 09:00Z, the other is planned for 10:00Z, which was 08:30Z at 10:00 in India.
    #expect(try journey.due("20261121T090000Z") == ["a 20261121T090000Z"])
    #expect(
      try journey.arrive(in: "Asia/Kolkata", at: "20261121T093000Z") == ["a 20261121T043000Z"])
    // Nor is it told again on the way back, and the next day's are as ever.
    #expect(try journey.arrive(in: "Europe/London", at: "20261121T094500Z") == [])
    #expect(try journey.due("20261121T120000Z") == [])
    #expect(
      try journey.due("20261123T000000Z") == ["a 20261122T090000Z", "a 20261122T100000Z"])
  }

  @Test func `an alarm that new zone data put later is not told again`() throws {
    let fixture = try StoreFixture()
    let zones = UpdatedZones()
    let store = try fixture.open(zones: zones)
    for rule in ["FREQ=DAILY;COUNT=2", ""] {
      var event = Event(
        uid: EventUID("a" + rule),
        start: .zoned(try CivilDateTime(text: "2026-11-21T09:00"), zone: "Africa/Juba"))
      if !rule.isEmpty { event.recurrence.rules = [try RecurrenceRule(text: rule)] }
      event.alarms = [
        Alarm(id: "1", trigger: .fromStart(.zero)),
        Alarm(id: "2", trigger: .fromStart(CalendarDuration(seconds: 1800))),
      ]
      try store.put([EventSeries(calendar: personal, master: event)])
    }
    // 09:00 in Juba.
    #expect(try store.takeDue(through: at(7 * 60), limit: 9).count == 2)
    // Its clock goes two hours back: 09:00 is at 09:00Z.
    zones.names = ["Africa/Juba": "UTC"]
    try store.replanAlarms(after: at(7 * 60), isDataNew: true)
    let taken = try store.takeDue(through: at(24 * 60), limit: 9)
    #expect(taken.map(\.key.trigger) == [at(9 * 60 + 30), at(9 * 60 + 30)])
    #expect(taken.map(\.key.alarm) == ["2", "2"])
    #expect(try store.takeDue(through: at(72 * 60), limit: 9).count == 2)
  }

  @Test func `one that they put before now, and that was not told, is due at once`() throws {
    let fixture = try StoreFixture()
    let zones = UpdatedZones()
    zones.names = ["Africa/Juba": "UTC"]
    let store = try fixture.open(zones: zones)
    var event = Event(
      uid: EventUID("a"),
      start: .zoned(try CivilDateTime(text: "2026-11-21T09:00"), zone: "Africa/Juba"))
    event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
    try store.put([EventSeries(calendar: personal, master: event)], now: at(8 * 60))
    zones.names = [:]
    try store.replanAlarms(after: at(8 * 60 + 30), isDataNew: true)
    #expect(
      try store.takeDue(through: at(8 * 60 + 30), limit: 9).map(\.key.trigger) == [at(7 * 60)])
  }

  @Test func `an event that was moved on the clock since is told`() throws {
    let journey = try Journey()
    try journey.store.put([try floating(rule: "")])
    #expect(try journey.due("20261121T090000Z").count == 1)
    try journey.store.put(
      [try floating("2026-11-21T15:00", rule: "")], now: try Timestamp(text: "20261121T093000Z"))
    // 16:30 in Berlin, where it was at 14:00Z.
    #expect(
      try journey.arrive(in: "Europe/Berlin", at: "20261121T143000Z") == ["a 20261121T140000Z"])
  }

  @Test func `what has a clock of its own is not even read, however many there are`() throws {
    let zones = CountingZones()
    var zone = "Europe/London"
    let store = try StoreFixture().open(local: { FixedZones.shared[zone] }, zones: zones)
    let reading = try CivilDateTime(text: "2026-11-21T09:00")
    func event(_ uid: String, _ start: EventTime) -> EventSeries {
      var event = Event(uid: EventUID(uid), start: start)
      event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
      return EventSeries(calendar: personal, master: event)
    }
    try store.put([event("zoned", .zoned(reading, zone: "Africa/Juba"))])
    try store.put([event("floating", .floating(reading)), event("utc", .utc(at(540)))])
    let asked = zones.lookups
    zone = "America/New_York"
    #expect(try store.replanAlarms(after: at(60)).events == 1)
    #expect(zones.lookups == asked)
    // A clock that is set back has all planned anew that it had dealt with.
    #expect(try store.takeDue(through: at(900), limit: 9).count == 3)
    try store.replanAlarms(after: at(120))
    #expect(zones.lookups > asked)
  }

  @Test func `an alarm in a zone of its own is not looked at`() throws {
    let journey = try Journey()
    try journey.store.put([single("a", at: 600, reminders: [60, 0])])
    #expect(try journey.due("20261121T090000Z") == ["a 20261121T090000Z"])
    #expect(
      try journey.arrive(in: "America/New_York", at: "20261121T100000Z") == ["a 20261121T100000Z"])
  }
}

@Suite struct `Alarms that cannot be placed` {
  private func event() -> EventSeries {
    var event = Event(
      uid: EventUID("a"),
      start: .zoned(ZoneRules.utc.reading(at: at(600)), zone: "Europe/London"), summary: "a")
    event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
    return EventSeries(calendar: personal, master: event)
  }

  @Test func `what is due is told once the zone is there, and not dropped`() throws {
    let zones = CountingZones()
    let store = try StoreFixture().open(zones: zones)
    var reports: [String] = []
    store.onUnplaced = { reports.append("\($0.uid): \($1)") }
    try store.put([event(), single("b", at: 601, reminders: [0])])
    zones.isHidden = true
    #expect(try store.takeDue(through: at(610), limit: 10).map(\.summary) == ["b"])
    #expect(reports.count == 1)
    #expect(reports.first?.contains("Europe/London") == true)
    #expect(reports.first?.hasPrefix("a: ") == true)
    #expect(try store.nextAlarm() == nil)
    zones.isHidden = false
    try store.replanAlarms(after: at(620))
    #expect(try store.takeDue(through: at(620), limit: 10).map(\.summary) == ["a"])
  }

  @Test func `the reason is passed up when a series is written, and when it is judged`() throws {
    let zones = CountingZones()
    let store = try StoreFixture().open(zones: zones)
    var reports = 0
    store.onUnplaced = { _, _ in reports += 1 }
    try store.put([event()])
    #expect(reports == 0)
    #expect(try store.takeDue(through: at(600), limit: 10).count == 1)
    zones.isHidden = true
    var changed = try #require(event().master)
    changed.summary = "b"
    let changes = try store.put([EventSeries(calendar: personal, master: changed)], now: at(601))
    // Once for the plan, once for the reminder, which stands.
    #expect(reports == 2)
    #expect(changes.closedReminders.isEmpty)
  }
}

@Suite struct `Alarms taken in batches` {
  private func minutely(_ uid: String, _ second: Int64 = 0) throws -> EventSeries {
    var event = Event(
      uid: EventUID(uid),
      start: .zoned(
        ZoneRules.utc.reading(at: at(0).adding(seconds: second)), zone: "Europe/London"),
      summary: uid)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=MINUTELY")]
    event.alarms = [Alarm(id: "1", trigger: .fromStart(CalendarDuration(seconds: -300)))]
    return EventSeries(calendar: personal, master: event)
  }

  @Test func `a series is walked once and planned once for all that it hands over`() throws {
    let zones = CountingZones()
    let store = try StoreFixture().open(zones: zones)
    try store.put([try minutely("a")])
    zones.lookups = 0
    #expect(try store.takeDue(through: at(1000), limit: 500).count == 500)
    #expect(zones.lookups <= 4)
  }

  @Test func `several series come merged, each alarm once, in order`() throws {
    let zones = CountingZones()
    let store = try StoreFixture().open(zones: zones)
    try store.put(try (0..<5).map { try minutely("event-\($0)", Int64($0) * 7) })
    zones.lookups = 0
    var triggers: [Timestamp] = []
    var ids: Set<String> = []
    while true {
      let batch = try store.takeDue(through: at(200), limit: 64)
      triggers += batch.map(\.key.trigger)
      ids.formUnion(batch.map(\.id))
      if batch.count < 64 { break }
    }
    // From midnight on, by when each one's first five were past, to 03:20.
    #expect(triggers.count == 201 + 4 * 200)
    #expect(zones.lookups < 17 * 5 * 4)
    #expect(try store.takeDue(through: at(200), limit: 64).isEmpty)
  }

  @Test func `what the ledger has already does not end a call`() throws {
    let store = try StoreFixture().open()
    try store.put([try minutely("a")])
    #expect(try store.takeDue(through: at(100), limit: 1000).count < 200)
    // The clock went back and comes again.
    try store.replanAlarms(after: at(10))
    let count = try store.takeDue(through: at(110), limit: 5).count
    #expect(count == 5)
  }
}

/// The fixed zones, some of which have the rules of others.
private final class UpdatedZones: Zones {
  var names: [String: String] = [:]

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    try FixedZones.shared.rules(named: names[name] ?? name)
  }
}

/// The fixed zones; it counts who asks, and one of them can be taken away.
private final class CountingZones: Zones {
  var lookups = 0
  var isHidden = false

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    lookups += 1
    if isHidden, name == "Europe/London" { throw .unknownZone(name: name) }
    return try FixedZones.shared.rules(named: name)
  }
}

@Suite struct `Alarms that fill a batch` {
  @Test(arguments: [1, 99, 100, 101])
  func `leave none behind, whatever the sizes`(limit: Int) throws {
    let store = try StoreFixture().open()
    // 99 series with 100 alarms, and one that rings two seconds later.
    var series = (0..<98).map { single("e\($0)", at: 60, reminders: [0]) }
    series.append(single("two", at: 60, reminders: [0, 10]))
    series.append(single("last", at: 61, reminders: [0]))
    try store.put(series)
    var taken: [String] = []
    while case let batch = try store.takeDue(through: at(120), limit: limit), !batch.isEmpty {
      taken += batch.map { "\($0.key.uid) \($0.key.alarm)" }
    }
    #expect(taken.count == 101)
    #expect(Set(taken).count == 101)
    #expect(taken.first == "two 2" && taken.last == "last 1")
    #expect(try store.nextAlarm() == nil)
  }

  @Test func `of this very second ring also when an event is changed in it`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 120, reminders: [0])])
    try store.put([single("a", at: 60, reminders: [0])], now: at(60))
    #expect(try store.takeDue(through: at(60), limit: 5).map(\.key.uid.text) == ["a"])
    // Told once, however often it is changed in that second.
    try store.put([single("a", at: 60, summary: "A", reminders: [0])], now: at(60))
    #expect(try store.takeDue(through: at(60), limit: 5).isEmpty)
  }

  @Test func `that are due and not taken go where their event goes`() throws {
    let store = try StoreFixture().open()
    try store.put(
      calendar: CalendarInfo(
        id: CalendarID("work"), name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([
      single("moved", at: 60, reminders: [0]), single("whole", at: 70, reminders: [0]),
    ])
    // Nobody has looked yet when the events are moved, and given another uid.
    try store.change(origin: .local, now: at(90)) { change throws(StoreError) in
      _ = try change.remove(EventUID("moved"), from: personal)
      try change.put(
        single("moved", at: 60, reminders: [0], calendar: CalendarID("work")))
      _ = try change.remove(EventUID("whole"), from: personal)
      try change.put(single("part", at: 70, reminders: [0]), partOf: EventUID("whole"))
      // One that is new has no past.
      try change.put(single("new", at: 80, reminders: [0]))
    }
    #expect(
      try store.takeDue(through: at(90), limit: 10).map(\.key.uid.text) == ["moved", "part"])
  }
}
