import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Reminders
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  /// What ExportText has of an event, a line each, unfolded.
  fileprivate func exported(_ uid: String = "standup") throws -> [String] {
    let answer = try call(
      Contract.transfer, "ExportText", [.string(""), .string(""), .string(uid)])
    return (answer[0].asString ?? "").replacing("\r\n ", with: "")
      .split(separator: "\r\n").map(String.init)
  }

  /// The lines of its alarms, each alarm on one line.
  fileprivate func alarms(_ uid: String = "standup") throws -> [String] {
    let lines = try exported(uid).joined(separator: " ")
    return lines.split(separator: "BEGIN:VALARM ").dropFirst().map { alarm in
      alarm.split(separator: " END:VALARM").first.map(String.init) ?? ""
    }
  }

  fileprivate func take(_ lines: [String], mode: String = "replace") throws {
    _ = try call(
      Contract.transfer, "ImportText",
      [.string(lines.joined(separator: "\r\n") + "\r\n"), .string(""), .string(mode)])
    try settle()
  }

  fileprivate func answer(_ member: MemberName, _ more: Value...) throws {
    _ = try call(Contract.reminders, member, [.string(onlyReminder())] + more)
  }

  fileprivate var toldAt: [String] {
    signals("ReminderDue").map {
      Timestamp(seconds: $0.arguments[4].asInteger ?? 0).description
    }
  }

  fileprivate var ends: [String] {
    signals("ReminderDismissed").map { $0.arguments[2].asString ?? "" }
  }

  fileprivate func lastState(_ uid: String) throws -> [String?] {
    let rows = try call(Contract.reminders, "Why", [.string(uid), .string("")])[0].asArray
    return [rows?.last?["state"]?.asString, rows?.last?["reason"]?.asString]
  }
}

private let alarm = "BEGIN:VALARM\r\nUID:a1\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM"

/// "Tea" at 10:00 UTC, each day where it is to recur, with these lines in its alarm and behind it.
private func tea(_ inAlarm: [String] = [], _ behind: [String] = [], daily: Bool = false) -> [String]
{
  let lines =
    ["DTSTART:20261121T100000Z", "DURATION:PT1H", "SUMMARY:Tea"]
    + (daily ? ["RRULE:FREQ=DAILY"] : [])
    + ["BEGIN:VALARM", "UID:a1", "ACTION:DISPLAY", "TRIGGER:-PT15M"] + inAlarm + ["END:VALARM"]
    + behind
  return calendar(component("tea", lines.joined(separator: "\r\n")))
    .split(separator: "\r\n").map(String.init)
}

/// A snooze as another program writes it.
private func snooze(until instant: String) -> [String] {
  [
    "BEGIN:VALARM", "UID:s1", "RELATED-TO;RELTYPE=SNOOZE:a1", "ACTION:DISPLAY",
    "TRIGGER;VALUE=DATE-TIME:\(instant)", "DESCRIPTION:Tea", "END:VALARM",
  ]
}

// Source: RFC 9074 sections 6 and 7.
@Suite struct `Answers to reminders, in the text of their events` {
  @Test func `a reminder that was dismissed is acknowledged, and nothing else differs`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let before = try agent.exported()
    try agent.advance(to: "2026-11-21T08:16:40Z")
    #expect(try agent.exported() == before)
    let revision = try agent.property("Revision")
    let history = try agent.call(Contract.events, "History", [.uint32(0)])
    agent.takeSignals()
    try agent.answer("Dismiss")
    let after = try agent.exported()
    #expect(after.filter { $0 != "ACKNOWLEDGED:20261121T081640Z" } == before)
    #expect(after.count == before.count + 1)
    // It is no change of the event.
    #expect(try agent.property("Revision") == revision)
    #expect(try agent.call(Contract.events, "History", [.uint32(0)]) == history)
    try agent.settle()
    #expect(agent.signals("EventsChanged").isEmpty)
  }

  @Test func `a snooze goes out as an alarm of its own, and goes when it is dismissed`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    try agent.answer("Snooze", .string("10m"))
    let alarms = try agent.alarms()
    #expect(alarms.count == 2)
    #expect(alarms[0].contains("UID:alarm-1-of-standup"))
    #expect(alarms[0].contains("ACKNOWLEDGED:20261121T081500Z"))
    #expect(
      alarms[1].contains("UID:datebook-snooze-\(id) RELATED-TO;RELTYPE=SNOOZE:alarm-1-of-standup"))
    #expect(alarms[1].contains("TRIGGER;VALUE=DATE-TIME:20261121T082500Z"))
    try agent.advance(to: "2026-11-21T08:26:00Z")
    try agent.answer("Dismiss")
    #expect(try agent.alarms().count == 1)
    #expect(try agent.alarms()[0].contains("ACKNOWLEDGED:20261121T082600Z"))
  }

  @Test func `what went out and comes back changes nothing here`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    try agent.answer("Snooze", .string("10m"))
    let text = try agent.exported()
    agent.takeSignals()
    for mode in ["replace", "merge"] { try agent.take(text, mode: mode) }
    #expect(agent.ends == [])
    #expect(try agent.pending().map { $0["state"] } == [.string("snoozed")])
    #expect(try agent.exported() == text)
    // And it comes back once.
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(agent.toldAt == ["2026-11-21T08:25:00Z"])
    #expect(try agent.onlyReminder() == id)
  }

  @Test func `an edit of an event that came back leaves its snooze alone`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.answer("Snooze", .string("10m"))
    try agent.take(try agent.exported())
    _ = try agent.call(
      Contract.events, "SetField",
      ["standup", "", "", "summary"].map(Value.string) + [.variant(.string("Daily"))])
    #expect(try agent.pending().map { $0["state"] } == [.string("snoozed")])
    #expect(try agent.alarms().count == 2)
  }

  @Test func `it never speaks for a reminder that somebody still has to see`() throws {
    let agent = try AgentUnderTest()
    try agent.take(tea(daily: true))
    try agent.advance(to: "2026-11-22T09:45:00Z")
    let ids = try agent.pending().compactMap { $0["id"] }
    #expect(ids.count == 2)
    _ = try agent.call(Contract.reminders, "Dismiss", [ids[1]])
    #expect(try agent.alarms("tea").allSatisfy { !$0.contains("ACKNOWLEDGED") })
    _ = try agent.call(Contract.reminders, "Dismiss", [ids[0]])
    #expect(try agent.alarms("tea")[0].contains("ACKNOWLEDGED:20261122T094500Z"))
    // A new one of the same series takes nothing back.
    try agent.advance(to: "2026-11-23T09:45:00Z")
    #expect(try agent.alarms("tea")[0].contains("ACKNOWLEDGED:20261122T094500Z"))
  }

  @Test func `what a calendar's defaults raised stays in the ledger`() throws {
    let agent = try AgentUnderTest(newCalendars: .usual)
    try agent.add(
      ("uid", .string("standup")), ("summary", .string("Standup")),
      ("start", .string("2026-11-21 09:30")))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.answer("Snooze", .string("10m"))
    #expect(try agent.alarms() == [])
    try agent.answer("Dismiss")
    #expect(try agent.alarms() == [])
  }

  @Test func `until an unlock is no instant, and is not written`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let before = try agent.exported()
    let scheduler = try #require(agent.agent).reminders.openScheduler()
    try scheduler.snooze(id: try agent.onlyReminder(), until: .latest)
    #expect(try agent.exported() == before)
  }

  @Test func `a thousand that are dismissed at once are acknowledged, and no event changes`() throws
  {
    let agent = try AgentUnderTest()
    let events = (0..<1000).map {
      component("e\($0)", "DTSTART:20261121T100000Z", "SUMMARY:E\($0)", alarm)
    }
    try agent.take([calendar(events.joined())])
    try agent.advance(to: "2026-11-21T09:45:00Z")
    let revision = try agent.property("Revision")
    #expect(try agent.call(Contract.reminders, "DismissAll") == [.uint32(1000)])
    #expect(try agent.property("Revision") == revision)
    #expect(try agent.exported("").count { $0 == "ACKNOWLEDGED:20261121T094500Z" } == 1000)
  }
}

@Suite struct `Answers from other programs` {
  @Test func `what is acknowledged at its trigger or later is not told, and Why says so`() throws {
    let agent = try AgentUnderTest()
    try agent.take(tea(["ACKNOWLEDGED:20261121T094500Z"]))
    #expect(try agent.lastState("tea") == ["silent", "acknowledged"])
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(agent.toldAt == [])
  }

  @Test func `what is acknowledged before its trigger is told`() throws {
    let agent = try AgentUnderTest()
    try agent.take(tea(["ACKNOWLEDGED:20261121T094459Z"]))
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(agent.toldAt == ["2026-11-21T09:45:00Z"])
  }

  @Test func `of a series the days after it are told`() throws {
    let agent = try AgentUnderTest()
    try agent.take(tea(["ACKNOWLEDGED:20261122T095000Z"], daily: true))
    try agent.advance(to: "2026-11-23T12:00:00Z")
    #expect(agent.toldAt == ["2026-11-23T09:45:00Z"])
  }

  @Test func `an acknowledgement that comes in ends what is pending`() throws {
    let agent = try AgentUnderTest()
    try agent.take(tea())
    try agent.advance(to: "2026-11-21T09:45:00Z")
    try agent.take(tea(["ACKNOWLEDGED:20261121T094600Z"]), mode: "merge")
    #expect(agent.ends == ["other-client"])
    #expect(try agent.pending() == [])
  }

  @Test(arguments: [[], ["ACKNOWLEDGED:20261121T094600Z"]])
  func `a snooze of another program takes the place of ours`(inAlarm: [String]) throws {
    let agent = try AgentUnderTest()
    try agent.take(tea())
    try agent.advance(to: "2026-11-21T09:45:00Z")
    try agent.answer("Snooze", .string("5m"))
    try agent.take(tea(inAlarm, snooze(until: "20261121T095500Z")))
    #expect(agent.ends == ["other-client"])
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(agent.toldAt == ["2026-11-21T09:45:00Z", "2026-11-21T09:55:00Z"])
    #expect(try agent.alarms("tea").count == 2)
  }

  @Test func `a snooze that has passed ends nothing`() throws {
    let agent = try AgentUnderTest()
    try agent.take(tea())
    try agent.advance(to: "2026-11-21T10:00:00Z")
    try agent.take(tea([], snooze(until: "20261121T095500Z")))
    #expect(agent.ends == [])
    #expect(try agent.pending().count == 1)
  }

  @Test func `a snooze speaks of the day that it was made for, also after its end`() throws {
    let agent = try AgentUnderTest()
    try agent.take(
      tea(
        ["ACKNOWLEDGED:20261121T103000Z"], snooze(until: "20261121T120000Z"), daily: true))
    try agent.advance(to: "2026-11-21T12:00:00Z")
    let signal = try #require(agent.signals("ReminderDue").first)
    #expect(signal.arguments[3] == .int64(try Timestamp(text: "2026-11-21T10:00:00Z").seconds))
    #expect(agent.toldAt == ["2026-11-21T12:00:00Z"])
  }

  @Test func `a snooze that was taken away was dismissed there`() throws {
    let agent = try AgentUnderTest()
    try agent.take(tea(["ACKNOWLEDGED:20261121T094600Z"], snooze(until: "20261121T095500Z")))
    try agent.advance(to: "2026-11-21T09:55:00Z")
    #expect(try agent.pending().count == 1)
    try agent.take(tea(["ACKNOWLEDGED:20261121T095600Z"]))
    #expect(agent.ends == ["other-client"])
  }

  @Test func `two of us agree`() throws {
    let (one, other) = (try AgentUnderTest(), try AgentUnderTest())
    for agent in [one, other] {
      try agent.addStandup()
      try agent.advance(to: "2026-11-21T08:15:00Z")
    }
    try one.answer("Snooze", .string("10m"))
    try other.take(try one.exported())
    #expect(other.ends == ["other-client"])
    for agent in [one, other] { try agent.advance(to: "2026-11-21T08:25:00Z") }
    #expect(one.toldAt == ["2026-11-21T08:15:00Z", "2026-11-21T08:25:00Z"])
    #expect(other.toldAt == ["2026-11-21T08:15:00Z", "2026-11-21T08:25:00Z"])
    try other.answer("Dismiss")
    try one.take(try other.exported())
    #expect(one.ends == ["other-client"])
    #expect(try one.pending() == [])
  }
}
