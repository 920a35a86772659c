import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// The ids of what will ring within ten days, in order.
  fileprivate func upcoming() throws -> [String] {
    let rows = try call(Contract.reminders, "Upcoming", [.uint32(240)])[0].asArray ?? []
    return rows.compactMap { $0["id"]?.asString }
  }

  fileprivate func dismiss(_ id: String) throws {
    _ = try call(Contract.reminders, "Dismiss", [.string(id)])
  }

  fileprivate func states(_ uid: String) throws -> [String] {
    let rows = try call(Contract.reminders, "Why", [.string(uid), .string("")])[0].asArray ?? []
    return rows.compactMap { $0["state"]?.asString }
  }

  /// When the alarms of an event were seen, as other programs read it.
  fileprivate func acknowledged(_ uid: String) throws -> [String] {
    let text =
      try call(
        Contract.transfer, "ExportText", [.string(""), .string(""), .string(uid)])[0].asString ?? ""
    return text.split(separator: "\r\n").filter { $0.hasPrefix("ACKNOWLEDGED:") }
      .map { String($0.dropFirst(13)) }
  }

  fileprivate var toldAt: [String] {
    signals("ReminderDue").map {
      Timestamp(seconds: $0.arguments[4].asInteger ?? 0).description
    }
  }
}

@Suite struct `A reminder that is dismissed before it rings` {
  @Test func `it does not ring, and every program hears that it is over`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let id = try #require(try agent.upcoming().first)
    try agent.dismiss(id)
    #expect(try agent.upcoming() == [])
    #expect(
      agent.signals("ReminderDismissed").map(\.arguments)
        == [[.string(id), .string("standup"), .string("user")]])
    #expect(try agent.states("standup") == ["acknowledged"])
    agent.stop()
    try agent.start()
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(agent.toldAt == [])
    #expect(try agent.states("standup") == ["acknowledged"])
    // Twice is no error, as with one that rang.
    try agent.dismiss(id)
  }

  @Test func `it speaks of one alarm of one occurrence`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("uid", .string("tea")), ("summary", .string("Tea")), ("start", .string("2026-11-21 10:00")),
      ("rrule", .string("FREQ=DAILY;COUNT=3")), ("reminders", .strings(["15m", "5m"])))
    let ids = try agent.upcoming()
    #expect(ids.count == 6)
    try agent.dismiss(ids[0])
    try agent.dismiss(ids[3])
    #expect(try agent.upcoming() == [ids[1], ids[2], ids[4], ids[5]])
    try agent.advance(to: "2026-11-23T12:00:00Z")
    #expect(agent.toldAt.count == 4)
    #expect(agent.toldAt.prefix(2) == ["2026-11-21T08:55:00Z", "2026-11-22T08:45:00Z"])
  }

  @Test func `other programs read that it was seen, and never that what is to come was`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("uid", .string("tea")), ("summary", .string("Tea")), ("start", .string("2026-11-21 10:00")),
      ("rrule", .string("FREQ=DAILY;COUNT=8")), ("reminders", .strings(["15m"])))
    let ids = try agent.upcoming()
    // With the first still to come nothing can be said of the second.
    try agent.dismiss(ids[1])
    #expect(try agent.acknowledged("tea") == [])
    try agent.dismiss(ids[0])
    #expect(try agent.acknowledged("tea") == ["20261122T084500Z"])
    for id in ids[3...6] { try agent.dismiss(id) }
    #expect(try agent.acknowledged("tea") == ["20261123T084459Z"])
    try agent.dismiss(ids[2])
    #expect(try agent.acknowledged("tea") == ["20261127T084500Z"])
  }

  @Test func `an event that is moved rings at its new time, in another zone it does not`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("uid", .string("tea")), ("summary", .string("Tea")), ("start", .string("2026-11-21 10:00")),
      ("time-zone", .string("floating")), ("reminders", .strings(["15m"])))
    try agent.dismiss(try #require(try agent.upcoming().first))
    try agent.setZone("America/New_York")
    try agent.wait(for: "the zone") { !agent.signals("ClockChanged").isEmpty }
    #expect(try agent.upcoming() == [])
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("tea"), .string(""), .string("all"),
        .row([("start", .string("2026-11-21 11:00"))]),
      ])
    #expect(try agent.upcoming().count == 1)
  }

  @Test
  func `in another calendar it does not ring either, and rings again when it is moved in time`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    try agent.addStandup()
    try agent.dismiss(try #require(try agent.upcoming().first))
    _ = try agent.call(Contract.events, "Move", [.strings(["standup"]), .string("work")])
    #expect(try agent.upcoming() == [])
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("standup"), .string(""), .string("all"),
        .row([("start", .string("2026-11-21 11:00"))]),
      ])
    #expect(try agent.upcoming().count == 1)
  }

  @Test func `a snooze brings it back, but is refused before`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let id = try #require(try agent.upcoming().first)
    let refusal = try agent.refusal(
      Contract.reminders, "Snooze", [.string(id), .string("5m")])
    #expect(refusal.name.text == CallError.Kind.conflict.rawValue)
    #expect(
      refusal.message
        == "the reminder \"\(id)\" is not due before 2026-11-21T08:15:00Z: you can dismiss it now, and "
        + "snooze it once it is shown")
    #expect(try agent.upcoming() == [id])
    try agent.dismiss(id)
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("5m")])
    #expect(try agent.upcoming() == [id])
    try agent.advance(to: "2026-11-21T08:05:00Z")
    #expect(agent.toldAt == ["2026-11-21T08:05:00Z"])
  }

  @Test func `one behind the next 5000 of its event is not said to be unknown`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("uid", .string("sip")), ("summary", .string("Sip")), ("start", .string("2026-11-21 10:00")),
      ("rrule", .string("FREQ=MINUTELY;INTERVAL=5")), ("reminders", .strings(["0m"])))
    let rows = try agent.call(
      Contract.reminders, "Simulate", [.string("2026-12-09"), .string("2026-12-10")])
    let id = try #require(rows[0].asArray?.first?["id"])
    for (member, more) in [("Dismiss", []), ("Snooze", [Value.string("5m")])]
      as [(MemberName, [Value])]
    {
      let refusal = try agent.refusal(Contract.reminders, member, [id] + more)
      #expect(refusal.name.text == CallError.Kind.limitsExceeded.rawValue)
      #expect(
        refusal.message
          == "id: \"\(id.asString ?? "")\" is not a delivered reminder. The event \"sip\" has more "
          + "reminders within 744 hours than the 5000 that are searched; try again later"
      )
    }
    // It comes closer.
    try agent.advance(to: "2026-11-21T15:00:00Z")
    _ = try agent.call(Contract.reminders, "Dismiss", [id])
    #expect(
      try agent.call(
        Contract.reminders, "Simulate", [.string("2026-12-09"), .string("2026-12-10")])[0]
        .asArray?.contains { $0["id"] == id } == false)
  }

  @Test func `what nobody will be told is not known`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let id = try #require(try agent.upcoming().first)
    _ = try agent.call(Contract.calendars, "SetVisible", [.string("personal"), .boolean(false)])
    for unknown in [id, "0123456789abcdef", "nothing", ""] {
      for (member, more) in [("Dismiss", []), ("Snooze", [Value.string("5m")])]
        as [(MemberName, [Value])]
      {
        let refusal = try agent.refusal(Contract.reminders, member, [.string(unknown)] + more)
        #expect(refusal.name.text == CallError.Kind.notFound.rawValue)
        #expect(refusal.message.hasPrefix("no reminder has the ID \"\(unknown)\""))
      }
    }
  }
}
