import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

/// logind as python3-dbusmock's template plays it, on the bus of an agent, which is its system
/// bus, too.
private final class MockLogind {
  private let mock: Subprocess
  private unowned let agent: AgentUnderTest
  /// The user that the test runs as.
  let user: UInt32

  private static let service: BusName = "org.freedesktop.login1"

  init(_ agent: AgentUnderTest) throws {
    self.agent = agent
    let me = try agent.send(
      .call(
        .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixUser",
        [.string(agent.client.uniqueName.text)]))
    user = UInt32(me[0].asInteger ?? 0)
    var isThere = false
    let watch = try agent.client.watchOwner(of: MockLogind.service) { isThere = $0 != nil }
    mock = try Subprocess(
      "/usr/bin/python3", ["-m", "dbusmock", "--template", "logind"],
      environment: agent.bus.environment)
    try agent.wait(for: "logind") { isThere }
    // The template is loaded once the name is there and a call is answered.
    _ = try call("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "ListSessions")
    withExtendedLifetime(watch) {}
  }

  deinit { stop() }

  func stop() {
    mock.terminate(signal: 9)
    _ = try? mock.wait()
  }

  func addSession(_ id: String, seat: String = "seat0", user: UInt32? = nil) throws {
    _ = try call(
      "/org/freedesktop/login1", "org.freedesktop.DBus.Mock", "AddSession",
      [
        .string(id), .string(seat), .uint32(user ?? self.user), .string("u\(user ?? self.user)"),
        .boolean(true),
      ])
  }

  /// What a locker of a wlroots compositor does.
  func hint(_ id: String, locked: Bool) throws {
    try session(id, "SetLockedHint", [.boolean(locked)])
  }

  /// What `loginctl unlock-session` does.
  func unlock(_ id: String) throws { try session(id, "Unlock", []) }

  private func session(_ id: String, _ member: MemberName, _ arguments: [Value]) throws {
    let path = try ObjectPath("/org/freedesktop/login1/session/" + id)
    _ = try call(
      path, "org.freedesktop.login1.Session", member, arguments)
    // Two questions of the agent follow, and each is a round over the bus.
    for _ in 0..<3 {
      _ = try call("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "ListSessions")
      try agent.settle()
    }
  }

  @discardableResult
  private func call(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = []
  ) throws -> [Value] {
    try agent.send(.call(MockLogind.service, path, interface, member, arguments))
  }
}

extension AgentUnderTest {
  /// How often reminders were told.
  fileprivate var tellings: Int { signals("ReminderDue").count }

  fileprivate func snoozeUntilUnlock() throws {
    let answer = try call(
      Contract.reminders, "Snooze", [.string(onlyReminder()), .string("unlock")])
    #expect(answer == [.int64(Timestamp.latest.seconds)])
    try settle()
  }

  fileprivate func ring() throws {
    try addStandup()
    try advance(to: "2026-11-21T08:15:00Z")
    #expect(tellings == 1)
  }
}

@Suite struct `A snooze until the session is unlocked` {
  @Test func `it ends with the signal of logind, and not by the clock`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(agent)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    #expect(try agent.pending().map { $0["state"] } == [.string("snoozed")])
    #expect(try agent.pending().map { $0["due"] } == [.int64(Timestamp.latest.seconds)])
    try agent.advance(to: "2036-11-21T09:00:00Z")
    #expect(agent.tellings == 1)
    try logind.unlock("c1")
    #expect(agent.tellings == 2)
    #expect(try agent.pending().map { $0["state"] } == [.string("due")])
    // A second word for the same unlocking brings nothing twice.
    try logind.hint("c1", locked: true)
    try logind.hint("c1", locked: false)
    #expect(agent.tellings == 2)
  }

  @Test func `a locker that sets the hint alone ends it, and locking does not`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(agent)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    try logind.hint("c1", locked: true)
    #expect(agent.tellings == 1)
    try logind.hint("c1", locked: false)
    #expect(agent.tellings == 2)
  }

  @Test func `the session of somebody else does not end it`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(agent)
    try logind.addSession("c1")
    try logind.addSession("c2", seat: "seat1", user: logind.user + 1)
    try agent.ring()
    try agent.snoozeUntilUnlock()
    try logind.unlock("c2")
    #expect(agent.tellings == 1)
    // One that came after the snooze is ours, too.
    try logind.addSession("c3")
    try logind.unlock("c3")
    #expect(agent.tellings == 2)
  }

  @Test func `it lasts over a restart while the session is locked`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(agent)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    try logind.hint("c1", locked: true)
    agent.stop()
    try agent.start()
    try agent.settle()
    #expect(agent.tellings == 1)
    try logind.hint("c1", locked: false)
    #expect(agent.tellings == 2)
  }

  @Test func `a restart while the session is not locked brings it back at once`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(agent)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    agent.stop()
    try agent.start()
    try agent.wait(for: "the reminder") { agent.tellings == 2 }
  }

  @Test func `a restart without logind brings it back, and says why`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(agent)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    agent.stop()
    logind.stop()
    try agent.start()
    try agent.wait(for: "the reminder") { agent.tellings == 2 }
    #expect(agent.log.contains { $0.contains("waits for an unlocked session comes back now") })
  }

  @Test func `all that is due can wait for it`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(agent)
    try logind.addSession("c1")
    for name in ["a", "b", "c"] {
      _ = try agent.add(name, at: "2026-11-21 09:30", reminders: "15m")
    }
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(
      try agent.call(Contract.reminders, "SnoozeAll", [.string("unlock")]) == [.uint32(3)])
    try logind.unlock("c1")
    #expect(agent.tellings == 6)
  }

  @Test func `without logind it is refused, and says what is missing`() throws {
    let agent = try AgentUnderTest()
    try agent.ring()
    let id = try agent.onlyReminder()
    let calls: [(MemberName, [Value])] = [
      ("Snooze", [.string(id), .string("unlock")]), ("SnoozeAll", [.string("unlock")]),
    ]
    for (member, arguments) in calls {
      let error = try agent.refusal(Contract.reminders, member, arguments)
      #expect(error.name.text == CallError.Kind.notSupported.rawValue)
      #expect(error.message.contains("logind cannot be asked"))
    }
    #expect(try agent.pending().map { $0["state"] } == [.string("due")])
  }

  @Test func `without a session of the user it is refused`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(agent)
    try logind.addSession("c2", user: logind.user + 1)
    try agent.ring()
    let error = try agent.refusal(
      Contract.reminders, "Snooze", [.string(try agent.onlyReminder()), .string("unlock")])
    #expect(error.name.text == CallError.Kind.notSupported.rawValue)
    #expect(error.message.contains("no session of yours"))
  }

  @Test func `an id that nobody knows is refused before logind is asked`() throws {
    let agent = try AgentUnderTest()
    let error = try agent.refusal(
      Contract.reminders, "Snooze", [.string("0"), .string("unlock")])
    #expect(error.name.text == CallError.Kind.notFound.rawValue)
  }
}
