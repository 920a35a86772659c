import CalendarModel
import CivilTime

// The snoozes that end.
extension ReminderQueue {
  /// When the first snooze ends; nil if there is none that ends by the clock.
  var nextReturn: Timestamp? {
    snoozes.values.min().flatMap { $0 < Reminder.untilUnlocked ? $0 : nil }
  }

  /// Whether a snooze lasts until the session is unlocked.
  var waitsForUnlock: Bool { snoozes.values.contains(Reminder.untilUnlocked) }

  /// The snoozes that have ended, as the ledger should know them before they are
  /// told: due once more. The soonest first, and no more than `limit`.
  ///
  /// What one occurrence would ring twice at one moment is told once, as what its alarms do: of several snoozes
  /// of it that end together, or with an alarm of it, the others are answered with the one that is told.
  ///
  ///     15 min before    snoozed ──────────┐
  ///      5 min before            snoozed ──┴── told, and the other acknowledged
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
        // It is not told, and what was asked for is.
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
