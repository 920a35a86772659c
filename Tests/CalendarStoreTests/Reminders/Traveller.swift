import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

/// A store whose agent is in Berlin, until it flies to New York, six hours behind.
final class Traveller {
  private(set) var store: EventStore
  private let fixture: StoreFixture
  private let place: Place

  private final class Place: Zones {
    var zone = "Europe/Berlin"
    /// Zones with those whose rules new data give them.
    var data: [String: String] = [:]

    func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
      try FixedZones.shared.rules(named: data[name] ?? name)
    }
  }

  init() throws {
    fixture = try StoreFixture()
    let place = Place()
    self.place = place
    store = try Traveller.open(fixture, place)
    try store.replanAlarms(after: midnight, by: planned)
  }

  private var planned: PlannedZone { PlannedZone(name: place.zone, fingerprint: 0) }

  private static func open(_ fixture: StoreFixture, _ place: Place) throws -> EventStore {
    try fixture.open(
      local: { FixedZones.shared[place.data[place.zone] ?? place.zone] }, zones: place)
  }

  /// A zone gets the clock of another.
  ///
  /// - Parameters:
  ///   - isRunning: whether the agent sees that; else it is stopped, and started after that.
  ///   - zone: where it is then; nil: where it was.
  func update(
    _ name: String = "Europe/Berlin", to other: String = "Europe/London", at now: Timestamp,
    isRunning: Bool, in zone: String? = nil
  ) throws {
    place.data[name] = other
    place.zone = zone ?? place.zone
    if !isRunning {
      store.close()
      store = try Traveller.open(fixture, place)
    }
    try store.replanAlarms(after: now, by: planned, isDataNew: true)
  }

  /// - Parameter mistaken: when reminders became due in a wrong zone, which this one corrects.
  @discardableResult
  func fly(
    to zone: String = "America/New_York", at now: Timestamp,
    mistaken: ClosedRange<Timestamp>? = nil
  ) throws -> Replanned {
    place.zone = zone
    return try store.replanAlarms(after: now, by: planned, mistaken: mistaken)
  }

  /// What is told as the clock goes on, or is set, to an instant.
  func take(through now: Timestamp) throws -> [String] {
    try store.takeDue(through: now, limit: 100).map { "\($0.key.uid) \($0.key.trigger)" }
  }

  func setBack(to now: Timestamp) throws {
    #expect(try store.latestAlarmInstant() > now)
    try store.replanAlarms(after: now)
  }

  /// Takes what is due, and writes down that it is delivered.
  @discardableResult
  func deliver(at now: Timestamp) throws -> [Reminder] {
    let delivered = try store.takeDue(through: now, limit: 100).map { reminder in
      var reminder = reminder
      if reminder.state == .due { reminder.state = .delivered }
      return reminder
    }
    try store.record(delivered, at: now)
    return delivered
  }

  func record(_ reminder: Reminder, _ state: Reminder.State, at now: Timestamp) throws {
    var reminder = reminder
    reminder.state = state
    try store.record([reminder], at: now)
  }
}

/// Rings at its start: at 8 UTC in Berlin, at 14 in New York, five days after ``midnight``.
func floating(_ uid: String = "a", hour: Int = 9, summary: String = "") throws
  -> EventSeries
{
  let clock = try CivilDateTime(text: "2026-11-26T0\(hour):00")
  var event = Event(uid: EventUID(uid), start: .floating(clock), summary: summary)
  event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
  return EventSeries(calendar: personal, master: event)
}

/// The same on two days, on the clock of Berlin.
func berlinTwice(hour: Int) throws -> EventSeries {
  var event = try #require(try floating(hour: hour).master)
  event.start = .zoned(event.start.reading, zone: "Europe/Berlin")
  event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")]
  return EventSeries(calendar: personal, master: event)
}

func days(_ number: Int64, _ hour: Int64 = 0) -> Timestamp {
  midnight.adding(seconds: number * 86_400 + hour * 3600)
}
