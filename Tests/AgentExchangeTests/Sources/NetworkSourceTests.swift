import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// NetworkManager's word on a bus that is somebody's system bus.
@Suite struct `A network that comes up` {
  private let agent: AgentUnderTest
  private let manager: Connection

  init() throws {
    agent = try AgentUnderTest()
    manager = try Connection(address: agent.bus.address)
    LoopAttachment.attach(manager, to: agent.loop)
    guard try manager.requestName("org.freedesktop.NetworkManager") == .owner else {
      throw TestSupportError("there is a NetworkManager already")
    }
    agent.agent?.loginWatch.start()
    try agent.loginSettle()
    // No server listens there: it waits for half a minute.
    _ = try agent.call(
      Contract.sync, "Add", [.string("webcal"), .string("http://127.0.0.1:1/a.ics"), .row([])])
    try agent.wait(for: "the end of a run") { !agent.signals("SyncFinished").isEmpty }
    #expect(try state() == "waiting")
    agent.takeSignals()
  }

  private func state() throws -> String {
    try agent.call(Contract.sync, "List")[0].asArray?.first?["state"]?.asString ?? ""
  }

  /// Says what the network is like, and returns when the agent has heard it.
  private func say(_ state: UInt32) throws {
    try manager.send(
      .signal(
        "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager", "StateChanged",
        [.uint32(state)]))
    // The bus has the signal once it answers a later call.
    var isAnswered = false
    try manager.call(.call(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")) { _ in
      isAnswered = true
    }
    try agent.wait(for: "an answer of the bus") { isAnswered }
    try agent.loginSettle()
    try agent.settle()
  }

  @Test(arguments: [60, 70] as [UInt32])
  func `a source that could not be reached is tried at once`(state: UInt32) throws {
    try say(state)
    try agent.wait(for: "the end of a run") { !agent.signals("SyncFinished").isEmpty }
  }

  @Test(arguments: [20, 40, 50] as [UInt32])
  func `a network that goes, or is not there yet, starts nothing`(state: UInt32) throws {
    try say(state)
    #expect(agent.signals("SourcesChanged").isEmpty)
    #expect(try self.state() == "waiting")
  }
}
