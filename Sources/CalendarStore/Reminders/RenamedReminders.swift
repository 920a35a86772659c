import CalendarModel
import CivilTime

/// The present reminders of a split-off series that an undo merges back, to look them up.
struct RenamedReminders {
  /// By alarm, sorted by start.
  private var waiting: [String: [Reminder]]

  init(_ reminders: [Reminder]) {
    waiting = Dictionary(grouping: reminders, by: \.key.alarm).mapValues { reminders in
      reminders.sorted { $0.span.start < $1.span.start }
    }
  }

  /// Takes the present state of a reminder; nil if it is unknown.
  ///
  /// It is the nearest one, since the series may have moved when it was split off. Each is taken
  /// once.
  mutating func take(for reminder: Reminder) -> Reminder? {
    let alarm = reminder.key.alarm
    guard let index = waiting[alarm]?.nearest(to: reminder.place, \.place) else { return nil }
    return waiting[alarm]?.remove(at: index)
  }
}

extension Reminder {
  fileprivate var place: AlarmPlace { AlarmPlace(start: span.start, instant: key.trigger) }
}
