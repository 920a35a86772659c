/// The rate limit of callers in a hurry (see ``CallQueue``): a quarter of the time while others call as well.
///
/// Round-robin alone is not enough. Each reply to a caller that overloads us brings its next call, and work for
/// the bus as well: its time for one call grows with the number of open calls. Of what we send
/// it reads 4 KiB before it checks what others send, so that replies to others wait after a long one. So
/// after some calls of callers in a hurry all of them rest three times as long as these took, from
/// the first call until the bus has read the last answer. Where nobody else calls, nobody rests, and the time in
/// which nobody else called does not count.
///
/// Refusals go at a pace of their own, a thousand a second or more where many wait: not faster, since each brings the next
/// call, and not slower, since who waits for so many would give up and send as many again at once.
///
/// Times are microseconds on the monotonic clock.
struct ClientRateLimit {
  /// How many times as long as their calls took they rest, and at most.
  private static let restFactor: Int64 = 3
  private static let longestRest: Int64 = 1_000_000
  /// What they may take of one turn before they rest.
  private static let mostOfTurn: Int64 = 1000
  /// The least that a call of theirs is reckoned to take: what it costs the bus.
  private static let leastCost: Int64 = 100
  /// For how long after a call of others these count as calling.
  private static let othersLast: Int64 = 50_000
  /// The time between two refusals, and the most that go at once; more where so many wait that twice as many are due
  /// within ``refusalPause``.
  private static let refusalTime: Int64 = 1000
  private static let refusalsAtOnce: Int64 = 64
  /// How long a refusal waits at most, as far as the pace goes: well under the 25 s after which libdbus and
  /// others give up.
  private static let refusalPatience: Int64 = 15_000_000
  /// After that time the caller has given up: its call is refused at once, which brings no next call
  /// and frees the bus of it.
  private static let callerPatience: Int64 = 25_000_000
  /// The most refusals of one turn.
  static let mostRefusals = 256
  /// How long to wait for the next refusals.
  static let refusalPause: Int64 = 8000
  /// How long to wait for the bus to read.
  private static let readingPause: Int64 = 1000

  /// Who was answered last of those that are not in a hurry, and when; and when the last one but it.
  private var lastOther: (caller: BusName?, at: Int64) = (nil, -othersLast)
  private var earlierOther: Int64 = -othersLast
  private var lastRefusal: Int64 = 0
  /// What they took in this turn.
  private var spent: Int64 = 0
  /// What they took in the last turn of theirs whose answers the bus has not read, and when it ended; or, if none of
  /// the others called then, when one did.
  private var unread: (spent: Int64, since: Int64)?
  private var restEnd: Int64 = 0

  /// Returns whether callers in a hurry may have a turn.
  ///
  /// - Parameter isAllRead: whether the bus has read all that was written.
  mutating func permits(at now: Int64, _ isAllRead: () -> Bool) -> Bool {
    guard areOthersCalling(at: now) else { return true }
    if let (spent, since) = unread {
      guard isAllRead() else { return false }
      unread = nil
      let rest = (spent + now - since) * ClientRateLimit.restFactor
      restEnd = now + min(rest, ClientRateLimit.longestRest)
    }
    return now >= restEnd && spent < ClientRateLimit.mostOfTurn
  }

  /// How long to wait before one asks again.
  func rest(at now: Int64) -> Int64 { max(ClientRateLimit.readingPause, restEnd - now) }

  /// Returns how many refusals may go now, and reckons them as gone.
  ///
  /// - Parameter waiting: how many there are.
  mutating func refusalsDue(at now: Int64, waiting: Int) -> Int {
    let time = max(
      1, min(ClientRateLimit.refusalTime, ClientRateLimit.refusalPatience / Int64(max(1, waiting))))
    let most = min(
      max(ClientRateLimit.refusalsAtOnce, 2 * ClientRateLimit.refusalPause / time),
      Int64(ClientRateLimit.mostRefusals))
    let due = min((now - lastRefusal) / time, most)
    guard due > 0 else { return 0 }
    lastRefusal = now
    return Int(due)
  }

  /// Whether nobody waits for the answer to a call any more.
  static func isTooLate(_ came: Int64, at now: Int64) -> Bool { now - came >= callerPatience }

  /// Notes that a call of a caller in a hurry was handled.
  mutating func handledHurried(from begin: Int64, until end: Int64) {
    spent += max(ClientRateLimit.leastCost, end - begin)
  }

  /// Notes that a call of another was handled.
  mutating func handledOther(_ caller: BusName, at now: Int64) {
    if let (spent, _) = unread, !areOthersCalling(at: now) { unread = (spent, now) }
    if lastOther.caller != caller { earlierOther = lastOther.at }
    lastOther = (caller, now)
  }

  /// Notes that a caller has come to be in a hurry: it does not rest for its own earlier calls.
  mutating func hurries(_ caller: BusName) {
    if lastOther.caller == caller { lastOther = (nil, earlierOther) }
  }

  /// Notes the end of a turn.
  ///
  /// - Parameter settling: how long it took to settle what the calls of the turn did.
  mutating func endTurn(at now: Int64, settling: Int64) {
    if spent > 0 { unread = (spent + settling, now) }
    spent = 0
  }

  private func areOthersCalling(at now: Int64) -> Bool {
    now - lastOther.at < ClientRateLimit.othersLast
  }
}
