import DBus
import Glibc

/// Listens to the agent of the session bus, and tells how soon its reminders come; run-reminders gives
/// it a bus of its own, with events that fall due in a while.
///
/// The summaries of the events are numbers with as many digits, in the order in which they are due.
struct ReminderBenchmark {
  private let connection: Connection

  private static let agent: BusName = "org.datebook.Calendar1"
  private static let path: ObjectPath = "/org/datebook/Calendar1"

  init() throws { connection = try Connection.session() }

  /// Waits for so many reminders, and prints how long after its instant each came.
  ///
  /// With `atOnce` all have the same instant, and what counts is the first and the last; otherwise each
  /// has its own, and what counts is how they are spread.
  func tellDelays(_ count: Int, atOnce: Bool) throws {
    var delays: [Double] = []
    var (last, isInOrder) = ("", true)
    var told: Set<String> = []
    delays.reserveCapacity(count)
    let subscription = try connection.subscribe(
      MatchRule(sender: Self.agent, path: Self.path, member: "ReminderDue")
    ) { message in
      let now = realtimeSeconds()
      guard let arguments = try? message.arguments(), let summary = arguments[2].asString,
        let due = arguments[4].asInteger
      else { return }
      delays.append((now - Double(due)) * 1000)
      if summary <= last { isInOrder = false }
      last = summary
      told.insert(summary)
    }
    defer { subscription.cancel() }
    let loop = BlockingLoop()
    loop.add(connection)
    // They are about a second apart, where they do not come at once.
    let patience = 600 + 2 * count
    guard loop.run(timeoutMilliseconds: patience * 1000, until: { delays.count >= count }) else {
      throw UsageError(description: "\(delays.count) of \(count) reminders came in \(patience) s")
    }
    // What was told twice would come before this answer.
    var isAnswered = false
    try connection.call(.call(Self.agent, Self.path, "org.freedesktop.DBus.Peer", "Ping")) { _ in
      isAnswered = true
    }
    guard loop.run(timeoutMilliseconds: 60_000, until: { isAnswered }) else {
      throw UsageError(description: "the agent does not answer")
    }
    let order = isInOrder ? "in order" : "NOT in order"
    print("\(delays.count) signals of \(told.count) reminders, \(order)")
    if atOnce {
      print(
        "after their instant: the first \(shown(delays[0])) ms, the last \(shown(delays[delays.count - 1])) ms"
      )
    } else {
      delays.sort()
      func part(_ percent: Int) -> String { shown(delays[(delays.count - 1) * percent / 100]) }
      print(
        "after their instants: p50 \(part(50)) ms, p90 \(part(90)) ms, p99 \(part(99)) ms, "
          + "at most \(part(100)) ms")
    }
    // The figures are of no account where the promises are not kept.
    guard isInOrder, told.count == count, delays.count == count else {
      throw UsageError(description: "each reminder was to be told once, in order")
    }
  }

  /// Ends the agent and has the bus start it again, some times; asks for the next reminder each time.
  func tellStarts() throws {
    var times: [Double] = []
    for _ in 0..<15 {
      try endAgent()
      let begin = monotonicSeconds()
      // Of the hour to come: NextWake would do with whatever the agent does next, such as the end of a day.
      let answer = try connection.callAndWait(
        .call(
          Self.agent, Self.path, "org.datebook.Calendar1.Reminders", "Upcoming", [.uint32(1)])
      ).arguments()
      times.append((monotonicSeconds() - begin) * 1000)
      guard answer.first?.asArray?.first?["due"]?.asInteger ?? 0 > 0 else {
        throw UsageError(description: "the agent knows of no next reminder")
      }
    }
    times.sort()
    print(
      "from the call that starts the agent to the next reminder: \(shown(times[7])) ms "
        + "(\(shown(times[0])) to \(shown(times[14])))")
  }

  private func endAgent() throws {
    let answer = try? connection.callAndWait(
      .call(
        .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
        [.string(Self.agent.text)])
    ).arguments()
    guard let id = answer?.first?.asInteger else { return }
    kill(pid_t(id), SIGTERM)
    try wait(until: Self.agent, isThere: false)
  }
}

/// Seconds since 1970.
private func realtimeSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
