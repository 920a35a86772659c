import CalendarModel
import CivilTime

/// The alarms of a series that have passed, to which reminders of moved occurrences belong.
///
/// A dense series may have thousands of both. So each alarm is given to one reminder, is asked for once
/// whether its occurrence is new, and once whether it was delivered; and the one that is nearest is found
/// without a look at the others.
struct ElapsedAlarms {
  private struct Name: Hashable {
    let alarm: String
    let recurrenceID: String
  }

  private let alarms: [OccurrenceAlarm]
  /// Their places, by the alarm's name and the occurrence's, which has more than one where it repeats.
  private var named: [Name: [Int]] = [:]
  /// The places of those of occurrences that have names which the series did not have, by the alarm's
  /// name, in the order of starts. nil until it is asked for: mostly the names stay.
  private var renamed: [String: [Int]]?
  /// Their places, by the occurrence's name; as many in one as that has alarms. nil until it is asked
  /// for: mostly an event has alarms of its own before and after, or none.
  private var byOccurrence: [String: [Int]]?
  private let isNew: (OccurrenceAlarm) -> Bool

  /// - Parameters:
  ///   - alarms: in the order of their instants.
  ///   - isNew: whether the series before the change had no occurrence of that name.
  init(_ alarms: [OccurrenceAlarm], isNew: @escaping (OccurrenceAlarm) -> Bool) {
    self.alarms = alarms
    self.isNew = isNew
    named = Dictionary(grouping: alarms.indices) {
      Name(alarm: alarms[$0].alarm.id, recurrenceID: alarms[$0].recurrenceID)
    }
  }

  var isEmpty: Bool { alarms.isEmpty }

  /// Takes the alarm that a reminder is of now; nil where there is none. What was delivered already is
  /// skipped, and is of no other either.
  ///
  /// - Parameters:
  ///   - isNamedSo: whether the series has an occurrence of the reminder's name still.
  ///   - isTold: whether an alarm was delivered under another name.
  mutating func take(
    for reminder: Reminder, isNamedSo: Bool,
    isTold: (OccurrenceAlarm) throws(StoreError) -> Bool
  ) throws(StoreError) -> OccurrenceAlarm? {
    let key = reminder.key
    let name = Name(alarm: key.alarm, recurrenceID: key.recurrenceID)
    // A to-do has no occurrences.
    if named[name] != nil {
      return try take(nearestTo: reminder, from: &named[name, default: []], isTold)
    }
    if isNamedSo {
      var places = ofOthers(than: key)
      return try take(nearestTo: reminder, from: &places, isTold)
    }
    // What is told for no occurrence alone is of none.
    if key.recurrenceID.isEmpty { return nil }
    var places = renamed ?? gatherRenamed()
    renamed = nil
    defer { renamed = places }
    return try take(nearestTo: reminder, from: &places[key.alarm, default: []], isTold)
  }

  /// Returns the places of the alarms of an occurrence that an event has of its own now, where a
  /// reminder was raised by a default, or the other way: they stand for each other.
  private mutating func ofOthers(than key: ReminderKey) -> [Int] {
    let isDefault = DefaultAlarms.isDefault(key.alarm)
    let all = byOccurrence ?? Dictionary(grouping: alarms.indices) { alarms[$0].recurrenceID }
    byOccurrence = all
    return (all[key.recurrenceID] ?? []).filter {
      DefaultAlarms.isDefault(alarms[$0].alarm.id) != isDefault
    }
  }

  private func gatherRenamed() -> [String: [Int]] {
    var gathered: [String: [Int]] = [:]
    for (name, places) in named where !name.recurrenceID.isEmpty {
      if let first = places.first, isNew(alarms[first]) {
        gathered[name.alarm, default: []] += places
      }
    }
    return gathered.mapValues { places in
      places.sorted { (start(of: $0), $0) < (start(of: $1), $1) }
    }
  }

  private func start(of place: Int) -> Timestamp { alarms[place].occurrence.span.start }

  private func place(_ index: Int) -> AlarmPlace {
    AlarmPlace(start: start(of: index), instant: alarms[index].instant)
  }

  /// - Parameter places: in the order of starts.
  private func take(
    nearestTo reminder: Reminder, from places: inout [Int],
    _ isTold: (OccurrenceAlarm) throws(StoreError) -> Bool
  ) throws(StoreError) -> OccurrenceAlarm? {
    let wanted = AlarmPlace(start: reminder.span.start, instant: reminder.key.trigger)
    while let nearest = places.nearest(to: wanted, place) {
      let alarm = alarms[places.remove(at: nearest)]
      if try !isTold(alarm) { return alarm }
    }
    return nil
  }
}
