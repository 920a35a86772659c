import CalendarModel
import CivilTime

/// Chooses which reminder is delivered when several of one occurrence are due at one instant.
///
/// A reminder of an absolute alarm of a series names no occurrence. It counts for the occurrence
/// that begins when it does; if there are two, for the first one added.
struct ReminderDeduplicator {
  /// The start of an event and the instant at which its reminder is due.
  private struct Place: Hashable {
    let calendar: CalendarID
    let uid: EventUID
    let start: Timestamp
    let due: Timestamp

    init(_ reminder: Reminder) {
      calendar = reminder.key.calendar
      uid = reminder.key.uid
      start = reminder.span.start
      due = reminder.due
    }
  }

  /// The reminder to deliver for one occurrence.
  private struct Telling {
    /// "" while all its reminders name no occurrence.
    var recurrenceID: String
    var told: Reminder
  }

  /// Mostly one for each key: an override may begin when another occurrence does.
  private var tellings: [Place: [Telling]] = [:]

  /// Adds a reminder.
  ///
  /// A reminder that is due anyway is delivered in place of all whose snooze ends. Of several whose
  /// snooze ends, the one with the latest trigger is delivered.
  ///
  /// - Parameter isReturning: Whether its snooze ends now.
  mutating func add(_ reminder: Reminder, isReturning: Bool) {
    let name = reminder.key.recurrenceID
    var there = tellings[Place(reminder)] ?? []
    if let index = there.firstIndex(where: { $0.recurrenceID == name })
      ?? there.firstIndex(where: { $0.recurrenceID.isEmpty || name.isEmpty })
    {
      if there[index].recurrenceID.isEmpty { there[index].recurrenceID = name }
      let other = there[index].told
      let isSecond = other.state != .snoozed || other.key.trigger > reminder.key.trigger
      if !isReturning || !isSecond { there[index].told = reminder }
    } else {
      there.append(Telling(recurrenceID: name, told: reminder))
    }
    tellings[Place(reminder)] = there
  }

  /// Returns whether a reminder is delivered, instead of being acknowledged through another one.
  func tells(_ reminder: Reminder) -> Bool {
    (tellings[Place(reminder)] ?? []).contains { $0.told.id == reminder.id }
  }
}
