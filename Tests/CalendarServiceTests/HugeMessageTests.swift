import CalendarBus
import DBus
import TestSupport
import Testing

/// Messages as large as libdbus lets through. `dbus-daemon --session` lets a client send up to 128 MiB, and so does
/// the bus of these tests.
@Suite(.serialized) struct `Messages of a hundred megabytes` {
  private static let octets = 100_000_000
  /// The most that the agent may hold for one, in KiB: libdbus's buffer, which grows by doubling, and its copy
  /// of the message.
  private static let mostPeak = 420 << 10

  @Test(arguments: [false, true])
  func `one arrives, is refused by its size and leaves nothing behind`(isOption: Bool) throws {
    let agent = try AgentProcess()
    try agent.start()
    _ = try agent.call(Contract.calendar, "Today")
    let before = try agent.memory("VmRSS")
    let text = Value.string(String(repeating: "x", count: Self.octets))
    for _ in 1...5 {
      do {
        let arguments =
          isOption
          ? [.string(""), .row([("summary", text), ("start", .string("2027-01-01"))])]
          : [.string(""), text, .string("2027-01-01"), .string(""), .string("")]
        _ = try agent.call(Contract.events, isOption ? "Add" : "AddSimple", arguments)
        Issue.record("it was added")
      } catch let error as DBusError {
        #expect(error.name == .limitsExceeded)
        // The agent's own words, so that it came.
        #expect(error.message.contains("octets of text in one message"), "\(error.message)")
      }
    }
    let (peak, after) = (try agent.memory("VmHWM"), try agent.memory("VmRSS"))
    print("huge: \(before) KiB before, \(peak) at most, \(after) after")
    // It did come: half of it cannot have been.
    #expect(peak > Self.octets >> 10)
    #expect(peak < Self.mostPeak)
    #expect(after < before + (16 << 10))
    #expect(try agent.property("Revision") == .uint64(0))
    #expect(try agent.terminate().status == .exited(0))
  }
}
