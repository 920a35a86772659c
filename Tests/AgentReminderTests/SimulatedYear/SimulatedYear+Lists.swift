import CalendarModel
import CivilTime
import TestSupport

@testable import AgentSupport

// What is to ring, by the zones of each moment, of the events as they are since they were edited.

extension SimulatedYear {
  /// An event as it is since an edit.
  struct Version {
    let rules: Rules
    let from: Timestamp
    /// How many there were of ``watches`` and of ``moments`` by then.
    let watches: Int
    let moments: Int
  }

  /// What is to ring of one event.
  struct AlarmList {
    var byPlace: [Place: PlainAlarm] = [:]
    var byName: [String: PlainAlarm] = [:]
  }

  /// By what the person's events are placed.
  struct Rules: Hashable {
    let zone: String
    let data: Int
  }

  var rules: Rules { Rules(zone: zone, data: zones.version) }

  struct Place: Hashable {
    let alarm: String
    let trigger: Timestamp
  }

  func list(of uid: String, _ rules: Rules) -> AlarmList {
    if let list = lists[rules]?[uid] { return list }
    var list = AlarmList()
    let zones = ZoneData(version: rules.data)
    for alarm in year.events.first(where: { $0.uid == uid })?.alarms(in: rules.zone, by: zones)
      ?? []
    {
      let place = Place(alarm: alarm.alarm, trigger: alarm.trigger)
      if list.byPlace.updateValue(alarm, forKey: place) != nil {
        complain("the list is ambiguous: \(alarm)")
      }
      list.byName[alarm.name] = alarm
    }
    lists[rules, default: [:]][uid] = list
    return list
  }

  /// All that is to ring, by the clock of the person now.
  func alarms() -> [PlainAlarm] {
    year.events.flatMap { list(of: $0.uid, rules).byPlace.values }
  }

  func listed(_ key: ReminderKey) -> PlainAlarm? {
    list(of: key.uid.text, rules).byPlace[Place(alarm: key.alarm, trigger: key.trigger)]
  }

  func beginVersion(of uid: String) {
    versions[uid] = Version(
      rules: rules, from: clock.now, watches: watches.count, moments: moments.count)
  }

  func observe() {
    if isAlive { plan() }
    moments.append((rules, clock.now))
  }

  /// The alarms are planned by the zones of now. What was past when its event became what it is, and is to
  /// come in those, is past for ever, also where the clock is set back after that.
  func plan() {
    guard plannedRules != rules else { return }
    for event in year.events {
      let there = list(of: event.uid, rules).byName
      for alarm in list(of: event.uid, plannedRules).byPlace.values
      where alarm.trigger <= clock.now && !mustRing(alarm) {
        if let other = there[alarm.name], other.trigger > clock.now { past.insert(alarm.name) }
      }
    }
    plannedRules = rules
  }

  /// Whether an alarm was still to come when its event became what it is.
  func mustRing(_ alarm: PlainAlarm) -> Bool {
    guard let version = versions[alarm.uid],
      let first = list(of: alarm.uid, version.rules).byName[alarm.name]
    else { return false }
    return first.trigger >= version.from
  }

  /// Whether it was to come once more later on, as the clock was set or by another zone.
  func mayRing(_ alarm: PlainAlarm) -> Bool {
    if mustRing(alarm) { return true }
    guard let version = versions[alarm.uid] else { return false }
    return moments[version.moments...].contains { moment in
      list(of: alarm.uid, moment.rules).byName[alarm.name].map { $0.trigger >= moment.now } ?? false
    }
  }

  /// Whether it may be taken for past, as what was past when it was written is.
  func isPast(_ alarm: PlainAlarm) -> Bool {
    past.contains(alarm.name) || versions[alarm.uid] == nil
  }
}
