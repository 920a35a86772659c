internal import CDBus

/// How the work that comes over a connection is divided into passes of the loop, so that timers and other
/// descriptors get their time, each client gets its turn, and memory has a bound whatever others send or fail
/// to read.
///
/// The bus has one line of messages for us, in which a client's single call comes after all that others sent
/// before. So each pass first empties that line into the ``CallQueue``, as far as it gets in a short time, and
/// then handles calls.
///
/// The bounds: 32 MiB of calls that libdbus holds for us, and one message besides, the queues, and
/// ``maximumOutgoing`` and one answer to be sent. What is more than that stays with the bus, at its sender's cost.
extension Connection {
  /// The most calls that one ``dispatch()`` handles.
  /// Timers and other descriptors get their time after these, however many more wait.
  package static let callsPerPass = 64

  /// A pass that took this long ends after the call that it is at. On the monotonic clock.
  private static let passMilliseconds: Int64 = 4

  /// How long a pass takes messages out of libdbus and off the socket.
  private static let readingMilliseconds: Int64 = 2

  /// How often libdbus reads, 4 KiB at most each time, before we look whether there is more.
  private static let readsInARow = 16

  /// While this many octets wait to be sent, calls wait, too: the bus does not read what
  /// we send, which is how it tells a sender that its answers pile up. A reminder's signal goes out
  /// after them, so they must not be many.
  package static let maximumOutgoing = 256 << 10

  /// A client of which more wait is watched: many answers to one that has left would take the time of all
  /// others. To watch each client would cost the bus two more calls for every one.
  private static let unwatchedCalls = 4

  /// Handles messages that have come: hands signals and answers over, and handles calls, ``callsPerPass`` at
  /// most. Asks for another pass when there are more.
  package func dispatch() {
    // A handler may drop the last other reference to this connection.
    withExtendedLifetime(self) {
      let isMoreComing = takeIn()
      handleCalls()
      watches.isDrainAwaited = isHeldUp && !calls.isEmpty
      if isMoreComing || hasWaitingCalls { watches.loop?.setNeedsDispatch() }
    }
  }

  /// Whether the next ``dispatch()`` has calls to handle. Others wait until the bus reads, when
  /// ``handle(descriptor:readable:writable:hangup:)`` goes on.
  package var hasWaitingCalls: Bool { !isHeldUp && !calls.isEmpty }

  /// Whether the bus has to read first, or the end of a pass to come whose answers are held.
  ///
  /// Nothing waits for a bus that is gone: that it went is among what has come.
  private var isHeldUp: Bool {
    isConnected && outgoingOctets + (held?.octets ?? 0) >= Connection.maximumOutgoing
  }

  /// Goes on with what was held up, after something was read or written.
  func resume() {
    if hasWaitingCalls || isMoreComing && !calls.isFull { watches.loop?.setNeedsDispatch() }
  }

  private var isMoreComing: Bool {
    dbus_connection_get_dispatch_status(pointer) == DBUS_DISPATCH_DATA_REMAINS
  }

  /// Reads on where a part of a long message has come: all others wait for its end.
  func readOn() {
    let end = cdbus_monotonic_milliseconds() + Connection.readingMilliseconds
    while !isMoreComing, isConnected, watches.isReadable, cdbus_monotonic_milliseconds() < end {
      read()
    }
  }

  /// Takes messages out of libdbus: calls into the queue, everything else to its handler.
  ///
  /// - Returns: whether it left any.
  private func takeIn() -> Bool {
    let end = cdbus_monotonic_milliseconds() + Connection.readingMilliseconds
    while !calls.isFull {
      if isMoreComing {
        dbus_connection_dispatch(pointer)
      } else if isConnected, watches.isReadable {
        read()
      } else {
        return false
      }
      if cdbus_monotonic_milliseconds() >= end { return isMoreComing }
    }
    return false
  }

  /// Reads until a message has come, 64 KiB at most: ``readsInARow`` times 4 KiB.
  ///
  /// Asking whether there is more before each time costs as much as reading it:
  /// a hundred megabytes took a quarter of a second, during which nobody else's calls come.
  private func read() {
    for _ in 0..<Connection.readsInARow {
      watches.read()
      if isMoreComing || !isConnected { return }
    }
  }

  /// Handles calls that wait, one of each client in turn.
  private func handleCalls() {
    let end = cdbus_monotonic_milliseconds() + Connection.passMilliseconds
    defer { endPass() }
    for _ in 0..<Connection.callsPerPass {
      guard !isHeldUp, let (entry, client) = calls.take() else { return }
      if calls.count(of: client) == 0 { watchedClients[client] = nil }
      switch entry {
      case .call(let call):
        handled = call
        held?.calls.append(call)
        handle(call)
        handled = nil
      case .refused(let serial):
        let error = DBusError(
          .limitsExceeded,
          "\(CallQueue.maximumOfClient) of your calls were waiting already; wait for their answers")
        refuse(serial, of: client, error)
      }
      if cdbus_monotonic_milliseconds() >= end || held?.hasFailed == true { return }
    }
  }

  /// Has a call answered.
  func handle(_ call: Message) {
    if onMethodCall?(call) == true { return }
    guard call.expectsReply, isConnected else { return }
    let error = DBusError(
      .unknownMethod, "nothing here answers to \(call.member?.text ?? "this call")")
    // An error that cannot be sent has nowhere to go: memory is out, or the bus is gone.
    if let message = try? Message.error(error, to: call) { try? send(message) }
  }

  /// Puts a call into the queue of its client.
  func enqueue(_ call: Message) {
    // Only a call without a bus has no sender.
    guard let client = call.sender else { return calls.append(call, from: BusName(unchecked: "")) }
    calls.append(call, from: client)
    guard calls.count(of: client) > Connection.unwatchedCalls, watchedClients[client] == nil
    else { return }
    // Where the bus does not tell, the calls of one that has left are handled.
    watchedClients[client] = try? watchOwner(of: client) { [weak self] owner in
      guard owner == nil, let self else { return }
      calls.drop(client)
      watchedClients[client] = nil
    }
  }

  /// Does not wait with the answers that are held: what these tell may fail, and the call is not kept.
  private func refuse(_ serial: UInt32, of caller: BusName, _ error: DBusError) {
    guard isConnected else { return }
    if let message = try? Message.error(error, toSerial: serial, of: caller) {
      try? sendNow(message)
    }
  }

  /// Refuses a call that is too long, a second later for each MiB of it, two minutes at most.
  ///
  /// Everybody waits while the bus carries a hundred megabytes. Who got the refusal at once would
  /// send them again at once.
  func refuseLate(_ call: Message, _ error: DBusError, octets: Int) {
    guard call.expectsReply, let caller = call.sender else { return }
    // The call itself is not kept meanwhile.
    let serial = call.serial
    watches.after(milliseconds: min(octets >> 20, 120) * 1000) { [weak self] in
      self?.refuse(serial, of: caller, error)
    }
  }
}
