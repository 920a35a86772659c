import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// Events that do not say when they were changed last, which RFC 5545 section 3.8.7.2 wants of each.
@Suite struct `An event without a DTSTAMP` {
  private static let moment = "DTSTAMP;X-DATEBOOK-IMPORTED=TRUE:20261121T080000Z"

  private func event(_ lines: String...) -> String {
    calendar(
      (["BEGIN:VEVENT", "UID:a", "DTSTART:20261201T090000Z"] + lines + ["END:VEVENT"])
        .joined(separator: "\r\n") + "\r\n")
  }

  @Test(arguments: [
    ([], moment), (["CREATED:20240102T000000Z"], "DTSTAMP:20240102T000000Z"),
    (["CREATED:20240102T000000Z", "LAST-MODIFIED:20240103T000000Z"], "DTSTAMP:20240103T000000Z"),
    (["DTSTAMP:20240104T000000Z"], "DTSTAMP:20240104T000000Z"),
  ])
  func `has in exports when it was made, or else imported, and stays so`(
    lines: [String], stamp: String
  ) throws {
    let agent = try AgentUnderTest()
    let text = event(lines.joined(separator: "\r\n")).replacing("\r\n\r\n", with: "\r\n")
    #expect(try agent.importAnswer(text).counts == [1, 0, 0, 0])
    try agent.advance(to: "2026-11-22T08:00:00Z")
    let exported = try agent.exportedText()
    #expect(unfoldedLines("DTSTAMP", of: exported) == [stamp])
    // The same file, and its export, are what is there; and elsewhere they become what is here.
    for mode in ["", "replace"] {
      for text in [text, exported] {
        #expect(try agent.importAnswer(text, mode: mode).counts == [0, 0, 1, 0])
      }
    }
    #expect(try agent.exportedText() == exported)
    let other = try AgentUnderTest(now: "2026-11-25T08:00:00Z")
    _ = try other.importing(exported, mode: "replace")
    #expect(try unfoldedLines("DTSTAMP", of: other.exportedText()) == [stamp])
  }

  @Test func `gives way to each version that says its time, since the import's is no age`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importing(event("SUMMARY:Old"))
    let newer = event("SUMMARY:New", "DTSTAMP:20260101T000000Z")
    #expect(try agent.importAnswer(newer).counts == [0, 1, 0, 0])
    #expect(try unfoldedLines("DTSTAMP", of: agent.exportedText()) == ["DTSTAMP:20260101T000000Z"])
  }
}
