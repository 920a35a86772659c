import CalendarModel
import CivilTime

/// Reminders that moved to another series, in their present state: those of a part that an edit had split
/// off, and that an undo joins to its series again.
struct RenamedReminders {
  /// By the alarm's name, in the order of starts.
  private var waiting: [String: [Reminder]]

  init(_ reminders: [Reminder]) {
    waiting = Dictionary(grouping: reminders, by: \.key.alarm).mapValues { reminders in
      reminders.sorted { $0.span.start < $1.span.start }
    }
  }

  /// Takes what has become of a reminder; nil where it is not known. The part may have been moved as it was
  /// split off: the nearest is meant, and each is of one alone.
  mutating func take(for reminder: Reminder) -> Reminder? {
    let alarm = reminder.key.alarm
    guard let index = waiting[alarm]?.nearest(to: reminder.place, \.place) else { return nil }
    return waiting[alarm]?.remove(at: index)
  }
}

extension Reminder {
  fileprivate var place: AlarmPlace { AlarmPlace(start: span.start, instant: key.trigger) }
}
