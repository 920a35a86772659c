import CalendarBus

/// The change of many events that could not be taken back, and what waits for the end of one.
///
/// One change is stored or taken back in parts at a time, so at most one job is interrupted.
final class StagingState {
  /// What could not be taken back when it was tried.
  enum InterruptedJob {
    /// Left by an agent that was killed.
    case batch(InterruptedBatchJob)
    case undo(UndoJob)
    /// The import that is first.
    case imports(TransferObject)
  }

  private var interrupted: InterruptedJob?
  private var waiting: [(CallError?) -> Void] = []

  /// Notes what is to be tried again by ``resume()``.
  func interrupt(_ job: InterruptedJob) { interrupted = job }

  /// Goes on with what was interrupted, now that it may go well.
  func resume() {
    switch interrupted.take() {
    case .batch(let job): job.begin()
    case .undo(let job): job.resume()
    case .imports(let object): object.resume()
    case nil: break
    }
  }

  /// Forgets what was interrupted: its store is being closed.
  func abandon(_ reason: CallError) {
    interrupted = nil
    end(reason)
  }

  /// Calls `body` at the end of what is being taken back, with the reason where it can be neither done nor put back
  /// for now.
  func waitForEnd(_ body: @escaping (CallError?) -> Void) { waiting.append(body) }

  /// Goes on with what has waited.
  ///
  /// - Parameter failure: why the end does not come for now; nil where it has come.
  func end(_ failure: CallError? = nil) {
    let bodies = waiting
    waiting = []
    for body in bodies { body(failure) }
  }
}
