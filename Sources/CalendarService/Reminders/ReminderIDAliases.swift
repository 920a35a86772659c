import CalendarModel
import CalendarStore
import Reminders

/// What reminders were called when programs heard of them last, by what they are called now.
///
/// One that its hidden calendar or the like keeps from waiting goes along with its event as well, and nobody is told so:
///
///     a    told to be over, as its calendar is hidden
///     b    its event moves; nobody hears of it
///     c    it moves once more, and its calendar is shown: c waits, which was a
///
/// This is known as long as an agent runs: whoever sees another one reads anew what waits.
struct ReminderIDAliases {
  private struct Entry {
    let former: String
    /// Which call of ``ReminderIDAliases/follow(_:)`` it is of.
    let round: Int
  }

  /// Of those that nobody was told of yet.
  private var entries: [String: Entry] = [:]
  private var round = 0

  /// Where there are more, those of the last calls are kept, at most half as many, or all of the last one where those
  /// are more.
  ///
  /// What becomes too old while it is hidden never comes back, and nobody says so; what is removed may, as that is
  /// taken back. One that is not known any more comes back without what it was called.
  static let maximum = 20_000

  /// What those are called now of which it is known.
  var ids: Set<String> { Set(entries.keys) }

  /// Takes in what changes, one after the other, have renamed.
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

  /// Forgets what those were called that changes have reopened and that are told as due, not as returned: programs know
  /// them from then on.
  mutating func forgetDue(_ all: [ChangeSet], by scheduler: ReminderScheduler) {
    if entries.isEmpty { return }
    for reminder in all.lazy.flatMap(\.reopenedReminders) where entries[reminder.id] != nil {
      let isBack = reminder.state == .due || scheduler.stillWaits(reminder) == nil
      if isBack, scheduler.pending(id: reminder.id) != nil { entries[reminder.id] = nil }
    }
  }

  /// Returns what one was called that programs are told of now; nil where it is called so still. It is said once.
  mutating func take(_ id: String) -> String? { entries.removeValue(forKey: id)?.former }
}
