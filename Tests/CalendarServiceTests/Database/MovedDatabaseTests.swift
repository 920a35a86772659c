import CalendarBus
import DBus
import Glibc
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `A database that is replaced or removed while the agent has it` {
  /// A file with one event, "Kept", of an agent of its own.
  private func backup() throws -> [UInt8] {
    let agent = try AgentUnderTest()
    _ = try agent.add("Kept", at: "2026-11-21 10:00")
    agent.stop()
    return try #require(agent.files.read("data/datebook/datebook.db"))
  }

  private func moved(_ agent: AgentUnderTest) throws -> String {
    try agent.wait(for: "the notice") { agent.agent?.storage.hold != nil }
    try agent.settle()
    #expect(try agent.property("State") == .string("read-only"))
    return try agent.property("StateReason").asString ?? ""
  }

  @Test func `a file that takes its place is left alone, and changes are refused`() throws {
    let octets = try backup()
    let agent = try AgentUnderTest()
    for number in 0..<20 { _ = try agent.add("Answered \(number)", at: "2026-11-21 12:00") }
    try agent.files.write(octets, to: "data/backup.db")
    try #require(rename(agent.files.file("data/backup.db"), agent.databasePath) == 0)
    let reason = try moved(agent)
    #expect(reason.contains("replaced by another file") && reason.contains("calctl pause"))
    let error = try agent.refusal(
      Contract.events, "AddSimple", ["", "Tea", "today", "", ""].map(Value.string))
    #expect(error.message == reason)
    // What it had is still answered, and kept.
    #expect(try agent.events() == 20)
    let rows = try agent.backups()
    #expect(rows.map { $0["kind"] } == [.string("moved")])
    #expect(rows.map { $0["events"] } == [.uint32(20)])
    agent.stop()
    #expect(agent.files.read("data/datebook/datebook.db") == octets)
    #expect(agent.files.read("data/datebook/datebook.db-wal") == nil)
    try agent.start()
    #expect(try agent.summaries(from: "2026-11-21") == ["Kept"])
  }

  @Test func `a removed one is kept as a backup, which can be put back`() throws {
    let agent = try AgentUnderTest()
    for number in 0..<20 { _ = try agent.add("Answered \(number)", at: "2026-11-21 12:00") }
    try #require(unlink(agent.databasePath) == 0)
    let reason = try moved(agent)
    #expect(reason.contains("was removed"))
    let id = try agent.backups()[0]["id"]?.asString ?? ""
    #expect(reason.contains(id))
    _ = try agent.call(Contract.database, "Restore", [.string(id)])
    #expect(try agent.property("State") == .string("ready"))
    #expect(try agent.events() == 20)
    _ = try agent.add("Tea", at: "2026-11-21 15:00")
  }

  @Test func `one that is replaced as the agent ends is left alone`() throws {
    let octets = try backup()
    let agent = try AgentUnderTest()
    _ = try agent.add("Answered", at: "2026-11-21 12:00")
    try agent.files.write(octets, to: "data/backup.db")
    try #require(rename(agent.files.file("data/backup.db"), agent.databasePath) == 0)
    // Before the loop turns: nothing has been noticed yet.
    agent.stop()
    #expect(agent.files.read("data/datebook/datebook.db") == octets)
    #expect(agent.files.read("data/datebook/datebook.db-wal") == nil)
    try agent.start()
    #expect(try agent.backups().map { $0["events"] } == [.uint32(1)])
  }
}

@Suite struct `A pause` {
  @Test func `the files are left alone until Resume, however often somebody calls`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add("Standup", at: "2026-11-21 10:00", reminders: "10m")
    _ = try agent.call(Contract.database, "Pause")
    #expect(try agent.property("State") == .string("paused"))
    #expect(agent.files.read("data/datebook/datebook.db-wal") == nil)
    let octets = try #require(agent.files.read("data/datebook/datebook.db"))
    let error = try agent.refusal(Contract.calendar, "Today")
    #expect(error.message.contains("calctl resume"))
    #expect(FileStatus(agent.snapshotPath) == nil)
    // Also over a restart, and when a reminder falls due.
    agent.stop()
    try agent.start()
    #expect(try agent.property("State") == .string("paused"))
    try agent.advance(to: "2026-11-21T08:51:00Z")
    #expect(agent.files.read("data/datebook/datebook.db") == octets)
    _ = try agent.call(Contract.database, "Resume")
    try agent.settle()
    #expect(try agent.property("State") == .string("ready"))
    #expect(agent.signals("ReminderDue").count == 1)
    #expect(try agent.summaries(from: "2026-11-21") == ["Standup"])
  }

  @Test func `another database can be put there meanwhile`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add("Former", at: "2026-11-21 10:00")
    _ = try agent.call(Contract.database, "Pause")
    let octets = try #require(agent.files.read("data/datebook/datebook.db"))
    _ = try agent.call(Contract.database, "Resume")
    _ = try agent.add("Later", at: "2026-11-21 11:00")
    _ = try agent.call(Contract.database, "Pause")
    try agent.files.write(octets, to: "data/backup.db")
    try #require(rename(agent.files.file("data/backup.db"), agent.databasePath) == 0)
    _ = try agent.call(Contract.database, "Resume")
    #expect(try agent.property("State") == .string("ready"))
    #expect(try agent.summaries(from: "2026-11-21") == ["Former"])
  }

  @Test func `Resume of an agent that is not paused does nothing`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.call(Contract.database, "Resume")
    #expect(try agent.property("State") == .string("ready"))
  }
}
