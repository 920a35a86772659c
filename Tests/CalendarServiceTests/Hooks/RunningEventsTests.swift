import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  /// "+Lunch" for one that has begun, "-Lunch" for one that has ended, and how late it was told
  /// where it was; in order, each once.
  fileprivate func takeSteps() throws -> [String] {
    try settle()
    return takeSignals().filter { $0.member == "EventStarted" || $0.member == "EventEnded" }.map {
      let late = $0.arguments[5]["late"]?.asInteger ?? -1
      return ($0.member == "EventStarted" ? "+" : "-") + ($0.arguments[2].asString ?? "")
        + (late == 0 ? "" : " \(late)")
    }
  }

  /// Adds an event, and returns when the agent has looked when it will be of account.
  fileprivate func add(_ summary: String, _ start: String, _ end: String) throws -> String {
    let uid = try add(
      ("summary", .string(summary)), ("start", .string(start)), ("end", .string(end)))
    try settle()
    return uid
  }
}

// It is 9:00 in Berlin at the beginning.
@Suite struct `Events that begin and end` {
  private let agent: AgentUnderTest

  init() throws {
    agent = try AgentUnderTest()
  }

  @Test func `each is told at its instants, with what it is`() throws {
    let uid = try agent.add(
      ("summary", .string("Lunch")), ("start", .string("2026-11-21 12:00")),
      ("end", .string("2026-11-21 13:00")), ("location", .string("Sal's")))
    try agent.advance(to: "2026-11-21T10:59:59Z")
    #expect(try agent.takeSteps() == [])
    try agent.advance(to: "2026-11-21T11:00:00Z")
    let signal = try #require(agent.signals("EventStarted").first)
    #expect(
      signal.arguments.prefix(5)
        == [
          .string(uid), .string(""), .string("Lunch"), .int64(1_795_258_800), .int64(1_795_262_400),
        ])
    #expect(signal.arguments[5]["location"] == .string("Sal's"))
    #expect(signal.arguments[5]["all-day"] == .boolean(false))
    #expect(try agent.takeSteps() == ["+Lunch"])
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(try agent.takeSteps() == ["-Lunch"])
  }

  @Test func `where one ends as another begins the end comes first`() throws {
    _ = try agent.add("B", "2026-11-21 11:00", "2026-11-21 12:00")
    _ = try agent.add("A", "2026-11-21 10:00", "2026-11-21 11:00")
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(try agent.takeSteps() == ["+A", "-A", "+B"])
  }

  @Test func `an event that is made, moved, hidden and removed in its time is told as it is`()
    throws
  {
    let uid = try agent.add("Call", "2026-11-21 08:30", "2026-11-21 10:00")
    #expect(try agent.takeSteps() == ["+Call 1800"])
    _ = try agent.call(
      Contract.events, "Reschedule",
      [.string(uid), .string(""), .string("all"), .string("2026-11-21 11:00")])
    #expect(try agent.takeSteps() == ["-Call"])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.takeSteps() == ["+Call 1800"])
    _ = try agent.call(
      Contract.events, "SetField",
      [
        .string(uid), .string(""), .string("all"), .string("summary"), .variant(.string("Other")),
      ])
    #expect(try agent.takeSteps() == [])
    _ = try agent.call(Contract.events, "Remove", [.string(uid), .string(""), .string("all")])
    #expect(try agent.takeSteps() == ["-Other"])
  }

  @Test func `an all-day event begins and ends at midnight`() throws {
    _ = try agent.add("Fair", "2026-11-22", "2026-11-23")
    try agent.advance(to: "2026-11-21T23:00:00Z")
    #expect(try agent.takeSteps() == ["+Fair"])
    try agent.advance(to: "2026-11-22T23:00:00Z")
    #expect(try agent.takeSteps() == ["-Fair"])
  }

  @Test func `each occurrence is told on its own`() throws {
    _ = try agent.add(
      ("summary", .string("Tick")), ("start", .string("2026-11-21 10:00")),
      ("end", .string("2026-11-21 11:00")), ("rrule", .string("FREQ=HOURLY;COUNT=2")))
    for hour in ["09", "10", "11"] { try agent.advance(to: "2026-11-21T\(hour):00:00Z") }
    let told = agent.signals.filter { $0.member == "EventStarted" || $0.member == "EventEnded" }
    #expect(
      told.map { $0.arguments[1].asString } == [
        "20261121T090000Z", "20261121T090000Z", "20261121T100000Z", "20261121T100000Z",
      ])
    #expect(
      told.map(\.member) == ["EventStarted", "EventEnded", "EventStarted", "EventEnded"])
  }

  @Test func `a moment begins and ends at once, and once`() throws {
    _ = try agent.add("Bell", "2026-11-21 10:00", "2026-11-21 10:00")
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(try agent.takeSteps() == ["+Bell", "-Bell"])
    _ = try agent.add("Other", "2026-11-21 15:00", "2026-11-21 16:00")
    try agent.advance(to: "2026-11-21T09:00:01Z")
    #expect(try agent.takeSteps() == [])
  }

  @Test func `what began before a restart ends after it, and is not told as begun again`() throws {
    _ = try agent.add("Long", "2026-11-21 09:00", "2026-11-21 11:00")
    _ = try agent.add("Missed", "2026-11-21 09:30", "2026-11-21 10:00")
    _ = try agent.add("Late", "2026-11-21 10:50", "2026-11-21 13:00")
    #expect(try agent.takeSteps() == ["+Long"])
    agent.stop()
    try agent.start()
    #expect(try agent.takeSteps() == [])
    agent.stop()
    agent.clock.advance(to: try .init(text: "2026-11-21T10:10:00Z"))
    try agent.start()
    #expect(try agent.takeSteps() == ["-Long 600", "+Late 1200"])
  }

  @Test func `a clock that is set back makes an event run again`() throws {
    _ = try agent.add("Call", "2026-11-21 10:00", "2026-11-21 11:00")
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(try agent.takeSteps() == ["+Call", "-Call"])
    agent.clock.set(to: try .init(text: "2026-11-21T09:30:00Z"))
    #expect(try agent.takeSteps() == ["+Call 1800"])
  }

  @Test func `a private event is told without what people read`() throws {
    _ = try agent.add(
      ("summary", .string("Doctor")), ("start", .string("2026-11-21 09:00")),
      ("location", .string("Ward 3")), ("class", .string("private")))
    try agent.settle()
    let signal = try #require(agent.signals("EventStarted").first)
    #expect(signal.arguments[2] == .string(""))
    #expect(signal.arguments[5]["location"] == nil)
  }

  @Test func `cancelled events and declined invitations are not told`() throws {
    _ = try agent.add(
      ("summary", .string("Off")), ("start", .string("2026-11-21 09:00")),
      ("status", .string("cancelled")))
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [
        .string(
          "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:d\r\nDTSTAMP:20261101T000000Z\r\n"
            + "DTSTART:20261121T080000Z\r\nDTEND:20261121T090000Z\r\nSUMMARY:Declined\r\n"
            + "ATTENDEE;PARTSTAT=DECLINED:mailto:a@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"),
        .string(""), .string("merge"),
      ])
    #expect(try agent.takeSteps() == [])
  }

  @Test func `what the owner alone has declined is not told`() throws {
    let agent = try AgentUnderTest(addresses: ["me@example.org"])
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [
        .string(
          "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:d\r\n"
            + "DTSTAMP:20261101T000000Z\r\nDTSTART:20261121T080000Z\r\nDTEND:20261121T090000Z\r\n"
            + "SUMMARY:Declined\r\nATTENDEE;PARTSTAT=DECLINED:mailto:me@example.org\r\n"
            + "ATTENDEE;PARTSTAT=ACCEPTED:mailto:b@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"),
        .string(""), .string("merge"),
      ])
    #expect(try agent.takeSteps() == [])
  }

  @Test func `an event that is moved while it runs is not told as begun again after a restart`()
    throws
  {
    let uid = try agent.add("Long", "2026-11-21 09:00", "2026-11-21 11:00")
    try agent.advance(to: "2026-11-21T08:30:00Z")
    _ = try agent.call(
      Contract.events, "SetField",
      [
        .string(uid), .string(""), .string("all"), .string("start"),
        .variant(.string("2026-11-21 09:20")),
      ])
    #expect(try agent.takeSteps() == ["+Long"])
    agent.stop()
    try agent.start()
    #expect(try agent.takeSteps() == [])
  }
}
