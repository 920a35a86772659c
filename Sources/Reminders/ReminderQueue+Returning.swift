import CalendarModel
import CivilTime

// Snoozes that end.
extension ReminderQueue {
  /// When the first snooze ends; nil if none ends at a known time.
  var nextReturn: Timestamp? {
    snoozes.values.min().flatMap { $0 < Reminder.untilUnlocked ? $0 : nil }
  }

  /// Whether a snooze lasts until the session is unlocked.
  var waitsForUnlock: Bool { snoozes.values.contains(Reminder.untilUnlocked) }

  /// Returns the reminders whose snooze has ended, the soonest first, at most `limit`.
  ///
  /// The ledger records the returned states before anything is delivered. If several snoozes of one
  /// occurrence end together, or one ends together with an alarm of it, only one reminder is due
  /// again. The others become acknowledged.
  ///
  ///     15 min before    snoozed ──────────┐
  ///      5 min before            snoozed ──┴── delivered; the other is acknowledged
  func returning(at now: Timestamp, limit: Int) -> [Reminder] {
    guard let first = nextReturn, first <= now else { return [] }
    var ended: [Reminder] = []
    var told = ReminderDeduplicator()
    for name in order.names(after: DueOrder.Name(due: first, summary: "", id: "")) {
      let isFull = ended.count == limit
      if name.due > now || isFull && name.due > ended[limit - 1].due { break }
      guard let reminder = reminder(name) else { continue }
      let isReturning = snoozes[name.id] == name.due
      if isReturning {
        if isFull { continue }
        ended.append(reminder)
      } else if reminder.state == .due, policy.isTooOld(reminder, at: now) {
        // A reminder that is too old is not delivered, so it does not replace a snoozed one.
        continue
      }
      told.add(reminder, isReturning: isReturning)
    }
    return ended.map { reminder in
      var returned = reminder
      let isTold = told.tells(reminder)
      returned.state = isTold ? .due : .acknowledged
      if isTold { returned.isMissed = false }
      return returned
    }
  }
}
