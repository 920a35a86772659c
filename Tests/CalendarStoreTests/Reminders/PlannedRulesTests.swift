import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

/// The fixed zones under other names, which a test gives and takes.
private final class NamedZones: Zones {
  var names: [String: String]

  init(_ names: [String: String] = [:]) {
    self.names = names
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    guard let zone = names[name] else { throw .unknownZone(name: name) }
    return try FixedZones.shared.rules(named: zone)
  }
}

/// At 9:00 on the day of ``midnight``, by the clock of a zone.
private func nine(_ uid: String, in zone: String) throws -> EventSeries {
  var event = Event(
    uid: EventUID(uid), start: .zoned(try CivilDateTime(text: "2026-11-21T09:00"), zone: zone))
  event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
  return EventSeries(calendar: personal, master: event)
}

@Suite struct `The rules by which the alarms were planned` {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  /// The zones that have rules in the database, with how many hours they are ahead of UTC at ``midnight``.
  private func kept(_ store: EventStore) throws -> [String: Int32] {
    let row = try store.database.statement("SELECT name, rules FROM planned_zones")
    defer { row.reset() }
    var kept: [String: Int32] = [:]
    while try row.step() {
      let rules = try ZoneRules(name: row.text(0), tzif: row.octets(1))
      kept[row.text(0)] = rules.offset(at: midnight).seconds / 3600
    }
    return kept
  }

  private func due(_ store: EventStore, _ minutes: Int64) throws -> [String] {
    try store.takeDue(through: at(minutes), limit: 9).map { "\($0.key.uid) \($0.key.trigger)" }
  }

  @Test func `they come with the first series that names a zone, and go with the last`() throws {
    let zones = NamedZones(["Here/A": "Asia/Tokyo", "Here/B": "America/New_York"])
    let store = try fixture.open(zones: zones)
    #expect(try kept(store) == ["": 1])
    let event = try #require(try nine("a", in: "Here/A").master)
    var override = event
    override.recurrenceID = event.start
    override.end = .time(.zoned(try CivilDateTime(text: "2026-11-22T09:00"), zone: "Here/B"))
    let series = EventSeries(calendar: personal, master: event, overrides: [override])
    try store.put([series, try nine("b", in: "Here/Nowhere")])
    #expect(try kept(store) == ["": 1, "Here/A": 9, "Here/B": -5])
    try store.put([try nine("a", in: "Here/A")])
    zones.names["Here/A"] = "Europe/London"
    // Not before the alarms are planned anew.
    try store.put([try nine("c", in: "Here/A")])
    #expect(try kept(store) == ["": 1, "Here/A": 9, "Here/B": -5])
    try store.replanAlarms(after: midnight, isDataNew: true)
    #expect(try kept(store) == ["": 1, "Here/A": 0])
  }

  @Test func `a change that fails leaves none, and the next one brings them`() throws {
    let zones = NamedZones(["Here/A": "Asia/Tokyo"])
    let store = try fixture.open(zones: zones)
    #expect(throws: StoreError.self) {
      try store.put([
        try nine("a", in: "Here/A"), single("b", at: 1, calendar: CalendarID("none")),
      ])
    }
    #expect(try kept(store) == ["": 1])
    try store.put([try nine("a", in: "Here/A")])
    #expect(try kept(store) == ["": 1, "Here/A": 9])
    // What a process that is killed now leaves has both.
    let copy = try fixture.crashed().open(zones: zones)
    #expect(try kept(copy) == ["": 1, "Here/A": 9])
  }

  @Test func `undo brings them back with the event`() throws {
    let zones = NamedZones(["Here/A": "Asia/Tokyo", "Here/B": "America/New_York"])
    let store = try fixture.open(zones: zones)
    try store.put([try nine("a", in: "Here/A")])
    try store.put([try nine("a", in: "Here/B")])
    // Where a zone moves all events are read, and none names the first one.
    zones.names["Here/B"] = "America/Los_Angeles"
    try store.replanAlarms(after: midnight, isDataNew: true)
    #expect(try kept(store) == ["": 1, "Here/B": -8])
    _ = try store.undo(now: midnight)
    #expect(try kept(store)["Here/A"] == 9)
  }

  @Test func `those of a zone that is away stay until it is there again`() throws {
    let zones = NamedZones(["Here/A": "America/New_York"])
    var store = try fixture.open(zones: zones)
    try store.put([try nine("a", in: "Here/A")])
    zones.names = [:]
    store.close()
    store = try fixture.open(zones: zones)
    try store.replanAlarms(after: at(8 * 60), isDataNew: true)
    #expect(try due(store, 9 * 60).isEmpty)
    // It was to come at 14 UTC, and is at 8 by the new data.
    zones.names = ["Here/A": "Europe/Berlin"]
    store.close()
    store = try fixture.open(zones: zones)
    try store.replanAlarms(after: at(9 * 60), isDataNew: true)
    #expect(try due(store, 9 * 60) == ["a 2026-11-21T08:00:00Z"])
    #expect(try due(store, 99 * 60).isEmpty)
  }

  @Test(arguments: ["Europe/Berlin", "Europe/London"])
  func `one that was not installed has its first ones, whether another one moves or not`(
    other: String
  ) throws {
    let zones = NamedZones(["Here/B": "Europe/Berlin"])
    let store = try fixture.open(zones: zones)
    try store.put([try nine("a", in: "Here/A"), try nine("b", in: "Here/B")])
    zones.names = ["Here/A": "America/New_York", "Here/B": other]
    try store.replanAlarms(after: at(1), isDataNew: true)
    #expect(
      try kept(store) == ["": 1, "Here/A": -5, "Here/B": other == "Europe/London" ? 0 : 1])
    let second = other == "Europe/London" ? "09" : "08"
    #expect(
      try due(store, 99 * 60) == ["b 2026-11-21T\(second):00:00Z", "a 2026-11-21T14:00:00Z"])
  }

  @Test func `what came with events has the rules of now`() throws {
    let zones = NamedZones(["Here/A": "America/New_York"])
    let store = try fixture.open(zones: zones)
    try store.change(origin: .local, now: midnight) { change throws(StoreError) in
      try change.put(zone: "Here/A", component: "BEGIN:VTIMEZONE")
    }
    try store.put([try nine("a", in: "Here/A")])
    // It came once more under its name, and is another one.
    zones.names["Here/A"] = "Europe/Berlin"
    try store.put([try nine("a", in: "Here/A")], now: at(9 * 60))
    try store.replanAlarms(after: at(10 * 60), isDataNew: true)
    #expect(try due(store, 99 * 60).isEmpty)
  }

  @Test func `an older database gets those of now, as it is opened`() throws {
    let zones = NamedZones([
      "Here/A": "Asia/Tokyo", "Here/B": "America/New_York", "Here/C": "Asia/Kolkata",
      "Here/Home": "Asia/Dubai",
    ])
    var store = try fixture.open(zones: zones)
    var event = try #require(try nine("a", in: "Here/A").master)
    event.end = .time(.zoned(try CivilDateTime(text: "2026-11-22T09:00"), zone: "Here/B"))
    try store.put([
      EventSeries(calendar: personal, master: event), try nine("b", in: "Here/Nowhere"),
      single("c", at: 9),
    ])
    try store.replanAlarms(after: midnight, by: PlannedZone(name: "Here/Home", fingerprint: 0))
    try store.database.execute("DELETE FROM planned_zones")
    store.close()
    store = try fixture.open(zones: zones)
    #expect(try kept(store) == ["": 4, "Here/A": 9, "Here/B": -5])
  }

  @Test(arguments: [1, 2])
  func `an older database that comes with new data is planned anew by them`(starts: Int) throws {
    let zones = NamedZones(["Here/A": "America/New_York"])
    var store = try fixture.open(zones: zones)
    try store.put([try nine("a", in: "Here/A")])
    try store.database.execute("DELETE FROM planned_zones")
    store.close()
    zones.names["Here/A"] = "Asia/Tokyo"
    // An agent that ends before it has planned leaves that to the next one.
    for start in 1...starts {
      store = try fixture.open(zones: zones)
      if start < starts { store.close() }
    }
    try store.replanAlarms(after: midnight, isDataNew: true)
    #expect(try store.nextAlarm() == midnight)
    #expect(try !store.seriesRows.plannedRules.areGuessed())
  }

  @Test func `where they stay as they are no event with a clock of its own is read`() throws {
    let zones = NamedZones(["Here/A": "Asia/Tokyo"])
    let store = try fixture.open(zones: zones)
    try store.put([try nine("a", in: "Here/A")])
    // It cannot be read.
    try store.database.execute("UPDATE components SET alarms = '?'")
    zones.names = ["Here/A": "Asia/Tokyo", "Here/B": "Asia/Kolkata"]
    try store.replanAlarms(after: at(1), isDataNew: true)
    zones.names["Here/A"] = "Asia/Kolkata"
    #expect(throws: StoreError.self) { try store.replanAlarms(after: at(2), isDataNew: true) }
  }

  @Test func `rules that cannot be read are damage`() throws {
    let store = try fixture.open()
    try store.database.execute("UPDATE planned_zones SET rules = X'00'")
    #expect {
      try store.replanAlarms(after: midnight)
    } throws: { error in
      "\(error)".contains("the rules by which was planned")
    }
  }
}
