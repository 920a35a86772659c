import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Reminders

/// Where the scheduler's reminders come out: signals for programs, notifications
/// for people.
final class ReminderTeller: ReminderSink {
  private unowned let agent: CalendarAgent
  private let notifier: DesktopNotifier?

  /// - Parameter notifier: nil where the settings want no notifications.
  init(agent: CalendarAgent, notifier: DesktopNotifier?) {
    self.agent = agent
    self.notifier = notifier
  }

  func tell(_ reminder: Reminder, lateSeconds: Int64) {
    signal(reminder, lateSeconds: lateSeconds, isQuiet: false)
    showAgain(reminder)
  }

  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool) {
    let details = Row(
      detailsOf: reminder, late: lateSeconds, quiet: isQuiet,
      notified: !isQuiet && notifier?.isAvailable ?? false)
    agent.emit(
      Contract.remindersTable, "ReminderDue",
      [
        .string(reminder.id), .string(reminder.key.uid.text),
        .string(reminder.isPrivate ? "" : reminder.summary),
        .int64(reminder.span.start.seconds), .int64(reminder.due.seconds), details.value,
      ])
    agent.hooks.run(
      .reminderDue, HookCall(due: reminder, lateSeconds: lateSeconds, isQuiet: isQuiet))
  }

  func tellDigest(_ reminders: [Reminder], tooOld: Int) {
    notifier?.show(reminders) { [unowned agent] markup in
      NotificationText(
        digest: reminders, tooOld: tooOld, now: agent.clock.now, zone: agent.localZone,
        markup: markup)
    }
  }

  func showAgain(_ reminder: Reminder) {
    notifier?.withdraw(reminder.id)
    notifier?.show([reminder]) { [unowned agent] markup in
      NotificationText(
        reminder, now: agent.clock.now, zone: agent.localZone, markup: markup)
    }
  }

  func withdraw(_ reminder: Reminder, reason: WithdrawalReason) {
    notifier?.withdraw(reminder.id)
    agent.emit(
      Contract.remindersTable, "ReminderDismissed",
      [
        .string(reminder.id), .string(reminder.key.uid.text), .string(reason.rawValue),
      ])
  }

  func snoozed(_ reminder: Reminder) {
    notifier?.withdraw(reminder.id)
    agent.emit(
      Contract.remindersTable, "ReminderSnoozed",
      [
        .string(reminder.id), .string(reminder.key.uid.text), .int64(reminder.due.seconds),
      ])
  }

  func pendingChanged(count: Int) {
    agent.changed(["PendingReminders"])
    agent.snapshot.refreshSoon()
  }
}
