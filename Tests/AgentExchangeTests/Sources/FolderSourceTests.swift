import CalendarBus
import CivilTime
import DBus
import Messages
import TestSupport
import Testing

@testable import AgentSupport

/// A folder that the agent shares with other programs: the whole way from a change here to the file,
/// and back, through datebook-sync.
@Suite struct `A shared folder` {
  private let agent: AgentUnderTest
  private let folder: String

  init() throws {
    agent = try AgentUnderTest()
    try agent.files.makeDirectory("calendars")
    folder = try agent.files.makeDirectory("calendars/shared")
    try agent.files.write("Office", to: "calendars/shared/displayname")
    try agent.files.write("#336699", to: "calendars/shared/color")
  }

  private func write(
    _ name: String, _ summary: String, location: String = "Room 1",
    modified: String = "20261101T000000Z"
  ) throws {
    try agent.files.write(
      """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:-//test//EN\r
      BEGIN:VEVENT\r
      UID:\(name)@example.org\r
      DTSTAMP:20261101T000000Z\r
      LAST-MODIFIED:\(modified)\r
      DTSTART;TZID=Europe/Berlin:20261123T100000\r
      DTEND;TZID=Europe/Berlin:20261123T110000\r
      SUMMARY:\(summary)\r
      LOCATION:\(location)\r
      END:VEVENT\r
      END:VCALENDAR\r

      """, to: "calendars/shared/\(name).ics")
  }

  private func text(_ name: String) -> String {
    agent.files.read("calendars/shared/\(name)").map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private var names: [String] {
    agent.files.names(in: "calendars/shared").filter { $0.hasSuffix(".ics") }
  }

  /// Adds the folder as a source, and waits until it is synchronised.
  private func add() throws {
    let id = try agent.call(
      Contract.sync, "Add",
      [.string("vdir"), .string(agent.files.file("calendars")), .row([("name", .string("Files"))])])
    #expect(id == [.string("files")])
    try sync()
  }

  /// Synchronises, and returns the counts that are not 0.
  @discardableResult
  private func sync() throws -> [String: Int64] {
    let answer = try agent.call(Contract.sync, "SyncNow", [.string("files")])
    guard case .dictionary(_, _, let entries) = answer[0] else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: entries.map { ($0.key.asString ?? "", $0.value.asInteger ?? -1) }
    ).filter { $0.value != 0 }
  }

  private func row() throws -> Value {
    try #require(try agent.call(Contract.sync, "List")[0].asArray?.first)
  }

  // As calctl adds one.
  @Test func `who adds it and waits for its first run gets that one, and no second`() throws {
    try write("a", "Tea")
    // The run begins when there is its secret.
    let script = "until [ -e \"$0\" ]; do sleep 0.01; done; echo secret"
    let command = ["/bin/sh", "-c", script, agent.files.file("go")]
    _ = try agent.call(
      Contract.sync, "Add",
      [
        .string("vdir"), .string(agent.files.file("calendars")),
        .row([
          ("name", .string("Files")), ("password-command", .strings(command)),
          ("interval", .uint32(900)),
        ]),
      ])
    let answer = try agent.begin(
      .call(Contract.busName, Contract.path, Contract.sync, "SyncNow", [.string("files")]))
    #expect(try row()["state"] == .string("syncing"))
    try agent.files.write("", to: "go")
    try agent.wait(for: "the end of the run") { answer.result != nil }
    _ = try answer.values()
    #expect(agent.signals("SyncFinished").count == 1)
    #expect(try agent.summaries(from: "2026-11-23") == ["Tea"])
    let next = try row()["next-run"]?.asInteger
    #expect(next == agent.clock.now.seconds + 900)
  }

  private func event(_ name: String) throws -> Value {
    try agent.call(Contract.events, "Get", [.string("\(name)@example.org"), .string("")])[0]
  }

  private func set(_ name: String, _ field: String, _ text: String) throws {
    _ = try agent.call(
      Contract.events, "SetField",
      ["\(name)@example.org", "", "", field].map(Value.string) + [.variant(.string(text))])
  }

  @Test func `its events are here, in a calendar that is named as there`() throws {
    try write("a", "Review")
    try write("b", "Lunch")
    try add()
    #expect(try agent.summaries(from: "2026-11-23") == ["Review", "Lunch"])
    let calendars = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    let office = try #require(calendars.first { $0["name"] == .string("Office") })
    #expect(office["source"] == .string("files"))
    #expect(office["color"] == .string("#336699"))
    #expect(try row()["state"] == .string("idle"))
    #expect(try row()["calendars"] == .strings(["office"]))
    // Nothing is asked twice, and nothing changes by asking.
    #expect(try sync().isEmpty)
  }

  @Test func `a change here is in the file, and one there is here`() throws {
    try write("a", "Review")
    try add()
    try set("a", "location", "Room 2")
    #expect(try row()["pending"] == .uint32(1))
    #expect(try sync() == ["sent": 1])
    #expect(text("a.ics").contains("LOCATION:Room 2\r\n"))
    #expect(text("a.ics").contains("BEGIN:VTIMEZONE\r\n"))
    #expect(try row()["pending"] == .uint32(0))
    try write("a", "Review of the plan")
    #expect(try sync() == ["updated": 1])
    #expect(try event("a")["summary"] == .string("Review of the plan"))
    #expect(try sync().isEmpty)
  }

  @Test func `an event that is added here is a new file, and its removal removes it`() throws {
    try add()
    let uid =
      try agent.call(
        Contract.events, "Add",
        [
          .string("office"),
          .row([("summary", .string("Tea")), ("start", .string("2026-11-24 16:00"))]),
        ])[0].asString ?? ""
    #expect(try sync() == ["sent": 1])
    #expect(names == [uid + ".ics"])
    #expect(text(uid + ".ics").contains("SUMMARY:Tea\r\n"))
    _ = try agent.call(Contract.events, "Remove", [uid, "", ""].map(Value.string))
    #expect(try sync() == ["sent": 1])
    #expect(names.isEmpty)
    // To undo that is a change like any other.
    _ = try agent.call(Contract.events, "Undo")
    #expect(try sync() == ["sent": 1])
    #expect(names == [uid + ".ics"])
  }

  @Test func `a file that is removed there is removed here`() throws {
    try write("a", "Review")
    try write("b", "Lunch")
    try add()
    try agent.files.removeFile("calendars/shared/a.ics")
    #expect(try sync() == ["removed": 1])
    #expect(try agent.summaries(from: "2026-11-23") == ["Lunch"])
  }

  @Test func `changes of different properties on both sides are both kept`() throws {
    try write("a", "Review")
    try add()
    try set("a", "location", "Room 2")
    try write("a", "Review of the plan")
    let counts = try sync()
    #expect(counts["sent"] == 1 && counts["conflicts"] == nil)
    #expect(text("a.ics").contains("SUMMARY:Review of the plan\r\n"))
    #expect(text("a.ics").contains("LOCATION:Room 2\r\n"))
    let event = try event("a")
    #expect(event["summary"] == .string("Review of the plan"))
    #expect(event["location"] == .string("Room 2"))
    #expect(try sync().isEmpty)
  }

  @Test func `of the same property the later edit wins, and the other is in the trash`() throws {
    try write("a", "Review")
    try add()
    try set("a", "summary", "Mine")
    try write("a", "Theirs", modified: "20301101T000000Z")
    #expect(try sync()["conflicts"] == 1)
    #expect(try event("a")["summary"] == .string("Theirs"))
    let trash =
      try agent.call(Contract.events, "Trash", [.uint32(0), .string("")])[0].asArray ?? []
    #expect(trash.compactMap { $0["summary"]?.asString } == ["Mine"])
    #expect(text("a.ics").contains("SUMMARY:Theirs\r\n"))
    // Said once.
    #expect(try sync().isEmpty)
  }

  @Test func `an edit here wins over a removal there`() throws {
    try write("a", "Review")
    try write("b", "Lunch")
    try add()
    try set("a", "summary", "Mine")
    try agent.files.removeFile("calendars/shared/a.ics")
    #expect(try sync()["sent"] == 1)
    #expect(names.count == 2)
    #expect(try agent.summaries(from: "2026-11-23") == ["Mine", "Lunch"])
  }

  @Test func `an edit there wins over a removal here`() throws {
    try write("a", "Review")
    try add()
    _ = try agent.call(Contract.events, "Remove", ["a@example.org", "", ""].map(Value.string))
    try write("a", "Review of the plan")
    #expect(try sync()["conflicts"] == 1)
    #expect(try event("a")["summary"] == .string("Review of the plan"))
    #expect(names == ["a.ics"])
  }

  @Test func `a folder that is suddenly empty deletes nothing before a yes`() throws {
    for number in 1...8 { try write("event-\(number)", "Event \(number)") }
    try add()
    for number in 1...8 { try agent.files.removeFile("calendars/shared/event-\(number).ics") }
    #expect(throws: DBusError.self) { try sync() }
    #expect(try agent.summaries(from: "2026-11-23").count == 8)
    #expect(try row()["state"] == .string("confirm"))
    #expect(try row()["deletions"] == .uint32(8))
    // It does not run by itself.
    #expect(try row()["next-run"] == .int64(0))
    _ = try agent.call(Contract.sync, "Accept", [.string("files")])
    try sync()
    #expect(try agent.summaries(from: "2026-11-23").isEmpty)
    #expect(try row()["state"] == .string("idle"))
    let refusal = try agent.refusal(Contract.sync, "Accept", [.string("files")])
    #expect(refusal.name.text == CallError.Kind.conflict.rawValue)
  }

  @Test func `a folder that is gone fails with its reason, and deletes nothing`() throws {
    try write("a", "Review")
    try add()
    try agent.files.rename("calendars", to: "elsewhere")
    let refusal = try agent.refusal(Contract.sync, "SyncNow", [.string("files")])
    #expect(refusal.name.text == CallError.Kind.syncFailed.rawValue)
    #expect(try agent.summaries(from: "2026-11-23") == ["Review"])
    #expect(try row()["state"] == .string("waiting"))
    #expect(agent.log.contains { $0.contains("cannot synchronise files: ") })
    try agent.files.rename("elsewhere", to: "calendars")
    #expect(try sync().isEmpty)
    #expect(try row()["state"] == .string("idle"))
  }

  @Test func `an item that cannot be read is left out, and the others come`() throws {
    try write("a", "Review")
    try agent.files.write("BEGIN:VCALENDAR\r\nno calendar", to: "calendars/shared/b.ics")
    try add()
    #expect(try agent.summaries(from: "2026-11-23") == ["Review"])
    // While one cannot be read, nothing counts as removed.
    try agent.files.removeFile("calendars/shared/a.ics")
    try sync()
    #expect(try agent.summaries(from: "2026-11-23") == ["Review"])
  }

  @Test func `a change here is sent by itself`() throws {
    try write("a", "Review")
    try add()
    agent.takeSignals()
    try set("a", "summary", "Mine")
    agent.clock.advance(to: agent.clock.now.adding(seconds: 3))
    try agent.wait(for: "the end of a run") { !agent.signals("SyncFinished").isEmpty }
    #expect(text("a.ics").contains("SUMMARY:Mine\r\n"))
  }

  @Test func `a change there is here by itself`() throws {
    try add()
    agent.takeSignals()
    try write("a", "Review")
    try agent.wait(for: "the end of a run") { !agent.signals("SyncFinished").isEmpty }
    #expect(try agent.summaries(from: "2026-11-23") == ["Review"])
  }

  @Test func `a pause outlives a restart, and ends with Resume`() throws {
    try write("a", "Review")
    try add()
    _ = try agent.call(Contract.sync, "Pause", [.string("files")])
    agent.stop()
    try agent.start()
    #expect(try row()["state"] == .string("paused"))
    try write("b", "Lunch")
    agent.takeSignals()
    _ = try agent.call(Contract.sync, "Resume", [.string("files")])
    try agent.wait(for: "the end of a run") { !agent.signals("SyncFinished").isEmpty }
    #expect(try agent.summaries(from: "2026-11-23") == ["Review", "Lunch"])
  }

  @Test(arguments: [true, false])
  func `a source that is removed leaves the folder alone`(keeps: Bool) throws {
    try write("a", "Review")
    try add()
    _ = try agent.call(Contract.sync, "Remove", [.string("files"), .boolean(keeps)])
    #expect(try agent.call(Contract.sync, "List")[0].asArray?.isEmpty ?? false)
    #expect(try agent.summaries(from: "2026-11-23") == (keeps ? ["Review"] : []))
    #expect(names == ["a.ics"])
    let calendars = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    #expect(calendars.allSatisfy { $0["source"] == .string("local") })
  }

  @Test func `Check lists the calendars, and keeps nothing`() throws {
    try write("a", "Review")
    let rows =
      try agent.call(
        Contract.sync, "Check",
        [.string("vdir"), .string(agent.files.file("calendars")), .row([])])[0].asArray ?? []
    #expect(rows.compactMap { $0["name"]?.asString } == ["Office"])
    #expect(try agent.call(Contract.sync, "List")[0].asArray?.isEmpty ?? false)
    let refusal = try agent.refusal(
      Contract.sync, "Check", [.string("gopher"), .string("/"), .row([])])
    #expect(refusal.text.english.hasPrefix("kind: "))
  }
}
