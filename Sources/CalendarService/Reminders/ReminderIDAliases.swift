import CalendarModel
import CalendarStore
import Reminders

/// The last announced IDs of reminders, by their present IDs.
///
/// A reminder that is not pending, since its calendar is hidden for example, moves with its event
/// without an announcement:
///
///     a    announced as over, since its calendar is hidden
///     b    its event moves; nothing is announced
///     c    it moves again, and its calendar is shown: c is pending, and was a
///
/// This is lost when the agent ends: clients of a new agent read the pending reminders again.
struct ReminderIDAliases {
  private struct Entry {
    let former: String
    /// The number of the call of ``ReminderIDAliases/follow(_:)`` that made it.
    let round: Int
  }

  /// The aliases that were not announced yet.
  private var entries: [String: Entry] = [:]
  private var round = 0

  /// The most aliases; if there are more, about half of them stay, or all of the last call.
  ///
  /// A reminder whose alias was dropped comes back without its former ID.
  static let maximum = 20_000

  /// The present IDs that have an alias.
  var ids: Set<String> { Set(entries.keys) }

  /// Adds the reminders that some changes have renamed, in their order.
  mutating func follow(_ all: [ChangeSet]) {
    round += 1
    for changes in all where !changes.formerIDs.isEmpty {
      let firsts = changes.formerIDs.mapValues { entries[$0]?.former ?? $0 }
      for former in changes.formerIDs.values { entries[former] = nil }
      for (id, first) in firsts {
        entries[id] = first == id ? nil : Entry(former: first, round: round)
      }
    }
    if entries.count > ReminderIDAliases.maximum { dropOldest() }
  }

  private mutating func dropOldest() {
    let rounds = entries.values.map(\.round).sorted()
    let last = rounds[rounds.count - ReminderIDAliases.maximum / 2]
    entries = entries.filter { $0.value.round > last || $0.value.round == round }
  }

  /// Forgets the aliases of reopened reminders that are announced as due, with their present IDs.
  mutating func forgetDue(_ all: [ChangeSet], by scheduler: ReminderScheduler) {
    if entries.isEmpty { return }
    for reminder in all.lazy.flatMap(\.reopenedReminders) where entries[reminder.id] != nil {
      let isBack = reminder.state == .due || scheduler.stillWaits(reminder) == nil
      if isBack, scheduler.pending(id: reminder.id) != nil { entries[reminder.id] = nil }
    }
  }

  /// Removes and returns the former ID of a reminder; nil if it has not changed.
  mutating func take(_ id: String) -> String? { entries.removeValue(forKey: id)?.former }
}
