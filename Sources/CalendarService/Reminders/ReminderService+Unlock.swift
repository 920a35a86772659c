import CalendarBus
import CalendarModel
import Platform
import Reminders

// Reminders that are snoozed until the user unlocks the session.

extension ReminderService {
  /// Finds a reminder by its ID, whatever its state.
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` and `storageFailed`.
  func reminder(_ id: String) throws(CallError) -> Reminder {
    let scheduler = try openScheduler()
    return try asCallError { () throws(ReminderError) in try scheduler.reminder(id: id) }
  }

  /// Calls `body` once it is known whether the agent can wait for the end of a snooze.
  ///
  /// If it cannot, `body` gets the error. For any target but an unlock this is at once.
  func whenWaitable(_ target: SnoozeTarget, _ body: @escaping (CallError?) -> Void) {
    guard case .unlock = target else { return body(nil) }
    loginWatch.whenListening { result in
      switch result {
      case .success: body(nil)
      case .failure(let reason):
        body(
          CallError(
            .notSupported, about: "until",
            localized(
              "cannot wait for \"unlock\": {reason}; give a duration such as 10m",
              ["reason": reason.text])))
      }
    }
  }

  /// Resumes snoozes until an unlock from before this agent ran.
  ///
  /// They end now if the session is not locked, or if an unlock cannot be noticed.
  ///
  /// - Parameter waits: whether they wait for the next unlock even if the session is not locked,
  ///   because the user has just reopened them.
  func resumeUnlockSnoozes(evenIfUnlocked waits: Bool = false) {
    guard scheduler?.waitsForUnlock ?? false else { return }
    loginWatch.whenListening { [weak self] result in
      switch result {
      case .success(.locked): return
      case .success(.unlocked): if waits { return }
      case .failure(let reason):
        self?.context.log.warning(
          localized(
            "reminders that wait for an unlocked session are shown now: {reason}",
            ["reason": reason.text]))
      }
      self?.scheduler?.sessionUnlocked()
    }
  }
}
