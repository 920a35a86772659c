import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

/// Zones whose rules a test can replace, as an update of the zone data does.
private final class ChangingZones: Zones {
  /// Names with the zone whose rules they have now.
  private(set) var data: [String: String] = [:]
  /// Another one after each update.
  private(set) var version: Int64 = 0

  func update(_ name: String, to other: String) {
    data[name] = other
    version += 1
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    try FixedZones.shared.rules(named: data[name] ?? name)
  }
}

/// An agent that travels, is stopped and started, and writes down what it tells.
private final class Journey {
  private let fixture: StoreFixture
  private let zones = ChangingZones()
  private var zone: String
  private(set) var store: EventStore
  private(set) var now: Timestamp
  /// How often each alarm of each occurrence was told: by uid, alarm and the reading
  /// of the clock of its event.
  private(set) var told: [String: Int] = [:]

  init(zone: String, now: Timestamp) throws {
    fixture = try StoreFixture()
    self.zone = zone
    self.now = now
    store = try fixture.open()
    store.close()
    store = try fixture.open(
      local: { FixedZones.shared[zone] }, zones: zones)
    try store.replanAlarms(after: now, by: mark)
    try reopen()
  }

  private var mark: PlannedZone { PlannedZone(name: zone, fingerprint: zones.version) }

  /// Stops and starts, as the agent does.
  func reopen() throws {
    store.close()
    store = try fixture.open(
      local: { [unowned self] in FixedZones.shared[zones.data[zone] ?? zone] }, zones: zones)
    if let planned = try store.plannedZone(), planned != mark {
      let isDataNew = planned.fingerprint != mark.fingerprint
      try store.replanAlarms(after: now, by: mark, isDataNew: isDataNew)
    }
    try look()
  }

  func fly(to zone: String, isRunning: Bool) throws {
    self.zone = zone
    guard isRunning else { return try reopen() }
    try store.replanAlarms(after: now, by: mark)
    try look()
  }

  /// A zone gets the rules of another.
  func update(_ name: String, to other: String, isRunning: Bool) throws {
    zones.update(name, to: other)
    guard isRunning else { return try reopen() }
    try store.replanAlarms(after: now, by: mark, isDataNew: true)
    try look()
  }

  /// The clock is set, as the agent finds it.
  func set(to instant: Timestamp) throws {
    now = instant
    if try store.latestAlarmInstant() > now { try store.replanAlarms(after: now) }
    try look()
  }

  func pass(until instant: Timestamp) throws {
    while let next = try store.nextAlarm(), next <= instant {
      now = max(now, next)
      try look()
    }
    now = instant
  }

  private func look() throws {
    for reminder in try store.takeDue(through: now, limit: 10_000) {
      told["\(reminder.key.uid) \(reminder.key.alarm) \(try reading(reminder))", default: 0] += 1
    }
  }

  /// An occurrence by the day of its start, on its own clock.
  private func reading(_ reminder: Reminder) throws -> String {
    let id = reminder.key.recurrenceID
    guard id.utf8.count == 16 else { return String(id.prefix(8)) }
    let rules = try zones.rules(named: "Europe/Kyiv")
    return rules.reading(at: try Timestamp(text: id)).date.basicText
  }
}

@Suite struct `Journeys` {
  private let places = [
    "Pacific/Kiritimati", "Asia/Tokyo", "Asia/Kolkata", "Europe/Berlin", "Europe/London",
    "America/St_Johns", "America/New_York", "America/Los_Angeles", "Pacific/Pago_Pago",
  ]

  /// Each has several alarms at some distance before and after the start.
  private func events(from day: CivilDate, days: Int) throws -> [EventSeries] {
    let nine = try CivilDateTime(text: "\(day)T09:00")
    let starts: [(String, EventTime)] = [
      ("floating", .floating(nine)),
      ("all-day", .date(day)),
      ("zoned", .zoned(nine, zone: "Europe/Kyiv")),
    ]
    return try starts.map { uid, start in
      var event = Event(uid: EventUID(uid), start: start)
      event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=\(days)")]
      event.alarms = [-7200, -600, 0, 3 * 3600, 11 * 3600].enumerated().map { index, seconds in
        Alarm(
          id: "\(index)", trigger: .fromStart(CalendarDuration(seconds: Int64(seconds))),
          repeatCount: index == 2 ? 1 : 0, repeatInterval: CalendarDuration(seconds: 1800))
      }
      return EventSeries(calendar: personal, master: event)
    }
  }

  /// What each alarm of each occurrence is to be told in the end.
  private func expected(from day: CivilDate, days: Int) throws -> [String: Int] {
    var expected: [String: Int] = [:]
    for uid in ["floating", "all-day", "zoned"] {
      for number in 0..<days {
        for alarm in 0..<5 {
          let date = try #require(day.adding(days: number))
          expected["\(uid) \(alarm) \(date.basicText)"] = alarm == 2 ? 2 : 1
        }
      }
    }
    return expected
  }

  @Test(arguments: 1...rounds(3, long: 12))
  func `each occurrence's alarm is told exactly once, wherever one goes`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let day = try CivilDate(text: "2026-11-23")
    let journey = try Journey(zone: "Europe/London", now: midnight)
    try journey.store.put(try events(from: day, days: 6), now: midnight)
    let end = midnight.adding(seconds: 11 * 86_400)
    while journey.now < end {
      try journey.pass(
        until: journey.now.adding(seconds: Int64.random(in: 0...40_000, using: &random)))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: try journey.reopen()
      case 1:
        try journey.update(
          "Europe/Kyiv",
          to: ["Europe/London", "Europe/Kyiv", "Asia/Kolkata"].randomElement(
            using: &random) ?? "Europe/Kyiv", isRunning: Bool.random(using: &random))
      case 2:
        // It runs days ahead, and is set right, maybe after some hours and somewhere else.
        let ahead = Int64.random(in: 1...400_000, using: &random)
        try journey.set(to: journey.now.adding(seconds: ahead))
        if Bool.random(using: &random) {
          try journey.fly(to: places.randomElement(using: &random) ?? "Asia/Tokyo", isRunning: true)
        }
        try journey.set(to: journey.now.adding(seconds: -ahead))
      case let way:
        let place = places.randomElement(using: &random) ?? "Europe/London"
        try journey.fly(to: place, isRunning: way > 3)
      }
    }
    try journey.pass(until: end.adding(seconds: 5 * 86_400))
    let (told, wanted) = (journey.told, try expected(from: day, days: 6))
    for name in Set(told.keys).union(wanted.keys).sorted() {
      #expect(told[name] == wanted[name], "\(name), seed \(seed)")
    }
  }
}
