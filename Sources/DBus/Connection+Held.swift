/// The answers of a pass that wait until what they tell is settled, and the calls that they answer.
struct HeldAnswers {
  /// Those since the first whose answer was held.
  var calls: [Message]
  /// What was sent meanwhile: answers, signals.
  var messages: [Message] = []
  /// How long these are together.
  var octets = 0
  /// Whether it turned out that nothing of it has come about.
  var hasFailed = false
  let settle: () -> Bool
}

/// How the calls of a pass share what makes their answers true.
///
/// A disk takes as long to make one change durable as to make ten so. Whoever makes the changes
/// of several callers durable together must not answer the first of them before; and where that
/// fails, each of them is to have the answer that it had got alone.
extension Connection {
  /// Lets everything that is sent from now on wait until the end of this pass, for this call and for
  /// those after it: who asks after a change that is not durable yet waits for it, too.
  ///
  /// - Parameter settle: called once, at the end of the pass or by ``settleHeld()``. True sends what
  ///   waits. False drops it: the calls are handled once more, one by one, at the end of the pass.
  /// - Returns: false where nothing can wait, since no call is being handled, or one once
  ///   more.
  package func holdAnswers(until settle: @escaping () -> Bool) -> Bool {
    guard let handled, held?.hasFailed != true else { return false }
    if held == nil { held = HeldAnswers(calls: [handled], settle: settle) }
    return true
  }

  /// Settles what is held before the pass ends, for what is not to wait, or must come after.
  ///
  /// - Returns: false where that failed: what the present call answers is dropped, and it
  ///   is handled once more.
  package func settleHeld() -> Bool {
    guard var waiting = held else { return true }
    guard !waiting.hasFailed else { return false }
    // What `settle` sends goes out at once, before the answers.
    held = nil
    guard waiting.settle() else {
      waiting.hasFailed = true
      held = waiting
      return false
    }
    // One that cannot be sent has nowhere to go: memory is out, or the bus is gone.
    for message in waiting.messages { try? send(message) }
    return true
  }

  /// Sends what waits, or handles its calls once more.
  func endPass() {
    if settleHeld() { return }
    let calls = held?.calls ?? []
    held = nil
    for call in calls { handle(call) }
  }
}
