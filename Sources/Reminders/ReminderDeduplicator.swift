import CalendarModel
import CivilTime

/// Chooses which reminder is delivered when several of one occurrence are due at one instant.
///
/// What an absolute alarm of a series raises names no occurrence: it is of the one that begins when its own
/// does, and of two such ones of the first that comes.
struct ReminderDeduplicator {
  /// A moment at which is told of what begins at a moment.
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

  /// One occurrence.
  private struct Telling {
    /// "" as long as there are only reminders that name none.
    var recurrenceID: String
    var told: Reminder
  }

  /// Mostly one: an override may begin when another occurrence does.
  private var tellings: [Place: [Telling]] = [:]

  /// Takes a reminder in. Of several that come back the one is told whose alarm is the last, and one that
  /// is told anyway before all of them.
  ///
  /// - Parameter isReturning: whether it is a snooze that ends.
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

  /// Whether a reminder is told, and not answered with another one.
  func tells(_ reminder: Reminder) -> Bool {
    (tellings[Place(reminder)] ?? []).contains { $0.told.id == reminder.id }
  }
}
