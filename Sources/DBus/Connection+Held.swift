/// The answers of a pass that wait until a change is durable, and the calls that they answer.
struct HeldAnswers {
  /// The calls since the first whose answer was held.
  var calls: [Message]
  /// The messages sent meanwhile: answers and signals.
  var messages: [Message] = []
  /// The size of ``messages``.
  var octets = 0
  /// Whether `settle` failed, so that none of the changes happened.
  var hasFailed = false
  let settle: () -> Bool
}

/// Lets the calls of a pass share one write to the disk.
///
/// A disk takes as long to make one change durable as to make ten so. But when several callers'
/// changes become durable together, none may be answered before. If that fails, each call is
/// handled again, to get the answer that it would have got alone.
extension Connection {
  /// Holds everything that is sent from now on until the end of this pass.
  ///
  /// This includes answers to later calls: a query that sees a change waits for it, too.
  ///
  /// - Parameter settle: Called once, at the end of the pass or by ``settleHeld()``. True sends
  ///   what is held. False drops it, and the calls are handled again, one by one, at the end of the
  ///   pass.
  /// - Returns: False if nothing can be held, because no call is being handled, or calls are being
  ///   repeated.
  package func holdAnswers(until settle: @escaping () -> Bool) -> Bool {
    guard let handled, held?.hasFailed != true else { return false }
    if held == nil { held = HeldAnswers(calls: [handled], settle: settle) }
    return true
  }

  /// Settles what is held before the pass ends, for work that must come after it.
  ///
  /// - Returns: False if that failed: the present call is handled again, and its answer is dropped.
  package func settleHeld() -> Bool {
    guard var waiting = held else { return true }
    guard !waiting.hasFailed else { return false }
    // Messages that `settle` sends go out at once, before the answers.
    held = nil
    guard waiting.settle() else {
      waiting.hasFailed = true
      held = waiting
      return false
    }
    // If a message cannot be sent, memory is out or the bus is gone.
    for message in waiting.messages { try? send(message) }
    return true
  }

  /// Sends what is held, or handles its calls again.
  func endPass() {
    if settleHeld() { return }
    let calls = held?.calls ?? []
    held = nil
    for call in calls { handle(call) }
  }
}
