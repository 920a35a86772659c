import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

extension AgentUnderTest {
  /// Every file of the database's folder with its octets, and its mode.
  fileprivate func databaseFiles() -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in ["datebook.db", "datebook.db-wal", "datebook.db-shm", "datebook.db-journal"] {
      if let octets = files.read("data/datebook/" + name) { found[name] = octets }
    }
    return found
  }

  /// Starts it on a database that it cannot use, and holds it to what is promised
  /// then: it says why to everybody, and touches nothing.
  fileprivate func startFailing(_ words: String...) throws {
    let before = databaseFiles()
    try start()
    let error = try refusal(Contract.calendar, "Today")
    #expect(error.name.text == CallError.Kind.storageFailed.rawValue)
    for word in words { #expect(error.message.contains(word), "\(error)") }
    #expect(try property("State") == .string("degraded"))
    #expect(try property("StateReason") == .string(error.message))
    #expect(log.contains { $0.contains(error.message) }, "\(log)")
    for (interface, member, arguments) in storageCalls {
      #expect(try refusal(interface, member, arguments).name == error.name, "\(member)")
    }
    // What needs no database is answered all the same.
    #expect(try property("Version") == .string(Contract.version))
    #expect(try property("TimeZone") == .string("Europe/Berlin"))
    #expect(databaseFiles() == before)
    #expect(FileStatus(snapshotPath) == nil)
  }

  private var storageCalls: [(InterfaceName, MemberName, [Value])] {
    [
      (Contract.calendar, "Agenda", [.string("today"), .uint32(1)]),
      (Contract.calendar, "Next", [.uint32(1)]), (Contract.calendar, "Snapshot", []),
      (Contract.calendar, "Month", [.string(""), .string("")]),
      (Contract.calendar, "GetOccurrences", [.string("today"), .string(""), .row([])]),
      (Contract.events, "Get", [.string("a"), .string("")]),
      (Contract.events, "AddSimple", ["", "Tea", "today", "", ""].map(Value.string)),
      (Contract.events, "Remove", [.string("a"), .string(""), .string("")]),
      (
        Contract.events, "Update",
        [.string("a"), .string(""), .string(""), .row([("summary", .string("x"))])]
      ),
      (Contract.events, "Reschedule", ["a", "", "", "today"].map(Value.string)),
      (Contract.events, "Move", [.strings(["a"]), .string("")]),
      (Contract.events, "RemoveMany", [.strings(["a"])]),
      (Contract.calendars, "List", []), (Contract.reminders, "Pending", [.uint32(0), .string("")]),
      (Contract.reminders, "Dismiss", [.string("a")]),
      (Contract.reminders, "Snooze", [.string("a"), .string("5m")]),
      (
        Contract.transfer, "ImportText",
        [.string(calendar(component("a", "DTSTART:20261121T140000Z"))), .string(""), .string("")]
      ),
    ]
  }

  /// Expects that the next call finds the database usable.
  fileprivate func expectRecovery() throws {
    takeSignals()
    _ = try call(Contract.calendar, "Today")
    try settle()
    #expect(try property("State") == .string("ready"))
    #expect(changes(of: "State") == [.string("ready")])
    #expect(changes(of: "StateReason") == [.string("")])
    #expect(FileStatus(snapshotPath) != nil)
  }

  /// A stopped agent with a folder for a database that the test writes.
  fileprivate static func stopped() throws -> AgentUnderTest {
    let agent = try AgentUnderTest(start: false)
    try agent.files.makeDirectory("data")
    try agent.files.makeDirectory("data/datebook")
    return agent
  }
}

@Suite struct `The database of the agent` {
  @Test func `it is made at the first start, for the user alone, with the calendar Personal`()
    throws
  {
    let agent = try AgentUnderTest()
    let rows = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    #expect(rows.map { $0["name"] } == [.string("Personal")])
    #expect(rows.map { $0["default"] } == [.boolean(true)])
    #expect(FileStatus(agent.databasePath)?.mode == 0o600)
    #expect(FileStatus(agent.files.file("data/datebook"))?.mode == 0o700)
    #expect(try agent.property("State") == .string("ready"))
    #expect(try agent.property("Revision") == .uint64(0))
  }

  @Test func `what was answered is there after a restart, and Revision goes on`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    try agent.start()
    #expect(try agent.summaries(from: "today") == ["Standup"])
    #expect(try agent.property("Revision") == .uint64(1))
    _ = try agent.add("Tea", at: "2026-11-21 15:00")
    #expect(try agent.property("Revision") == .uint64(2))
  }

  @Test func `a file of other bytes is left as it is`() throws {
    let agent = try AgentUnderTest.stopped()
    try agent.files.write(
      String(repeating: "This is my diary.\n", count: 500), to: "data/datebook/datebook.db")
    try agent.startFailing("is not a database", agent.databasePath)
    try agent.remove()
    try agent.expectRecovery()
  }

  @Test(arguments: SpecialFile.allCases)
  func `what is no regular file is refused before it is opened`(kind: SpecialFile) throws {
    let agent = try AgentUnderTest.stopped()
    try kind.make(at: agent.databasePath)
    try agent.startFailing(agent.databasePath, "it is \(kind.rawValue), not a regular file")
    try agent.remove()
    try agent.expectRecovery()
  }

  @Test func `a database of another program is left as it is`() throws {
    let agent = try AgentUnderTest.stopped()
    try agent.sqlite("PRAGMA application_id = 7; CREATE TABLE recipes (name TEXT)")
    try agent.startFailing("belongs to another program", agent.databasePath)
    try agent.remove()
    try agent.expectRecovery()
  }

  @Test func `a database of a newer version is left as it is`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    try agent.sqlite("PRAGMA user_version = 1000")
    try agent.startFailing("newer Datebook", "1000", "install the newer version", "calctl backups")
    try agent.sqlite("PRAGMA user_version = \(Migrations.all.latest)")
    try agent.expectRecovery()
    #expect(try agent.summaries(from: "today") == ["Standup"])
  }

  @Test func `one of an older version is copied before it is migrated, and can be restored`() throws
  {
    let agent = try AgentUnderTest.stopped()
    let dump = try #require(readFile(testsDirectory + "/CalendarStoreTests/Schemas/19.sql"))
    try agent.sqlite(
      String(decoding: dump, as: UTF8.self)
        + "PRAGMA application_id = \(DatabaseFile.applicationID); PRAGMA user_version = 19")
    try agent.start()
    #expect(try agent.property("State") == .string("ready"))
    let row = try #require(try agent.backups().first)
    #expect(row["id"] == .string("schema-19-upgraded"))
    #expect(row["kind"] == .string("upgraded"))
    #expect(row["events"] == .uint32(3))
    let copy = agent.files.file("data/datebook/backups/schema-19-upgraded.db")
    #expect(FileStatus(copy)?.mode == 0o600)
    // As after a downgrade: the present file is of a newer version.
    agent.stop()
    try agent.sqlite("PRAGMA user_version = 1000")
    try agent.startFailing("newer Datebook")
    _ = try agent.call(Contract.database, "Restore", [.string("schema-19-upgraded")])
    #expect(try agent.property("State") == .string("ready"))
    #expect(try agent.events() == 2)
  }

  @Test func `a database that others may read is refused until it is the user's alone`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    setMode(agent.databasePath, 0o644)
    try agent.startFailing("others may read it", "chmod 600")
    setMode(agent.databasePath, 0o600)
    try agent.expectRecovery()
    #expect(try agent.summaries(from: "today") == ["Standup"])
  }

  @Test func `a folder that others may write to is refused`() throws {
    let agent = try AgentUnderTest()
    agent.stop()
    setMode(agent.files.file("data/datebook"), 0o777)
    try agent.startFailing("others may write to it")
    setMode(agent.files.file("data/datebook"), 0o700)
    try agent.expectRecovery()
  }

  @Test(.enabled(if: isOrdinaryUser, "root may write what is read-only"))
  func `a file that is read only is refused`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    setMode(agent.databasePath, 0o400)
    try agent.startFailing("cannot be written")
    setMode(agent.databasePath, 0o600)
    try agent.expectRecovery()
  }

  @Test(.enabled(if: isOrdinaryUser, "root may write what is read-only"))
  func `a folder that is read only is refused`() throws {
    let agent = try AgentUnderTest.stopped()
    setMode(agent.files.file("data/datebook"), 0o500)
    try agent.startFailing("datebook.db")
    setMode(agent.files.file("data/datebook"), 0o700)
    try agent.expectRecovery()
  }

  @Test func `a database in another process's hands is refused until it lets go`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    // Another session of the same user: its own bus, the same home.
    let other = try PrivateBus()
    let holder = try OtherAgent(on: other, dataHome: agent.files.file("data"))
    try holder.waitUntilReady()
    try agent.startFailing("in use by another process")
    #expect(try holder.terminate() == .exited(0))
    try agent.expectRecovery()
    #expect(try agent.summaries(from: "today") == ["Standup"])
  }

  @Test func `after a recovery reminders ring and the properties are told`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    setMode(agent.databasePath, 0o644)
    try agent.startFailing("chmod 600")
    setMode(agent.databasePath, 0o600)
    try agent.expectRecovery()
    #expect(agent.changes(of: "Revision") == [.uint64(1)])
    #expect(agent.changes(of: "NextEvent").map { $0["summary"] } == [.string("Standup")])
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(agent.signals("ReminderDue").count == 1)
  }

  @Test func `one that can be opened again is, without a call, and what is due rings`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    setMode(agent.databasePath, 0o644)
    try agent.startFailing("chmod 600")
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T08:00:05Z")
    #expect(try agent.property("State") == .string("degraded"))
    setMode(agent.databasePath, 0o600)
    // The second attempt is ten seconds after the first.
    try agent.advance(to: "2026-11-21T08:00:14Z")
    #expect(try agent.property("State") == .string("degraded"))
    try agent.advance(to: "2026-11-21T08:00:15Z")
    #expect(agent.changes(of: "State") == [.string("ready")])
    #expect(FileStatus(agent.snapshotPath) != nil)
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(agent.signals("ReminderDue").count == 1)
  }

  @Test func `a failure that lasts is logged and told once`() throws {
    let agent = try AgentUnderTest.stopped()
    try agent.files.write("no database at all, but text", to: "data/datebook/datebook.db")
    try agent.startFailing("is not a database")
    agent.takeSignals()
    for _ in 0..<3 { _ = try agent.refusal(Contract.calendar, "Today") }
    #expect(agent.changes(of: "State") == [])
    #expect(agent.log.filter { $0.contains("is not a database") }.count == 1)
  }
}

@Suite struct `The program datebookd` {
  @Test func `a second one on the same bus ends with its own code and one line`() throws {
    let bus = try PrivateBus()
    let files = try TemporaryDirectory()
    let first = try OtherAgent(on: bus, dataHome: files.path)
    try first.waitUntilReady()
    let second = try OtherAgent(on: bus, dataHome: files.file("second"))
    let outcome = try second.wait()
    #expect(outcome.status == .exited(3))
    #expect(
      outcome.errors
        == "datebookd: another agent is already running: it has the name "
        + "org.datebook.Calendar1 on this bus\n")
    #expect(outcome.output == "")
    // It has not even made a folder.
    #expect(FileStatus(files.file("second")) == nil)
    #expect(try first.terminate() == .exited(0))
  }

  @Test func `without a bus it says what to do and ends`() throws {
    let files = try TemporaryDirectory()
    let outcome = try Subprocess.run(
      OtherAgent.path, [],
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + files.file("none"), "HOME": files.path,
        "XDG_RUNTIME_DIR": files.path,
      ])
    #expect(outcome.status == .exited(5))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains(files.file("none")))
  }

  @Test(arguments: ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"])
  func `a folder whose path is not UTF-8 is refused, and nothing made in its place`(
    variable: String
  ) throws {
    let bus = try PrivateBus()
    let files = try TemporaryDirectory()
    var environment = bus.environment
    environment["HOME"] = files.path
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "JOURNAL_STREAM"] {
      environment[name] = .some(nil)
    }
    let outcome = try Subprocess.run(
      "sh",
      [
        "-c", "export \(variable)=\"$(printf '\(files.path)/caf\\351')\"; exec \(OtherAgent.path)",
      ], environment: environment)
    #expect(outcome.status == .exited(1))
    #expect(
      outcome.errors
        == "datebookd: \(variable) is not valid UTF-8; rename the directory that it names, or set "
        + "it to a path in UTF-8\n")
    #expect(try Subprocess.run("ls", ["-A", files.path]).output == "")
  }

  @Test func `a variable that is not used may be no UTF-8`() throws {
    let bus = try PrivateBus()
    let files = try TemporaryDirectory()
    var environment = bus.environment
    environment["XDG_DATA_HOME"] = files.path
    environment["XDG_CONFIG_HOME"] = files.path
    let agent = try Subprocess(
      "sh", ["-c", "export HOME=\"$(printf '/caf\\351')\"; exec \(OtherAgent.path)"],
      environment: environment)
    let outcome = try Subprocess.run(
      "gdbus", ["wait", "--session", "--timeout", "60", Contract.busName.text],
      environment: bus.environment)
    #expect(outcome.status == .exited(0))
    agent.terminate()
    #expect(try agent.wait().status == .exited(0))
  }

  @Test func `it keeps its files for the user alone, whatever the umask`() throws {
    let bus = try PrivateBus()
    let files = try TemporaryDirectory()
    let agent = try OtherAgent(on: bus, dataHome: files.file("data"))
    try agent.waitUntilReady()
    #expect(FileStatus(files.file("data/datebook/datebook.db"))?.mode == 0o600)
    #expect(FileStatus(files.file("data/datebook"))?.mode == 0o700)
    #expect(FileStatus(bus.directory.file("datebook/snapshot.json"))?.mode == 0o600)
    #expect(try agent.terminate() == .exited(0))
    #expect(FileStatus(bus.directory.file("datebook/snapshot.json")) == nil)
  }

  @Test func `a FIFO for the settings, or among the hooks, does not hold up its start`() throws {
    let agent = try AgentProcess()
    for folder in ["datebook", "datebook/hooks", "datebook/hooks/day-start.d"] {
      try agent.files.makeDirectory(folder)
    }
    try SpecialFile.fifo.make(at: agent.files.file("datebook/datebook.conf"))
    try SpecialFile.fifo.make(at: agent.files.file("datebook/hooks/day-start.d/wait"))
    try agent.start()
    #expect(
      try agent.property("Problems").asStrings?.first
        == "cannot read the settings: \(agent.files.file("datebook/datebook.conf")) cannot be "
        + "used: it is a named pipe (FIFO), not a regular file; move it away")
    #expect(try agent.terminate().status == .exited(0))
  }

  @Test(arguments: [
    (["--help"], 0, "Usage: datebookd"), (["--version"], 0, "datebookd " + Contract.version),
    (["--verbose"], 2, "try: datebookd --help"),
  ])
  func `its options`(arguments: [String], code: Int32, text: String) throws {
    let outcome = try Subprocess.run(OtherAgent.path, arguments)
    #expect(outcome.status == .exited(code))
    #expect((outcome.output + outcome.errors).contains(text))
  }
}

extension AgentUnderTest {
  fileprivate func remove() throws { _ = try Subprocess.run("rm", ["-r", databasePath]) }

  /// Runs SQL on the database as another program would.
  fileprivate func sqlite(_ sql: String) throws {
    let database = try Database(path: databasePath, mode: .create)
    try database.execute(sql)
    database.close()
    setMode(databasePath, 0o600)
  }
}
