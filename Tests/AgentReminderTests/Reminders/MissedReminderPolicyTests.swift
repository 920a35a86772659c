import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  fileprivate func tellLate(_ text: String) throws {
    _ = try call(
      Contract.calendars, "Update", [.string("personal"), .row([("tell-late", .string(text))])])
  }

  /// Lets the standup fall due while no agent runs.
  fileprivate func miss(until instant: String) throws {
    stop()
    takeSignals()
    clock.advance(to: try Timestamp(text: instant))
    try start()
  }

  fileprivate func lastState() throws -> [String?] {
    let rows = try call(Contract.reminders, "Why", [.string("standup"), .string("")])[0].asArray
    return [rows?.last?["state"]?.asString, rows?.last?["reason"]?.asString]
  }
}

/// What an hour, a month and a year of absence make of a reminder.
private struct Absence: CustomTestStringConvertible {
  let telling: String
  let back: String
  let isTold: Bool

  var testDescription: String { "tell-late \"\(telling)\", back at \(back)" }
}

@Suite struct `How late reminders of a calendar are told` {
  private static let absences = [
    Absence(telling: "", back: "2026-11-21T09:15:00Z", isTold: true),
    Absence(telling: "", back: "2026-12-21T08:15:00Z", isTold: false),
    Absence(telling: "", back: "2027-11-21T08:15:00Z", isTold: false),
    Absence(telling: "30m", back: "2026-11-21T09:15:00Z", isTold: false),
    Absence(telling: "2h", back: "2026-11-21T09:15:00Z", isTold: true),
    Absence(telling: "2h", back: "2026-12-21T08:15:00Z", isTold: false),
    Absence(telling: "31d", back: "2026-12-21T08:15:00Z", isTold: true),
    Absence(telling: "always", back: "2026-12-21T08:15:00Z", isTold: true),
    Absence(telling: "always", back: "2027-11-21T08:15:00Z", isTold: true),
  ]

  @Test(arguments: absences)
  private func `it is told, or in the ledger as missed`(absence: Absence) throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.tellLate(absence.telling)
    try agent.addStandup()
    try agent.miss(until: absence.back)
    try agent.wait(for: "a notification") { !server.shown.isEmpty }
    #expect(agent.signals("ReminderDue").count == (absence.isTold ? 1 : 0))
    #expect(try agent.pending().count == (absence.isTold ? 1 : 0))
    #expect(try agent.lastState() == (absence.isTold ? ["delivered", nil] : ["closed", "missed"]))
    #expect(
      server.shown.map(\.summary)
        == (absence.isTold ? ["Standup"] : ["1 reminder while you were away"]))
    // Neither is told twice.
    try agent.miss(until: absence.back)
    #expect(agent.signals("ReminderDue").isEmpty)
  }

  @Test func `what was too old is listed, the last first, until it is put off`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-21 15:00", reminders: "15m")
    func missed(_ limit: UInt32 = 0) throws -> [String] {
      let rows = try agent.call(Contract.reminders, "Missed", [.uint32(limit)])[0].asArray ?? []
      #expect(rows.allSatisfy { $0["state"] == .string("closed") })
      #expect(rows.allSatisfy { $0["missed"] == .boolean(true) })
      return rows.compactMap { $0["summary"]?.asString }
    }
    #expect(try missed() == [])
    try agent.miss(until: "2026-12-21T08:15:00Z")
    #expect(try missed() == ["Tea", "Standup"])
    #expect(try missed(1) == ["Tea"])
    let rows = try agent.call(Contract.reminders, "Missed", [.uint32(1)])[0].asArray ?? []
    _ = try agent.call(Contract.reminders, "Snooze", [try #require(rows[0]["id"]), .string("5m")])
    #expect(try missed() == ["Standup"])
    // What was told and dismissed is none of them.
    try agent.advance(to: "2026-12-21T08:20:00Z")
    _ = try agent.call(Contract.reminders, "DismissAll")
    #expect(try missed() == ["Standup"])
  }

  @Test func `each calendar goes by its own`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    try agent.tellLate("30m")
    try agent.addStandup()
    _ = try agent.call(
      Contract.events, "Add",
      [
        .string("work"),
        .row([
          ("summary", .string("Review")), ("start", .string("2026-11-21 09:30")),
          ("reminders", .strings(["15m"])),
        ]),
      ])
    try agent.miss(until: "2026-11-21T09:15:00Z")
    #expect(agent.signals("ReminderDue").map { $0.arguments[2] } == [.string("Review")])
  }

  @Test func `what waits in a hidden calendar goes by it, too`() throws {
    for (telling, count) in [("", 0), ("always", 1)] {
      let agent = try AgentUnderTest()
      try agent.tellLate(telling)
      try agent.addStandup()
      try agent.advance(to: "2026-11-21T08:15:00Z")
      func show(_ isVisible: Bool) throws {
        _ = try agent.call(
          Contract.calendars, "SetVisible", [.string("personal"), .boolean(isVisible)])
      }
      try show(false)
      try agent.advance(to: "2026-12-21T08:15:00Z")
      try show(true)
      #expect(try agent.pending().count == count)
    }
  }

  @Test func `undo takes it back`() throws {
    let agent = try AgentUnderTest()
    try agent.tellLate("2h")
    _ = try agent.call(Contract.events, "Undo")
    let rows = try agent.call(Contract.calendars, "List")[0].asArray
    #expect(rows?[0]["tell-late"] == nil)
    try agent.addStandup()
    try agent.miss(until: "2026-11-21T12:15:00Z")
    #expect(agent.signals("ReminderDue").count == 1)
  }
}
