internal import CDBus

/// How the work that comes over a connection is portioned, so that timers and other
/// descriptors get their turn, each caller gets its own, and memory has a bound
/// whatever others send or fail to read.
///
/// The bounds: 32 MiB of calls that libdbus holds for us, and one message besides,
/// 40,000 calls that wait, ``maximumOutgoing`` and one answer to be sent. What is
/// more than that stays with the bus, at its sender's cost.
extension Connection {
  /// The most calls that one ``dispatch()`` handles, and the most signals and answers.
  /// Timers and other descriptors get their turn after these, however many more wait.
  package static let messagesPerTurn = 64

  /// A turn that took this long ends after the call that it is at. On the monotonic clock.
  private static let turnMilliseconds = 4

  /// The most messages that a turn takes out of libdbus while many calls wait: so many
  /// of one caller that a call of another, behind them, is found soon.
  private static let takenPerTurn = 4096

  /// While this many octets wait to be sent, calls wait, too: the bus does not read what
  /// we send, which is how it tells a sender that its answers pile up. A reminder's signal goes out
  /// behind them, so they must not be many.
  package static let maximumOutgoing = 1 << 20

  /// Handles messages that have come: hands signals and answers over, and handles calls by turns,
  /// ``messagesPerTurn`` of each at most. Asks for another turn when there are more.
  package func dispatch() {
    // A handler may drop the last other reference to this connection.
    withExtendedLifetime(self) {
      guard !isHeldUp else { return }
      let isMoreComing = takeIn()
      let isMoreWaiting = handleCalls()
      if isMoreComing || isMoreWaiting { watches.loop?.setNeedsDispatch() }
    }
  }

  /// Whether calls wait until the bus reads, or until the end of a turn whose answers are held. ``handle(descriptor:readable:writable:hangup:)`` goes on
  /// once it did.
  ///
  /// Nothing waits for a bus that is gone: that it went is among what has come.
  private var isHeldUp: Bool {
    isConnected && outgoingOctets + (held?.octets ?? 0) >= Connection.maximumOutgoing
  }

  /// Whether the next ``dispatch()`` has calls to handle.
  package var hasWaitingCalls: Bool { !isHeldUp && !calls.isEmpty }

  /// Goes on with what was held up, after something was read or written.
  func resume() {
    if !isHeldUp, !calls.isEmpty || isMoreComing { watches.loop?.setNeedsDispatch() }
  }

  private var isMoreComing: Bool {
    dbus_connection_get_dispatch_status(pointer) == DBUS_DISPATCH_DATA_REMAINS
  }

  /// Takes messages out of libdbus: calls into the queue, everything else to its handler.
  ///
  /// - Returns: whether it left any.
  private func takeIn() -> Bool {
    var handled = 0
    for _ in 0..<Connection.takenPerTurn {
      guard calls.count < CallQueue.maximum, !isHeldUp else { return false }
      let waiting = calls.count
      let isMore = dbus_connection_dispatch(pointer) == DBUS_DISPATCH_DATA_REMAINS
      if calls.count == waiting { handled += 1 }
      if handled >= Connection.messagesPerTurn { return isMore }
      if isMore { continue }
      // libdbus reads 2 KiB at a time, a few calls. Where many wait, somebody's single call may
      // be behind those of one caller.
      guard calls.count > Connection.messagesPerTurn, isConnected else { return false }
      dbus_connection_read_write(pointer, 0)
      if !isMoreComing { return false }
    }
    return true
  }

  /// Handles calls that wait.
  ///
  /// - Returns: whether it left any that it could handle.
  private func handleCalls() -> Bool {
    let end = cdbus_monotonic_milliseconds() + Int64(Connection.turnMilliseconds)
    for _ in 0..<Connection.messagesPerTurn {
      guard !isHeldUp, let call = calls.take() else { break }
      handled = call
      held?.calls.append(call)
      handle(call)
      handled = nil
      if cdbus_monotonic_milliseconds() >= end || held?.hasFailed == true { break }
    }
    endTurn()
    return hasWaitingCalls
  }

  /// Has a call answered.
  func handle(_ call: Message) {
    if onMethodCall?(call) == true { return }
    refuse(call, .unknownMethod, "nothing here answers to \(call.member?.text ?? "this call")")
  }

  /// Puts a call into the queue. A caller of whom too many calls wait has this one refused.
  func enqueue(_ call: Message) {
    // Only a call without a bus has no sender.
    if calls.append(call, from: call.sender ?? BusName(unchecked: "")) { return }
    refuse(
      call, .limitsExceeded,
      "\(CallQueue.maximumOfOneCaller) of your calls wait already; wait for their answers")
  }

  private func refuse(_ call: Message, _ name: ErrorName, _ text: String) {
    guard call.expectsReply, isConnected else { return }
    // An error that cannot be sent has nowhere to go: memory is out, or the bus is gone.
    if let message = try? Message.error(DBusError(name, text), to: call) { try? send(message) }
  }
}
