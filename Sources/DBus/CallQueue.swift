/// The queue of method calls that wait to be handled, in which callers that wait for
/// their replies come before callers that do not.
///
/// The bus delivers the messages of all callers in one queue. A caller that sends thousands
/// of calls without waiting for replies would delay everybody else. So calls are taken out of
/// libdbus as they come, and handled round-robin: one of each caller, then the next one of
/// each. Callers with more than ``fewCalls`` waiting calls are "in a hurry", which is the
/// state of a rate-limited caller: they have their turns when none of the others waits, and
/// one in between now and then. The calls of one caller keep their order.
///
/// A caller of whom too many wait has the next ones refused. These refusals wait in a line of their own, which
/// goes at a steady pace: one who gets them at once would send the next calls at once, and keep the bus
/// and us busy with nothing else; one who gets them late gives up, and sends as many again.
///
/// A call that wants no reply cannot be refused: nobody would hear of it, and what it was to change would be lost. Such
/// calls wait however many they are, until the queue is full of them; then all that comes stays in the bus.
struct CallQueue {
  /// A call that has its turn.
  struct Taken {
    let call: Message
    let caller: BusName
    /// Whether its caller was in a hurry.
    let wasHurried: Bool
  }

  /// Why a call is refused.
  enum Reason {
    /// ``maximumOfOneCaller`` of its caller waited.
    case callerFull
    /// ``maximum`` waited in all, and of its caller more than its share.
    case allFull
  }

  /// A call that came when too many of its caller waited. The call itself is not kept.
  struct Refused {
    let reason: Reason
    let serial: UInt32
    let caller: BusName
    /// When it came, in microseconds on the monotonic clock.
    let came: Int64
  }

  /// What happened to a call that came.
  enum Outcome {
    case waits
    /// It waits, and its caller has come to be in a hurry.
    case hurries
  }

  /// The most calls of one caller that wait; more are refused, so that one caller
  /// cannot fill the memory or this queue, and its calls have their turns, or their refusals, before most clients
  /// give up waiting (25 s): those would send as many calls again, all at once.
  static let maximumOfOneCaller = 1000
  /// The most calls that wait in all before callers in a hurry have theirs refused: those of whom more wait than
  /// their share of these.
  static let maximum = 4000
  /// The share of a caller is this at least, however many callers there are.
  static let leastShare = 16
  /// The most calls that want no reply; more stay in libdbus and in the bus, and all that others send behind them.
  static let maximumSilent = 10_000
  /// The most refusals that wait; more calls stay in libdbus and in the bus, in their line.
  static let maximumRefused = 400_000
  /// A caller of whom more calls wait is in a hurry, until none of them does.
  static let fewCalls = 4
  /// After so many turns of others, one in a hurry has one though others wait.
  static let turnsBetweenHurried = 16

  private struct Caller {
    var line = Line<Message>()
    var isHurried = false
  }

  private var callers: [BusName: Caller] = [:]
  /// Those whose calls wait, in the order of their turns; each once. Who came to be in a hurry
  /// stands in here, too, until its turn comes.
  private var patient = Line<BusName>()
  private var hurried = Line<BusName>()
  private var turnsSinceHurried = 0
  private var refused = Line<Refused>()
  /// How many refusals wait, by their callers.
  private var refusedOf: [BusName: Int] = [:]
  /// How many of ``refused`` are of callers that are gone: to take them out of the line at once
  /// would cost the whole line for each that leaves.
  private var goneCount = 0
  /// How many calls wait.
  private(set) var count = 0
  /// How many of them are of callers in a hurry.
  private var hurriedCount = 0
  /// How many of them want no reply.
  private var silentCount = 0

  /// How many refusals wait.
  var refusedCount: Int { refused.count - goneCount }
  /// Whether neither calls nor refusals wait.
  var isEmpty: Bool { count + refusedCount == 0 }
  /// Whether no more can come in.
  var isFull: Bool {
    refusedCount >= CallQueue.maximumRefused || silentCount >= CallQueue.maximumSilent
  }
  /// Whether a caller waits that is not in a hurry.
  var hasPatient: Bool { count > hurriedCount }

  /// Puts a call behind the others of its caller, or its refusal behind all others. A call whose refusal
  /// nobody would read is not refused.
  @discardableResult
  mutating func append(_ call: Message, from caller: BusName, at now: Int64 = 0) -> Outcome {
    var waiting = callers[caller] ?? Caller(isHurried: refusedOf[caller] != nil)
    let isSilent = !call.expectsReply
    if !isSilent, let reason = refusal(of: waiting) {
      refused.append(Refused(reason: reason, serial: call.serial, caller: caller, came: now))
      refusedOf[caller, default: 0] += 1
      return .waits
    }
    if waiting.line.count == 0 {
      if waiting.isHurried { hurried.append(caller) } else { patient.append(caller) }
    }
    // Let go of here, so that the line is not copied.
    callers[caller] = nil
    waiting.line.append(call)
    count += 1
    if isSilent { silentCount += 1 }
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

  /// Takes out the call whose turn it is; nil when none waits.
  ///
  /// - Parameter hurriedToo: false for those alone who are not in a hurry.
  mutating func take(hurriedToo: Bool = true) -> Taken? {
    if hurriedToo, turnsSinceHurried >= CallQueue.turnsBetweenHurried, let taken = takeHurried() {
      return taken
    }
    while let caller = patient.take() {
      guard callers[caller]?.isHurried == false else { continue }
      if hurriedCount > 0 { turnsSinceHurried += 1 }
      if let call = takeFirst(of: caller) {
        if callers[caller] != nil { patient.append(caller) }
        return Taken(call: call, caller: caller, wasHurried: false)
      }
    }
    return hurriedToo ? takeHurried() : nil
  }

  /// When the call came whose refusal is the first.
  var firstRefusedCame: Int64? { refused.first?.came }

  /// Why the first is refused.
  var firstRefusal: Reason? { refused.first?.reason }

  /// Takes out the first refusal; nil when none waits.
  mutating func takeRefused() -> Refused? {
    guard let first = refused.take() else { return nil }
    defer { passGone() }
    let rest = (refusedOf[first.caller] ?? 1) - 1
    refusedOf[first.caller] = rest > 0 ? rest : nil
    return first
  }

  /// Whether a caller is in a hurry.
  func isHurried(_ caller: BusName) -> Bool {
    callers[caller]?.isHurried == true || refusedOf[caller] != nil
  }

  /// Takes out what a caller that is gone would read the answers of. The calls to which it
  /// wanted none stay.
  mutating func dropAnswered(of caller: BusName) {
    if let gone = refusedOf.removeValue(forKey: caller) {
      goneCount += gone
      passGone()
    }
    guard var waiting = callers.removeValue(forKey: caller) else { return }
    var kept = Caller()
    kept.isHurried = waiting.isHurried
    while let call = waiting.line.take() {
      if !call.expectsReply {
        kept.line.append(call)
      } else {
        count -= 1
        if waiting.isHurried { hurriedCount -= 1 }
      }
    }
    if kept.line.count > 0 { callers[caller] = kept }
  }

  /// Passes by refusals at the front whose callers are gone: their names never come again.
  private mutating func passGone() {
    while let first = refused.first, refusedOf[first.caller] == nil {
      _ = refused.take()
      goneCount -= 1
    }
  }

  /// Returns why the next call of a caller is refused; nil where it may wait.
  private func refusal(of waiting: Caller) -> Reason? {
    if waiting.line.count >= CallQueue.maximumOfOneCaller { return .callerFull }
    let share = max(CallQueue.leastShare, CallQueue.maximum / max(1, callers.count))
    return waiting.isHurried && count >= CallQueue.maximum && waiting.line.count >= share
      ? .allFull : nil
  }

  private mutating func takeHurried() -> Taken? {
    while let caller = hurried.take() {
      guard callers[caller]?.isHurried == true, let call = takeFirst(of: caller) else { continue }
      turnsSinceHurried = 0
      if callers[caller] != nil { hurried.append(caller) }
      return Taken(call: call, caller: caller, wasHurried: true)
    }
    return nil
  }

  private mutating func takeFirst(of caller: BusName) -> Message? {
    guard let call = callers[caller]?.line.take() else { return nil }
    count -= 1
    if !call.expectsReply { silentCount -= 1 }
    if callers[caller]?.isHurried == true { hurriedCount -= 1 }
    if callers[caller]?.line.count == 0 { callers[caller] = nil }
    return call
  }
}

extension CallQueue.Reason: CustomStringConvertible {
  /// The beginning of the error message for the caller.
  var description: String {
    switch self {
    case .callerFull: "\(CallQueue.maximumOfOneCaller) of your calls are already waiting"
    case .allFull:
      "\(CallQueue.maximum) calls are already waiting, and you have more than your share of them"
    }
  }
}

/// A queue, first in, first out; each operation takes amortized constant time.
private struct Line<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var first: Element? { head < elements.count ? elements[head] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func take() -> Element? {
    guard head < elements.count else { return nil }
    // A taken element is released at once, not at the next compaction.
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
