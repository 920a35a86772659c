import CalendarBus

/// A change of many events that could not be rolled back, and the work that waits for its end.
///
/// Only one change is stored or rolled back in batches at a time, so at most one job is
/// interrupted.
final class StagingState {
  /// A job whose rollback has failed.
  enum InterruptedJob {
    /// A change of an agent that was killed.
    case batch(InterruptedBatchJob)
    case undo(UndoJob)
    /// The first import.
    case imports(ImportObject)
  }

  private var interrupted: InterruptedJob?
  private var waiting: [(CallError?) -> Void] = []

  /// Notes a job for ``resume()``.
  func interrupt(_ job: InterruptedJob) { interrupted = job }

  /// Tries the interrupted job again.
  func resume() {
    switch interrupted.take() {
    case .batch(let job): job.begin()
    case .undo(let job): job.resume()
    case .imports(let object): object.resume()
    case nil: break
    }
  }

  /// Forgets the interrupted job: its store is being closed.
  func abandon(_ reason: CallError) {
    interrupted = nil
    end(reason)
  }

  /// Calls `body` when the rollback ends, or stops with a failure.
  func waitForEnd(_ body: @escaping (CallError?) -> Void) { waiting.append(body) }

  /// Continues the waiting work.
  ///
  /// - Parameter failure: why the rollback cannot be completed for now; nil if it was completed.
  func end(_ failure: CallError? = nil) {
    let bodies = waiting
    waiting = []
    for body in bodies { body(failure) }
  }
}
