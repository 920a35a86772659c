import CalendarModel
import CalendarStore
import CivilTime
import Reminders
import TestSupport

@testable import AgentSupport

// When what waits says that its event is, and until when it is put off, wherever the person has flown.

extension SimulatedYear {
  /// What a snooze was asked to end with.
  enum SnoozeEnd { case start, end }

  /// Where the list has the occurrence of a reminder by the zones of now; nil where the event has been edited
  /// since. A to-do is at the moment at which it is due.
  func listedSpan(of reminder: Reminder) -> TimeSpan? {
    guard let name = known[reminder.id]?.name,
      let alarm = list(of: reminder.key.uid.text, rules).byName[name]
    else { return nil }
    let isToDo = year.events.first { $0.uid == alarm.uid }?.isToDo ?? false
    return TimeSpan(start: isToDo ? alarm.end : alarm.start, end: alarm.end)
  }

  /// What waits says when it is by the clock of the person, and what is put off until the start or the end of its event
  /// comes back then: in the ledger, and with the agent that runs.
  ///
  /// - Parameter what: what has just happened.
  func expectPlaced(after what: String) throws {
    guard isAlive, let store, let scheduler else { return }
    for (reminder, place) in try store.pendingReminders().map({ ($0, "in the ledger") })
      + scheduler.pending.map({ ($0, "with the agent") })
    {
      guard let listed = listedSpan(of: reminder) else { continue }
      count("spans compared after a " + what)
      let alarm = known[reminder.id]
      if reminder.span != listed {
        complain(
          "\(reminder.key) is at \(reminder.span) \(place) after a \(what) to \(zone), not \(listed)",
          alarm)
      }
      guard reminder.state == .snoozed, let end = snoozeEnd(of: reminder, listed) else { continue }
      count("snoozes until a start or an end compared after a " + what)
      if reminder.due != end {
        complain(
          "\(reminder.key) is put off until \(reminder.due) \(place) after a \(what) to \(zone), not \(end)",
          alarm)
      }
    }
  }

  /// When a snooze ends that is one until the start or the end of its event; nil for another.
  private func snoozeEnd(of reminder: Reminder, _ listed: TimeSpan) -> Timestamp? {
    switch snoozeEnds[Telling(key: reminder.id, snoozes: reminder.snoozes)] {
    case .start: listed.start
    case .end: listed.end
    case nil: nil
    }
  }

  /// Until when a person puts a reminder off: so long, with others, or until its event starts or ends.
  func snoozeTarget(of reminder: Reminder, together: Timestamp) -> (Timestamp, SnoozeEnd?) {
    switch number(0..<6) {
    case 0...1 where isSnoozeEnd(reminder.span.start, of: reminder): (reminder.span.start, .start)
    case 0...2 where isSnoozeEnd(reminder.span.end, of: reminder): (reminder.span.end, .end)
    case 0...3: (together, nil)
    default: (clock.now.adding(seconds: Int64(number(60..<200_000))), nil)
    }
  }

  /// Whether one can be put off until then. At its own alarm, which is ahead again by a clock that was set back, it is a
  /// second later after a while: it would ring at that.
  private func isSnoozeEnd(_ instant: Timestamp, of reminder: Reminder) -> Bool {
    instant > clock.now && instant != reminder.key.trigger
  }

  /// What was put off until its event starts or ends does not come back while that is to come by the clock of the person.
  func expectPassed(_ reminder: Reminder, _ alarm: PlainAlarm) {
    guard reminder.snoozes > 0, let listed = listedSpan(of: reminder),
      let end = snoozeEnd(of: reminder, listed)
    else { return }
    count("told as their event starts or ends")
    if end > clock.now {
      complain("\(alarm.name) comes back at \(clock.now), and was to at \(end)", alarm)
    }
  }
}
