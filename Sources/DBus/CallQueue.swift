/// The method calls that wait to be handled: a queue for each client, served round-robin.
///
/// The bus delivers the calls of all clients in one line. A client that sends thousands of calls
/// without waiting for answers would delay everybody else. So calls are taken out of that line as
/// they come, and handled one of each client in turn. The calls of one client keep their order.
///
/// A queue holds ``maximumOfClient`` calls. A further one is refused only when its turn comes: a
/// client that is refused at once would send its next call at once, and keep the bus and us busy.
///
/// A call that wants no reply is never refused: its sender would not notice, and a change would be
/// lost. When ``maximumSilent`` of them wait, nothing more is read from the bus.
struct CallQueue {
  /// An entry in the queue of a client.
  enum Entry {
    case call(Message)
    /// A call to refuse; only its serial number is kept.
    case refused(serial: UInt32)
  }

  /// The most calls of one client that may wait; more are refused.
  static let maximumOfClient = 1000
  /// The most waiting calls that want no reply, of all clients together.
  static let maximumSilent = 10_000

  private struct Client {
    private var entries = Queue<Entry>()
    private(set) var callCount = 0

    var count: Int { entries.count }

    mutating func append(_ entry: Entry) {
      entries.append(entry)
      if case .call = entry { callCount += 1 }
    }

    mutating func take() -> Entry? {
      let entry = entries.take()
      if case .call? = entry { callCount -= 1 }
      return entry
    }
  }

  /// By unique name; no client is without entries.
  private var clients: [BusName: Client] = [:]
  /// The names of ``clients`` in the order of their turns, each once.
  private var turns = Queue<BusName>()
  private var silentCount = 0

  var isEmpty: Bool { clients.isEmpty }
  /// Whether no more calls can be added.
  var isFull: Bool { silentCount >= CallQueue.maximumSilent }

  /// Returns how many entries of a client wait: calls and refusals.
  func count(of client: BusName) -> Int { clients[client]?.count ?? 0 }

  /// Adds a call at the end of its client's queue.
  mutating func append(_ call: Message, from name: BusName) {
    if clients[name] == nil { turns.append(name) }
    let isRefused =
      call.expectsReply && clients[name]?.callCount ?? 0 >= CallQueue.maximumOfClient
    if !call.expectsReply { silentCount += 1 }
    clients[name, default: Client()].append(
      isRefused ? .refused(serial: call.serial) : .call(call))
  }

  /// Removes the first entry of the client whose turn it is; nil when nothing waits.
  mutating func take() -> (entry: Entry, client: BusName)? {
    guard let name = turns.take(), let entry = clients[name]?.take() else { return nil }
    if case .call(let call) = entry, !call.expectsReply { silentCount -= 1 }
    if count(of: name) > 0 { turns.append(name) } else { clients[name] = nil }
    return (entry, name)
  }

  /// Drops the queue of a client that has left the bus, except for calls that want no reply.
  ///
  /// A client that makes one such call need not stay on the bus until it is handled.
  mutating func drop(_ name: BusName) {
    guard var left = clients.removeValue(forKey: name) else { return }
    var rest = Client()
    while let entry = left.take() {
      if case .call(let call) = entry, !call.expectsReply { rest.append(entry) }
    }
    if rest.callCount > 0 { clients[name] = rest } else { turns.remove(name) }
  }
}

/// A first-in, first-out queue; each step takes constant time on average.
private struct Queue<Element> {
  private var elements: [Element?] = []
  private var start = 0

  var count: Int { elements.count - start }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func take() -> Element? {
    guard start < elements.count else { return nil }
    let element = elements[start].take()
    start += 1
    if start * 2 > elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }
}

extension Queue where Element: Equatable {
  mutating func remove(_ element: Element) {
    elements.removeSubrange(..<start)
    start = 0
    elements.removeAll { $0 == element }
  }
}
