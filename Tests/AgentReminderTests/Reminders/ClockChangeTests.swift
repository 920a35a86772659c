import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// The reasons of ClockChanged, in order.
  fileprivate var reasons: [String] {
    signals("ClockChanged").map { $0.arguments[0].asString ?? "?" }
  }

  /// What was told: "summary due".
  fileprivate var told: [String] {
    signals("ReminderDue").map {
      "\($0.arguments[2].asString ?? "?") \(Timestamp(seconds: $0.arguments[4].asInteger ?? 0))"
    }
  }

  fileprivate func addAllDay() throws {
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
}

@Suite struct `ClockChanged` {
  @Test func `a clock that is set is told, with every argument`() throws {
    let agent = try AgentUnderTest()
    agent.takeSignals()
    agent.clock.set(to: try Timestamp(text: "2026-11-21T10:00:00Z"))
    try agent.settle()
    let signal = try #require(agent.signals("ClockChanged").first)
    #expect(signal.interface == Contract.calendar)
    #expect(signal.arguments == [.string("clock-set"), .row([])])
    #expect(agent.reasons == ["clock-set"])
  }

  @Test func `a day begins at midnight in the agent's zone, and is told once`() throws {
    let agent = try AgentUnderTest()
    try agent.advance(to: "2026-11-21T22:59:59Z")
    #expect(agent.reasons == [])
    try agent.advance(to: "2026-11-21T23:00:00Z")
    #expect(agent.reasons == ["day"])
    try agent.advance(to: "2026-11-22T22:59:59Z")
    #expect(agent.reasons == ["day"])
    try agent.advance(to: "2026-11-23T12:00:00Z")
    #expect(agent.reasons == ["day", "day"])
  }

  @Test func `a jump to another day is one change`() throws {
    let agent = try AgentUnderTest()
    agent.clock.set(to: try Timestamp(text: "2026-11-24T10:00:00Z"))
    try agent.settle()
    #expect(agent.reasons == ["clock-set"])
  }

  @Test func `a machine that comes back from suspend is told so, once, whatever the day is`() throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.add("Standup", at: "2026-11-21 09:30", reminders: "15m")
    agent.clock.resume(at: try Timestamp(text: "2026-11-21T23:30:00Z"))
    try agent.settle()
    #expect(agent.reasons == ["resume"])
    #expect(agent.told == ["Standup 2026-11-21T08:15:00Z"])
    try agent.advance(to: "2026-11-22T23:00:00Z")
    #expect(agent.reasons == ["resume", "day"])
  }

  @Test func `another zone says how many reminders move with it`() throws {
    let agent = try AgentUnderTest()
    try agent.addAllDay()
    try agent.add(
      ("summary", .string("Pills")), ("start", .string("2026-11-22 08:00")),
      ("time-zone", .string("floating")), ("reminders", .strings(["5m"])))
    // One with a zone of its own stays where it is, and so does one that has no reminder.
    try agent.addMeeting()
    _ = try agent.add("Call", at: "2026-11-22T08:00:00Z", reminders: "5m")
    agent.takeSignals()
    try agent.setZone("Asia/Tokyo")
    try agent.wait(for: "the zone") { !agent.reasons.isEmpty }
    #expect(
      agent.signals("ClockChanged").map(\.arguments) == [
        [.string("time-zone"), .row([("reminders", .uint32(2))])]
      ])
  }

  @Test func `another zone is told, and its day is no second change`() throws {
    let agent = try AgentUnderTest(now: "2026-11-21T20:00:00Z")
    try agent.setZone("Asia/Tokyo")
    try agent.wait(for: "the zone") { !agent.reasons.isEmpty }
    try agent.settle()
    #expect(agent.reasons == ["time-zone"])
    // A midnight in Berlin is none in Tokyo.
    try agent.advance(to: "2026-11-21T23:30:00Z")
    #expect(agent.reasons == ["time-zone"])
  }
}

@Suite struct `The count of ClockChanged` {
  @Test func `what is hidden does not ring, and is not counted`() throws {
    for (isVisible, count) in [(true, 1), (false, 0)] as [(Bool, UInt32)] {
      let agent = try AgentUnderTest()
      try agent.addAllDay()
      _ = try agent.call(
        Contract.calendars, "Update",
        [.string("personal"), .row([("visible", .boolean(isVisible))])])
      try agent.setZone("Asia/Tokyo")
      try agent.wait(for: "the zone") { !agent.reasons.isEmpty }
      #expect(
        agent.signals("ClockChanged").map { $0.arguments[1]["reminders"] } == [.uint32(count)])
    }
  }
}

@Suite struct `Zones that changed while no agent ran` {
  @Test func `what was planned at home rings by the clock of the journey's end`() throws {
    for (zone, instant) in [
      ("America/New_York", "2026-11-22T14:00:00Z"), ("Asia/Tokyo", "2026-11-22T00:00:00Z"),
    ] {
      let agent = try AgentUnderTest()
      try agent.addAllDay()
      agent.stop()
      try agent.setZone(zone)
      try agent.start()
      let change = "the time zone was Europe/Berlin and is \(zone) now; the reminders are scheduled"
      #expect(agent.log.filter { $0.contains(change) }.count == 1)
      #expect(try agent.property("NextWake") != .int64(0))
      try agent.advance(to: "2026-11-23T00:00:00Z")
      #expect(agent.told == ["Fair \(instant)"])
      agent.stop()
      try agent.start()
      #expect(agent.log.filter { $0.contains("the reminders are scheduled again") }.count == 1)
    }
  }

  @Test func `other zone data are noticed once`() throws {
    let agent = try AgentUnderTest()
    try agent.addAllDay()
    try agent.store().replanAlarms(
      after: agent.clock.now, by: PlannedZone(name: "Europe/Berlin", fingerprint: 1))
    for _ in 0..<2 {
      agent.stop()
      try agent.start()
      let change = "the time zone data has changed; the reminders are scheduled again"
      #expect(agent.log.filter { $0.contains(change) }.count == 1)
    }
    try agent.advance(to: "2026-11-23T00:00:00Z")
    #expect(agent.told == ["Fair 2026-11-22T08:00:00Z"])
  }

  @Test func `what had yet to come by the data of before, and has passed by those of now, is told`()
    throws
  {
    let agent = try AgentUnderTest(start: false)
    agent.zoneinfo = agent.files.file("zoneinfo")
    for folder in ["zoneinfo", "zoneinfo/Europe", "zoneinfo/America"] {
      try agent.files.makeDirectory(folder)
    }
    func update(_ version: String, newYork: String) throws {
      try agent.files.write("# version \(version)\n", to: "zoneinfo/tzdata.zi")
      try agent.files.write(FixedZones.octets(of: "Europe/Berlin"), to: "zoneinfo/Europe/Berlin")
      try agent.files.write(FixedZones.octets(of: newYork), to: "zoneinfo/America/New_York")
    }
    try update("2026a", newYork: "America/New_York")
    try agent.start()
    // At 14 UTC, and by the clock of Berlin at 8.
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [
        .string(
          calendar(
            component(
              "call", "DTSTART;TZID=America/New_York:20261121T090000", "SUMMARY:Call",
              "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:PT0S\r\nEND:VALARM"))), .string(""),
        .string("replace"),
      ])
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(agent.told == [])
    agent.stop()
    try update("2026b", newYork: "Europe/Berlin")
    try agent.start()
    try agent.settle()
    #expect(agent.told == ["Call 2026-11-21T08:00:00Z"])
    agent.stop()
    try update("2026c", newYork: "America/New_York")
    try agent.start()
    try agent.advance(to: "2026-11-22T00:00:00Z")
    #expect(agent.told == ["Call 2026-11-21T08:00:00Z"])
  }
}
