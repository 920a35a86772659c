import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `Which backups are kept` {
  private func daily(_ day: Int, bytes: Int = 1000) -> Backup {
    Backup(
      id: "2026-11-\(day < 10 ? "0" : "")\(day)", kind: .daily, bytes: bytes,
      time: Timestamp(seconds: 0))
  }

  @Test func `the newest seven days`() {
    let expired = Backup.expired((1...9).map { daily($0) })
    #expect(expired.map(\.id) == ["2026-11-02", "2026-11-01"])
  }

  @Test func `fewer where they are large, but always the newest`() {
    let large = Backup.maximumBytes / 2
    #expect(Backup.expired((1...3).map { daily($0, bytes: large) }).map(\.id) == ["2026-11-01"])
    #expect(Backup.expired([daily(1, bytes: Backup.maximumBytes * 2)]) == [])
  }

  @Test func `all of other kinds`() {
    var old = daily(1)
    old = Backup(id: "2026-10-01-120000-damaged", kind: .damaged, bytes: old.bytes, time: old.time)
    #expect(Backup.expired([old] + (1...7).map { daily($0) }) == [])
  }
}

@Suite struct `The backup of a day` {
  private func agent() throws -> AgentUnderTest {
    let agent = try AgentUnderTest(start: false)
    agent.backupDelayMilliseconds = 0
    try agent.start()
    return agent
  }

  private func wait(_ agent: AgentUnderTest, for count: Int) throws {
    let folder = try #require(agent.agent?.storage.files.backups)
    try agent.wait(for: "backup \(count)") { folder.all().count == count }
    try agent.settle()
  }

  @Test func `one is taken on each day after a change, and can be put back`() throws {
    let agent = try agent()
    _ = try agent.add("First", at: "2026-11-21 10:00")
    #expect(try agent.backups() == [])
    try agent.advance(to: "2026-11-21T23:00:00Z")
    try wait(agent, for: 1)
    let row = try agent.backups()[0]
    #expect(row["id"] == .string("2026-11-22"))
    #expect(row["kind"] == .string("daily"))
    #expect(row["events"] == .uint32(1))
    #expect(FileStatus(agent.files.file("data/datebook/backups/2026-11-22.db"))?.mode == 0o600)
    // Nothing has changed: there is none for the next day.
    try agent.advance(to: "2026-11-22T23:00:00Z")
    _ = try agent.add("Second", at: "2026-11-23 11:00")
    try agent.advance(to: "2026-11-23T23:00:00Z")
    try wait(agent, for: 2)
    #expect(try agent.backups().map { $0["id"] } == ["2026-11-24", "2026-11-22"].map(Value.string))

    let revision = try agent.property("Revision").asInteger ?? 0
    let result = try agent.call(Contract.database, "Restore", [.string("2026-11-22")])[0]
    #expect(result["events"] == .uint32(1))
    #expect(try agent.summaries(from: "2026-11-21", to: "2026-11-30") == ["First"])
    #expect(try agent.property("Revision").asInteger == revision + 1)
    #expect(try agent.call(Contract.calendar, "ChangesSince", [.uint64(UInt64(revision))])[1] == .boolean(false))
    // What was there is kept, and comes back the same way.
    let kept = result["backup"]?.asString ?? ""
    _ = try agent.call(Contract.database, "Restore", [.string(kept)])
    #expect(
      try agent.summaries(from: "2026-11-21", to: "2026-11-30") == ["First", "Second"])
  }

  @Test func `what was delivered since it was taken does not come again`() throws {
    let agent = try agent()
    _ = try agent.add("Standup", at: "2026-11-22 10:00", reminders: "10m")
    try agent.advance(to: "2026-11-21T23:00:00Z")
    try wait(agent, for: 1)
    try agent.advance(to: "2026-11-22T08:50:00Z")
    #expect(agent.signals("ReminderDue").count == 1)
    _ = try agent.call(Contract.database, "Restore", [.string("2026-11-22")])
    try agent.settle()
    try agent.advance(to: "2026-11-22T08:52:00Z")
    #expect(agent.signals("ReminderDue").count == 1)
    #expect(try agent.pending().count == 1)
  }

  @Test func `damage is found before a copy counts, and those of before stay`() throws {
    let agent = try AgentUnderTest.damaged()
    agent.backupDelayMilliseconds = 0
    try agent.start()
    try agent.wait(for: "the damage") {
      if case .damaged? = agent.agent?.storage.hold { true } else { false }
    }
    try agent.waitUntilReadable()
    #expect(try agent.backups() == [])
    #expect(try agent.property("State") == .string("degraded"))
  }

  @Test func `an id that is none is refused`() throws {
    let agent = try AgentUnderTest()
    let error = try agent.refusal(Contract.database, "Restore", [.string("../datebook")])
    #expect(error.name.text == CallError.Kind.notFound.rawValue)
  }
}
