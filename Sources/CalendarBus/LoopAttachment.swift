package import DBus
package import Platform

/// Attaches a bus connection to an ``EventLoop``.
///
/// The connection owns it; it does not own the connection.
package final class LoopAttachment: ConnectionLoop {
  private let loop: EventLoop
  private weak var connection: Connection?
  private var watches: [Int32: DescriptorWatch] = [:]
  private var deadlines: [Int: Deadline] = [:]
  private var isDispatchAsked = false

  /// Attaches a connection to a loop for as long as the connection lives.
  package static func attach(_ connection: Connection, to loop: EventLoop) {
    connection.attach(to: LoopAttachment(connection, loop))
  }

  private init(_ connection: Connection, _ loop: EventLoop) {
    self.connection = connection
    self.loop = loop
  }

  deinit {
    for watch in watches.values { loop.cancel(watch) }
    for deadline in deadlines.values { loop.cancel(deadline) }
  }

  package func setInterest(descriptor: Int32, readable: Bool, writable: Bool) {
    var interest: Interest = []
    if readable { interest.insert(.read) }
    if writable { interest.insert(.write) }
    do throws(SystemError) {
      if let watch = watches[descriptor] {
        if interest.isEmpty {
          loop.cancel(watch)
          watches[descriptor] = nil
        } else {
          try loop.change(watch, to: interest)
        }
      } else if !interest.isEmpty {
        watches[descriptor] = try loop.watch(descriptor, for: interest) { [weak self] ready in
          self?.connection?.handle(
            descriptor: descriptor, readable: ready.contains(.readable),
            writable: ready.contains(.writable), hangup: ready.contains(.hangup))
        }
      }
    } catch {
      // If epoll refuses a descriptor, it is closed; the next dispatch reports that the bus is
      // gone.
      setNeedsDispatch()
    }
  }

  package func setDeadline(_ id: Int, afterMilliseconds: Int?) {
    if let old = deadlines.removeValue(forKey: id) { loop.cancel(old) }
    guard let afterMilliseconds else { return }
    deadlines[id] = loop.after(milliseconds: afterMilliseconds) { [weak self] in
      self?.deadlines[id] = nil
      self?.connection?.deadlinePassed(id)
    }
  }

  package func setNeedsDispatch() {
    guard !isDispatchAsked else { return }
    isDispatchAsked = true
    loop.beforeOtherWork { [weak self] in
      self?.isDispatchAsked = false
      self?.connection?.dispatch()
    }
  }
}
