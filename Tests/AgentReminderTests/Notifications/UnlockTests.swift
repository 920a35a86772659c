import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// How often reminders were told.
  fileprivate var tellings: Int { signals("ReminderDue").count }

  fileprivate func snoozeUntilUnlock() throws {
    let answer = try call(
      Contract.reminders, "Snooze", [.string(onlyReminder()), .string("unlock")])
    #expect(answer == [.int64(Timestamp.latest.seconds)])
    try settle()
  }

  /// Lets the agent hear what logind has said. Two questions of the agent follow, and each is a round
  /// over the bus.
  fileprivate func hear(_ logind: MockLogind) throws {
    for _ in 0..<3 {
      try logind.settle()
      try loginSettle()
      try settle()
    }
  }

  fileprivate func ring() throws {
    try addStandup()
    try advance(to: "2026-11-21T08:15:00Z")
    #expect(tellings == 1)
  }
}

@Suite(.enabled(if: MockLogind.isInstalled, MockLogind.whatIsMissing))
struct `A snooze until the session is unlocked` {
  @Test func `it ends with the signal of logind, and not by the clock`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    #expect(try agent.pending().map { $0["state"] } == [.string("snoozed")])
    #expect(try agent.pending().map { $0["due"] } == [.int64(Timestamp.latest.seconds)])
    try agent.advance(to: "2027-11-21T09:00:00Z")
    #expect(agent.tellings == 1)
    try logind.unlock("c1")
    try agent.hear(logind)
    #expect(agent.tellings == 2)
    #expect(try agent.pending().map { $0["state"] } == [.string("due")])
    // A second word for the same unlocking brings nothing twice.
    try logind.hint("c1", locked: true)
    try agent.hear(logind)
    try logind.hint("c1", locked: false)
    try agent.hear(logind)
    #expect(agent.tellings == 2)
  }

  @Test func `a locker that sets the hint alone ends it, and locking does not`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    try logind.hint("c1", locked: true)
    try agent.hear(logind)
    #expect(agent.tellings == 1)
    try logind.hint("c1", locked: false)
    try agent.hear(logind)
    #expect(agent.tellings == 2)
  }

  @Test func `the session of somebody else does not end it`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try logind.addSession("c1")
    try logind.addSession("c2", seat: "seat1", user: logind.user + 1)
    try agent.ring()
    try agent.snoozeUntilUnlock()
    try logind.unlock("c2")
    try agent.hear(logind)
    #expect(agent.tellings == 1)
    // One that came after the snooze is ours, too.
    try logind.addSession("c3")
    try logind.unlock("c3")
    try agent.hear(logind)
    #expect(agent.tellings == 2)
  }

  @Test func `it lasts over a restart while the session is locked`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    try logind.hint("c1", locked: true)
    try agent.hear(logind)
    agent.stop()
    try agent.start()
    try agent.settle()
    #expect(agent.tellings == 1)
    try logind.hint("c1", locked: false)
    try agent.hear(logind)
    #expect(agent.tellings == 2)
  }

  @Test func `a restart while the session is not locked brings it back at once`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    agent.stop()
    try agent.start()
    try agent.wait(for: "the reminder") { agent.tellings == 2 }
  }

  @Test func `a restart without logind brings it back, and says why`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try logind.addSession("c1")
    try agent.ring()
    try agent.snoozeUntilUnlock()
    agent.stop()
    logind.stop()
    try agent.start()
    try agent.wait(for: "the reminder") { agent.tellings == 2 }
    #expect(
      agent.log.contains {
        $0.contains("reminders that wait for an unlocked session are shown now")
      })
  }

  @Test func `all that is due can wait for it`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try logind.addSession("c1")
    for name in ["a", "b", "c"] {
      _ = try agent.add(name, at: "2026-11-21 09:30", reminders: "15m")
    }
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(
      try agent.call(Contract.reminders, "SnoozeAll", [.string("unlock")]) == [.uint32(3)])
    try logind.unlock("c1")
    try agent.hear(logind)
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
      #expect(error.message.contains("logind does not answer"))
    }
    #expect(try agent.pending().map { $0["state"] } == [.string("due")])
  }

  @Test func `without a session of the user it is refused`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
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
