import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  fileprivate var snapshotFile: [UInt8]? { files.read("run/snapshot.json") }

  fileprivate func removeRunFolder() throws {
    _ = try Subprocess.run("rm", ["-r", files.file("run")])
  }
}

@Suite struct `The snapshot's file` {
  @Test func `it is there at the start, for the user alone, with what Snapshot answers`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.settle()
    #expect(FileStatus(agent.snapshotPath)?.mode == 0o600)
    let answer = try agent.call(Contract.calendar, "Snapshot")[0].asString ?? ""
    let file = try #require(agent.snapshotFile)
    #expect(String(decoding: file, as: UTF8.self) == answer + "\n")
    #expect(answer.split(separator: "\n").count == 1)
    #expect(answer.contains("\"schema\":1"))
    #expect(answer.contains("Standup"))
  }

  @Test func `a change replaces it, and then SnapshotChanged says so`() throws {
    let agent = try AgentUnderTest()
    let before = try #require(FileStatus(agent.snapshotPath))
    agent.takeSignals()
    try agent.addStandup()
    // The signal is looked at the moment it arrives: the file is there by then.
    try agent.wait(for: "the signal") { !agent.signals("SnapshotChanged").isEmpty }
    let text = String(decoding: try #require(agent.snapshotFile), as: UTF8.self)
    #expect(text.contains("Standup"))
    #expect(try #require(FileStatus(agent.snapshotPath)).inode != before.inode)
    #expect(
      agent.signals("SnapshotChanged").map(\.arguments)
        == [[.uint64(1), .string(agent.snapshotPath)]])
    // Nothing is left beside it.
    #expect(try Subprocess.run("ls", ["-A", agent.files.file("run")]).output == "snapshot.json\n")
  }

  @Test func `it follows the clock, and only at the instant that it names`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add("Tea", at: "2026-11-21 10:00")
    try agent.settle()
    let next = try agent.property("NextWake").asInteger
    #expect(next == 1_795_251_600)
    let before = FileStatus(agent.snapshotPath)
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T08:59:59Z")
    #expect(FileStatus(agent.snapshotPath) == before)
    #expect(agent.signals("SnapshotChanged").count == 0)
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(FileStatus(agent.snapshotPath)?.inode != before?.inode)
    #expect(agent.signals("SnapshotChanged").count == 1)
    let text = String(decoding: try #require(agent.snapshotFile), as: UTF8.self)
    #expect(text.contains(#""now":[{"uid""#))
    // The event's end, then the end of the day.
    try agent.advance(to: "2026-11-21T23:00:00Z")
    #expect(agent.signals("SnapshotChanged").count == 3)
    #expect(
      String(decoding: try #require(agent.snapshotFile), as: UTF8.self).contains(
        #""date":"2026-11-22""#))
  }

  @Test func `ten changes in a row are few files`() throws {
    let agent = try AgentUnderTest()
    agent.takeSignals()
    var answers: [AgentUnderTest.Answer] = []
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0..<10 {
      answers.append(
        try agent.begin(
          .call(
            Contract.busName, Contract.path, Contract.events, "AddSimple",
            ["", "\(number)", "2026-11-21 15:00", "", ""].map(Value.string))))
    }
    try agent.wait(for: "the answers") { answers.allSatisfy { $0.result != nil } }
    try agent.settle()
    // One when nobody waits any more, and one each tenth of a second that the disk took until then.
    let tenths = Int(start.duration(to: clock.now) / .milliseconds(100))
    #expect((1...2 + tenths).contains(agent.signals("SnapshotChanged").count))
  }

  @Test func `what changes nothing in it leaves it alone`() throws {
    let agent = try AgentUnderTest()
    let before = FileStatus(agent.snapshotPath)
    agent.takeSignals()
    _ = try agent.call(Contract.calendar, "Today")
    _ = try agent.call(Contract.calendar, "Snapshot")
    agent.clock.set(to: agent.clock.now)
    try agent.settle()
    #expect(FileStatus(agent.snapshotPath) == before)
    #expect(agent.signals.map(\.member) == ["ClockChanged"])
  }

  @Test func `pending reminders are in it`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    #expect(String(decoding: agent.snapshotFile ?? [], as: UTF8.self).contains(id))
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(id)])
    try agent.settle()
    #expect(!String(decoding: agent.snapshotFile ?? [], as: UTF8.self).contains(id))
  }

  @Test func `it goes when the agent stops`() throws {
    let agent = try AgentUnderTest()
    agent.stop()
    #expect(FileStatus(agent.snapshotPath) == nil)
  }

  @Test func `one that a killed agent has left is not shown for today's`() throws {
    let agent = try AgentUnderTest(start: false)
    try agent.files.write("{\"schema\":1,\"date\":\"2026-11-01\"}\n", to: "run/snapshot.json")
    try agent.files.makeDirectory("data")
    try agent.files.makeDirectory("data/datebook")
    try agent.files.write("no database at all, but text", to: "data/datebook/datebook.db")
    try agent.start()
    #expect(try agent.property("State") == .string("degraded"))
    #expect(FileStatus(agent.snapshotPath) == nil)
  }

  @Test func `a folder that is gone is made again with the next change, for the user alone`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.removeRunFolder()
    try agent.addStandup()
    try agent.settle()
    #expect(String(decoding: agent.snapshotFile ?? [], as: UTF8.self).contains("Standup"))
    #expect(FileStatus(agent.files.file("run"))?.mode == 0o700)
    #expect(try agent.property("Problems").asStrings == [])
  }

  @Test func `a file that is gone is written again though nothing has changed`() throws {
    let agent = try AgentUnderTest()
    let before = try #require(agent.snapshotFile)
    try agent.removeRunFolder()
    _ = try agent.call(Contract.calendar, "Snapshot")
    #expect(agent.snapshotFile == before)
  }

  @Test func `a folder that cannot be made is one warning, and a problem until it can be`() throws {
    let agent = try AgentUnderTest()
    try agent.removeRunFolder()
    try agent.files.write("", to: "run")
    agent.takeSignals()
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-21 15:00")
    try agent.settle()
    #expect(agent.log.filter { $0.contains("the snapshot cannot be written") }.count == 1)
    #expect(agent.signals("SnapshotChanged").isEmpty)
    #expect(
      try agent.property("Problems").asStrings
        == ["the snapshot cannot be written: open \(agent.files.file("run")): Not a directory"])
    _ = try Subprocess.run("rm", [agent.files.file("run")])
    _ = try agent.add("Lunch", at: "2026-11-21 12:00")
    try agent.settle()
    #expect(String(decoding: agent.snapshotFile ?? [], as: UTF8.self).contains("Lunch"))
    #expect(try agent.property("Problems").asStrings == [])
  }

  @Test func `nothing is written to a folder that others may write to`() throws {
    let agent = try AgentUnderTest()
    let before = agent.snapshotFile
    setMode(agent.files.file("run"), 0o777)
    try agent.addStandup()
    try agent.settle()
    #expect(agent.snapshotFile == before)
    #expect(
      try agent.property("Problems").asStrings
        == [
          "the snapshot cannot be written: \(agent.files.file("run")) cannot be used: others may "
            + "write to it (mode 777); run chmod go-w on it"
        ])
  }

  @Test func `an agent that stops does not make the folder again`() throws {
    let agent = try AgentUnderTest()
    try agent.removeRunFolder()
    agent.stop()
    #expect(FileStatus(agent.files.file("run")) == nil)
  }
}
