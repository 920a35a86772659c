import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `The revision in a row` {
  /// The revisions of the rows of a range.
  private func revisions(_ agent: AgentUnderTest) throws -> [Value?] {
    let answer = try agent.call(
      Contract.calendar, "GetOccurrences", [.string("2026-11-20"), .string("14d"), .row([])])
    return (answer[0].asArray ?? []).map { $0["revision"] }
  }

  @Test func `it is the one that changed the event last, in every answer that has rows`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add(
      ("uid", .string("weekly")), ("summary", .string("Weekly")),
      ("start", .string("2026-11-24 09:00")), ("rrule", .string("FREQ=WEEKLY")))
    #expect(try revisions(agent) == [.uint64(1), .uint64(2), .uint64(2)])
    _ = try agent.call(
      Contract.events, "Reschedule",
      ["weekly", "20261201T080000Z", "", "2026-12-01 10:00"].map(Value.string))
    #expect(try revisions(agent) == [.uint64(1), .uint64(3), .uint64(3)])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try revisions(agent) == [.uint64(1), .uint64(4), .uint64(4)])
    let get = try agent.call(Contract.events, "Get", ["weekly", ""].map(Value.string))[0]
    #expect(get["revision"] == .uint64(4))
    let found = try agent.call(Contract.calendar, "Find", [.string("weekly"), .uint32(0)])[0]
    #expect(found.asArray?.first?["revision"] == .uint64(4))
    #expect(try agent.property("NextEvent")["revision"] == .uint64(1))
  }

  @Test func `an edit takes it for if-revision`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add("Other", at: "2026-11-21 12:00")
    let seen = try #require(try revisions(agent)[0])
    func edit(_ summary: String) throws -> [Value] {
      try agent.call(
        Contract.events, "Update",
        ["standup", "", ""].map(Value.string)
          + [.row([("summary", .string(summary)), ("if-revision", seen)])])
    }
    _ = try edit("One")
    #expect(throws: DBusError.self) { try edit("Two") }
    #expect(try agent.summaries(from: "today") == ["One", "Other"])
  }

  @Test func `fields can ask for it`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let answer = try agent.call(
      Contract.calendar, "GetOccurrences",
      [.string("today"), .string(""), .row([("fields", .strings(["revision"]))])])
    #expect(answer[0] == .array("a{sv}", [.row([("revision", .uint64(1))])]))
  }
}
