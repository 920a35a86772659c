import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// The end of weekly hours by the clock of Berlin, and of those who travel from there.
@Suite struct `Weekly quiet hours` {
  /// An agent in whose quiet hours some reminders have rung, a minute apart from 8:15 UTC on.
  private func quiet(
    _ hours: String, reminders: Int
  ) throws -> (AgentUnderTest, NotificationServer) {
    let agent = try AgentUnderTest(notifications: true, quietHours: hours)
    let server = try NotificationServer(agent)
    try agent.settle()
    for minute in 0..<reminders {
      _ = try agent.add("Call \(minute)", at: "2026-11-21 09:3\(minute)", reminders: "15m")
    }
    try agent.advance(to: "2026-11-21T08:15:00Z")
    for minute in 1..<reminders { try agent.advance(to: "2026-11-21T08:\(15 + minute):00Z") }
    try agent.settleNotifications()
    #expect(agent.dueQuiet == Array(repeating: true, count: reminders))
    #expect(server.shown.isEmpty)
    agent.takeSignals()
    return (agent, server)
  }

  @Test func `they end by themselves at their instant, and one digest is shown`() throws {
    let (agent, server) = try quiet("sat 8:00-12:00", reminders: 3)
    try agent.advance(to: "2026-11-21T10:59:59Z")
    try agent.settleNotifications()
    #expect(try agent.property("QuietUntil") == .int64(1_795_258_800))
    #expect(server.shown.isEmpty)
    try agent.advance(to: "2026-11-21T11:00:00Z")
    try agent.wait(for: "the digest") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["3 reminders"])
    #expect(server.shown.map(\.isSilent) == [false])
    #expect(agent.changes(of: "QuietUntil") == [.int64(0)])
    #expect(agent.signals("ReminderDue").isEmpty)
    // Nothing of it comes once more, nor at the end of the next hours.
    try agent.advance(to: "2026-11-28T11:30:00Z")
    try agent.settleNotifications()
    #expect(server.heard.count == 1)
    #expect(server.open.count == 1)
  }

  @Test func `what rings once they have ended is shown beside the digest, and is not quiet`() throws
  {
    let (agent, server) = try quiet("sat 8:00-12:00", reminders: 2)
    _ = try agent.add("Lunch", at: "2026-11-21 12:15", reminders: "15m")
    try agent.advance(to: "2026-11-21T11:00:00Z")
    try agent.wait(for: "both") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(Set(server.shown.map(\.summary)) == ["2 reminders", "Lunch"])
    #expect(agent.dueQuiet == [false])
  }

  @Test func `their end in suspend is told at the wake, beside what was missed there`() throws {
    let (agent, server) = try quiet("sat 8:00-12:00", reminders: 3)
    for minute in 1...3 {
      _ = try agent.add("Tea \(minute)", at: "2026-11-21 11:3\(minute)", reminders: "15m")
    }
    try agent.settle()
    agent.clock.resume(at: try Timestamp(text: "2026-11-21T13:00:00Z"))
    try agent.wait(for: "the notifications") { server.shown.count == 4 }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["3 reminders", "Tea 1", "Tea 2", "Tea 3"])
    #expect(agent.changes(of: "QuietUntil") == [.int64(0)])
    // It was not quiet any more when they were told.
    #expect(agent.dueQuiet == [false, false, false])
  }

  @Test func `a few that waited for their end are one digest at the wake, too`() throws {
    let (agent, server) = try quiet("sat 8:00-12:00", reminders: 2)
    agent.clock.resume(at: try Timestamp(text: "2026-11-21T13:00:00Z"))
    try agent.wait(for: "the digest") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["2 reminders"])
  }

  @Test(arguments: [(1, "Call 0"), (2, "2 reminders"), (6, "6 reminders")])
  func `their end while no agent ran is told at its start, in one digest`(
    count: Int, shown: String
  ) throws {
    let (agent, server) = try quiet("sat 8:00-12:00", reminders: count)
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T13:00:00Z"))
    try agent.start()
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(try agent.property("QuietUntil") == .int64(0))
    #expect(server.shown.map(\.summary) == [shown])
    #expect(server.shown.allSatisfy { !$0.isSilent })
    #expect(agent.signals("ReminderDue").isEmpty)
  }

  @Test func `what is on the screen stays there where an agent starts after it`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    _ = try agent.add("Tea", at: "2026-11-21 09:40", reminders: "15m")
    _ = try agent.add("Call", at: "2026-11-21 09:40", reminders: "14m")
    // Before this moment, as a quiet time that was asked for has no other beginning.
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("15m")])
    try agent.advance(to: "2026-11-21T08:26:00Z")
    try agent.settleNotifications()
    let former = server.open
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:31:00Z"))
    try agent.start()
    try agent.wait(for: "the digest") { server.open.count == 2 }
    try agent.settleNotifications()
    #expect(server.open.isSuperset(of: former))
    #expect(Set(server.shown.suffix(2).map(\.summary)) == ["2 reminders", "Standup"])
  }

  @Test func `an agent that starts before their end waits for it`() throws {
    let (agent, server) = try quiet("sat 8:00-12:00", reminders: 2)
    agent.stop()
    try agent.start()
    try agent.settleNotifications()
    #expect(server.shown.isEmpty)
    try agent.advance(to: "2026-11-21T11:00:00Z")
    try agent.wait(for: "the digest") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["2 reminders"])
  }

  /// The nights in which the clock is put back and forward: 22:00 to 7:00 has ten hours, and eight.
  @Test(arguments: [
    ("2026-10-24T18:00:00Z", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
    ("2027-03-27T18:00:00Z", "2027-03-27T21:00:00Z", "2027-03-28T05:00:00Z"),
  ])
  func `they begin and end by the clock on the wall where it changes in between`(
    now: String, start: String, end: String
  ) throws {
    let agent = try AgentUnderTest(now: now, notifications: true, quietHours: "22:00-7:00")
    let server = try NotificationServer(agent)
    try agent.settle()
    let (from, to) = (try Timestamp(text: start), try Timestamp(text: end))
    // One at their beginning, one in the last second.
    for (title, instant) in [("First", from), ("Last", to.adding(seconds: -1))] {
      _ = try agent.add(title, at: instant.description, reminders: "0m")
    }
    agent.clock.advance(to: from.adding(seconds: -1))
    try agent.settle()
    #expect(try agent.property("QuietUntil") == .int64(0))
    agent.clock.advance(to: from)
    try agent.settle()
    #expect(try agent.property("QuietUntil") == .int64(to.seconds))
    agent.clock.advance(to: to.adding(seconds: -1))
    try agent.settleNotifications()
    #expect(agent.dueQuiet == [true, true])
    #expect(server.shown.isEmpty)
    agent.clock.advance(to: to)
    try agent.wait(for: "the digest") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["2 reminders"])
    #expect(agent.changes(of: "QuietUntil") == [.int64(to.seconds), .int64(0)])
  }

  @Test func `on the road they end by the clock of where one is`() throws {
    let (agent, server) = try quiet("sat 8:00-12:00", reminders: 2)
    try agent.setZone("Europe/London")
    // Noon there is an hour later.
    try agent.wait(for: "the zone") { !agent.changes(of: "QuietUntil").isEmpty }
    #expect(agent.changes(of: "QuietUntil") == [.int64(1_795_262_400)])
    try agent.advance(to: "2026-11-21T11:59:59Z")
    try agent.settleNotifications()
    #expect(server.shown.isEmpty)
    try agent.advance(to: "2026-11-21T12:00:00Z")
    try agent.wait(for: "the digest") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["2 reminders"])
  }

  @Test func `where they are over by the clock of there one digest is shown at once`() throws {
    let (agent, server) = try quiet("sat 8:00-12:00", reminders: 2)
    // It is past five in the afternoon there.
    try agent.setZone("Asia/Tokyo")
    try agent.wait(for: "the digest") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["2 reminders"])
    #expect(agent.changes(of: "QuietUntil") == [.int64(0)])
  }

  @Test func `where they have begun by the clock of there nothing is shown until their end`() throws
  {
    let agent = try AgentUnderTest(notifications: true, quietHours: "22:00-7:00")
    let server = try NotificationServer(agent)
    try agent.settle()
    try agent.addStandup()
    // It is three in the morning there.
    try agent.setZone("America/New_York")
    try agent.wait(for: "the zone") { !agent.changes(of: "QuietUntil").isEmpty }
    try agent.advance(to: "2026-11-21T11:59:59Z")
    try agent.settleNotifications()
    #expect(agent.dueQuiet == [true])
    #expect(server.shown.isEmpty)
    try agent.advance(to: "2026-11-21T12:00:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["Standup"])
  }
}

extension AgentUnderTest {
  /// Of each ReminderDue whether it was quiet then.
  fileprivate var dueQuiet: [Bool] {
    signals("ReminderDue").map { $0.arguments[5]["quiet"] == .boolean(true) }
  }
}

extension NotificationServer {
  /// What came with a sound.
  fileprivate var heard: [Shown] { shown.filter { !$0.isSilent } }
}
