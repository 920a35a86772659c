import CalendarBus
import CivilTime
import DBus
import JSON
import TestSupport
import Testing
import Widgets

@testable import AgentSupport

@Suite struct `Render` {
  @Test(arguments: BarFormat.all.map(\.name))
  func `each of Formats is answered, also on an empty day`(_ format: String) throws {
    let agent = try AgentUnderTest()
    #expect(try agent.property("Formats") == .strings(BarFormat.all.map(\.name)))
    let empty = try render(agent, format)
    try agent.addStandup()
    let record = try render(agent, format)
    #expect(record.contains("Standup"))
    #expect(record != empty && !record.hasSuffix("\n"))
  }

  @Test func `it follows the clock, and zeros and empty text are the defaults`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:20:00Z")
    let options: [(String, Value)] = [
      ("max-width", .uint32(0)), ("count", .uint32(0)), ("template", .string("")),
    ]
    #expect(try render(agent, "text", options) == "Reminder: Standup in 10 min")
    #expect(try render(agent, "text", [("max-width", .uint32(14))]) == "Sta… in 10 min")
    try agent.advance(to: "2026-11-21T08:31:00Z")
    #expect(try render(agent, "text") == "Reminder: Standup · 59 min left")
    #expect(try render(agent, "template") == "Reminder: Standup 59 min left")
  }

  @Test func `count names what follows`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add("Lunch", at: "2026-11-21 12:30")
    try agent.advance(to: "2026-11-21T08:31:00Z")
    #expect(
      try render(agent, "plain", [("count", .uint32(2))])
        == "Reminder: Standup · 59 min left │ Lunch in 2 h 59 min")
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let format: String
    let message: String
    var numbers: [String: UInt32] = [:]
    var texts: [String: String] = [:]
    var testDescription: String { message }

    var options: [(String, Value)] {
      numbers.map { ($0.key, .uint32($0.value)) } + texts.map { ($0.key, .string($0.value)) }
    }
  }

  @Test(arguments: [
    Refusal(
      format: "wayba",
      message: "format: \"wayba\" is not one of plain, text, template, json, waybar, "
    ),
    Refusal(format: "wayba", message: "argos; did you mean \"waybar\"?"),
    Refusal(format: "", message: "format: \"\" is not one of plain"),
    Refusal(
      format: "text", message: "max-width: 1001 is not from 1 to 1000",
      numbers: ["max-width": 1001]),
    Refusal(format: "text", message: "count: 21 is not from 1 to 20", numbers: ["count": 21]),
    Refusal(
      format: "text", message: "options: \"count\" must be of type u, not s",
      texts: ["count": "2"]),
    Refusal(
      format: "text", message: "options: unknown key \"width\"", numbers: ["width": 2]),
    Refusal(
      format: "text",
      message: "template: unknown field {sumary}; use one of {summary}, {countdown}",
      texts: ["template": "{sumary}"]),
    Refusal(
      format: "text", message: "did you mean {summary}?", texts: ["template": "{sumary}"]),
    Refusal(
      format: "text", message: "template: a \"]\" is not allowed here",
      texts: ["template": "a ] b"]),
  ])
  func `what cannot be rendered is refused with what can`(_ refusal: Refusal) throws {
    let agent = try AgentUnderTest()
    let error = try agent.refusal(
      Contract.calendar, "Render", [.string(refusal.format), .row(refusal.options)])
    #expect(error.name == .invalidArgs)
    #expect(error.message.contains(refusal.message), "\(error.message)")
  }

  private func render(
    _ agent: AgentUnderTest, _ format: String, _ options: [(String, Value)] = []
  ) throws -> String {
    try #require(
      try agent.call(Contract.calendar, "Render", [.string(format), .row(options)])[0].asString)
  }
}
