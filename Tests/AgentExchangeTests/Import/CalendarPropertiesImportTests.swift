import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `What a calendar's file says of itself` {
  private let text = calendar(component("a", "DTSTART:20261201T090000Z", "SUMMARY:A"))
    .replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nX-WR-CALDESC:Mine alone\r\n")

  @Test func `it is no change of the calendar that a list shows, and can be taken back`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importing(text)
    try agent.settle()
    #expect(!agent.takeSignals().contains { $0.member == "CalendarsChanged" })
    #expect(try agent.exportedText().contains("X-WR-CALDESC:Mine alone"))
    let other = text.replacing("Mine alone", with: "Others'")
    _ = try agent.importing(other)
    #expect(try agent.exportedText().contains("X-WR-CALDESC:Others'"))
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText().contains("X-WR-CALDESC:Mine alone"))
    try agent.settle()
    #expect(!agent.takeSignals().contains { $0.member == "CalendarsChanged" })
  }

  @Test func `it is told where nothing else is changed`() throws {
    let agent = try AgentUnderTest()
    #expect(try agent.importing(text).problems.isEmpty)
    #expect(try agent.importing(text).problems.isEmpty)
    let other = text.replacing("Mine alone", with: "Others'")
    let values = try agent.importing(other)
    #expect(values.problems.map { $0["problem"]?.asString } == ["calendar-properties"])
    #expect(values.problems[0]["text"]?.asString?.hasSuffix(": X-WR-CALDESC") == true)
  }

  @Test func `one event that is sent to somebody does not tell it`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importing(text)
    let sent = try agent.call(
      Contract.transfer, "ExportText", [.string("ics"), .string(""), .string("a")])[0].asString
    #expect(sent?.contains("SUMMARY:A") == true)
    #expect(sent?.contains("X-WR-CALDESC") == false)
  }
}
