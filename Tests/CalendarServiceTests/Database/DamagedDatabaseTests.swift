import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `A damaged database` {
  @Test func `what can be read is answered and exported, and State says degraded`() throws {
    let agent = try AgentUnderTest.damaged()
    let before = try #require(agent.files.read("data/datebook/datebook.db"))
    try agent.start()
    // The first question comes upon the page.
    _ = try? agent.summaries(from: "2026-11-21", to: "2026-12-10")
    try agent.waitUntilReadable()
    #expect(try agent.property("State") == .string("degraded"))
    let reason = try agent.property("StateReason").asString ?? ""
    #expect(reason.contains("is damaged") && reason.contains("calctl recover"), "\(reason)")
    #expect(try agent.property("Problems").asStrings?.contains(reason) == true)
    let left = try agent.events()
    #expect(left > 280 && left < 300)
    #expect(try agent.summaries(from: "2026-11-21", to: "2026-12-10").count == left)
    #expect(FileStatus(agent.snapshotPath) != nil)
    let text = try agent.call(
      Contract.transfer, "ExportText", ["ics", "", ""].map(Value.string))[0].asString ?? ""
    #expect(text.components(of: "BEGIN:VEVENT") == left)
    // Changes are refused, and the file is not written.
    let error = try agent.refusal(
      Contract.events, "AddSimple", ["", "Tea", "today", "", ""].map(Value.string))
    #expect(error.name.text == CallError.Kind.storageFailed.rawValue)
    #expect(error.message == reason)
    agent.stop()
    #expect(agent.files.read("data/datebook/datebook.db") == before)
  }

  @Test func `reminders go on, and are not delivered twice after a restart`() throws {
    let agent = try AgentUnderTest.damaged()
    try agent.start()
    _ = try? agent.summaries(from: "2026-11-21", to: "2026-12-10")
    try agent.waitUntilReadable()
    try agent.advance(to: "2026-11-21T08:50:00Z")
    #expect(agent.signals("ReminderDue").count == 1)
    agent.stop()
    agent.takeSignals()
    try agent.start()
    #expect(try agent.property("State") == .string("degraded"))
    try agent.advance(to: "2026-11-21T08:51:00Z")
    #expect(agent.signals("ReminderDue") .isEmpty)
    #expect(try agent.pending().count == 1)
  }

  @Test func `Recover goes on with what can be read and keeps the damaged file`() throws {
    let agent = try AgentUnderTest.damaged()
    let damaged = try #require(agent.files.read("data/datebook/datebook.db"))
    try agent.start()
    _ = try? agent.summaries(from: "2026-11-21", to: "2026-12-10")
    try agent.waitUntilReadable()
    let left = try agent.events()
    let revision = try agent.property("Revision").asInteger ?? 0
    let result = try agent.call(Contract.database, "Recover")[0]
    #expect(result["events"] == .uint32(UInt32(left)))
    #expect(result["lost"] == .uint32(UInt32(300 - left)))
    #expect(try agent.property("State") == .string("ready"))
    #expect(try agent.property("Problems") == .strings([]))
    _ = try agent.add("Tea", at: "2026-11-21 15:00")
    #expect(try agent.property("Revision").asInteger == revision + 1)
    let id = result["backup"]?.asString ?? ""
    #expect(id.hasSuffix("-damaged"))
    #expect(agent.files.read("data/datebook/backups/\(id).db") == damaged)
    #expect(try agent.backups().map { $0["kind"] } == [.string("damaged")])
    agent.stop()
    try agent.start()
    #expect(try agent.events() == left + 1)
  }

  @Test func `a file of which nothing can be read says what to do`() throws {
    let agent = try AgentUnderTest.damaged()
    // Its first page knows it as ours; the tables are on those after it.
    for page in 2...60 { try overwrite(page: Int64(page), of: agent.databasePath) }
    try agent.start()
    try agent.wait(for: "the end of the attempt") {
      agent.log.contains { $0.contains("nothing in the damaged database can be read") }
    }
    #expect(try agent.property("State") == .string("degraded"))
    let error = try agent.refusal(Contract.database, "Recover")
    #expect(error.message.contains("calctl backups restore"), "\(error)")
  }

  @Test func `it is said once in a notification`() throws {
    let agent = try AgentUnderTest.damaged(notifications: true)
    let server = try NotificationServer(agent)
    try agent.start()
    _ = try? agent.summaries(from: "2026-11-21", to: "2026-12-10")
    try agent.waitUntilReadable()
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["The calendar cannot be changed"])
  }
}

extension String {
  fileprivate func components(of word: String) -> Int {
    split(separator: "\r\n").count { $0 == word }
  }
}
