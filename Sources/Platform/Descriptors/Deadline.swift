/// A handler that runs at a moment of the monotonic clock; the token to cancel it.
package final class Deadline {
  /// Nanoseconds of the monotonic clock.
  let due: Int64
  /// Tells deadlines of the same moment apart, in the order they were asked for.
  let sequence: UInt64
  /// Whether it ran or was cancelled.
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
/// A sorted array: there are few, a new one mostly comes last, and what is
/// cancelled leaves at once, so that it causes no wakeup.
struct DeadlineQueue {
  private var deadlines: [Deadline] = []
  private var sequence: UInt64 = 0

  /// When the first is due; nil if there is none.
  var earliest: Int64? { deadlines.first?.due }

  mutating func insert(due: Int64, _ handler: @escaping () -> Void) -> Deadline {
    sequence += 1
    let deadline = Deadline(due: due, sequence: sequence, handler)
    deadlines.insert(deadline, at: place(of: deadline))
    return deadline
  }

  /// Puts back what ``takeDue(at:)`` took and nobody ran.
  mutating func putBack(_ deadline: Deadline) {
    deadlines.insert(deadline, at: place(of: deadline))
  }

  mutating func remove(_ deadline: Deadline) {
    deadline.isDone = true
    let place = place(of: deadline)
    if place < deadlines.count, deadlines[place] === deadline { deadlines.remove(at: place) }
  }

  /// Takes out what is due; what a handler adds meanwhile waits for the next
  /// round, so that deadlines cannot starve descriptors.
  mutating func takeDue(at moment: Int64) -> [Deadline] {
    let count = deadlines.prefix { $0.due <= moment }.count
    guard count > 0 else { return [] }
    let due = Array(deadlines[..<count])
    deadlines.removeFirst(count)
    return due
  }

  private func place(of deadline: Deadline) -> Int {
    var low = 0
    var high = deadlines.count
    while low < high {
      let middle = (low + high) / 2
      let other = deadlines[middle]
      if (other.due, other.sequence) < (deadline.due, deadline.sequence) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
