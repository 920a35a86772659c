import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `Notifications about sources` {
  private let shared: SharedFolder
  private var agent: AgentUnderTest { shared.agent }
  private let server: NotificationServer

  init() throws {
    shared = try SharedFolder(notifications: true)
    server = try NotificationServer(shared.agent)
    for number in 1...8 { try shared.write("event-\(number)", "Event \(number)") }
    try shared.add()
  }

  private func empty(_ numbers: ClosedRange<Int> = 1...8) throws {
    for number in numbers { try agent.files.removeFile("calendars/shared/event-\(number).ics") }
    #expect(throws: DBusError.self) { try shared.sync() }
    try agent.settleNotifications()
  }

  @Test func `deletions that wait are shown once, and not after a yes`() throws {
    try agent.settleNotifications()
    #expect(server.shown.isEmpty)
    try empty()
    #expect(server.shown.map(\.summary) == ["Files is not synchronised"])
    #expect(server.shown[0].body.contains("8 of 8 events"))
    #expect(server.shown[0].body.contains("calctl sources accept files"))
    #expect(throws: DBusError.self) { try shared.sync() }
    try agent.settleNotifications()
    #expect(server.shown.count == 1)
    #expect(server.open.count == 1)
    _ = try agent.call(Contract.sync, "Accept", [.string("files")])
    try shared.sync()
    try agent.settleNotifications()
    #expect(server.open.isEmpty)
    #expect(server.shown.count == 1)
  }

  @Test func `it goes when the deletions were none, or the source is removed`() throws {
    try empty()
    for number in 1...8 { try shared.write("event-\(number)", "Event \(number)") }
    try shared.sync()
    try agent.settleNotifications()
    #expect(server.open.isEmpty)
    try empty()
    #expect(server.shown.count == 2 && server.open.count == 1)
    _ = try agent.call(Contract.sync, "Remove", [.string("files"), .boolean(true)])
    try agent.settleNotifications()
    #expect(server.open.isEmpty)
  }

  @Test func `an agent that ends takes it along, and a new server gets it again`() throws {
    try empty()
    try server.quit(agent)
    let other = try NotificationServer(agent)
    try agent.wait(for: "the notification") { other.shown.count == 1 }
    try agent.settleNotifications()
    agent.stop()
    try agent.wait(for: "the end of the notification") { other.open.isEmpty }
  }
}
