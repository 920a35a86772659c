internal import CDBus

/// A small loop over poll(2), for tests and for programs that wait for little but the bus.
///
/// It holds connections weakly: whoever opened one keeps it alive.
package final class BlockingLoop {
  private var attachments: [Attachment] = []

  /// Makes an empty loop.
  package init() {}

  /// Serves a connection from now on.
  package func add(_ connection: Connection) {
    let attachment = Attachment(connection)
    attachments.append(attachment)
    connection.attach(to: attachment)
  }

  /// Runs until a condition holds.
  ///
  /// - Parameter timeoutMilliseconds: The longest wait; nil for no limit.
  /// - Returns: False if the time-out came first.
  @discardableResult
  package func run(timeoutMilliseconds: Int? = nil, until condition: () -> Bool) -> Bool {
    let end = timeoutMilliseconds.map { BlockingLoop.now() + $0 }
    while !condition() {
      let left = end.map { max(0, $0 - BlockingLoop.now()) }
      if left == 0 { return false }
      turn(timeoutMilliseconds: left)
    }
    return true
  }

  /// Blocks until there is something to do, and does it.
  ///
  /// - Parameters:
  ///   - timeoutMilliseconds: The longest wait; nil for no limit.
  ///   - descriptor: Another descriptor, which ends the wait when it can be read.
  package func turn(timeoutMilliseconds: Int? = nil, until descriptor: Int32? = nil) {
    attachments.removeAll { $0.connection == nil }
    var polled: [pollfd] = []
    var owners: [Attachment] = []
    for attachment in attachments {
      for (descriptor, events) in attachment.interests {
        polled.append(pollfd(fd: descriptor, events: events, revents: 0))
        owners.append(attachment)
      }
    }
    if let descriptor {
      polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    let count = poll(&polled, UInt(polled.count), wait(at: timeoutMilliseconds))
    if count > 0 {
      for (entry, attachment) in zip(polled, owners) where entry.revents != 0 {
        serve(entry, attachment)
      }
    }
    for attachment in attachments { attachment.finishTurn(now: BlockingLoop.now()) }
  }

  private func serve(_ entry: pollfd, _ attachment: Attachment) {
    attachment.connection?.handle(
      descriptor: entry.fd, readable: entry.revents & Int16(POLLIN) != 0,
      writable: entry.revents & Int16(POLLOUT) != 0,
      hangup: entry.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0)
  }

  /// Returns how long poll(2) may wait, in milliseconds; -1 for no limit.
  private func wait(at most: Int?) -> Int32 {
    if attachments.contains(where: \.needsDispatch) { return 0 }
    let now = BlockingLoop.now()
    let nearest = attachments.flatMap(\.deadlines.values).min().map { max(0, $0 - now) }
    guard let wait = [most, nearest].compactMap({ $0 }).min() else { return -1 }
    return Int32(clamping: wait)
  }

  fileprivate static func now() -> Int { Int(cdbus_monotonic_milliseconds()) }

  /// What one connection waits for.
  private final class Attachment: ConnectionLoop {
    weak var connection: Connection?
    var interests: [Int32: Int16] = [:]
    /// By ID, in milliseconds of the monotonic clock.
    var deadlines: [Int: Int] = [:]
    var needsDispatch = false

    init(_ connection: Connection) { self.connection = connection }

    func setInterest(descriptor: Int32, readable: Bool, writable: Bool) {
      let events = (readable ? POLLIN : 0) | (writable ? POLLOUT : 0)
      interests[descriptor] = readable || writable ? Int16(events) : nil
    }

    func setDeadline(_ id: Int, afterMilliseconds: Int?) {
      deadlines[id] = afterMilliseconds.map { BlockingLoop.now() + $0 }
    }

    func setNeedsDispatch() { needsDispatch = true }

    func finishTurn(now: Int) {
      guard let connection else { return }
      for (id, deadline) in deadlines where deadline <= now {
        deadlines[id] = nil
        connection.deadlinePassed(id)
      }
      if needsDispatch {
        needsDispatch = false
        connection.dispatch()
      }
    }
  }
}
