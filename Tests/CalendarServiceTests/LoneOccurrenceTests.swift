import CalendarBus
import DBus
import TestSupport
import Testing

private func exception(_ day: Int) -> String {
  component(
    "inv1", "RECURRENCE-ID:202611\(day)T090000Z", "DTSTART:202611\(day)T100000Z", "DURATION:PT1H",
    "SUMMARY:Review")
}

@Suite struct `Exceptions without their series` {
  @Test func `Reschedule, SetField and Update change the only one`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(exception(24))
    _ = try agent.call(
      Contract.events, "Reschedule", ["inv1", "", "", "14:00"].map(Value.string))
    func start() throws -> String? { try agent.event("inv1")["start-text"]?.asString }
    #expect(try start() == "2026-11-24T13:00:00Z")
    _ = try agent.call(
      Contract.events, "SetField",
      [
        .string("inv1"), .string(""), .string("all"), .string("time-zone"),
        .variant(.string("Asia/Tokyo")),
      ])
    #expect(try start() == "2026-11-24T13:00:00+09:00")
    try agent.update("inv1", "", "all", ("end", .string("3h")))
    #expect(try agent.event("inv1")["end-text"] == .string("2026-11-24T16:00:00+09:00"))
    try agent.update("inv1", "", "", ("all-day", .boolean(true)))
    #expect(try agent.event("inv1")["all-day"] == .boolean(true))
    #expect(try start() == "2026-11-24")
  }

  @Test func `of several a start needs the name of one`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(exception(24), exception(25))
    let error = try agent.refusal(
      Contract.events, "Reschedule", ["inv1", "", "", "14:00"].map(Value.string))
    #expect(error.name.text == CallError.Kind.invalidArguments.rawValue)
    #expect(error.message.hasPrefix("recurrence_id: "))
    #expect(error.message.hasSuffix("such as 20261124T090000Z"))
    try agent.update("inv1", "", "all", ("end", .string("30m")), ("summary", .string("Short")))
    #expect(try agent.summaries(from: "2026-11-24", to: "3d") == ["Short", "Short"])
  }

  @Test(arguments: ["rrule", "rdate", "exdate"])
  func `a rule or a date is refused by its own name`(key: String) throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(exception(24))
    let value = key == "rrule" ? Value.string("FREQ=DAILY") : .strings(["2026-12-01"])
    for scope in ["", "all"] {
      let error = try agent.refusal(
        Contract.events, "Update",
        [.string("inv1"), .string(""), .string(scope), .row([(key, value)])])
      #expect(error.name.text == CallError.Kind.invalidRecurrence.rawValue)
      #expect(error.message.hasPrefix("\(key): of \"inv1\" only single occurrences are here"))
      #expect(!error.message.contains("scope"))
    }
  }
}
