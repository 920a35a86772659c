import CalendarModel
import CalendarStore

/// What reminders were called when programs heard of them last, by what they are called now.
///
/// One that its hidden calendar or the like keeps from waiting goes along with its event as well, and nobody is told so:
///
///     a    told to be over, as its calendar is hidden
///     b    its event moves; nobody hears of it
///     c    it moves once more, and its calendar is shown: c waits, which was a
///
/// This is known as long as an agent runs: whoever sees another one reads anew what waits.
struct FormerNames {
  /// Of those that do not wait yet.
  private var names: [String: String] = [:]

  /// Takes in what changes, one after the other, have renamed.
  ///
  /// - Returns: what those were called that wait again, by their identifiers now; without those that are called so
  ///   still.
  mutating func take(_ all: [ChangeSet]) -> [String: String] {
    for changes in all where !changes.formerIDs.isEmpty {
      let before = names
      for former in changes.formerIDs.values { names[former] = nil }
      for (id, former) in changes.formerIDs {
        let first = before[former] ?? former
        names[id] = first == id ? nil : first
      }
    }
    var returned: [String: String] = [:]
    for id in all.lazy.flatMap(\.reopenedReminders).map(\.id) {
      if let name = names.removeValue(forKey: id) { returned[id] = name }
    }
    return returned
  }
}
