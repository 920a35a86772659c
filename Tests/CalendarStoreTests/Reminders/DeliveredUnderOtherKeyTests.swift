import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

/// What the agent does with alarms when it is in another zone than the one by which they were told: in
/// `ToldByNewZoneDataTests.swift` it stays where it is, and the clocks of zones are other ones.
@Suite struct `Alarms told in another zone` {
  @Test func `what a clock that was days ahead told is not told again in another zone`() throws {
    let person = try Traveller()
    try person.store.put([try floating()])
    #expect(try person.take(through: days(8)) == ["a 2026-11-26T08:00:00Z"])
    try person.setBack(to: midnight)
    try person.fly(at: days(1))
    #expect(try person.take(through: days(9)).isEmpty)
    #expect(try person.store.nextAlarm() == nil)
  }

  @Test func `nor is that of an occurrence whose words alone have changed since`() throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")]
    try person.store.put([EventSeries(calendar: personal, master: event)])
    #expect(try person.take(through: days(8)).count == 2)
    try person.setBack(to: midnight)
    var override = try #require(try floating(summary: "b").master)
    override.recurrenceID = event.start
    try person.store.put([EventSeries(calendar: personal, master: event, overrides: [override])])
    try person.fly(at: days(1))
    #expect(try person.take(through: days(9)).isEmpty)
  }

  @Test func `it is not said to be coming, either`() throws {
    let person = try Traveller()
    try person.store.put([try floating()])
    _ = try person.take(through: days(8))
    try person.setBack(to: midnight)
    try person.fly(at: days(1))
    let planned = try person.store.plannedAlarms(
      of: EventUID("a"), in: personal, recurrenceID: nil, limit: 5)
    #expect(planned.isEmpty)
    let walk = try #require(
      try person.store.plannedWalk(after: days(1), through: days(9), limit: 10))
    while try walk.next() {}
    #expect(walk.alarms == [])
  }

  @Test func `the second of two times at which the clock shows the same is told, too`() throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.start = .zoned(try CivilDateTime(text: "2026-10-25T02:30"), zone: "Europe/Berlin")
    event.recurrence.added = [
      AddedDate(start: .utc(try Timestamp(text: "2026-10-25T01:30:00Z")))
    ]
    try person.store.put([EventSeries(calendar: personal, master: event)], now: days(-40))
    #expect(
      try person.take(through: days(0)) == ["a 2026-10-25T00:30:00Z", "a 2026-10-25T01:30:00Z"])
  }

  @Test func `a time that the clock leaves out where one flies is the same one`() throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.start = .floating(try CivilDateTime(text: "2027-03-13T02:30"))
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")]
    try person.store.put([EventSeries(calendar: personal, master: event)])
    #expect(try person.take(through: days(140)).count == 2)
    try person.setBack(to: days(100))
    // On the 14th New York has no 2:30, and shows 3:30.
    try person.fly(at: days(100))
    #expect(try person.take(through: days(140)).isEmpty)
  }

  @Test func `an event that was moved since is told at its new time`() throws {
    let person = try Traveller()
    try person.store.put([try floating()])
    _ = try person.take(through: days(8))
    try person.setBack(to: midnight)
    try person.store.put([try floating(hour: 7)], now: midnight)
    try person.fly(at: days(1))
    #expect(try person.take(through: days(9)) == ["a 2026-11-26T12:00:00Z"])
  }

  @Test func `each repeat of an alarm is a time of its own`() throws {
    let person = try Traveller()
    var series = try floating()
    var event = try #require(series.master)
    // The last two fall where the first one does in New York, and after it.
    event.alarms[0].repeatCount = 7
    event.alarms[0].repeatInterval = CalendarDuration(seconds: 3600)
    series = EventSeries(calendar: personal, master: event)
    try person.store.put([series])
    #expect(try person.take(through: days(5, 9)).count == 2)
    try person.setBack(to: midnight)
    try person.fly(at: days(1))
    #expect(
      try person.take(through: days(9))
        == (16...21).map { "a 2026-11-26T\($0):00:00Z" })
  }

  @Test func `what nobody was told, since the clock was ahead, is told in the other zone`() throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=3")]
    try person.store.put([EventSeries(calendar: personal, master: event)])
    var taken = try person.store.takeDue(through: days(6, 9), limit: 10)
    #expect(taken.count == 2)
    for index in taken.indices { taken[index].state = .closed(.missed) }
    try person.store.record(taken, at: days(6, 9))
    // The clock is right again when the second has passed in Berlin, and is to come in New York.
    try person.fly(at: days(6, 9))
    try person.setBack(to: days(6, 8).adding(seconds: 1800))
    #expect(
      try person.take(through: days(9)) == ["a 2026-11-27T14:00:00Z", "a 2026-11-28T14:00:00Z"])
  }

  @Test func `an event that was away during the flight is told once`() throws {
    let person = try Traveller()
    try person.store.put([try floating()])
    #expect(try person.take(through: days(5, 8)).count == 1)
    try person.store.remove("a", now: days(5, 9))
    try person.fly(at: days(5, 10))
    _ = try person.store.undo(now: days(5, 11))
    #expect(try person.take(through: days(9)).isEmpty)
  }

  @Test func `what was told, and acknowledged in another program, is not told again`() throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")]
    try person.store.put([EventSeries(calendar: personal, master: event)])
    #expect(try person.take(through: days(5, 8)) == ["a 2026-11-26T08:00:00Z"])
    event.alarms[0].acknowledged = days(5, 9)
    try person.store.put([EventSeries(calendar: personal, master: event)], now: days(5, 9))
    try person.fly(at: days(5, 10))
    #expect(try person.take(through: days(9)) == ["a 2026-11-27T14:00:00Z"])
  }

  @Test func `a pending reminder stays when its event gets another title in another zone`() throws {
    let person = try Traveller()
    try person.store.put([try floating()])
    var taken = try person.store.takeDue(through: days(5, 8), limit: 10)
    taken[0].state = .delivered
    try person.store.record(taken, at: days(5, 8))
    try person.fly(at: days(5, 9))
    try person.store.put([try floating(summary: "b")], now: days(5, 10))
    #expect(try person.store.pendingReminders().count == 1)
    try person.store.put([try floating(hour: 8)], now: days(5, 10))
    #expect(try person.store.pendingReminders().isEmpty)
  }

  @Test func `one that moves takes no place from another, of the instant at which it was told`()
    throws
  {
    let person = try Traveller()
    func event(_ time: String) throws -> EventSeries {
      let clock = try CivilDateTime(text: "2026-11-26T\(time)")
      var event = Event(uid: EventUID("a"), start: .floating(clock))
      event.end = .duration(CalendarDuration(seconds: 3600))
      event.alarms = [430, 60].map { minutes in
        Alarm(id: "\(minutes)", trigger: .fromStart(CalendarDuration(seconds: -minutes * 60)))
      }
      return EventSeries(calendar: personal, master: event)
    }
    try person.store.put([event("12:00")])
    // By the clock of Berlin the second rang where the first would have in New York, ten minutes later.
    let now = days(5, 10)
    var taken = try person.store.takeDue(through: now, limit: 10)
    try #require(taken.map(\.key.trigger) == [now.adding(seconds: -370 * 60), now])
    for index in taken.indices { taken[index].state = .delivered }
    try person.store.record(taken, at: now)
    try person.fly(at: now)
    try person.store.put([event("12:10")], now: now.adding(seconds: 60))
    #expect(
      try person.store.pendingReminders().map { "\($0.key.alarm) \($0.due)" } == ["430 \(now)"])
    #expect(try person.take(through: days(5, 15)).isEmpty)
    #expect(try person.take(through: days(5, 17)) == ["a 2026-11-26T16:10:00Z"])
  }
}
