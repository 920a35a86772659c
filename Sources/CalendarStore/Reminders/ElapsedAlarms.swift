import CalendarModel
import CivilTime

/// The past alarms of a series, to which reminders of moved occurrences are assigned.
///
/// A dense series may have thousands of both. So each alarm is assigned to one reminder, is checked
/// once for whether its occurrence is new and once for whether it was delivered, and the nearest
/// one is found by binary search.
struct ElapsedAlarms {
  private struct Name: Hashable {
    let alarm: String
    let recurrenceID: String
  }

  private let alarms: [OccurrenceAlarm]
  /// Indexes of alarms by alarm and occurrence; several if the alarm repeats.
  private var named: [Name: [Int]] = [:]
  /// Indexes of alarms of newly named occurrences by alarm, sorted by start; nil until needed.
  private var renamed: [String: [Int]]?
  /// Indexes of alarms by occurrence; nil until needed.
  ///
  /// Needed only if an event has got alarms of its own in place of defaults, or the other way
  /// round.
  private var byOccurrence: [String: [Int]]?
  private let isNew: (OccurrenceAlarm) -> Bool

  /// Prepares the search.
  ///
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

  /// Takes the alarm that a reminder belongs to now; nil if there is none.
  ///
  /// Delivered alarms are skipped, and not given to another reminder either.
  ///
  /// - Parameters:
  ///   - isNamedSo: whether the series still has an occurrence with the reminder's name.
  ///   - isTold: whether an alarm was delivered under another key.
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
    // A reminder for no particular occurrence cannot follow one.
    if key.recurrenceID.isEmpty { return nil }
    var places = renamed ?? gatherRenamed()
    renamed = nil
    defer { renamed = places }
    return try take(nearestTo: reminder, from: &places[key.alarm, default: []], isTold)
  }

  /// Returns the indexes of own alarms where a default raised the reminder, or the other way round.
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

  /// Takes the nearest alarm that was not delivered.
  ///
  /// - Parameter places: sorted by start.
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
