import CalendarBus
import CalendarModel
import Reminders

// Reminders that are put off until the user unlocks the session.

extension ReminderService {
  /// Finds a reminder by its id, in whatever state it is.
  func reminder(_ id: String) throws(CallError) -> Reminder {
    let scheduler = try openScheduler()
    return try asCallError { () throws(ReminderError) in try scheduler.reminder(id: id) }
  }

  /// Calls `body` once it is known that the end of a snooze can be waited for, at once where
  /// the clock alone brings it, with the refusal otherwise.
  func whenWaitable(_ target: SnoozeTarget, _ body: @escaping (CallError?) -> Void) {
    guard case .unlock = target else { return body(nil) }
    loginWatch.whenListening { result in
      switch result {
      case .success: body(nil)
      case .failure(let reason):
        body(
          CallError(
            .notSupported,
            "until: \"unlock\" cannot be waited for, since \(reason); give a length such as 10m"))
      }
    }
  }

  /// Sees to what was put off until an unlock before this agent ran: it comes back now where
  /// the session is not locked, and where nobody can say when it will be unlocked.
  ///
  /// - Parameter waits: whether it waits for the next unlock also where the session is not
  ///   locked: somebody sits there, and has asked for that.
  func resumeUnlockSnoozes(evenIfUnlocked waits: Bool = false) {
    guard scheduler?.waitsForUnlock ?? false else { return }
    loginWatch.whenListening { [weak self] result in
      switch result {
      case .success(.locked): return
      case .success(.unlocked): if waits { return }
      case .failure(let reason):
        self?.context.log.warning("what waits for an unlocked session comes back now: \(reason)")
      }
      self?.scheduler?.sessionUnlocked()
    }
  }
}
