import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

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
      #expect(error.message.hasPrefix("\(key): only single occurrences of \"inv1\" are stored"))
      #expect(!error.message.contains("scope"))
    }
  }
}

/// As mail brings them: a calendar server sends a changed occurrence to whom was invited to that alone, and the series
/// to whom was invited to all of it, often later.
@Suite struct `A changed occurrence and its series, each by an import of its own` {
  private static let series = component(
    "inv1", "DTSTART:20261123T090000Z", "DURATION:PT1H", "SUMMARY:Daily",
    "RRULE:FREQ=DAILY;COUNT=3", "SEQUENCE:1")
  private static let changed = exception(24).replacing(
    "SUMMARY:Review", with: "SUMMARY:Review\r\nSEQUENCE:1")

  /// The starts and titles of what happens.
  private func occurrences(_ agent: AgentUnderTest) throws -> [String] {
    let rows = try agent.call(
      Contract.calendar, "GetOccurrences", [.string("2026-11-22"), .string("7d"), .row([])])
    return (rows[0].asArray ?? []).map {
      "\($0["start-text"]?.asString ?? "") \($0["summary"]?.asString ?? "")"
    }
  }

  @Test(arguments: [[changed, series], [series, changed]], ["", "REQUEST", "PUBLISH"])
  func `come to what both in one file do`(parts: [String], method: String) throws {
    func text(_ components: String...) -> String {
      let text = calendar(components.joined())
      if method.isEmpty { return text }
      return text.replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nMETHOD:\(method)\r\n")
    }
    let agent = try AgentUnderTest()
    #expect(try agent.importing(text(parts[0])).counts == [1, 0, 0, 0])
    #expect(try agent.importing(text(parts[1])).counts == [0, 1, 0, 0])
    let together = try AgentUnderTest()
    _ = try together.importing(text(Self.series, Self.changed))
    let expected = [
      "2026-11-23T09:00:00Z Daily", "2026-11-24T10:00:00Z Review", "2026-11-25T09:00:00Z Daily",
    ]
    #expect(try occurrences(agent) == expected)
    #expect(try occurrences(together) == expected)
    #expect(try agent.exportedText() == together.exportedText())
    // The same once more is nothing new.
    for part in parts { #expect(try agent.importing(text(part)).counts == [0, 0, 1, 0]) }
    #expect(try occurrences(agent) == expected)
  }
}
