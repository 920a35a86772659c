import CalendarBus
import DBus
import Testing

@testable import AgentSupport

@Suite struct `Releases in lists` {
  private func agent() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    func release(_ uid: String, _ state: String, _ quality: String = "") -> String {
      component(
        uid, "DTSTART;VALUE=DATE:20261123", "SUMMARY:Film \(uid)", "TRANSP:TRANSPARENT",
        "X-DATEBOOK-STATE:\(state)", "X-DATEBOOK-QUALITY:\(quality)")
    }
    let events = [
      release("a", "available", "Bluray-1080p"), release("b", "missing"),
      release("c", "partly", "WEBDL-720p"),
      component("tea", "DTSTART;VALUE=DATE:20261123", "SUMMARY:Film with tea"),
    ]
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(events.joined())), .string(""), .string("")])
    return agent
  }

  /// The UIDs that GetOccurrences and Search both answer.
  private func found(
    _ agent: AgentUnderTest, _ options: (String, Value)...
  ) throws -> [String] {
    let listed = try agent.call(
      Contract.calendar, "GetOccurrences", [.string("2026-11-23"), .string("1d"), .row(options)])
    let searched = try agent.call(
      Contract.calendar, "Search", [.string("film"), .row(options + [("order", .string("start"))])])
    let uids = [listed, searched].map { ($0[0].asArray ?? []).map { $0["uid"]?.asString ?? "" } }
    #expect(uids[0] == uids[1])
    return uids[0]
  }

  @Test func `rows have the state and the quality`() throws {
    let agent = try agent()
    let rows =
      try agent.call(
        Contract.calendar, "Agenda", [.string("2026-11-23"), .uint32(1)])[0].asArray ?? []
    #expect(
      rows.map { $0["state"]?.asString } == ["available", "missing", "partly", nil])
    #expect(rows.map { $0["quality"]?.asString } == ["Bluray-1080p", nil, "WEBDL-720p", nil])
  }

  @Test func `they are filtered by state and by quality`() throws {
    let agent = try agent()
    #expect(try found(agent) == ["a", "b", "c", "tea"])
    #expect(try found(agent, ("states", .strings(["missing", "partly"]))) == ["b", "c"])
    #expect(try found(agent, ("quality", .string("1080P"))) == ["a"])
    #expect(
      try found(agent, ("states", .strings(["missing"])), ("quality", .string("p"))) == [])
  }

  @Test func `a state that is none is refused`() throws {
    let agent = try AgentUnderTest()
    let refused = try agent.refusal(
      of: "GetOccurrences",
      [.string("today"), .string(""), .row([("states", .strings(["lost"]))])])
    #expect(refused.message.contains("available, partly, missing"), "\(refused)")
  }
}
