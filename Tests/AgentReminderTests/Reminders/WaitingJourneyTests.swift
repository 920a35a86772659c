import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// Flies to another zone, and returns when the agent has taken that in.
  fileprivate func fly(to zone: String) throws {
    takeSignals()
    try setZone(zone)
    try wait(for: "the zone") { !signals("ClockChanged").isEmpty }
    try settleNotifications()
  }

  fileprivate func addPills() throws {
    try add(
      ("uid", .string("pills")), ("summary", .string("Pills")),
      ("start", .string("2026-11-21 09:30")), ("time-zone", .string("floating")),
      ("reminders", .strings(["15m"])))
  }

  /// The whole day of the 21st, which rings at 9:10.
  fileprivate func addFair() throws {
    _ = try call(
      Contract.transfer, "ImportText",
      [
        .string(
          calendar(
            component(
              "fair", "DTSTART;VALUE=DATE:20261121", "SUMMARY:Fair",
              "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:PT9H10M\r\nEND:VALARM"))), .string(""),
        .string("replace"),
      ])
  }

  /// "summary start due" of what waits.
  fileprivate func waiting() throws -> [String] {
    try pending().map { row in
      func instant(_ key: String) -> Timestamp { Timestamp(seconds: row[key]?.asInteger ?? 0) }
      return "\(row["summary"]?.asString ?? "?") \(instant("start")) \(instant("due"))"
    }
  }
}

@Suite struct `Reminders that wait while one flies` {
  @Test func `what floats and waits is where the clock of now has it, and nothing is told twice`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.addPills()
    try agent.addFair()
    _ = try agent.add("Call", at: "2026-11-21T08:30:00Z", reminders: "15m")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let ids = try agent.pending().map { $0["id"] }
    try agent.fly(to: "America/New_York")
    #expect(
      try agent.waiting() == [
        "Fair 2026-11-21T05:00:00Z 2026-11-21T08:10:00Z",
        "Call 2026-11-21T08:30:00Z 2026-11-21T08:15:00Z",
        "Pills 2026-11-21T14:30:00Z 2026-11-21T08:15:00Z",
      ])
    #expect(try agent.pending().map { $0["id"] } == ids)
    // An edit does not put it back, nor does a start.
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("pills"), .string(""), .string("all"), .row([("summary", .string("Tablets"))]),
      ])
    agent.stop()
    try agent.start()
    #expect(try agent.waiting()[2] == "Tablets 2026-11-21T14:30:00Z 2026-11-21T08:15:00Z")
    try agent.advance(to: "2026-11-22T08:00:00Z")
    #expect(agent.signals("ReminderDue").isEmpty && agent.signals("ReminderDismissed").isEmpty)
    // And back.
    try agent.fly(to: "Europe/Berlin")
    #expect(
      try agent.waiting() == [
        "Fair 2026-11-20T23:00:00Z 2026-11-21T08:10:00Z",
        "Call 2026-11-21T08:30:00Z 2026-11-21T08:15:00Z",
        "Tablets 2026-11-21T08:30:00Z 2026-11-21T08:15:00Z",
      ])
    #expect(agent.signals("ReminderDue").isEmpty)
  }

  @Test func `a to-do and an occurrence of a series go along, also where no agent ran`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(
      [
        "BEGIN:VTODO", "UID:report", "DTSTAMP:20261101T000000Z", "DUE:20261121T093000",
        "SUMMARY:Report", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x",
        "TRIGGER;RELATED=END:-PT15M", "END:VALARM", "END:VTODO", "",
      ].joined(separator: "\r\n"))
    try agent.add(
      ("summary", .string("Run")), ("start", .string("2026-11-14 09:30")),
      ("time-zone", .string("floating")), ("rrule", .string("FREQ=WEEKLY")),
      ("reminders", .strings(["15m"])))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    agent.stop()
    try agent.setZone("Asia/Tokyo")
    try agent.start()
    #expect(
      try agent.waiting() == [
        "Report 2026-11-21T00:30:00Z 2026-11-21T08:15:00Z",
        "Run 2026-11-21T00:30:00Z 2026-11-21T08:15:00Z",
      ])
  }

  @Test func `what rings at a moment of its own goes along, too`() throws {
    let agent = try AgentUnderTest()
    let alarm = [
      "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x",
      "TRIGGER;VALUE=DATE-TIME:20261121T081500Z", "END:VALARM",
    ].joined(separator: "\r\n")
    try agent.importComponents(
      toDo("report", "SUMMARY:Report", "DUE:20261121T093000", alarm),
      component("run", "SUMMARY:Run", "DTSTART:20261101T094500", "RRULE:FREQ=DAILY", alarm),
      component(
        "walk", "SUMMARY:Walk", "DTSTART;VALUE=DATE:20261101", "RRULE:FREQ=DAILY", alarm))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let report = try agent.pending().first { $0["summary"] == .string("Report") }
    _ = try agent.call(
      Contract.reminders, "Snooze", [.string(report?["id"]?.asString ?? ""), .string("start")])
    #expect(
      try agent.waiting().sorted() == [
        "Report 2026-11-21T08:30:00Z 2026-11-21T08:30:00Z",
        "Run 2026-11-21T08:45:00Z 2026-11-21T08:15:00Z",
        "Walk 2026-11-20T23:00:00Z 2026-11-21T08:15:00Z",
      ])
    try agent.fly(to: "America/New_York")
    let there = [
      "Report 2026-11-21T14:30:00Z 2026-11-21T14:30:00Z",
      "Run 2026-11-21T14:45:00Z 2026-11-21T08:15:00Z",
      "Walk 2026-11-21T05:00:00Z 2026-11-21T08:15:00Z",
    ]
    #expect(try agent.waiting().sorted() == there)
    // An edit does not put it back.
    _ = try agent.call(
      Contract.events, "Update",
      [.string("run"), .string(""), .string("all"), .row([("description", .string("5 km"))])])
    #expect(try agent.waiting().sorted() == there)
    // The run of that day it stays, though the one after it comes next by a clock on which it is evening.
    try agent.fly(to: "Asia/Tokyo")
    #expect(
      try agent.waiting().sorted() == [
        "Report 2026-11-21T00:30:00Z 2026-11-21T08:15:00Z",
        "Run 2026-11-21T00:45:00Z 2026-11-21T08:15:00Z",
        "Walk 2026-11-20T15:00:00Z 2026-11-21T08:15:00Z",
      ])
  }

  @Test func `what is on the screen says it by the clock of now, in its place and silently`() throws
  {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    try agent.addPills()
    _ = try agent.add("Call", at: "2026-11-21T08:30:00Z", reminders: "14m")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.settleNotifications()
    try agent.advance(to: "2026-11-21T08:16:00Z")
    try agent.settleNotifications()
    #expect(
      server.shown.map(\.body) == ["in 15 min · 09:30–10:30", "in 14 min · 09:30–10:30"])
    try agent.fly(to: "Asia/Tokyo")
    let after = server.shown.dropFirst(2).sorted { $0.replaces < $1.replaces }
    #expect(
      after.map(\.body) == ["Over: today, 09:30–10:30", "in 14 min · 17:30–18:30"])
    #expect(after.map(\.replaces) == [1, 2])
    #expect(after.allSatisfy { $0.isSilent })
    #expect(agent.signals("ReminderDue").isEmpty)
    // From then on it nears by the clock of now.
    try agent.fly(to: "America/New_York")
    try agent.advance(to: "2026-11-21T13:30:00Z")
    try agent.settleNotifications()
    #expect(server.shown.last?.body == "in 60 min · 09:30–10:30")
    #expect(server.open == [1, 2])
  }

  @Test func `a snooze until the start ends where the start is by then`() throws {
    // In Tokyo it has passed.
    for (zone, end, body) in [
      ("America/New_York", "2026-11-21T14:30:00Z", "now · 09:30–10:30"),
      ("Asia/Tokyo", "2026-11-21T08:16:00Z", "Over: today, 09:30–10:30"),
    ] {
      let agent = try AgentUnderTest(notifications: true)
      let server = try NotificationServer(agent)
      try agent.settle()
      try agent.addPills()
      try agent.advance(to: "2026-11-21T08:15:00Z")
      try agent.settleNotifications()
      _ = try agent.call(
        Contract.reminders, "Snooze",
        [.string(agent.pending()[0]["id"]?.asString ?? ""), .string("start")])
      try agent.advance(to: "2026-11-21T08:16:00Z")
      try agent.fly(to: zone)
      let until = Value.int64(try Timestamp(text: end).seconds)
      #expect(agent.signals("ReminderSnoozed").map { $0.arguments[2] } == [until])
      try agent.advance(to: "2026-11-21T14:29:59Z")
      #expect(agent.signals("ReminderDue").count == (zone == "Asia/Tokyo" ? 1 : 0))
      try agent.advance(to: "2026-11-21T14:30:00Z")
      try agent.settleNotifications()
      #expect(agent.signals("ReminderDue").map { $0.arguments[4] } == [until])
      #expect(agent.signals("ReminderDue").map { $0.arguments[5]["missed"] } == [.boolean(false)])
      let again = server.shown.filter { $0.replaces == 0 }.dropFirst()
      #expect(again.map(\.body) == [body] && again.allSatisfy { !$0.isSilent })
    }
  }

  private func show(_ isVisible: Bool, _ agent: AgentUnderTest) throws {
    _ = try agent.call(
      Contract.calendars, "SetVisible", [.string("personal"), .boolean(isVisible)])
  }

  /// Puts the only reminder that waits off until a word, and hides its calendar.
  private func snoozeAndHide(_ agent: AgentUnderTest, until word: String) throws {
    _ = try agent.call(
      Contract.reminders, "Snooze",
      [.string(agent.pending()[0]["id"]?.asString ?? ""), .string(word)])
    try show(false, agent)
  }

  @Test func `a snooze until the start or the end goes along while its calendar is hidden`() throws
  {
    for (word, end) in [("start", "2026-11-21T14:30:00Z"), ("end", "2026-11-21T15:30:00Z")] {
      let agent = try AgentUnderTest()
      try agent.addPills()
      try agent.advance(to: "2026-11-21T08:15:00Z")
      try snoozeAndHide(agent, until: word)
      try agent.fly(to: "America/New_York")
      try show(true, agent)
      #expect(try agent.waiting() == ["Pills 2026-11-21T14:30:00Z \(end)"])
    }
  }

  @Test func `also where that is shown after its end by the clock of before`() throws {
    for (word, end) in [("start", "2026-11-21T14:30:00Z"), ("end", "2026-11-21T15:30:00Z")] {
      let agent = try AgentUnderTest()
      try agent.addPills()
      _ = try agent.call(
        Contract.calendars, "Update",
        [.string("personal"), .row([("tell-late", .string("1m"))])])
      try agent.advance(to: "2026-11-21T08:15:00Z")
      try snoozeAndHide(agent, until: word)
      try agent.advance(to: "2026-11-21T08:20:00Z")
      try agent.fly(to: "America/New_York")
      try agent.advance(to: "2026-11-21T10:00:00Z")
      let before = agent.signals("ReminderDue").count
      try show(true, agent)
      #expect(try agent.waiting() == ["Pills 2026-11-21T14:30:00Z \(end)"])
      try agent.advance(to: end)
      #expect(agent.signals("ReminderDue").count == before + 1)
    }
  }
}
