import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// What was told: "summary due+late".
  fileprivate var told: [String] {
    signals("ReminderDue").map {
      "\($0.arguments[2].asString ?? "?") \(Timestamp(seconds: $0.arguments[4].asInteger ?? 0))"
        + " +\($0.arguments[5]["late"]?.asInteger ?? -1)"
    }
  }

  fileprivate func setStandup(_ field: String, _ value: String) throws {
    _ = try call(
      Contract.events, "SetField",
      ["standup", "", "", field].map(Value.string) + [.variant(.string(value))])
    try settle()
  }

  /// When those come back that wait: "summary due".
  fileprivate func returns() throws -> [String] {
    try pending().map {
      "\($0["summary"]?.asString ?? "?") \(Timestamp(seconds: $0["due"]?.asInteger ?? 0))"
    }
  }
}

@Suite struct `A snooze until the event` {
  @Test(arguments: [("start", "2026-11-21T08:30:00Z"), ("end", "2026-11-21T09:30:00Z")])
  func `it lasts until that very instant, and no longer`(word: String, instant: String) throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    let until = try Timestamp(text: instant)
    #expect(
      try agent.call(Contract.reminders, "Snooze", [.string(id), .string(word)])
        == [.int64(until.seconds)])
    #expect(try agent.returns() == ["Standup \(instant)"])
    #expect(
      agent.signals("ReminderSnoozed").map(\.arguments)
        == [[.string(id), .string("standup"), .int64(until.seconds)]])
    agent.takeSignals()
    agent.clock.advance(to: until.adding(seconds: -1))
    try agent.settle()
    #expect(agent.told == [])
    try agent.advance(to: instant)
    #expect(agent.told == ["Standup \(instant) +0"])
  }

  @Test func `it goes along where the event gets longer`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("end")])
    agent.takeSignals()
    try agent.setStandup("end", "2026-11-21 11:00")
    #expect(try agent.returns() == ["Standup 2026-11-21T10:00:00Z"])
    let until = try Timestamp(text: "2026-11-21T10:00:00Z")
    #expect(
      agent.signals("ReminderSnoozed").map(\.arguments)
        == [[.string(id), .string("standup"), .int64(until.seconds)]])
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T09:59:59Z")
    #expect(agent.told == [])
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(agent.told == ["Standup 2026-11-21T10:00:00Z +0"])
  }

  @Test func `it comes back at once where the event is over with the edit`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    _ = try agent.call(
      Contract.reminders, "Snooze", [.string(agent.onlyReminder()), .string("end")])
    try agent.advance(to: "2026-11-21T09:00:00Z")
    agent.takeSignals()
    try agent.setStandup("end", "2026-11-21 09:45")
    // What is due already wakes the agent as soon as it rests.
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(agent.told == ["Standup 2026-11-21T09:00:00Z +0"])
  }

  @Test(arguments: [("start", "2026-11-21T08:30:00Z"), ("end", "2026-11-21T09:30:00Z")])
  func `what has passed is named where it is asked for`(word: String, instant: String) throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: instant)
    let refusal = try agent.refusal(
      Contract.reminders, "Snooze", [.string(agent.onlyReminder()), .string(word)])
    #expect(refusal.name.text == CallError.Kind.invalidTime.rawValue)
    #expect(refusal.message == "until: the \(word) of the event, \(instant), has passed")
  }

  @Test func `of all each lasts until its own`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add(
      ("summary", .string("Tea")), ("start", .string("2026-11-21 11:30")),
      ("end", .string("2026-11-21 11:45")), ("reminders", .strings(["2h30m"])))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(try agent.call(Contract.reminders, "SnoozeAll", [.string("end")]) == [.uint32(2)])
    #expect(
      try agent.returns() == ["Standup 2026-11-21T09:30:00Z", "Tea 2026-11-21T10:45:00Z"])
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T11:00:00Z")
    #expect(agent.told == ["Standup 2026-11-21T09:30:00Z +0", "Tea 2026-11-21T10:45:00Z +0"])
  }
}
