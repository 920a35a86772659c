import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `A table with events in a zone that is UTC by another name` {
  private func table(_ agent: AgentUnderTest) throws -> String {
    try agent.call(Contract.transfer, "ExportText", [.string("csv"), .string(""), .string("")])[0]
      .asString ?? ""
  }

  @Test func `it comes back unchanged, and moves an event within its zone`() throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add(
      ("summary", .string("Tea")), ("start", .string("2026-12-01 15:00")),
      ("time-zone", .string("Etc/UTC")), ("rrule", .string("FREQ=DAILY;COUNT=3")))
    try agent.update(uid, "20261202T150000Z", "this", ("summary", .string("Coffee")))
    let text = try table(agent)
    #expect(text.contains(",Etc/UTC,Tea,") && text.contains(",Etc/UTC,Coffee,"), "\(text)")
    #expect(try agent.importing(text).counts == [0, 0, 1, 0])
    #expect(try table(agent) == text)
    let moved = text.replacing(
      "2026-12-01 15:00:00,2026-12-01 16:00:00", with: "2026-12-01 16:00:00,2026-12-01 17:00:00")
    #expect(try agent.importing(moved).counts == [0, 1, 0, 0])
    #expect(try agent.event(uid)["time-zone"] == .string("Etc/UTC"))
    let times = ",2026-12-01 16:00:00,2026-12-01 17:00:00,false,Etc/UTC,Tea,"
    #expect(try table(agent).contains(times))
  }

  @Test func `as iCalendar it comes back unchanged, too`() throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add(
      ("summary", .string("Tea")), ("start", .string("2026-12-01 15:00")),
      ("time-zone", .string("Etc/UTC")), ("rrule", .string("FREQ=DAILY;COUNT=3")))
    try agent.update(uid, "20261202T150000Z", "this", ("summary", .string("Coffee")))
    let text =
      try agent.call(
        Contract.transfer, "ExportText", [.string(""), .string(""), .string("")])[0].asString ?? ""
    #expect(try agent.importing(text).counts == [0, 0, 1, 0])
  }

  @Test func `another zone is another one`() throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add(
      ("summary", .string("Tea")), ("start", .string("2026-12-01 15:00")),
      ("time-zone", .string("Etc/UTC")))
    let text = try table(agent).replacing(",Etc/UTC,", with: ",Europe/London,")
    #expect(try agent.importing(text).counts == [0, 1, 0, 0])
    #expect(try agent.event(uid)["time-zone"] == .string("Europe/London"))
  }
}
