import CalendarBus
import CalendarModel
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `What sources bring` {
  private let shared: SharedFolder
  private var agent: AgentUnderTest { shared.agent }

  init() throws { shared = try SharedFolder(newCalendars: .usual) }

  /// The row of a calendar.
  private func calendar(_ id: String) throws -> Value? {
    let rows = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    return rows.first { $0["id"] == .string(id) }
  }

  @Test func `to-dos and journal entries are there too, and are left alone`() throws {
    for (name, kind) in [("task", "VTODO"), ("note", "VJOURNAL")] {
      let lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:\(kind)",
        "UID:\(name)@example.org", "DTSTAMP:20261101T000000Z", "SUMMARY:Key", "END:\(kind)",
        "END:VCALENDAR",
      ]
      try agent.files.write(
        lines.map { $0 + "\r\n" }.joined(), to: "calendars/shared/\(name).ics")
    }
    let before = shared.text("task")
    try shared.add()
    #expect(try calendar("office")?["to-dos"]?.asInteger == 1)
    #expect(try calendar("office")?["journals"]?.asInteger == 1)
    #expect(try shared.sync().isEmpty)
    #expect(shared.text("task") == before)
    try shared.remove("note")
    #expect(try shared.sync() == ["sent": 1])
    #expect(shared.names == ["task.ics"])
  }

  @Test func `a calendar that is synchronised has the default reminders of new ones`() throws {
    try shared.add()
    let id =
      try agent.call(
        Contract.calendars, "Create", ["Mine", "", ""].map(Value.string))[0].asString ?? ""
    let reminders = try calendar(id)?["reminders"]?.asStrings
    #expect(reminders?.isEmpty == false)
    #expect(try calendar("office")?["reminders"]?.asStrings == reminders)
  }

  // Google and Apple write that as an alarm that is switched off.
  @Test func `an event that wants no reminders has none, also once it is edited here`() throws {
    try shared.write("usual", "Usual")
    try shared.write(
      "silent", "Silent", "BEGIN:VALARM", "ACTION:NONE",
      "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "END:VALARM")
    try shared.add()
    try shared.set("silent", "location", "Room 2")
    #expect(try shared.sync() == ["sent": 1])
    #expect(shared.text("silent").contains("ACTION:NONE\r\n"))
    try agent.advance(to: "2026-11-23T12:00:00Z")
    #expect(agent.signals("ReminderDue").map { $0.arguments[2].asString } == ["Usual"])
  }

  @Test func `one source that cannot be reached hides none of the others`() throws {
    _ = try agent.call(
      Contract.sync, "Add",
      [.string("radarr"), .string("http://127.0.0.1:1"), .row([("name", .string("Films"))])])
    try shared.write("a", "Review")
    try shared.add()
    let answer = try agent.call(Contract.sync, "SyncNow", [.string("")])
    guard case .dictionary(_, _, let entries) = answer[0] else {
      throw TestSupportError("no counts: \(answer)")
    }
    #expect(entries.first { $0.key == .string("failed") }?.value == .uint32(1))
    #expect(try agent.summaries(from: "2026-11-23") == ["Review"])
    let rows = try agent.call(Contract.sync, "List")[0].asArray ?? []
    #expect(rows.compactMap { $0["state"]?.asString } == ["waiting", "idle"])
  }
}
