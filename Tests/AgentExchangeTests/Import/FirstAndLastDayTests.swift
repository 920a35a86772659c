import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// The agent's clock is that of Berlin, where the first day began before year 1 of UTC.
@Suite struct `The first and the last day of all` {
  private func found(_ agent: AgentUnderTest, _ from: String, _ to: String) throws -> [String] {
    try agent.summaries(from: from, to: to)
  }

  @Test func `what is on the first day is found`() throws {
    let agent = try AgentUnderTest()
    try agent.add(("summary", .string("Day")), ("start", .string("0001-01-01")))
    try agent.add(
      ("summary", .string("Early")), ("start", .string("0001-01-01 00:00")),
      ("end", .string("30m")))
    try agent.add(
      ("summary", .string("Late")), ("start", .string("0001-01-01 09:00")), ("end", .string("1h")))
    try agent.add(
      ("summary", .string("Each")), ("start", .string("0001-01-01 10:00")),
      ("rrule", .string("FREQ=DAILY;COUNT=2")))
    #expect(try Set(found(agent, "0001-01-01", "30d")) == ["Day", "Early", "Late", "Each"])
    #expect(try found(agent, "0001-01-01", "30d").count == 5)
    #expect(
      try agent.call(Contract.calendar, "Agenda", [.string("0001-01-01"), .uint32(1)])[0]
        .asArray?.count == 4)
  }

  @Test func `what an import has far in the east and the west of them is kept`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(
      component(
        "east", "DTSTART;TZID=Asia/Tokyo:00010101T000000", "DURATION:PT1H", "SUMMARY:East"),
      component(
        "west", "DTSTART;TZID=America/Los_Angeles:99991231T233000", "DURATION:PT10M",
        "SUMMARY:West"))
    for word in ["east", "west"] {
      let row = try agent.call(Contract.events, "Get", [.string(word), .string("")])[0]
      #expect(row["uid"] == .string(word))
    }
  }

  @Test func `the last day has an agenda`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add("Last", at: "9999-12-31")
    for (from, days) in [("9999-12-31", 1), ("9999-12-30", 2)] as [(String, UInt32)] {
      let rows =
        try agent.call(
          Contract.calendar, "Agenda", [.string(from), .uint32(days)])[0].asArray ?? []
      #expect(rows.map { $0["summary"] } == [.string("Last")])
    }
  }
}
