import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// A second program on the bus, in the loop of an agent under test.
private final class OtherClient {
  private let connection: Connection
  private unowned let agent: AgentUnderTest
  private var subscription: Subscription?
  private(set) var signals: [MemberName] = []

  init(_ agent: AgentUnderTest) throws {
    self.agent = agent
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: agent.loop)
    subscription = try connection.subscribe(MatchRule(interface: Contract.reminders)) {
      [unowned self] message in
      if let member = message.member { signals.append(member) }
    }
  }

  func begin(_ member: MemberName, _ arguments: [Value]) throws -> () -> Result<Message, DBusError>?
  {
    var answer: Result<Message, DBusError>?
    try connection.call(
      .call(Contract.busName, Contract.path, Contract.reminders, member, arguments)
    ) { answer = $0 }
    return { answer }
  }
}

@Suite struct `Several programs that show reminders` {
  private func prepared() throws -> (AgentUnderTest, OtherClient, id: Value) {
    let agent = try AgentUnderTest()
    let other = try OtherClient(agent)
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    return (agent, other, .string(try agent.onlyReminder()))
  }

  @Test func `each hears of it, and of its end, whoever saw it`() throws {
    let (agent, other, id) = try prepared()
    _ = try agent.call(Contract.reminders, "Dismiss", [id])
    try agent.wait(for: "the signals") { other.signals.count >= 2 }
    #expect(other.signals == ["ReminderDue", "ReminderDismissed"])
  }

  @Test func `both may dismiss it in one moment, and it ends once`() throws {
    let (agent, other, id) = try prepared()
    let answer = try other.begin("Dismiss", [id])
    _ = try agent.call(Contract.reminders, "Dismiss", [id])
    try agent.wait(for: "the other's answer") { answer() != nil }
    _ = try #require(answer()).get()
    try agent.settle()
    #expect(agent.signals("ReminderDismissed").count == 1)
  }

  @Test func `of two snoozes in one moment the later counts, and it comes back once`() throws {
    let (agent, other, id) = try prepared()
    let answer = try other.begin("Snooze", [id, .string("5m")])
    try agent.wait(for: "the other's answer") { answer() != nil }
    _ = try agent.call(Contract.reminders, "Snooze", [id, .string("10m")])
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(
      agent.signals("ReminderDue").map { $0.arguments[4] } == [
        .int64(1_795_248_900), .int64(1_795_249_500),
      ])
  }

  @Test func `one who snoozes what the other dismissed has the last word`() throws {
    let (agent, other, id) = try prepared()
    let answer = try other.begin("Dismiss", [id])
    try agent.wait(for: "the other's answer") { answer() != nil }
    _ = try agent.call(Contract.reminders, "Snooze", [id, .string("10m")])
    #expect(try agent.pending().map { $0["state"] } == [.string("snoozed")])
  }
}
