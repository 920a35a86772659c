import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// The instants of each ReminderDue that came.
  fileprivate var told: [String] {
    signals("ReminderDue").map {
      Timestamp(seconds: $0.arguments[4].asInteger ?? 0).description
    }
  }

  /// Why each reminder ended that did.
  fileprivate var ends: [String?] { signals("ReminderDismissed").map { $0.arguments[2].asString } }
}

/// "Tea" at 10:00 UTC each day, with a reminder a quarter of an hour before and one at a moment of the 21st.
private func tea(absolute moment: String) -> String {
  calendar(
    component(
      "tea", "DTSTART:20261121T100000Z", "DURATION:PT1H", "SUMMARY:Tea", "RRULE:FREQ=DAILY",
      "BEGIN:VALARM\r\nUID:a1\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM",
      "BEGIN:VALARM\r\nUID:a2\r\nACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:\(moment)\r\nEND:VALARM"
    ))
}

/// An absolute alarm of a series is of no occurrence by its name, and tells of one all the same.
@Suite struct `An absolute alarm and one of its occurrence` {
  @Test(arguments: ["20261121T094000Z", "20261121T095000Z"])
  func `that are put off to one moment are told once`(absolute: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.importing(tea(absolute: absolute), mode: "")
    try agent.advance(to: "2026-11-21T09:50:00Z")
    #expect(try agent.call(Contract.reminders, "SnoozeAll", [.string("start")])[0] == .uint32(2))
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(agent.told == ["2026-11-21T10:00:00Z"])
    #expect(agent.ends == ["told-with-another"])
    #expect(try agent.pending().count == 1)
  }

  @Test func `are told once where one is put off to when the other rings`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importing(tea(absolute: "20261121T094000Z"), mode: "")
    try agent.advance(to: "2026-11-21T09:40:00Z")
    #expect(try agent.call(Contract.reminders, "SnoozeAll", [.string("5m")])[0] == .uint32(1))
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T09:45:00Z")
    #expect(agent.told == ["2026-11-21T09:45:00Z"])
    #expect(agent.ends == ["told-with-another"])
  }

  @Test func `are each told where it is that of another day`() throws {
    let agent = try AgentUnderTest()
    // After the tea of the 21st it is of that on the 22nd.
    _ = try agent.importing(tea(absolute: "20261121T120000Z"), mode: "")
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(try agent.call(Contract.reminders, "SnoozeAll", [.string("10m")])[0] == .uint32(2))
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T12:10:00Z")
    #expect(agent.told == ["2026-11-21T12:10:00Z", "2026-11-21T12:10:00Z"])
    #expect(agent.ends == [])
  }
}
