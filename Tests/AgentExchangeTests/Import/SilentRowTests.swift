import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `Rows of Outlook whose reminder is off` {
  private static let head = [
    "Subject,Start Date,Start Time,End Date,End Time,All day event,Reminder on/off",
    "Betreff,Beginnt am,Beginnt um,Endet am,Endet um,Ganztägiges Ereignis,Erinnerung Ein/Aus",
  ]

  @Test(arguments: zip(head, ["False", "Aus"]))
  func `they do not ring as their calendar does, and stay so`(head: String, off: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("personal"), .row([("reminders", .strings(["15m"]))])])
    func rows(_ flags: String...) -> String {
      flags.enumerated().map { number, flag in
        "E\(number),30.11.2026,09:00:00,30.11.2026,10:00:00,\(off),\(flag)\r\n"
      }.joined()
    }
    // One of which nothing is said rings with the calendar.
    let table = head + "\r\n" + rows(off, "")
    #expect(try agent.importing(table).counts == [2, 0, 0, 0])
    let due = try agent.call(Contract.reminders, "Upcoming", [.uint32(744)])[0].asArray ?? []
    #expect(due.map { $0["summary"]?.asString } == ["E1"])
    #expect(try agent.importing(table).counts == [0, 0, 2, 0])
    #expect(try agent.importing(agent.exportedText()).counts == [0, 0, 2, 0])
    let other = try AgentUnderTest()
    _ = try other.importing(agent.exportedText())
    #expect(try other.exportedText() == agent.exportedText())
  }
}
