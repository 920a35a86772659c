internal import CDBus

/// Divides the work of a connection into passes of the loop.
///
/// Timers and other descriptors get their time, each client gets its turn, and memory is bounded
/// whatever others send or fail to read.
///
/// The bus has one line of messages for us, in which a single call of one client comes after
/// everything that others sent before. So each pass first moves messages from that line into the
/// ``CallQueue``, for a short time, and then handles calls.
///
/// The bounds: 32 MiB of messages that libdbus holds, one message more, the queues, and
/// ``maximumOutgoing`` plus one answer to be sent. The rest stays with the bus, at its sender's
/// cost.
extension Connection {
  /// The most calls that one ``dispatch()`` handles before timers and descriptors get their time.
  package static let callsPerPass = 64

  /// A pass that took this long ends after its current call.
  private static let passMilliseconds: Int64 = 4

  /// How long a pass takes messages from libdbus and from the socket.
  private static let readingMilliseconds: Int64 = 2

  /// How many times libdbus reads, at most 4 KiB each time, before we check for more.
  private static let readsInARow = 16

  /// Calls wait while this many octets wait to be sent.
  ///
  /// The bus stops reading from us when our answers pile up. Signals of reminders queue after these
  /// octets, so there must not be many.
  package static let maximumOutgoing = 256 << 10

  /// The most waiting calls of a client whose exit is not watched.
  ///
  /// Answering many calls of a client that has left would take everybody's time. Watching every
  /// client would cost the bus two more calls for each one.
  private static let unwatchedCalls = 4

  /// Handles what has arrived: signals, answers, and at most ``callsPerPass`` calls.
  ///
  /// Asks the loop for another pass when more waits.
  package func dispatch() {
    // A handler may drop the last other reference to this connection.
    withExtendedLifetime(self) {
      let isMoreComing = takeIn()
      handleCalls()
      watches.isDrainAwaited = isHeldUp && !calls.isEmpty
      if isMoreComing || hasWaitingCalls { watches.loop?.setNeedsDispatch() }
    }
  }

  /// Whether the next ``dispatch()`` has calls to handle.
  ///
  /// Calls that are held up wait until the bus reads; then
  /// ``handle(descriptor:readable:writable:hangup:)`` continues with them.
  package var hasWaitingCalls: Bool { !isHeldUp && !calls.isEmpty }

  /// Whether calls must wait until the bus reads, or until the answers of this pass are sent.
  ///
  /// False on a closed connection: its end is among the messages to handle.
  private var isHeldUp: Bool {
    isConnected && outgoingOctets + (held?.octets ?? 0) >= Connection.maximumOutgoing
  }

  /// Continues with what was held up, after something was read or written.
  func resume() {
    if hasWaitingCalls || isMoreComing && !calls.isFull { watches.loop?.setNeedsDispatch() }
  }

  private var isMoreComing: Bool {
    dbus_connection_get_dispatch_status(pointer) == DBUS_DISPATCH_DATA_REMAINS
  }

  /// Reads the rest of a long message, which everything else waits for.
  func readOn() {
    let end = cdbus_monotonic_milliseconds() + Connection.readingMilliseconds
    while !isMoreComing, isConnected, watches.isReadable, cdbus_monotonic_milliseconds() < end {
      read()
    }
  }

  /// Takes messages from libdbus: calls go to the queue, everything else to its handler.
  ///
  /// - Returns: Whether any are left.
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

  /// Reads until a message is complete, at most 64 KiB: ``readsInARow`` times 4 KiB.
  ///
  /// Checking for more before each read would cost as much as the read itself: 100 MB took a
  /// quarter of a second, during which no other calls arrive.
  private func read() {
    for _ in 0..<Connection.readsInARow {
      watches.read()
      if isMoreComing || !isConnected { return }
    }
  }

  /// Handles waiting calls, one of each client in turn.
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

  /// Passes a call to ``onMethodCall``; answers `UnknownMethod` if that does not handle it.
  func handle(_ call: Message) {
    if onMethodCall?(call) == true { return }
    guard call.expectsReply, isConnected else { return }
    let error = DBusError(
      .unknownMethod, "nothing here answers to \(call.member?.text ?? "this call")")
    // If the error cannot be sent, memory is out or the bus is gone.
    if let message = try? Message.error(error, to: call) { try? send(message) }
  }

  /// Adds a call to its client's queue.
  func enqueue(_ call: Message) {
    // Only a call without a bus has no sender.
    guard let client = call.sender else { return calls.append(call, from: BusName(unchecked: "")) }
    calls.append(call, from: client)
    guard calls.count(of: client) > Connection.unwatchedCalls, watchedClients[client] == nil
    else { return }
    // If the watch fails, the calls of a client that has left are handled all the same.
    watchedClients[client] = try? watchOwner(of: client) { [weak self] owner in
      guard owner == nil, let self else { return }
      calls.drop(client)
      watchedClients[client] = nil
    }
  }

  /// Sends a refusal at once, not with the held answers: if those fail, this call is not repeated.
  private func refuse(_ serial: UInt32, of caller: BusName, _ error: DBusError) {
    guard isConnected else { return }
    if let message = try? Message.error(error, toSerial: serial, of: caller) {
      try? sendNow(message)
    }
  }

  /// Refuses a call that is too long, after one second for each MiB, at most two minutes.
  ///
  /// Everybody waits while the bus carries such a call, and a caller that is refused at once would
  /// send it again at once.
  func refuseLate(_ call: Message, _ error: DBusError, octets: Int) {
    guard call.expectsReply, let caller = call.sender else { return }
    // Keep only the serial number: the call itself is large.
    let serial = call.serial
    watches.after(milliseconds: min(octets >> 20, 120) * 1000) { [weak self] in
      self?.refuse(serial, of: caller, error)
    }
  }
}
