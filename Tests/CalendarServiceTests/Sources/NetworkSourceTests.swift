import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import CalendarService

/// NetworkManager's word on a bus that is somebody's system bus.
@Suite struct `A network that comes up` {
  private let shared: SharedFolder
  private var agent: AgentUnderTest { shared.agent }
  private let manager: Connection

  init() throws {
    shared = try SharedFolder()
    manager = try Connection(address: shared.agent.bus.address)
    LoopAttachment.attach(manager, to: shared.agent.loop)
    guard try manager.requestName("org.freedesktop.NetworkManager") == .owner else {
      throw TestSupportError("there is a NetworkManager already")
    }
    try shared.write("a", "Review")
    try shared.add()
    agent.agent?.loginWatch.start()
    try agent.loginSettle()
    // It fails, and waits for half a minute.
    try agent.files.rename("calendars", to: "elsewhere")
    #expect(throws: DBusError.self) { try shared.sync() }
    #expect(try shared.row()["state"] == .string("waiting"))
    try agent.files.rename("elsewhere", to: "calendars")
    agent.takeSignals()
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
    #expect(try shared.row()["state"] == .string("idle"))
  }

  @Test(arguments: [20, 40, 50] as [UInt32])
  func `a network that goes, or is not there yet, starts nothing`(state: UInt32) throws {
    try say(state)
    #expect(agent.signals("SourcesChanged").isEmpty)
    #expect(try shared.row()["state"] == .string("waiting"))
  }
}
