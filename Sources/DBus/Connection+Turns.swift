internal import CDBus

/// How the work that comes over a connection is portioned, so that timers and other
/// descriptors get their turn, each caller gets its own, and memory has a bound
/// whatever others send or fail to read.
///
/// The bus has one line of messages for us, in which a caller's single call stands behind all that
/// others sent before. So each turn first empties that line into the ``CallQueue``, as far as it
/// gets in a short time, and then handles calls. Callers in a hurry are answered only when the
/// bus has read all that was sent before: their answers never stand before those of others. And they leave
/// others three quarters of the time; see ``ClientRateLimit``.
///
/// The bounds: 32 MiB of calls that libdbus holds for us, and one message besides,
/// 4,000 calls that wait, the shares of those who call later, and 10,000 calls that want no reply,
/// ``maximumOutgoing`` and one answer to be sent. What is more than that stays with the bus, at its sender's cost.
extension Connection {
  /// The most calls that one ``dispatch()`` handles, and the most signals and answers.
  /// Timers and other descriptors get their turn after these, however many more wait.
  package static let messagesPerTurn = 64

  /// A turn that took this long ends after the call that it is at. On the monotonic clock.
  private static let turnMilliseconds = 4

  /// How long a turn takes messages out of libdbus and off the socket while many calls wait.
  private static let readingMilliseconds = 2

  /// How often libdbus reads, 4 KiB at most each time, before we look whether there is more.
  private static let readsInARow = 16

  /// While this many octets wait to be sent, calls wait, too: the bus does not read what
  /// we send, which is how it tells a sender that its answers pile up. A reminder's signal goes out
  /// behind them, so they must not be many.
  package static let maximumOutgoing = 256 << 10

  /// While the line is not empty after that time, callers in a hurry wait; every so many turns they
  /// do not.
  private static let turnsBetweenHurried = 8

  /// Handles messages that have come: hands signals and answers over, and handles calls by turns,
  /// ``messagesPerTurn`` of each at most. Asks for another turn when there are more.
  package func dispatch() {
    // A handler may drop the last other reference to this connection.
    withExtendedLifetime(self) {
      let isMoreComing = takeIn()
      turnsOfReading = isMoreComing ? turnsOfReading + 1 : 0
      handleCalls(hurriedToo: turnsOfReading % Connection.turnsBetweenHurried == 0)
      let isWaiting = hasWaitingCalls
      watches.isDrainAwaited = !isWaiting && !calls.isEmpty
      if isMoreComing || isWaiting { watches.loop?.setNeedsDispatch() } else { awaitRestEnd() }
    }
  }

  /// Whether the next ``dispatch()`` has calls to handle. Others wait until the bus reads, when
  /// ``handle(descriptor:readable:writable:hangup:)`` goes on, or until their callers have rested.
  package var hasWaitingCalls: Bool {
    !isHeldUp
      && (calls.hasPatient
        || calls.count > 0 && isAllSent
          && isHurryPermitted(at: cdbus_monotonic_microseconds()))
  }

  /// Whether the bus has to read first, or the end of a turn to come whose answers are held.
  ///
  /// Nothing waits for a bus that is gone: that it went is among what has come.
  private var isHeldUp: Bool {
    isConnected && outgoingOctets + (held?.octets ?? 0) >= Connection.maximumOutgoing
  }
  private var isAllSent: Bool { !isConnected || outgoingOctets == 0 }

  /// Goes on with what was held up, after something was read or written.
  func resume() {
    if hasWaitingCalls || isMoreComing && !calls.isFull { watches.loop?.setNeedsDispatch() }
  }

  private var isMoreComing: Bool {
    dbus_connection_get_dispatch_status(pointer) == DBUS_DISPATCH_DATA_REMAINS
  }

  /// Reads on where a part of a long message has come: whoever stands behind it waits for its end.
  func readOn() {
    let end = cdbus_monotonic_milliseconds() + Int64(Connection.readingMilliseconds)
    while !isMoreComing, isConnected, watches.isReadable, cdbus_monotonic_milliseconds() < end {
      read()
    }
  }

  /// Takes messages out of libdbus: calls into the queue, everything else to its handler.
  ///
  /// - Returns: whether it left any.
  private func takeIn() -> Bool {
    let end = cdbus_monotonic_milliseconds() + Int64(Connection.readingMilliseconds)
    var handled = 0
    while !calls.isFull {
      if isMoreComing {
        isLongComing = false
        let waiting = calls.count + calls.refusedCount
        dbus_connection_dispatch(pointer)
        if calls.count + calls.refusedCount == waiting { handled += 1 }
        if handled >= Connection.messagesPerTurn { return isMoreComing }
        continue
      }
      // libdbus reads 4 KiB at most each time, some calls or a part of a long one. Where many wait,
      // somebody's single call may be behind them.
      guard calls.count + calls.refusedCount > CallQueue.fewCalls, isConnected, watches.isReadable
      else { return false }
      if cdbus_monotonic_milliseconds() >= end { return true }
      read()
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
    isLongComing = true
  }

  /// Handles calls that wait.
  private func handleCalls(hurriedToo: Bool) {
    var now = cdbus_monotonic_microseconds()
    let end = now + Int64(Connection.turnMilliseconds) * 1000
    defer {
      endTurn()
      let settled = cdbus_monotonic_microseconds()
      pace.endTurn(at: settled, settling: settled - now)
    }
    refuseSome(at: now)
    for _ in 0..<Connection.messagesPerTurn {
      let isForHurried = hurriedToo && isAllSent && isHurryPermitted(at: now)
      guard !isHeldUp, let taken = calls.take(hurriedToo: isForHurried) else { return }
      if !calls.isHurried(taken.caller) { hurriedCallers[taken.caller] = nil }
      handled = taken.call
      held?.calls.append(taken.call)
      handle(taken.call)
      handled = nil
      let begin = now
      now = cdbus_monotonic_microseconds()
      if taken.wasHurried {
        pace.handledHurried(from: begin, until: now)
      } else {
        pace.handledOther(taken.caller, at: now)
      }
      if now >= end || held?.hasFailed == true { return }
    }
  }

  /// Nobody is in a hurry while a long message comes, since the bus hands it over in some five
  /// hundred pieces, and does what else there is between two of them. Nobody rests for a bus that is gone.
  private func isHurryPermitted(at now: Int64) -> Bool {
    !isConnected
      || !isLongComing && pace.permits(at: now) { [watches] in watches.isAllRead }
  }

  /// Sends the refusals that are due.
  private func refuseSome(at now: Int64) {
    guard calls.refusedCount > 0, !isHeldUp else { return }
    let due = pace.refusalsDue(at: now, waiting: calls.refusedCount)
    for count in 0..<ClientRateLimit.mostRefusals {
      guard let came = calls.firstRefusedCame,
        count < due || ClientRateLimit.isTooLate(came, at: now), let refused = calls.takeRefused()
      else { return }
      if !calls.isHurried(refused.caller) { hurriedCallers[refused.caller] = nil }
      refuse(
        refused.serial, of: refused.caller,
        DBusError(.limitsExceeded, "\(refused.reason); wait for their replies"))
    }
  }

  /// Goes on when callers in a hurry have rested, and the next refusals are due.
  private func awaitRestEnd() {
    guard !isRestEndAwaited, !calls.isEmpty, isConnected else { return }
    let now = cdbus_monotonic_microseconds()
    var rest = calls.count > 0 ? pace.rest(at: now) : 0
    if calls.refusedCount > 0 {
      rest = rest > 0 ? min(rest, ClientRateLimit.refusalPause) : ClientRateLimit.refusalPause
    }
    guard rest > 0 else { return }
    isRestEndAwaited = true
    watches.after(milliseconds: Int(rest / 1000) + 1) { [weak self] in
      guard let self else { return }
      isRestEndAwaited = false
      watches.loop?.setNeedsDispatch()
    }
  }

  /// Has a call answered.
  func handle(_ call: Message) {
    if onMethodCall?(call) == true { return }
    guard call.expectsReply, isConnected else { return }
    let error = DBusError(
      .unknownMethod, "no object here handles \(call.member?.text ?? "this call")")
    // An error that cannot be sent has nowhere to go: memory is out, or the bus is gone.
    if let message = try? Message.error(error, to: call) { try? send(message) }
  }

  /// Puts a call into the queue.
  func enqueue(_ call: Message) {
    // Only a call without a bus has no sender.
    let caller = call.sender ?? BusName(unchecked: "")
    guard calls.append(call, from: caller, at: cdbus_monotonic_microseconds()) == .hurries else {
      return
    }
    pace.hurries(caller)
    guard !caller.text.isEmpty else { return }
    // Many answers to one who is gone would take the time of all others. Where the bus does not tell,
    // its calls are handled.
    hurriedCallers[caller] = try? watchOwner(of: caller) { [weak self] owner in
      guard owner == nil, let self else { return }
      calls.dropAnswered(of: caller)
      if !calls.isHurried(caller) { hurriedCallers[caller] = nil }
    }
  }

  private func refuse(_ serial: UInt32, of caller: BusName, _ error: DBusError) {
    guard isConnected else { return }
    if let message = try? Message.error(error, toSerial: serial, of: caller) { try? send(message) }
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
