import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

/// Messages as large as libdbus lets through. `dbus-daemon --session` lets a client send up to 128 MiB, and so does
/// the bus of these tests.
@Suite(.serialized) struct `Messages of a hundred megabytes` {
  private static let octets = 100_000_000
  /// The most that the agent may hold for one, in KiB: libdbus's buffer, which grows by doubling, and its copy
  /// of the message.
  private static let mostPeak = 280 << 10

  @Test(.longProof)
  func `they arrive, keep nobody else out, and memory stays bounded`() throws {
    let agent = try AgentProcess()
    try agent.start()
    _ = try agent.call(Contract.calendar, "Today")
    let before = try agent.memory("VmRSS")
    let client = try RawBusClient(address: agent.bus.address)
    let text = String(repeating: "x", count: Self.octets)
    for number in 1...2 {
      try client.call(
        Contract.busName.text, Contract.path.text, Contract.events.text, "AddSimple",
        ["", text, "2027-01-01", "", ""])
      // The agent's own words, so that the long one came, too. Its refusal takes a minute and a half.
      try client.call(
        Contract.busName.text, Contract.path.text, Contract.events.text, "Behind\(number)", [])
      try client.wait(for: "has no method Behind\(number)")
    }
    let (peak, after) = (try agent.memory("VmHWM"), try agent.memory("VmRSS"))
    print("huge: \(before) KiB before, \(peak) at most, \(after) after")
    // It did come: half of it cannot have been.
    #expect(peak > Self.octets >> 10)
    #expect(peak < Self.mostPeak)
    // libdbus keeps a buffer of one at most.
    #expect(after < before + (140 << 10))
    #expect(try agent.property("Revision") == .uint64(0))
    #expect(try agent.terminate().status == .exited(0))
  }

  @Test func `who sends too much waits for the refusal, a second for each MiB`() throws {
    let agent = try AgentProcess()
    try agent.start()
    let client = try RawBusClient(address: agent.bus.address)
    let begin = SystemCalls.monotonicNanoseconds()
    try client.call(
      Contract.busName.text, Contract.path.text, Contract.events.text, "AddSimple",
      ["", String(repeating: "x", count: 5 << 20), "2027-01-01", "", ""])
    try client.wait(for: "bytes of text in one message")
    #expect(SystemCalls.monotonicNanoseconds() - begin >= 5_000_000_000)
    #expect(try agent.terminate().status == .exited(0))
  }
}
