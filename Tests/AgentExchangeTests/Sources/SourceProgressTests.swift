import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `The progress of a run` {
  private let shared: SharedFolder
  private var agent: AgentUnderTest { shared.agent }

  init() throws {
    shared = try SharedFolder()
    try shared.add()
    agent.takeSignals()
  }

  /// What the callers of SyncNow were sent since the last time.
  private func progress() -> [[Value]] {
    agent.takeSignals().filter { $0.member == "SyncProgress" }.map(\.arguments)
  }

  private func office(_ done: UInt32, of total: UInt32) -> [Value] {
    [.string("files"), .string("Office"), .uint32(done), .uint32(total)]
  }

  @Test func `counts what is fetched and what is sent`() throws {
    for number in 1...120 { try shared.write("event-\(number)", "Event") }
    try shared.sync()
    let fetched = progress()
    #expect(fetched.contains(office(0, of: 120)))
    #expect(fetched.contains(office(100, of: 120)))
    #expect(fetched.contains(office(120, of: 120)))
    try shared.set("event-1", "location", "Room 2")
    try shared.sync()
    let sent = progress()
    #expect(sent.contains(office(0, of: 1)))
    #expect(sent.contains(office(1, of: 1)))
    // Nothing is left for the second run.
    #expect(sent.last == office(0, of: 0))
  }

  @Test func `is for the caller alone`() throws {
    let other = try Connection(address: agent.bus.address)
    LoopAttachment.attach(other, to: agent.loop)
    var heard: [MemberName] = []
    let subscription = try other.subscribe(MatchRule(path: Contract.path)) { message in
      if let member = message.member { heard.append(member) }
    }
    defer { subscription.cancel() }
    try shared.sync()
    #expect(!progress().isEmpty)
    try agent.wait(for: "the end of a run") { heard.contains("SyncFinished") }
    #expect(!heard.contains("SyncProgress"))
  }
}
