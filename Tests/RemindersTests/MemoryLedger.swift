import CalendarModel
import CivilTime
import Reminders

/// A ledger in memory, which fails when it is told to.
final class MemoryLedger: ReminderLedger {
  enum Fault: Error {
    case refused
  }

  /// How it fails, if it does.
  enum Mood {
    case well
    /// Each call throws and changes nothing.
    case failing
    /// Each write is done, and throws all the same.
    case failingAfterWrites
    /// It says that an alarm is due, and gives none.
    case stuck
  }

  var mood = Mood.well
  /// What is to fall due.
  var plan: [Reminder] = []
  /// Every reminder that ever fell due, by its identifier.
  private(set) var rows: [String: Reminder] = [:]
  /// How many were missed that nobody has been shown.
  private(set) var missed = 0
  /// How often it was asked for anything.
  private(set) var calls = 0
  /// How often states were written.
  private(set) var records = 0

  func nextAlarm() throws -> Timestamp? {
    try enter()
    return plan.map(\.due).min()
  }

  func takeDue(through now: Timestamp, limit: Int) throws -> [Reminder] {
    try enter()
    if mood == .stuck { return [] }
    var taken: [Reminder] = []
    plan.sort { ($0.due, $0.summary, $0.id) < ($1.due, $1.summary, $1.id) }
    while taken.count < limit, let first = plan.first, first.due <= now {
      plan.removeFirst()
      guard rows[first.id] == nil else { continue }
      rows[first.id] = first
      taken.append(first)
    }
    try leave(wrote: !taken.isEmpty)
    return taken
  }

  func pendingReminders() throws -> [Reminder] {
    try enter()
    return rows.values.filter(\.isPending)
  }

  func reminder(id: String) throws -> Reminder? {
    try enter()
    return rows[id]
  }

  func record(_ reminders: [Reminder], at now: Timestamp) throws {
    try enter()
    records += 1
    for reminder in reminders { rows[reminder.id] = reminder }
    try leave(wrote: true)
  }

  /// Frees the key of a reminder.
  func forget(_ id: String) { rows[id] = nil }

  func unshownMissed() throws -> Int {
    try enter()
    return missed
  }

  func keep(unshownMissed count: Int) throws {
    try enter()
    missed = count
    try leave(wrote: true)
  }

  private func enter() throws {
    calls += 1
    if mood == .failing { throw Fault.refused }
  }

  private func leave(wrote: Bool) throws {
    if mood == .failingAfterWrites, wrote { throw Fault.refused }
  }
}

extension Reminder {
  /// A reminder of an event that begins a quarter of an hour after it and lasts
  /// an hour, or a day.
  static func sample(_ name: String, due: Timestamp, isAllDay: Bool = false) -> Reminder {
    let start = due.adding(seconds: 900)
    return Reminder(
      key: ReminderKey(
        calendar: CalendarID("personal"), uid: EventUID(name), recurrenceID: "", alarm: "1",
        trigger: due),
      summary: name, location: "", joinURL: "",
      span: TimeSpan(start: start, end: start.adding(seconds: isAllDay ? 86_400 : 3600)),
      isAllDay: isAllDay, isPrivate: false, state: .due, due: due, snoozes: 0, isMissed: false)
  }

  /// The same as another alarm of the event of a reminder.
  func of(_ other: Reminder) -> Reminder {
    Reminder(
      key: ReminderKey(
        calendar: other.key.calendar, uid: other.key.uid, recurrenceID: other.key.recurrenceID,
        alarm: summary, trigger: key.trigger),
      summary: summary, location: location, joinURL: joinURL, span: other.span,
      isAllDay: other.isAllDay, isPrivate: isPrivate, state: state, due: due, snoozes: snoozes,
      isMissed: isMissed)
  }
}
