/// Method calls that have come and wait to be handled, in an order in which each caller
/// gets its turn.
///
/// The bus hands over what all callers send in one line. A caller that sends thousands
/// of calls without waiting for answers would stand before everybody else in it. So
/// calls are taken out of libdbus as they come, and handled by turns: one of each
/// caller, then the next one of each. The calls of one caller keep their order.
struct CallQueue {
  /// The most calls of one caller that wait; more are refused, so that one caller
  /// cannot fill the memory or this queue.
  static let maximumOfOneCaller = 10_000
  /// The most calls that wait in all; more stay in libdbus and in the bus, in their line.
  static let maximum = 40_000

  private var callers: [BusName: Line<Message>] = [:]
  /// Those whose calls wait, in the order of their turns; each once.
  private var turns = Line<BusName>()
  /// How many calls wait.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Puts a call behind the others of its caller.
  ///
  /// - Returns: false where too many of that caller wait already.
  mutating func append(_ call: Message, from caller: BusName) -> Bool {
    let waiting = callers[caller]?.count ?? 0
    guard waiting < CallQueue.maximumOfOneCaller else { return false }
    if waiting == 0 { turns.append(caller) }
    callers[caller, default: Line()].append(call)
    count += 1
    return true
  }

  /// Takes out the call whose turn it is; nil when none waits.
  mutating func take() -> Message? {
    guard let caller = turns.take(), let call = callers[caller]?.take() else { return nil }
    count -= 1
    if callers[caller]?.count == 0 { callers[caller] = nil } else { turns.append(caller) }
    return call
  }
}

/// First come, first served; each step in constant time on the whole.
private struct Line<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func take() -> Element? {
    guard head < elements.count else { return nil }
    // What is taken is let go of at once, not when the line is tidied up.
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
