import CalendarBus
import DBus
import Glibc
import Platform
import TestSupport
import Testing

@testable import CalendarService

/// Clients that behave well beside some that do not.
@Suite(.serialized) struct `The agent under load` {
  /// How long, in seconds: DATEBOOK_LOAD_SECONDS says, 600 for the whole proof.
  private static let seconds = Int(variable("DATEBOOK_LOAD_SECONDS")) ?? 3

  /// Who behaves badly: all at once, and each alone where there is time.
  private static let hostile: [[String]] =
    (variable("DATEBOOK_LOAD_SECONDS").isEmpty
      ? [] : [[], ["flood"], ["deaf"], ["dying"], ["huge"]])
    + [["flood", "deaf", "dying", "huge"]]

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
    let now = SystemCalls.realtimeSeconds()
    let dues = (1...Int64(max(1, Self.seconds - 2))).map { now + 5 + $0 }
    for due in dues {
      _ = try agent.call(
        Contract.events, "Add",
        [
          .string(""),
          .row([
            ("summary", .string("Due")), ("start", .int64(due + 60)),
            ("reminders", .strings(["1m"])),
          ]),
        ])
    }
    let clients = try (1...50).map { try BusyClient(agent, name: $0) }
    let others = try hostile.map {
      try Subprocess(
        directory(ofFile: CommandLine.arguments[0]) + "/HostileClient", [$0],
        environment: agent.bus.environment)
    }
    var isOver = false
    agent.loop.after(milliseconds: Self.seconds * 1000) { isOver = true }
    var peak = 0
    while !isOver {
      _ = try agent.loop.run(withinMilliseconds: 200) { isOver }
      peak = max(peak, try agent.memory("VmHWM"))
    }
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
    #expect(try agent.property("State") == .string("ready"))
    peak = max(peak, try agent.memory("VmHWM"))
    let after = try agent.memory("VmRSS")
    #expect(peak < Self.mostPeak)
    #expect(after < Self.mostAfter)
    #expect(told.map(\.due) == dues, "each once and in order")
    for client in clients { #expect(client.faults == []) }
    let times = clients.flatMap(\.times).sorted()
    #expect(!times.isEmpty)
    print(
      "load \(hostile): \(times.count) calls, p50 \(times.place(50)) µs, p99 \(times.place(99)) µs, "
        + "max \((times.last ?? 0) / 1000) µs; \(told.count) reminders, latest \(told.map(\.late).max() ?? 0) ms; "
        + "memory \(before) KiB before, \(peak) at most, \(after) after")
    #expect(try agent.terminate().status == .exited(0))
  }
}

private func realtimeMilliseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
}

extension [Int64] {
  /// A percentile of sorted nanoseconds, in microseconds.
  fileprivate func place(_ percent: Int) -> Int64 {
    isEmpty ? 0 : self[Swift.min(count - 1, count * percent / 100)] / 1000
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
