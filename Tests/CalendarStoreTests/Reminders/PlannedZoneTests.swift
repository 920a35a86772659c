import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `By what the alarms were planned` {
  @Test func `it is written with the plan, replaced, and there after a restart`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    #expect(try store.plannedZone() == nil)
    for zone in [
      PlannedZone(name: "Europe/Berlin", fingerprint: .min),
      PlannedZone(name: "CET-1CEST,M3.5.0,M10.5.0/3", fingerprint: .max),
    ] {
      try store.replanAlarms(after: midnight, by: zone)
      #expect(try store.plannedZone() == zone)
    }
    try store.replanAlarms(after: midnight)
    store.close()
    let again = try fixture.open()
    #expect(try again.plannedZone()?.name == "CET-1CEST,M3.5.0,M10.5.0/3")
    #expect(try again.plannedZone()?.fingerprint == .max)
  }

  @Test func `the latest instant grows with each write, also to a restart`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    #expect(try store.latestAlarmInstant() == Timestamp(seconds: 0))
    try store.put([single("a", at: 100, reminders: [10, 0])], now: at(5))
    #expect(try store.latestAlarmInstant() == at(5).adding(seconds: -1))
    _ = try store.takeDue(through: at(95), limit: 9)
    #expect(try store.latestAlarmInstant() == at(90))
    try store.put([single("b", at: 100, reminders: [10])], now: at(3))
    #expect(try store.latestAlarmInstant() == at(90))
    store.close()
    #expect(try fixture.open().latestAlarmInstant() == at(90))
  }

  @Test func `a database that has not kept it is searched, until it is planned anew`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("a", at: 100, reminders: [10])], now: at(5))
    try store.database.execute("DELETE FROM meta WHERE name = 'alarms_through'")
    try store.put([single("b", at: 100, reminders: [10])], now: at(2))
    #expect(try store.latestAlarmInstant() == at(5).adding(seconds: -1))
    try store.replanAlarms(after: at(4))
    #expect(
      try store.number("SELECT value FROM meta WHERE name = 'alarms_through'") == at(4).seconds)
  }

  @Test func `a change that failed leaves it`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100)], now: at(5))
    #expect(throws: StoreError.self) {
      try store.put(
        [single("b", at: 1), single("c", at: 1, calendar: CalendarID("none"))], now: at(9))
    }
    try store.put([single("d", at: 100)], now: at(6))
    #expect(try store.latestAlarmInstant() == at(6).adding(seconds: -1))
  }
}
