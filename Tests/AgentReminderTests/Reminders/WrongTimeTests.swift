import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// The all-day event of the 22nd, with a reminder at nine: 0 UTC in Tokyo, 8 UTC in Berlin.
  fileprivate func addFair() throws {
    _ = try call(
      Contract.transfer, "ImportText",
      [
        .string(
          calendar(
            component(
              "fair", "DTSTART;VALUE=DATE:20261122", "SUMMARY:Fair",
              "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:PT9H\r\nEND:VALARM"))), .string(""),
        .string("replace"),
      ])
  }

  /// What became due: "summary due".
  fileprivate var due: [String] {
    signals("ReminderDue").map {
      "\($0.arguments[2].asString ?? "?") \(Timestamp(seconds: $0.arguments[4].asInteger ?? 0))"
    }
  }

  /// Why reminders are over.
  fileprivate var reasons: [String?] {
    signals("ReminderDismissed").map { $0.arguments[2].asString }
  }

  /// Changes the zone, and returns when the agent has taken that in.
  fileprivate func move(to zone: String) throws {
    let count = signals("ClockChanged").count
    try setZone(zone)
    try wait(for: "the zone") { signals("ClockChanged").count > count }
    try settleNotifications()
  }

  fileprivate func set(to instant: String) throws {
    clock.set(to: try Timestamp(text: instant))
    try settleNotifications()
  }
}

@Suite struct `A wrong zone that is corrected` {
  /// It is three in the morning in Berlin.
  private func agent() throws -> (AgentUnderTest, NotificationServer) {
    let (agent, server) = try agentWithServer()
    try agent.addFair()
    try agent.advance(to: "2026-11-22T02:00:00Z")
    agent.takeSignals()
    return (agent, server)
  }

  @Test func `takes back what it showed, and that is shown at its time`() throws {
    let (agent, server) = try agent()
    try agent.move(to: "Asia/Tokyo")
    #expect(agent.due == ["Fair 2026-11-22T00:00:00Z"])
    #expect(server.open == [1])
    agent.clock.advance(seconds: 5)
    try agent.move(to: "Europe/Berlin")
    #expect(agent.reasons == ["early"])
    try agent.wait(for: "its end") { server.open.isEmpty }
    #expect(try agent.pending().isEmpty)
    try agent.advance(to: "2026-11-22T07:59:59Z")
    #expect(agent.due.count == 1)
    try agent.advance(to: "2026-11-22T08:00:00Z")
    #expect(agent.due.dropFirst() == ["Fair 2026-11-22T08:00:00Z"])
    try agent.wait(for: "the notification") { !server.open.isEmpty }
  }

  @Test func `leaves what was dismissed`() throws {
    let (agent, server) = try agent()
    try agent.move(to: "Asia/Tokyo")
    server.invoke(1, "dismiss")
    try agent.wait(for: "the answer") { !agent.reasons.isEmpty }
    try agent.move(to: "Europe/Berlin")
    try agent.advance(to: "2026-11-23T00:00:00Z")
    #expect(agent.due.count == 1)
    #expect(agent.reasons == ["user"])
  }

  @Test func `is a journey after ten minutes, and after a restart`() throws {
    for restarts in [true, false] {
      let (agent, _) = try agent()
      try agent.move(to: "Asia/Tokyo")
      if restarts {
        agent.stop()
        try agent.start()
      } else {
        agent.clock.advance(seconds: 601)
      }
      try agent.move(to: "Europe/Berlin")
      try agent.advance(to: "2026-11-23T00:00:00Z")
      #expect(agent.due.count == 1)
      #expect(agent.reasons == [])
    }
  }

  @Test func `is none where the link is removed and made again, or missing`() throws {
    let (agent, _) = try agent()
    for _ in 0..<3 {
      try agent.removeZone()
      try agent.settle()
      try agent.setZone("Europe/Berlin")
      try agent.settle()
    }
    try agent.removeZone()
    try agent.wait(for: "a reading") { agent.log.contains { $0.contains("using Europe/Berlin") } }
    try agent.settle()
    #expect(agent.signals("ClockChanged").isEmpty)
    #expect(agent.due == [])
    // Also at a start.
    agent.stop()
    try agent.start()
    #expect(try agent.property("TimeZone") == .string("Europe/Berlin"))
    try agent.advance(to: "2026-11-22T08:00:00Z")
    #expect(agent.due == ["Fair 2026-11-22T08:00:00Z"])
  }
}

@Suite struct `A wrong clock that is corrected` {
  @Test func `takes back what it showed, and that is shown at its time`() throws {
    let (agent, server) = try agentWithServer()
    _ = try agent.add("Call", at: "2026-11-21T10:00:00Z", reminders: "15m")
    _ = try agent.add("Tea", at: "2026-11-21T11:00:00Z", reminders: "15m")
    try agent.set(to: "2026-11-21T11:00:00Z")
    #expect(agent.due == ["Call 2026-11-21T09:45:00Z", "Tea 2026-11-21T10:45:00Z"])
    #expect(server.open == [1, 2])
    let tea = try #require(agent.pending().last?["id"]?.asString)
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(tea)])
    agent.clock.advance(seconds: 60)
    try agent.set(to: "2026-11-21T08:01:00Z")
    #expect(agent.reasons == ["user", "early"])
    try agent.wait(for: "its end") { server.open.isEmpty }
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(agent.due.dropFirst(2) == ["Call 2026-11-21T09:45:00Z"])
  }

  @Test func `lets a snooze go on that it ended`() throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    let id = try #require(agent.pending().first?["id"]?.asString)
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("1h")])
    agent.takeSignals()
    try agent.set(to: "2026-11-21T12:00:00Z")
    #expect(agent.due.count == 1)
    try agent.set(to: "2026-11-21T08:16:00Z")
    #expect(try agent.state() == [.string("snoozed")])
    #expect(agent.signals("ReminderSnoozed").count == 1)
    try agent.advance(to: "2026-11-21T09:14:59Z")
    #expect(agent.due.count == 1)
    try agent.advance(to: "2026-11-21T09:15:00Z")
    #expect(agent.due.count == 2)
  }

  @Test func `is one that the machine booted with, too`() throws {
    let (agent, server) = try agentWithServer()
    _ = try agent.add("Call", at: "2026-11-21T10:00:00Z", reminders: "15m")
    agent.stop()
    agent.clock.set(to: try Timestamp(text: "2026-11-21T10:00:00Z"))
    try agent.start()
    try agent.wait(for: "the notification") { server.open.count == 1 }
    try agent.set(to: "2026-11-21T08:00:30Z")
    #expect(agent.reasons == ["early"])
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(agent.due.count == 2)
  }

  @Test func `is a clock that is set back after ten minutes`() throws {
    let (agent, _) = try agentWithServer()
    _ = try agent.add("Call", at: "2026-11-21T10:00:00Z", reminders: "15m")
    try agent.set(to: "2026-11-21T11:00:00Z")
    agent.clock.advance(seconds: 601)
    try agent.set(to: "2026-11-21T08:10:01Z")
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(agent.due.count == 1)
    #expect(agent.reasons == [])
  }

  @Test func `takes back the count of what it found too old`() throws {
    let (agent, server) = try agentWithServer()
    _ = try agent.add("Call", at: "2026-11-21T10:00:00Z", reminders: "15m")
    try agent.set(to: "2026-11-29T10:00:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map { $0.body.hasPrefix("1 is too old to be shown") } == [true])
    try agent.set(to: "2026-11-21T08:00:00Z")
    try agent.wait(for: "its end") { server.open.isEmpty }
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(agent.due == ["Call 2026-11-21T09:45:00Z"])
  }
}
