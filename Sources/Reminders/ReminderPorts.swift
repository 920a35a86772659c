package import CalendarModel
package import CivilTime
package import Messages

/// The storage of planned alarms, and of the states of reminders that fell due.
///
/// A conformer writes before it returns, returns each ``ReminderKey`` as due only once, and changes
/// nothing when it throws; callers cope if it did. What is written survives a crash and a loss of
/// power, except that alarms which were taken may be planned again until something is recorded.
/// Everything happens on one thread.
package protocol ReminderLedger: AnyObject {
  /// Returns the time of the first alarm that has not been taken; nil if there is none.
  func nextAlarm() throws -> Timestamp?

  /// Takes alarms that have fallen due, the earliest first, and stores them.
  ///
  /// They are stored as `due`, or as closed if they are not to be delivered. Fewer than `limit`
  /// means that none is left. The next call returns none that is earlier than those of this one.
  func takeDue(through now: Timestamp, limit: Int) throws -> [Reminder]

  /// Returns the reminders that are due, delivered or snoozed.
  func pendingReminders() throws -> [Reminder]

  /// Returns a reminder in any state; nil if it was never taken.
  func reminder(id: String) throws -> Reminder?

  /// Writes the states of reminders, all or none.
  func record(_ reminders: [Reminder], at now: Timestamp) throws

  /// Returns how many reminders were closed as missed and not shown to anybody yet; 0 at first.
  func unshownMissed() throws -> Int

  /// Stores that number, in place of the one before.
  func keep(unshownMissed count: Int) throws
}

/// The output of reminders: the bus and the desktop.
///
/// A conformer never blocks. It may call the scheduler back at once, for example when a
/// notification is answered while others are still to come.
package protocol ReminderSink: AnyObject {
  /// Delivers one reminder: sends the signal and shows a notification of its own.
  ///
  /// - Parameter lateSeconds: The seconds since ``Reminder/due``, 0 or more.
  func tell(_ reminder: Reminder, lateSeconds: Int64)

  /// Delivers one reminder by the signal alone: a digest follows, or it is quiet time.
  ///
  /// - Parameter isQuiet: Whether it is quiet time, in which nothing is shown.
  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool)

  /// Shows one notification for many reminders.
  ///
  /// Once it is on the screen, ``ReminderScheduler/showed(missed:)`` must be called with
  /// ``ReminderDigest/tooOld``.
  func tellDigest(_ digest: ReminderDigest)

  /// Shows the notification of an unacknowledged reminder again, without a signal.
  ///
  /// This happens after a restart of the agent or of the notification server.
  ///
  /// - Parameters:
  ///   - isNew: Whether it was announced and not shown yet. It makes a sound then, even where it
  ///     replaces the notification of another reminder of its occurrence.
  ///   - isHeard: Whether it makes no sound, because it was shown, was closed and is pending again.
  func showAgain(_ reminder: Reminder, isNew: Bool, isHeard: Bool)

  /// Updates the text of the notifications that reminders have. No signal is sent.
  ///
  /// - Parameter reminders: All that one change of events has reworded: perhaps thousands in one
  ///   notification.
  func reword(_ reminders: [Reminder])

  /// Removes the notification and signals that the reminder is over.
  func withdraw(_ reminder: Reminder, reason: WithdrawalReason)

  /// Removes the notification and signals that the reminder comes back at ``Reminder/due``.
  func snoozed(_ reminder: Reminder)

  /// The number of pending reminders has changed; called once when thousands arrive together.
  func pendingChanged(count: Int)
}

/// The contents of one notification for many reminders.
package struct ReminderDigest: Equatable, Sendable {
  /// The pending reminders, the soonest first; may be empty.
  package var reminders: [Reminder]
  /// The identifiers of those ``reminders`` that were shown before.
  package var earlier: Set<String>
  /// Whether it makes no sound: all of it was shown before, was closed and is pending again.
  package var isHeard: Bool
  /// How many more reminders were too old, and are only in the ledger, as missed.
  package var tooOld: Int

  package init(
    _ reminders: [Reminder], earlier: Set<String> = [], isHeard: Bool = false, tooOld: Int = 0
  ) {
    self.reminders = reminders
    self.earlier = earlier
    self.isHeard = isHeard
    self.tooOld = tooOld
  }
}

/// Why a reminder no longer wants attention; the raw value is the word on the bus.
package enum WithdrawalReason: String, Hashable, Sendable, CaseIterable {
  case user
  case eventRemoved = "event-removed"
  case eventMoved = "event-moved"
  /// It fell due before the agent crashed, and was too old to be delivered after the restart.
  case expired
  /// It was acknowledged in another program.
  case otherClient = "other-client"
  /// Its snooze ended while another reminder of its occurrence was delivered.
  case toldWithAnother = "told-with-another"
  case calendarHidden = "calendar-hidden"
  case declined
  case cancelled
  case completed
  /// It was delivered because of a wrong clock or time zone, and is planned again.
  case early
}

/// Why an operation on a reminder failed.
package enum ReminderError: UserError, Sendable {
  /// No reminder ever had this id.
  case unknown(id: String)
  /// Its event was removed or has moved, so the reminder cannot come back.
  case over(id: String, reason: Reminder.CloseReason)
  /// It is not due yet, so it cannot be snoozed.
  case notDue(id: String, at: Timestamp)
  /// The snooze would end at an instant that is not in the future.
  case snoozeInPast(until: Timestamp, now: Timestamp)
  /// The ledger failed; nothing was changed.
  case ledger(any Error)
  /// The ledger plans an alarm in the past, and does not return it as due.
  case planStuck(at: Timestamp)
}

extension ReminderError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    switch self {
    case .unknown(let id):
      UserText("no reminder has the ID \"{id}\", shown or planned", ["id": id])
    case .over(let id, let reason):
      UserText(
        "the reminder \"{id}\" cannot be snoozed: {reason}", ["id": id, "reason": reason.rawValue])
    case .notDue(let id, let instant):
      UserText(
        """
        the reminder "{id}" is not due before {time}: you can dismiss it now, and snooze it once \
        it is shown
        """, ["id": id, "time": instant.description])
    case .snoozeInPast(let until, let now):
      UserText(
        "a snooze must end in the future; {time} is not after {now}",
        ["time": until.description, "now": now.description])
    case .ledger(let error):
      UserText("the reminder was not changed: {reason}", ["reason": UserText(error)])
    case .planStuck(let instant):
      UserText(
        "the alarm planned for {time} is not delivered; please report this",
        ["time": instant.description])
    }
  }

  package var description: String { text.english }
}
