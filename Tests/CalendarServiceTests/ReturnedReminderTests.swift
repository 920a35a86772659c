import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@Suite struct `Reminders that come back` {
  /// What was told since signals were taken: "Dismissed ID", "Returned ID state former".
  private func heard(_ agent: AgentUnderTest) throws -> [String] {
    try agent.settle()
    return agent.signals.compactMap { signal in
      let member = signal.member.text
      guard member.hasPrefix("Reminder"),
        let id = signal.arguments.first?.asString
      else { return nil }
      let words = ["state", "former-id"].compactMap { signal.arguments.last?[$0]?.asString }
      return ([String(member.dropFirst(8)), id] + (member == "ReminderReturned" ? words : []))
        .joined(separator: " ")
    }
  }

  private func rung() throws -> (AgentUnderTest, id: String) {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    agent.takeSignals()
    return (agent, id)
  }

  @Test func `a removal that is taken back is told, with all that ReminderDue says`() throws {
    let (agent, id) = try rung()
    try agent.advance(to: "2026-11-21T08:16:00Z")
    _ = try agent.call(
      Contract.events, "Remove", [.string("standup"), .string(""), .string("")])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try heard(agent) == ["Dismissed \(id)", "Returned \(id) due"])
    #expect(
      agent.signals("ReminderReturned").map(\.arguments) == [
        [
          .string(id), .string("standup"), .string("Standup"), .int64(1_795_249_800),
          .int64(1_795_248_900),
          .row([
            ("calendar", .string("personal")), ("location", .string("Room Ada")),
            ("end", .int64(1_795_253_400)), ("all-day", .boolean(false)), ("late", .uint32(60)),
            ("missed", .boolean(false)), ("snoozes", .uint32(0)), ("quiet", .boolean(false)),
            ("notified", .boolean(false)), ("state", .string("due")),
          ]),
        ]
      ])
  }

  @Test func `so is a snooze that goes on when its calendar is shown`() throws {
    let (agent, id) = try rung()
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("10m")])
    agent.takeSignals()
    for isVisible in [false, true] {
      _ = try agent.call(
        Contract.calendars, "Update",
        [.string("personal"), .row([("visible", .boolean(isVisible))])])
    }
    #expect(try heard(agent) == ["Dismissed \(id)", "Returned \(id) snoozed"])
    #expect(agent.signals("ReminderReturned").map { $0.arguments[4] } == [.int64(1_795_249_500)])
  }

  @Test func `one that goes along with its event says what it was called`() throws {
    let (agent, id) = try rung()
    try agent.advance(to: "2026-11-21T08:16:00Z")
    _ = try agent.call(
      Contract.events, "Reschedule",
      [.string("standup"), .string(""), .string("all"), .string("2026-11-21 09:28")])
    let moved = try agent.onlyReminder()
    #expect(moved != id)
    #expect(try heard(agent) == ["Dismissed \(id)", "Returned \(moved) due \(id)"])
  }
}
