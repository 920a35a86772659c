internal import CDBus

/// An event loop that a connection is attached to.
///
/// The connection states what it waits for. The loop answers with
/// ``Connection/handle(descriptor:readable:writable:hangup:)``, ``Connection/deadlinePassed(_:)``
/// and ``Connection/dispatch()``, never from inside one of the calls below. The connection holds
/// the loop, so the loop must not hold the connection, or must release it when the connection ends.
package protocol ConnectionLoop: AnyObject {
  /// Watches a descriptor for exactly this; false twice stops. Hang-ups are always reported.
  func setInterest(descriptor: Int32, readable: Bool, writable: Bool)
  /// Calls `deadlinePassed` once after that time.
  ///
  /// Replaces an earlier deadline of the same ID; nil cancels it.
  func setDeadline(_ id: Int, afterMilliseconds: Int?)
  /// Calls `dispatch` soon: after the handlers of ready descriptors, without waiting for any.
  func setNeedsDispatch()
}

/// The watches that libdbus asks for, merged for the loop.
///
/// libdbus has a read watch and a write watch on one descriptor; epoll takes a descriptor once.
final class ConnectionWatches {
  var loop: (any ConnectionLoop)?
  private(set) var watches: [OpaquePointer] = []
  private var deadlines: [OpaquePointer: Int] = [:]
  /// Whether calls wait until everything is sent.
  var isDrainAwaited = false
  private var lastDeadline = 0
  /// Delayed work by its deadline.
  private var delayed: [Int: () -> Void] = [:]

  func add(_ watch: OpaquePointer) {
    watches.append(watch)
    update(dbus_watch_get_unix_fd(watch))
  }

  func remove(_ watch: OpaquePointer) {
    watches.removeAll { $0 == watch }
    update(dbus_watch_get_unix_fd(watch))
  }

  /// Updates what the loop watches a descriptor for.
  func update(_ descriptor: Int32) {
    guard descriptor >= 0 else { return }
    var wanted: UInt32 = 0
    for watch in watches
    where dbus_watch_get_unix_fd(watch) == descriptor && dbus_watch_get_enabled(watch) != 0 {
      wanted |= dbus_watch_get_flags(watch)
    }
    loop?.setInterest(
      descriptor: descriptor, readable: wanted & DBUS_WATCH_READABLE.rawValue != 0,
      writable: wanted & DBUS_WATCH_WRITABLE.rawValue != 0)
  }

  /// Whether libdbus would read now: data has arrived, and it does not hold too much already.
  var isReadable: Bool {
    watches.contains { watch in
      dbus_watch_get_enabled(watch) != 0
        && dbus_watch_get_flags(watch) & DBUS_WATCH_READABLE.rawValue != 0
        && cdbus_is_readable(dbus_watch_get_unix_fd(watch)) != 0
    }
  }

  /// Makes libdbus read what has arrived, a few KiB at most; does nothing if there is nothing.
  func read() {
    for watch in watches
    where dbus_watch_get_enabled(watch) != 0
      && dbus_watch_get_flags(watch) & DBUS_WATCH_READABLE.rawValue != 0
    {
      dbus_watch_handle(watch, DBUS_WATCH_READABLE.rawValue)
      return
    }
  }

  /// Continues with held calls once libdbus has nothing left to write.
  ///
  /// The descriptor may not have been reported as ready: a later send can write what waited.
  func toggled(_ watch: OpaquePointer) {
    update(dbus_watch_get_unix_fd(watch))
    guard isDrainAwaited, dbus_watch_get_enabled(watch) == 0 else { return }
    isDrainAwaited = false
    loop?.setNeedsDispatch()
  }

  func add(timeout: OpaquePointer) {
    lastDeadline += 1
    deadlines[timeout] = lastDeadline
    update(timeout: timeout)
  }

  func remove(timeout: OpaquePointer) {
    guard let id = deadlines.removeValue(forKey: timeout) else { return }
    loop?.setDeadline(id, afterMilliseconds: nil)
  }

  func update(timeout: OpaquePointer) {
    guard let id = deadlines[timeout] else { return }
    let enabled = dbus_timeout_get_enabled(timeout) != 0
    loop?.setDeadline(
      id, afterMilliseconds: enabled ? Int(dbus_timeout_get_interval(timeout)) : nil)
  }

  /// Runs a closure later; at once if there is no loop.
  func after(milliseconds: Int, _ work: @escaping () -> Void) {
    guard let loop else { return work() }
    lastDeadline += 1
    delayed[lastDeadline] = work
    loop.setDeadline(lastDeadline, afterMilliseconds: milliseconds)
  }

  /// Whether a pending call has a time-out.
  var hasDeadlines: Bool { !deadlines.isEmpty }

  /// Runs the delayed work of a deadline, if it has any.
  func doDelayed(_ id: Int) { delayed.removeValue(forKey: id)?() }

  func timeout(_ id: Int) -> OpaquePointer? { deadlines.first { $0.value == id }?.key }
}

extension Connection {
  /// Removes our callbacks from libdbus's connection, which may outlive this object.
  func detach() {
    dbus_connection_set_watch_functions(pointer, nil, nil, nil, nil, nil)
    dbus_connection_set_timeout_functions(pointer, nil, nil, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(pointer, nil, nil, nil)
  }

  /// Attaches the connection to a loop, for as long as it lives.
  package func attach(to loop: any ConnectionLoop) {
    precondition(watches.loop == nil, "a connection is attached to one loop, once")
    watches.loop = loop
    let me = Unmanaged.passUnretained(watches).toOpaque()
    let added = dbus_connection_set_watch_functions(
      pointer,
      { watch, data in
        if let watch { watchTable(data).add(watch) }
        return 1
      },
      { watch, data in if let watch { watchTable(data).remove(watch) } },
      { watch, data in if let watch { watchTable(data).toggled(watch) } },
      me, nil)
    let timed = dbus_connection_set_timeout_functions(
      pointer,
      { timeout, data in
        if let timeout { watchTable(data).add(timeout: timeout) }
        return 1
      },
      { timeout, data in if let timeout { watchTable(data).remove(timeout: timeout) } },
      { timeout, data in if let timeout { watchTable(data).update(timeout: timeout) } },
      me, nil)
    precondition(added != 0 && timed != 0, "no memory for a connection's watches")
    dbus_connection_set_dispatch_status_function(
      pointer,
      { _, status, data in
        if status == DBUS_DISPATCH_DATA_REMAINS { watchTable(data).loop?.setNeedsDispatch() }
      }, me, nil)
    if dbus_connection_get_dispatch_status(pointer) == DBUS_DISPATCH_DATA_REMAINS {
      loop.setNeedsDispatch()
    }
  }

  /// Reads and writes as a descriptor is ready; messages are handled in ``dispatch()``.
  package func handle(descriptor: Int32, readable: Bool, writable: Bool, hangup: Bool) {
    var ready: UInt32 = 0
    if readable { ready |= DBUS_WATCH_READABLE.rawValue }
    if writable { ready |= DBUS_WATCH_WRITABLE.rawValue }
    if hangup { ready |= DBUS_WATCH_HANGUP.rawValue }
    // Handling one watch may remove the other, so each is looked up again.
    for watch in watches.watches
    where watches.watches.contains(watch) && dbus_watch_get_unix_fd(watch) == descriptor
      && dbus_watch_get_enabled(watch) != 0
    {
      let flags = ready & (dbus_watch_get_flags(watch) | DBUS_WATCH_HANGUP.rawValue)
      if flags != 0 { dbus_watch_handle(watch, flags) }
    }
    if readable { readOn() }
    resume()
  }

  /// Handles a passed deadline; libdbus's own repeat until libdbus removes them.
  package func deadlinePassed(_ id: Int) {
    watches.doDelayed(id)
    guard let timeout = watches.timeout(id) else { return }
    dbus_timeout_handle(timeout)
    if watches.timeout(id) == timeout { watches.update(timeout: timeout) }
  }
}

private func watchTable(_ data: UnsafeMutableRawPointer?) -> ConnectionWatches {
  guard let data else { preconditionFailure("libdbus lost the watches of a connection") }
  return Unmanaged<ConnectionWatches>.fromOpaque(data).takeUnretainedValue()
}
