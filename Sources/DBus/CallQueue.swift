/// Method calls that have come and wait to be handled, in an order in which who waits for
/// its answers goes before who does not.
///
/// The bus hands over what all callers send in one line. A caller that sends thousands
/// of calls without waiting for answers would stand before everybody else in it. So
/// calls are taken out of libdbus as they come, and handled by turns: one of each
/// caller, then the next one of each. Callers of whom more than ``fewCalls`` wait are in a
/// hurry: they have their turns when none of the others waits, and one in between now and
/// then. The calls of one caller keep their order.
///
/// A caller of whom too many wait has the next ones refused. These refusals wait for their
/// turn as well: one who gets them at once would send the next calls at once, and keep
/// the bus and us busy with nothing else.
struct CallQueue {
  /// What waits.
  enum Entry {
    /// A call to be handled.
    case call(Message)
    /// The serial number of a call that came when too many of its caller waited. The call itself
    /// is not kept.
    case refused(UInt32)
  }

  /// What happened to a call that came.
  enum Outcome {
    case waits
    /// It waits, and its caller has come to be in a hurry.
    case hurries
  }

  /// The most calls of one caller that wait; more are refused, so that one caller
  /// cannot fill the memory or this queue.
  static let maximumOfOneCaller = 10_000
  /// The most calls that wait in all; beyond it, callers in a hurry have theirs refused.
  static let maximum = 40_000
  /// The most refusals that wait; more calls stay in libdbus and in the bus, in their line.
  static let maximumRefused = 400_000
  /// A caller of whom more calls wait is in a hurry, until none of them does.
  static let fewCalls = 8
  /// After so many turns of others, one in a hurry has one though others wait.
  static let turnsBetweenHurried = 16

  private struct Caller {
    var line = Line<Entry>()
    /// How many of the line are calls.
    var calls = 0
    var isHurried = false
  }

  private var callers: [BusName: Caller] = [:]
  /// Those whose calls wait, in the order of their turns; each once. Who came to be in a hurry
  /// stands in here, too, until its turn comes.
  private var patient = Line<BusName>()
  private var hurried = Line<BusName>()
  private var turnsSinceHurried = 0
  /// How many calls wait.
  private(set) var count = 0
  /// How many refusals wait.
  private(set) var refusedCount = 0
  /// How many of both are of callers in a hurry.
  private var hurriedCount = 0

  var isEmpty: Bool { count + refusedCount == 0 }
  /// Whether no more can come in.
  var isFull: Bool { refusedCount >= CallQueue.maximumRefused }
  /// Whether a caller waits that is not in a hurry.
  var hasPatient: Bool { count + refusedCount > hurriedCount }

  /// Puts a call, or its refusal, behind the others of its caller. A refusal that nobody wants to
  /// read is not kept.
  @discardableResult
  mutating func append(_ call: Message, from caller: BusName) -> Outcome {
    var waiting = callers[caller] ?? Caller()
    let isAccepted =
      waiting.calls < CallQueue.maximumOfOneCaller
      && (!waiting.isHurried || count < CallQueue.maximum)
    guard isAccepted || call.expectsReply else { return .waits }
    if waiting.line.count == 0 { patient.append(caller) }
    // Let go of here, so that the line is not copied.
    callers[caller] = nil
    if isAccepted {
      waiting.line.append(.call(call))
      waiting.calls += 1
      count += 1
    } else {
      waiting.line.append(.refused(call.serial))
      refusedCount += 1
    }
    if waiting.isHurried { hurriedCount += 1 }
    let becomesHurried = !waiting.isHurried && waiting.line.count > CallQueue.fewCalls
    if becomesHurried {
      waiting.isHurried = true
      hurriedCount += waiting.line.count
      hurried.append(caller)
    }
    callers[caller] = waiting
    return becomesHurried ? .hurries : .waits
  }

  /// Takes out the call, or the refusal, whose turn it is; nil when none waits.
  ///
  /// - Parameter hurriedToo: false for those alone who are not in a hurry.
  mutating func take(hurriedToo: Bool = true) -> (entry: Entry, caller: BusName)? {
    if hurriedToo, turnsSinceHurried >= CallQueue.turnsBetweenHurried, let taken = takeHurried() {
      return taken
    }
    while let caller = patient.take() {
      guard callers[caller]?.isHurried == false else { continue }
      if hurriedCount > 0 { turnsSinceHurried += 1 }
      if let entry = takeFirst(of: caller) {
        if callers[caller] != nil { patient.append(caller) }
        return (entry, caller)
      }
    }
    return hurriedToo ? takeHurried() : nil
  }

  /// Whether a caller is in a hurry.
  func isHurried(_ caller: BusName) -> Bool { callers[caller]?.isHurried == true }

  /// Takes out what a caller that is gone would read the answers of. The calls to which it
  /// wanted none stay.
  mutating func dropAnswered(of caller: BusName) {
    guard var waiting = callers.removeValue(forKey: caller) else { return }
    var kept = Caller()
    kept.isHurried = waiting.isHurried
    while let entry = waiting.line.take() {
      count(entry, -1, waiting.isHurried)
      guard case .call(let call) = entry, !call.expectsReply else { continue }
      kept.line.append(entry)
      kept.calls += 1
      count(entry, 1, waiting.isHurried)
    }
    if kept.calls > 0 { callers[caller] = kept }
  }

  private mutating func takeHurried() -> (entry: Entry, caller: BusName)? {
    while let caller = hurried.take() {
      guard callers[caller]?.isHurried == true, let entry = takeFirst(of: caller) else { continue }
      turnsSinceHurried = 0
      if callers[caller] != nil { hurried.append(caller) }
      return (entry, caller)
    }
    return nil
  }

  private mutating func takeFirst(of caller: BusName) -> Entry? {
    guard let entry = callers[caller]?.line.take() else { return nil }
    if case .call = entry { callers[caller]?.calls -= 1 }
    count(entry, -1, callers[caller]?.isHurried == true)
    if callers[caller]?.line.count == 0 { callers[caller] = nil }
    return entry
  }

  private mutating func count(_ entry: Entry, _ change: Int, _ isHurried: Bool) {
    switch entry {
    case .call: count += change
    case .refused: refusedCount += change
    }
    if isHurried { hurriedCount += change }
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
