import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// The ids of rows with the instants at which they ring, in order.
  fileprivate func forecast(_ member: MemberName, _ arguments: [Value]) throws -> [String] {
    let rows = try call(Contract.reminders, member, arguments)[0].asArray ?? []
    return rows.map { "\($0["id"]?.asString ?? "?") \($0["due"]?.asInteger ?? 0)" }
  }

  fileprivate func simulate(from: String, to: String = "") throws -> [String] {
    try forecast("Simulate", [.string(from), .string(to)])
  }

  /// The reminders told so far, likewise.
  fileprivate var told: [String] {
    signals("ReminderDue").map {
      "\($0.arguments[0].asString ?? "?") \($0.arguments[4].asInteger ?? 0)"
    }
  }

  /// Adds events at random within a week, some of which recur, ring together, are
  /// declined or cancelled, or lie in a hidden calendar.
  fileprivate func fill(_ random: inout SeededGenerator) throws {
    try createCalendar("Hidden")
    _ = try call(
      Contract.calendars, "SetVisible", [.string("hidden"), .boolean(false)])
    for number in 0..<40 {
      let day = Int.random(in: 21...28, using: &random)
      let hour = Int.random(in: 10...20, using: &random)
      var pairs: [(String, Value)] = [
        ("summary", .string("Event \(number % 7)")),
        ("start", .string("2026-11-\(day) \(hour):\(["00", "30"][number % 2])")),
        ("reminders", .strings(number % 3 == 0 ? ["15m", "1h", "end:PT0S"] : ["15m"])),
      ]
      if number % 5 == 0 { pairs.append(("rrule", .string("FREQ=DAILY;COUNT=4"))) }
      if number % 11 == 0 { pairs.append(("status", .string("cancelled"))) }
      let calendar = number % 6 == 0 ? "hidden" : ""
      _ = try call(Contract.events, "Add", [.string(calendar), .row(pairs)])
    }
    try addMeeting("ATTENDEE;PARTSTAT=DECLINED:mailto:ana@example.org")
  }
}

@Suite struct `What will be told` {
  @Test(arguments: 1...UInt64(rounds(1, long: 4)))
  func `Simulate says exactly what the agent then tells, in order`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let agent = try AgentUnderTest()
    try agent.fill(&random)
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:20:00Z")
    _ = try agent.call(
      Contract.reminders, "SnoozeAll", [.string("2026-11-23 12:45")])
    agent.takeSignals()
    let simulated = try agent.simulate(from: "now", to: "2026-12-02 00:00")
    let middle = try agent.simulate(from: "2026-11-23 12:45", to: "2026-11-25 09:45")
    #expect(agent.told == [])
    #expect(simulated.count > 40)
    try agent.advance(to: "2026-12-01T22:59:59Z")
    #expect(agent.told == simulated, "seed \(seed)")
    let (first, last) = (
      try Timestamp(text: "2026-11-23T11:45:00Z"), try Timestamp(text: "2026-11-25T08:45:00Z")
    )
    let within = agent.signals("ReminderDue").filter {
      let due = $0.arguments[4].asInteger ?? 0
      return first.seconds <= due && due < last.seconds
    }
    #expect(
      middle
        == within.map { "\($0.arguments[0].asString ?? "?") \($0.arguments[4].asInteger ?? 0)" })
  }

  @Test func `Upcoming has what rings within the hours, and the snoozed`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-22 15:00", reminders: "15m")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    _ = try agent.call(
      Contract.reminders, "Snooze", [.string(try agent.onlyReminder()), .string("1h")])
    let rows = try agent.call(Contract.reminders, "Upcoming", [.uint32(0)])[0].asArray ?? []
    #expect(rows.map { $0["summary"] } == [.string("Standup")])
    #expect(rows.map { $0["state"] } == [.string("snoozed")])
    let more = try agent.call(Contract.reminders, "Upcoming", [.uint32(48)])[0].asArray ?? []
    #expect(more.map { $0["state"] } == [.string("snoozed"), .string("planned")])
    #expect(more.map { $0["quiet"] } == [.boolean(false), .boolean(false)])
  }

  @Test func `what has passed is left out, and no more than 5000 are answered`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("summary", .string("Pulse")), ("start", .string("2026-11-20 00:00")),
      ("rrule", .string("FREQ=MINUTELY")), ("reminders", .strings(["0m"])))
    #expect(try agent.simulate(from: "2026-11-20", to: "1h") == [])
    // From 09:00:00, which has been told, to 10:00.
    #expect(try agent.simulate(from: "today", to: "2026-11-21 10:00").count == 59)
    #expect(
      try agent.refusal(Contract.reminders, "Simulate", ["now", "2026-11-25"].map(Value.string))
        .name.text.hasSuffix("LimitsExceeded"))
    #expect(
      try agent.refusal(Contract.reminders, "Upcoming", [.uint32(744)])
        .name.text.hasSuffix("LimitsExceeded"))
    #expect(try agent.simulate(from: "2027-11-01", to: "1h").count == 60)
  }

  @Test func `366 days may have an hour more than so many times 24`() throws {
    let agent = try AgentUnderTest()
    // Summer time ends on the first day, and the last one is in winter.
    #expect(try agent.simulate(from: "2029-10-28", to: "2030-10-29") == [])
    let refused = try agent.refusal(
      Contract.reminders, "Simulate", ["2029-10-28", "2030-10-30"].map(Value.string))
    #expect(refused.name.text.hasSuffix("LimitsExceeded"))
  }

  @Test func `others are answered while many events are looked at`() throws {
    let agent = try AgentUnderTest()
    try agent.addManyReminders()
    let slow = try agent.begin(
      .call(Contract.busName, Contract.path, Contract.reminders, "Upcoming", [.uint32(24)]))
    let quick = try agent.begin(
      .call(
        Contract.busName, Contract.path, "org.freedesktop.DBus.Properties", "GetAll",
        [.string(Contract.reminders.text)]))
    try agent.wait(for: "the quick answer") { quick.result != nil }
    #expect(slow.result == nil)
    try agent.wait(for: "the slow answer") { slow.result != nil }
    #expect(try slow.values()[0].asArray?.count == 4000)
  }
}
