import CalendarModel
import CivilTime
import Reminders

// What people do with notifications.

extension CalendarAgent {
  /// Does what an action of a notification means.
  ///
  /// - Parameter activationToken: what the notification server gave for a program that the
  ///   action opens.
  func answered(_ meaning: NotificationBoard.Meaning, activationToken: String?) {
    guard let scheduler = runningScheduler else { return }
    do throws(ReminderError) {
      switch meaning {
      case .snooze(let reminders, let step):
        try snooze(reminders, configuration.snoozes[step], scheduler)
      case .dismiss(let reminders):
        try scheduler.dismiss(ids: reminders)
      case .join(let reminders):
        if let address = try first(of: reminders, scheduler)?.joinURL, !address.isEmpty {
          opener.open(address, activationToken: activationToken)
        }
        try scheduler.dismiss(ids: reminders)
      case .locate(let reminders):
        if let place = try first(of: reminders, scheduler)?.location, !place.isEmpty {
          opener.open(place: place, activationToken: activationToken)
        }
        try scheduler.dismiss(ids: reminders)
      }
    } catch {
      log.error("a notification's answer: \(error)")
    }
  }

  private func first(
    of reminders: [String], _ scheduler: ReminderScheduler
  ) throws(ReminderError) -> Reminder? {
    guard let id = reminders.first else { return nil }
    return try scheduler.reminder(id: id)
  }

  /// A snooze until a start that has come is one by the first length: the person wants it
  /// away, and told again.
  private func snooze(
    _ reminders: [String], _ step: SnoozeStep, _ scheduler: ReminderScheduler
  ) throws(ReminderError) {
    guard case .start = step else {
      return try scheduler.snooze(
        ids: reminders, by: step.length ?? configuration.snooze, zone: localZone)
    }
    for id in reminders {
      let start = try scheduler.reminder(id: id).span.start
      if start > clock.now {
        try scheduler.snooze(id: id, until: start)
      } else {
        try scheduler.snooze(ids: [id], by: configuration.snooze, zone: localZone)
      }
    }
  }
}
