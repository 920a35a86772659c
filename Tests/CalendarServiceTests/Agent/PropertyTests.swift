import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `Properties` {
  @Test(arguments: [
    ("Version", "s \"\(Contract.version)\""),
    (
      "Features", "as 8 \"calendar-in-uid\" \"natural-language:en\" \"natural-language:zh\" \"import:ics\" \"import:csv\""
    ),
    ("Formats", "as 16 \"plain\" \"text\" \"template\" \"json\" \"waybar\""),
    ("SnapshotPath", "/run/snapshot.json\""), ("Revision", "t 1"),
    ("NextEvent", "\"Standup\""), ("PendingReminders", "u 1"), ("NextWake", "x 1795249800"),
    ("Problems", "as 0"),
    ("TimeZone", "s \"Europe/Berlin\""), ("State", "s \"ready\""), ("StateReason", "s \"\""),
  ])
  func `busctl reads it`(name: String, value: String) throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:20:00Z")
    let outcome = try agent.run(
      "busctl",
      [
        "--user", "get-property", Contract.busName.text, Contract.path.text,
        Contract.calendar.text, name,
      ])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.contains(value), "\(outcome.output)")
  }

  @Test func `GetAll has every one`() throws {
    let agent = try AgentUnderTest()
    let all = try agent.call(
      "org.freedesktop.DBus.Properties", "GetAll", [.string(Contract.calendar.text)])[0]
    #expect((all.asRow ?? []).map(\.key) == Contract.calendarTable.properties.map(\.name.text))
  }

  @Test func `every word of Features is documented`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let folder = checkoutDirectory + "/dbus/"
    let xml = String(
      decoding: try #require(readFile(folder + "org.datebook.Calendar1.xml")), as: UTF8.self)
    let words = try agent.property("Features").asStrings ?? []
    #expect(words.contains("notifications"))
    for word in words { #expect(xml.contains("\"\(word)\""), "\(word)") }
  }

  @Test func `none can be set`() throws {
    let agent = try AgentUnderTest()
    let error = try agent.refusal(
      "org.freedesktop.DBus.Properties", "Set",
      [.string(Contract.calendar.text), .string("TimeZone"), .variant(.string("UTC"))])
    #expect(error.name == .propertyReadOnly)
  }

  @Test func `one that is not there is refused`() throws {
    let agent = try AgentUnderTest()
    let error = try agent.refusal(
      "org.freedesktop.DBus.Properties", "Get",
      [.string(Contract.calendar.text), .string("Mood")])
    #expect(error.name == .unknownProperty)
  }

  @Test func `a change tells Revision and NextEvent`() throws {
    let agent = try AgentUnderTest()
    agent.takeSignals()
    try agent.addStandup()
    try agent.settle()
    #expect(agent.changes(of: "Revision") == [.uint64(1)])
    #expect(agent.changes(of: "NextEvent").map { $0["uid"] } == [.string("standup")])
    #expect(try agent.property("NextEvent") == agent.changes(of: "NextEvent").last)
  }

  @Test func `a change that is not to what comes next leaves NextEvent alone`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.settle()
    agent.takeSignals()
    _ = try agent.add("Later", at: "2026-12-24 18:00")
    try agent.settle()
    #expect(agent.changes(of: "Revision") == [.uint64(2)])
    #expect(agent.changes(of: "NextEvent") == [])
    #expect(agent.changes(of: "PendingReminders") == [])
  }

  @Test func `NextEvent is told at most once in a second of the clock, with the value of then`()
    throws
  {
    let agent = try AgentUnderTest()
    agent.takeSignals()
    for hour in (10...20).reversed() {
      _ = try agent.add("At \(hour)", at: "2026-11-21 \(hour):00")
      // It still rests after what it told at its start.
      if hour == 20 { try agent.settle() }
    }
    try agent.settle()
    #expect(agent.changes(of: "NextEvent").map { $0["summary"] } == [.string("At 20")])
    // Who asks gets that of now.
    #expect(try agent.property("NextEvent")["summary"] == .string("At 10"))
    #expect(try agent.property("NextWake") == .int64(1_795_248_001))
    try agent.advance(to: "2026-11-21T08:00:01Z")
    #expect(
      agent.changes(of: "NextEvent").map { $0["summary"] } == [.string("At 20"), .string("At 10")])
    // What is again as it was told is not told again.
    agent.takeSignals()
    let uid = try agent.add("At 9:30", at: "2026-11-21 9:30")
    _ = try agent.call(Contract.events, "Remove", [.string(uid), .string(""), .string("")])
    try agent.settle()
    try agent.advance(to: "2026-11-21T08:00:05Z")
    #expect(agent.changes(of: "NextEvent") == [])
  }

  @Test func `questions and refusals tell nothing`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.settle()
    agent.takeSignals()
    _ = try agent.call(Contract.calendar, "Today")
    _ = try agent.refusal(Contract.events, "Add", [.string(""), .row([])])
    _ = try agent.refusal(
      Contract.events, "Remove", [.string("nobody"), .string(""), .string("")])
    try agent.settle()
    #expect(agent.signals.map(\.member) == [])
  }

  @Test func `NextEvent changes when an event ends, and not within it`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add("Lunch", at: "2026-11-21 12:30")
    try agent.settle()
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T09:29:59Z")
    #expect(agent.changes(of: "NextEvent") == [])
    try agent.advance(to: "2026-11-21T09:30:00Z")
    #expect(agent.changes(of: "NextEvent").map { $0["summary"] } == [.string("Lunch")])
    try agent.advance(to: "2026-11-21T13:00:00Z")
    #expect(agent.changes(of: "NextEvent").last == .row([]))
  }

  @Test func `NextEvent is right in the answer that follows a change at once`() throws {
    let agent = try AgentUnderTest()
    let get = try Message.call(
      Contract.busName, Contract.path, "org.freedesktop.DBus.Properties", "Get",
      [.string(Contract.calendar.text), .string("NextEvent")])
    // Both are in the agent's socket before it turns.
    _ = try agent.begin(
      .call(
        Contract.busName, Contract.path, Contract.events, "AddSimple",
        ["", "Tea", "2026-11-21 15:00", "", ""].map(Value.string)))
    let answer = try agent.begin(get)
    try agent.wait(for: "the answer") { answer.result != nil }
    #expect(try answer.values()[0].unwrapped["summary"] == .string("Tea"))
  }

  @Test func `PendingReminders counts up when one rings and down when it is seen`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(agent.changes(of: "PendingReminders") == [.uint32(1)])
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(agent.onlyReminder())])
    #expect(agent.changes(of: "PendingReminders") == [.uint32(1), .uint32(0)])
  }

  @Test func `TimeZone follows the machine, and the day with it`() throws {
    let agent = try AgentUnderTest(now: "2026-11-21T16:00:00Z")
    _ = try agent.add(
      ("summary", .string("Floating")), ("start", .string("2026-11-22 09:00")),
      ("time-zone", .string("floating")))
    #expect(try agent.call(Contract.calendar, "Today")[0].asArray?.count == 0)
    // What is next is told once in a second.
    try agent.settle()
    try agent.advance(to: "2026-11-21T16:00:01Z")
    agent.takeSignals()
    try agent.setZone("Asia/Tokyo")
    try agent.wait(for: "the zone") { !agent.changes(of: "TimeZone").isEmpty }
    #expect(agent.changes(of: "TimeZone") == [.string("Asia/Tokyo")])
    // It is the 22nd in Tokyo, and nine o'clock there is midnight in Greenwich.
    let today = try agent.call(Contract.calendar, "Today")[0].asArray ?? []
    #expect(today.map { $0["start"] } == [.int64(1_795_305_600)])
    #expect(agent.changes(of: "NextEvent").map { $0["start"] } == [.int64(1_795_305_600)])
  }

  @Test func `a file beside the zone's tells nothing`() throws {
    let agent = try AgentUnderTest()
    agent.takeSignals()
    try agent.files.write("x", to: "zone/hosts")
    try agent.setZone("Europe/Berlin")
    try agent.settle()
    #expect(agent.changes(of: "TimeZone") == [])
  }
}

@Suite struct `Problems` {
  @Test func `a notification server that comes ends one, and its end brings it back`() throws {
    let agent = try AgentUnderTest(notifications: true)
    func missing() throws -> Bool {
      let problems = try agent.property("Problems").asStrings ?? []
      return problems.contains { $0.contains("no notification server is running") }
    }
    #expect(try missing())
    let server = try NotificationServer(agent)
    try agent.settle()
    #expect(try !missing())
    try server.quit(agent)
    try agent.settle()
    #expect(try missing())
  }

  /// Has the bus look for services again.
  private func reload(_ agent: AgentUnderTest) throws {
    _ = try agent.client.callAndWait(
      .call(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReloadConfig"))
  }

  @Test func `that there is no notification server is said before there is a reminder`() throws {
    let agent = try AgentUnderTest(notifications: true)
    func told() -> [String] {
      agent.log.filter { $0.contains("notification server") }
        .map { $0.contains("no notification server is running") ? "none" : "one" }
    }
    #expect(told() == ["none"])
    let server = try NotificationServer(agent)
    try agent.settle()
    #expect(told() == ["none", "one"])
    try server.quit(agent)
    try agent.wait(for: "the word of its end") { told().count == 3 }
    #expect(told() == ["none", "one", "none"])
  }

  @Test
  func `a notification server that is installed ends it, too, and its removal brings it back`()
    throws
  {
    let agent = try AgentUnderTest(notifications: true)
    func isMissing() throws -> Bool {
      try agent.property("Problems").asStrings?.contains { $0.hasPrefix("no notification") }
        ?? false
    }
    #expect(try isMissing())
    let file = "services/org.freedesktop.Notifications.service"
    try agent.bus.directory.write(
      "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=/bin/false\n", to: file)
    try reload(agent)
    try agent.wait(for: "the word of the bus") {
      agent.log.contains { $0.contains("a notification server is available again") }
    }
    #expect(try !isMissing())
    _ = try agent.run("rm", [agent.bus.directory.file(file)])
    try reload(agent)
    try agent.wait(for: "the word of the bus") {
      agent.log.count { $0.contains("no notification server is running") } == 2
    }
    #expect(try isMissing())
  }

  @Test func `a snapshot that cannot be written is one until it can`() throws {
    let agent = try AgentUnderTest()
    #expect(try agent.property("Problems").asStrings == [])
    // A folder that is gone is made again; a file in its place is nobody's to remove.
    _ = try Subprocess.run("rm", ["-r", agent.files.file("run")])
    try agent.files.write("", to: "run")
    try agent.addStandup()
    try agent.settle()
    let problems = try agent.property("Problems").asStrings ?? []
    #expect(problems.count == 1 && problems[0].hasPrefix("the snapshot cannot be written: "))
    _ = try Subprocess.run("rm", [agent.files.file("run")])
    _ = try agent.add("Lunch", at: "2026-11-21 12:00")
    try agent.settle()
    #expect(try agent.property("Problems").asStrings == [])
  }
}
