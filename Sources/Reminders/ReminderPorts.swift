package import CalendarModel
package import CivilTime
package import Messages

/// The storage of planned alarms, and of the states of reminders that fell due.
///
/// A conformer writes before it returns, returns each ``ReminderKey`` as due only
/// once, and changes nothing when it throws; a caller copes even where it did.
/// What is written survives a crash and a loss of power, except that alarms which
/// were taken may be planned as before until something is recorded. Everything happens on
/// one thread.
package protocol ReminderLedger: AnyObject {
  /// Returns the first alarm that has not been taken; nil if there is none.
  func nextAlarm() throws -> Timestamp?

  /// Takes alarms that have fallen due, the earliest first, and writes them down in state `due`, or
  /// closed where they are not to be delivered. Fewer than `limit` means that nothing is left; the next
  /// call gives none that is earlier than those of this one.
  func takeDue(through now: Timestamp, limit: Int) throws -> [Reminder]

  /// Returns the reminders that are due, delivered or snoozed.
  func pendingReminders() throws -> [Reminder]

  /// Returns a reminder in whatever state it is; nil if it was never taken.
  func reminder(id: String) throws -> Reminder?

  /// Writes the states of reminders, all or none.
  func record(_ reminders: [Reminder], at now: Timestamp) throws

  /// Returns how many are closed as missed that nobody has been shown; 0 at first.
  func unshownMissed() throws -> Int

  /// Keeps that number in place of the one before.
  func keep(unshownMissed count: Int) throws
}

/// The output of reminders: the bus and the desktop.
///
/// A conformer does not wait for anybody. It may call the scheduler back at
/// once, as when a notification is answered while others are still to come.
package protocol ReminderSink: AnyObject {
  /// Tells one reminder: the signal, and a notification of its own.
  ///
  /// - Parameter lateSeconds: how long after ``Reminder/due`` that is, 0 or more.
  func tell(_ reminder: Reminder, lateSeconds: Int64)

  /// Tells one by the signal alone: one of many, for which a digest follows, or one
  /// in quiet time.
  ///
  /// - Parameter isQuiet: whether it is quiet time, in which nothing is shown.
  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool)

  /// Shows one notification for many. Once it is on the screen,
  /// ``ReminderScheduler/showed(missed:)`` must be called for those that are too old.
  func tellDigest(_ digest: ReminderDigest)

  /// Shows the notification of a reminder again that nobody has acknowledged:
  /// after a restart of the agent, or of what shows notifications. No signal.
  ///
  /// - Parameters:
  ///   - isNew: whether it was announced and has not been shown yet: it is heard, also where it comes in the place of
  ///     another one of its occurrence.
  ///   - isHeard: whether it makes no sound: it rang, was over, and waits again.
  func showAgain(_ reminder: Reminder, isNew: Bool, isHeard: Bool)

  /// Lets the notifications of reminders, where there are such, say what those say now. No signal.
  ///
  /// - Parameter reminders: all that one change of events has reworded: there may be thousands in one
  ///   notification.
  func reword(_ reminders: [Reminder])

  /// Takes the notification away and says that the reminder is over.
  func withdraw(_ reminder: Reminder, reason: WithdrawalReason)

  /// Takes the notification away and says when the reminder comes back, which is
  /// ``Reminder/due``.
  func snoozed(_ reminder: Reminder)

  /// The number of pending reminders has changed. Of thousands that come at once
  /// it is told when all are here.
  func pendingChanged(count: Int)
}

/// The contents of one notification for many reminders.
package struct ReminderDigest: Equatable, Sendable {
  /// Those that are pending, the soonest first; it may be empty.
  package var reminders: [Reminder]
  /// The identifiers of those of them that were shown before.
  package var earlier: Set<String>
  /// Whether it makes no sound: all of it rang, was over, and waits again.
  package var isHeard: Bool
  /// How many more are only in the ledger, as missed.
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

/// Why a reminder no longer wants attention, by the word on the bus.
package enum WithdrawalReason: String, Hashable, Sendable, CaseIterable {
  case user
  case eventRemoved = "event-removed"
  case eventMoved = "event-moved"
  /// It had fallen due when an agent died, and is too old to be delivered by the next one.
  case expired
  /// It was acknowledged in another program.
  case otherClient = "other-client"
  /// Its snooze ended when another reminder of its occurrence is delivered.
  case toldWithAnother = "told-with-another"
  case calendarHidden = "calendar-hidden"
  case declined
  case cancelled
  case completed
  /// The clock or the time zone by which it was delivered was wrong: it is planned again.
  case early
}

/// Why a reminder was not changed.
package enum ReminderError: UserError, Sendable {
  /// No reminder ever had this id.
  case unknown(id: String)
  /// Its event is gone or has moved, so that it cannot come back.
  case over(id: String, reason: Reminder.CloseReason)
  /// A snooze of one that is not due yet.
  case notDue(id: String, at: Timestamp)
  /// A snooze until an instant that is not in the future.
  case snoozeInPast(until: Timestamp, now: Timestamp)
  /// The ledger failed; nothing was changed.
  case ledger(any Error)
  /// The ledger has an alarm that has passed, and does not return it as due.
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
