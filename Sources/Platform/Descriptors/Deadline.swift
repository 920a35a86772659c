import CivilTime

/// A handler that runs at a time of the monotonic clock; also the token to cancel it.
package final class Deadline {
  /// The time, in nanoseconds of the monotonic clock.
  let due: Int64
  /// Orders deadlines of the same time by their creation.
  let sequence: UInt64
  /// Whether it has run or was cancelled.
  package internal(set) var isDone = false
  private let handler: () -> Void

  init(due: Int64, sequence: UInt64, _ handler: @escaping () -> Void) {
    self.due = due
    self.sequence = sequence
    self.handler = handler
  }

  func run() {
    isDone = true
    handler()
  }
}

/// The deadlines of a loop, in order.
///
/// A sorted array suffices: there are few, and a new one mostly comes last. Cancelled deadlines are
/// removed at once, so that they cause no wakeup.
struct DeadlineQueue {
  private var deadlines: [Deadline] = []
  private var sequence: UInt64 = 0

  /// When the first is due, in nanoseconds; nil if there is none.
  var earliest: Int64? { deadlines.first?.due }

  mutating func insert(due: Int64, _ handler: @escaping () -> Void) -> Deadline {
    sequence += 1
    let deadline = Deadline(due: due, sequence: sequence, handler)
    deadlines.insert(deadline, at: place(of: deadline))
    return deadline
  }

  /// Puts back a deadline from ``takeDue(at:)`` that did not run.
  mutating func putBack(_ deadline: Deadline) {
    deadlines.insert(deadline, at: place(of: deadline))
  }

  mutating func remove(_ deadline: Deadline) {
    deadline.isDone = true
    let place = place(of: deadline)
    if place < deadlines.count, deadlines[place] === deadline { deadlines.remove(at: place) }
  }

  /// Removes and returns the deadlines that are due.
  ///
  /// What a handler adds meanwhile waits for the next round, so that deadlines cannot starve
  /// descriptors.
  mutating func takeDue(at moment: Int64) -> [Deadline] {
    let count = deadlines.prefix { $0.due <= moment }.count
    guard count > 0 else { return [] }
    let due = Array(deadlines[..<count])
    deadlines.removeFirst(count)
    return due
  }

  private func place(of deadline: Deadline) -> Int {
    deadlines.partitioningIndex {
      ($0.due, $0.sequence) >= (deadline.due, deadline.sequence)
    }
  }
}
