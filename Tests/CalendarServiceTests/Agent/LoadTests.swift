import CalendarBus
import DBus
import Glibc
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// Clients that behave well beside some that do not.
@Suite(.serialized, .longProof) struct `The agent under load` {
  /// How long, in seconds: DATEBOOK_LOAD_SECONDS says, 600 for the whole proof.
  private static let seconds = Int(variable("DATEBOOK_LOAD_SECONDS")) ?? 3

  /// Who behaves badly: all at once, and in a long run each alone. DATEBOOK_LOAD_HOSTILE names others, with
  /// commas; "none" is nobody, and "flood-echo" floods the service that only answers, for comparison.
  private static let hostile: [[String]] = {
    let all = ["flood", "deaf", "dying", "huge"]
    let named = variable("DATEBOOK_LOAD_HOSTILE")
    if named == "none" { return [[]] }
    if !named.isEmpty { return [named.split(separator: ",").map(String.init)] }
    return (variable("DATEBOOK_LOAD_SECONDS").isEmpty ? [] : [[]] + all.map { [$0] }) + [all]
  }()

  /// How long the clients that behave well think between two calls, in milliseconds: DATEBOOK_LOAD_PAUSE
  /// says, 0 for as many calls as there can be.
  private static let pause = Int(variable("DATEBOOK_LOAD_PAUSE")) ?? 60

  /// In how many parts of the time the answers are looked at.
  private static let parts = 10

  /// The most that the agent may ever hold, in KiB: one message of the bus's limit (128 MiB) while it is
  /// read, with libdbus's own copy of it, 32 MiB of calls that wait, a few MiB of answers, and itself.
  private static let mostPeak = 420 << 10
  /// The most that stays once the others have gone, in KiB.
  private static let mostAfter = 120 << 10

  @Test(arguments: hostile)
  func `others are answered, reminders told and memory bounded`(hostile: [String]) throws {
    let agent = try AgentProcess()
    try agent.start()
    try agent.fill()
    let before = try agent.memory("VmRSS")
    var told: [(due: Int64, late: Int64)] = []
    let subscription = try agent.connection.subscribe(
      MatchRule(interface: Contract.reminders, member: "ReminderDue")
    ) { message in
      guard let due = (try? message.arguments())?[4].asInteger else { return }
      told.append((due, realtimeMilliseconds() - due * 1000))
    }
    defer { subscription.cancel() }
    // One reminder each second, planned before it gets busy: what is added after its time does not ring.
    // Their events are of the next year's days that nobody asks for: hundreds of events in one day are no
    // calendar of anybody's, and all answers would carry them.
    let ahead: Int64 = 366 * 24 * 3600
    let now = SystemCalls.realtimeSeconds()
    let dues = (1...Int64(max(1, Self.seconds - 2))).map { now + 5 + $0 }
    for due in dues {
      _ = try agent.call(
        Contract.events, "Add",
        [
          .string(""),
          .row([
            ("summary", .string("Due")), ("start", .int64(due + ahead)),
            ("reminders", .strings(["\(ahead / 3600)h"])),
          ]),
        ])
    }
    let clients = try (1...50).map { try BusyClient(agent, name: $0, mostPause: Self.pause) }
    let echo = try client("echo", of: agent)
    let bus = try TrifleProbe(agent) {
      try .call(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")
    }
    let service = try TrifleProbe(agent) {
      try .call(
        "org.datebook.Echo1", "/org/datebook/Echo1", "org.datebook.Echo1", "Echo")
    }
    let others = try hostile.map { try client($0, of: agent) }
    for client in clients { client.begin() }
    let work = (calls: clients.map(\.times.count).reduce(0, +), cpu: try agent.processorTime())
    var isOver = false
    agent.loop.after(milliseconds: Self.seconds * 1000) { isOver = true }
    var peak = 0
    // Where something grows with time, the last part is slower than the first.
    var parts: [(reads: [Int], writes: [Int])] = []
    let begin = SystemCalls.monotonicNanoseconds()
    while !isOver {
      _ = try agent.loop.run(withinMilliseconds: 200) { isOver }
      peak = max(peak, try agent.memory("VmHWM"))
      let part = (SystemCalls.monotonicNanoseconds() - begin) / 1_000_000 * Int64(Self.parts)
      while parts.count < min(Self.parts, Int(part) / (Self.seconds * 1000)) {
        parts.append((clients.map(\.reads.count), clients.map(\.writes.count)))
      }
    }
    let cpu = try agent.processorTime() - work.cpu
    // While the others still do their worst.
    try agent.wait(for: "the reminders") { told.count >= dues.count }
    for client in clients { client.isBusy = false }
    try agent.wait(for: "the answers") { clients.allSatisfy { !$0.isWaiting } }
    for (other, name) in zip(others, hostile) {
      other.pump()
      #expect(other.status == nil, "\(name): \(other.outcome.errors)")
      other.terminate(signal: 9)
      try other.wait()
    }
    echo.terminate(signal: 9)
    try echo.wait()
    #expect(try agent.property("State") == .string("ready"))
    peak = max(peak, try agent.memory("VmHWM"))
    let after = try agent.memory("VmRSS")
    let late = told.map { $0.late * 1_000_000 }.sorted()
    #expect(peak < Self.mostPeak)
    #expect(after < Self.mostAfter)
    #expect(told.map(\.due) == dues, "each once and in order")
    for client in clients { #expect(client.faults == []) }
    let times = clients.flatMap(\.times).sorted()
    #expect(!times.isEmpty)
    let calls = max(1, times.count - work.calls)
    print(
      """
      load \(hostile): \(times.count) calls in \(Self.seconds) s of 50 clients with pauses of up to \(Self.pause) ms, \(cpu / Int64(calls) / 1000) µs of the agent's time each
        all     \(times.places)
        reads   \(clients.flatMap(\.reads).sorted().places)
        writes  \(clients.flatMap(\.writes).sorted().places)
        p99 by tenths of the time: \(tenths(parts, clients)) ms
        the bus itself meanwhile, \(bus.times.sorted().places)
        a service that only answers, \(service.times.sorted().places)
        \(told.count) reminders, \(late.places) late
        memory \(before) KiB before, \(peak) at most, \(after) after
      """)
    #expect(try agent.terminate().status == .exited(0))
  }

  /// What p99 was in each part of the time.
  private func tenths(
    _ parts: [(reads: [Int], writes: [Int])], _ clients: [BusyClient]
  ) -> String {
    var last = (reads: clients.map { _ in 0 }, writes: clients.map { _ in 0 })
    return parts.map { part in
      defer { last = part }
      let times = clients.indices.flatMap { place in
        clients[place].reads[last.reads[place]..<part.reads[place]]
          + clients[place].writes[last.writes[place]..<part.writes[place]]
      }
      return times.sorted().place(99)
    }.joined(separator: " ")
  }

  /// Starts the program HostileClient beside the agent.
  private func client(_ part: String, of agent: AgentProcess) throws -> Subprocess {
    try Subprocess(
      directory(ofFile: CommandLine.arguments[0]) + "/HostileClient", [part],
      environment: agent.bus.environment)
  }
}

/// Asks for a trifle thirty times a second: the bus itself, or a service on it that does nothing but
/// answer. No agent can be faster than these.
private final class TrifleProbe {
  /// In nanoseconds.
  private(set) var times: [Int64] = []
  private let connection: Connection
  private let loop: EventLoop
  private let question: () throws -> Message

  init(_ agent: AgentProcess, asking question: @escaping () throws -> Message) throws {
    loop = agent.loop
    self.question = question
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: loop)
    try ask()
  }

  private func ask() throws {
    let begin = SystemCalls.monotonicNanoseconds()
    try connection.call(question(), timeoutMilliseconds: AgentUnderTest.patienceMilliseconds) {
      [weak self] result in
      guard let self else { return }
      if case .success = result { times.append(SystemCalls.monotonicNanoseconds() - begin) }
      loop.after(milliseconds: 30) { [weak self] in try? self?.ask() }
    }
  }
}

private func realtimeMilliseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
}

extension [Int64] {
  /// A percentile of sorted nanoseconds, in milliseconds.
  fileprivate func place(_ percent: Int) -> String {
    let micros = isEmpty ? 0 : self[Swift.min(count - 1, count * percent / 100)] / 1000
    return "\(micros / 1000).\(micros / 100 % 10)"
  }

  fileprivate var places: String {
    "\(count): p50 \(place(50)) ms, p99 \(place(99)) ms, most \(place(100)) ms"
  }
}

extension AgentProcess {
  /// Two thousand events of the year 2027.
  fileprivate func fill() throws {
    var components: [String] = []
    for number in 0..<2000 {
      let day = "2027\(number % 9 + 1 < 10 ? "0" : "")\(number % 9 + 1)\(10 + number % 18)"
      components.append(
        component("fill-\(number)", "DTSTART:\(day)T100000Z", "SUMMARY:Event \(number)"))
    }
    _ = try call(
      Contract.transfer, "ImportText",
      [.string(calendarText(components)), .string(""), .string("")])
  }

  private func calendarText(_ components: [String]) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Datebook//Tests//EN\r\n"
      + components.joined() + "END:VCALENDAR\r\n"
  }
}
