import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// The calendars of a source: their names, which of them, new ones, and their events with guests.
@Suite struct `Calendars of a source` {
  private let shared: SharedFolder
  private var agent: AgentUnderTest { shared.agent }

  init() throws {
    shared = try SharedFolder()
    try agent.files.write("#336699", to: "calendars/shared/color")
    try shared.write("a", "Review")
    try shared.add()
  }

  private func calendars() throws -> [Value] {
    let rows = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    return rows.filter { $0["source"] == .string("files") }
  }

  private func calendar() throws -> [String] {
    let row = try #require(try calendars().first)
    return [row["name"], row["color"]].map { $0?.asString ?? "" }
  }

  private func edit(_ key: String, _ value: Value) throws {
    _ = try agent.call(Contract.sync, "Edit", [.string("files"), .row([(key, value)])])
  }

  // MARK: Names

  @Test func `a new name and color there are here`() throws {
    try agent.files.write("Bureau", to: "calendars/shared/displayname")
    try agent.files.write("#993366", to: "calendars/shared/color")
    try shared.sync()
    #expect(try calendar() == ["Bureau", "#993366"])
    #expect(try calendars().count == 1)
    // Also after a restart, and of what the source said last.
    agent.stop()
    try agent.start()
    try agent.files.write("Work", to: "calendars/shared/displayname")
    try shared.sync()
    #expect(try calendar() == ["Work", "#993366"])
  }

  @Test func `what was renamed here stays, and the color follows all the same`() throws {
    _ = try agent.call(Contract.calendars, "Rename", ["office", "Mine"].map(Value.string))
    try agent.files.write("Bureau", to: "calendars/shared/displayname")
    try agent.files.write("#993366", to: "calendars/shared/color")
    try shared.sync()
    #expect(try calendar() == ["Mine", "#993366"])
  }

  // MARK: Choice

  @Test func `calendars are chosen later, and are the same ones when they are chosen again`() throws
  {
    try agent.files.makeDirectory("calendars/home")
    try agent.files.write("Home", to: "calendars/home/displayname")
    try shared.sync()
    let rows = try agent.call(Contract.sync, "Calendars", [.string("files")])[0].asArray ?? []
    #expect(Set(rows.compactMap { $0["name"]?.asString }) == ["Home", "Office"])
    try edit("chosen", .strings(["home"]))
    try shared.sync()
    #expect(try shared.row()["calendars"] == .strings(["home"]))
    try edit("chosen", .strings([]))
    try shared.sync()
    #expect(try calendars().count == 2)
    #expect(try shared.row()["calendars"]?.asStrings?.sorted() == ["home", "office"])
    #expect(try agent.summaries(from: "2026-11-23") == ["Review"])
    #expect(try shared.sync().isEmpty)
  }

  private func choose(_ hrefs: String...) throws {
    try edit("chosen", .strings(hrefs))
    try shared.sync()
  }

  private func addHome() throws {
    try agent.files.makeDirectory("calendars/home")
    try agent.files.write("Home", to: "calendars/home/displayname")
    try shared.sync()
  }

  /// The names of the calendars of this computer.
  private func ownNames() throws -> [String] {
    let rows = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    return rows.filter { $0["source"] == .string("local") }.compactMap { $0["name"]?.asString }
  }

  @Test func `one that is not chosen any more is gone here, and stays at the source`() throws {
    try addHome()
    let own = try ownNames()
    try choose("home")
    #expect(try calendars().map { $0["id"] } == [.string("home")])
    #expect(try ownNames() == own)
    #expect(try agent.summaries(from: "2026-11-23").isEmpty)
    #expect(try shared.row()["pending"] == .uint32(0))
    #expect(shared.names == ["a.ics"])
    try choose()
    #expect(try agent.summaries(from: "2026-11-23") == ["Review"])
  }

  @Test func `one with changes that were not sent stays, as a calendar of this computer`() throws {
    try addHome()
    try writeMeeting()
    try shared.set("meeting", "location", "Room 2")
    let own = try ownNames()
    try choose("home")
    #expect(try ownNames() == own + ["Office (not synchronised)"])
    #expect(try shared.row()["calendars"] == .strings(["home"]))
    #expect(try shared.row()["pending"] == .uint32(0))
    #expect(try shared.row()["guests-waiting"] == .uint32(0))
    #expect(agent.log.contains { $0.contains("\"Office\" is not chosen any more, and stays") })
    #expect(try agent.summaries(from: "2026-11-23").sorted() == ["Meeting", "Review"])
    // What is in it is not sent when the calendar is chosen again, which is another one then.
    try choose()
    #expect(try Set(calendars().compactMap { $0["id"]?.asString }) == ["home", "office-2"])
    #expect(!shared.text("meeting").contains("Room 2"))
  }

  @Test func `what is changed in one that is not chosen any more is not to be sent`() throws {
    try addHome()
    _ = try agent.call(Contract.sync, "Pause", [.string("files")])
    try shared.set("a", "location", "Room 1")
    #expect(try shared.row()["pending"] == .uint32(1))
    try edit("chosen", .strings(["home"]))
    #expect(try shared.row()["pending"] == .uint32(0))
    #expect(try shared.row()["calendars"] == .strings(["home"]))
  }

  @Test func `one that is removed here stays at the source, and comes back when it is chosen`()
    throws
  {
    _ = try agent.call(Contract.calendars, "Remove", ["office", "with-events"].map(Value.string))
    #expect(try shared.row()["pending"] == .uint32(0))
    #expect(try shared.row()["calendars"] == .strings([]))
    #expect(try shared.sync().isEmpty)
    #expect(try calendars().isEmpty)
    #expect(shared.names == ["a.ics"])
    try choose("shared")
    #expect(try calendars().map { $0["id"] } == [.string("office")])
    #expect(try agent.summaries(from: "2026-11-23") == ["Review"])
    #expect(shared.names == ["a.ics"])
  }

  @Test func `a new one does not take the place of one that was removed here`() throws {
    _ = try agent.call(Contract.calendars, "Remove", ["office", "with-events"].map(Value.string))
    try agent.files.makeDirectory("calendars/other")
    try agent.files.write("Office", to: "calendars/other/displayname")
    try shared.sync()
    #expect(try calendars().map { $0["id"] } == [.string("office-2")])
    #expect(shared.names == ["a.ics"])
    #expect(agent.files.names(in: "calendars/other") == ["displayname"])
  }

  @Test func `a folder is not added twice`() throws {
    let refusal = try agent.refusal(
      Contract.sync, "Add",
      [.string("vdir"), .string(agent.files.file("calendars/")), .row([])])
    #expect(refusal.name.text == CallError.Kind.conflict.rawValue)
    #expect(refusal.message.contains("files"))
  }

  @Test func `a calendar that is created at the source is there and here`() throws {
    let id = try agent.call(
      Contract.sync, "CreateCalendar", ["files", "Büro & Home", "teal"].map(Value.string))
    #expect(id == [.string("b-ro-home")])
    let row = try #require(try calendars().first { $0["id"] == id[0] })
    #expect(row["name"] == .string("Büro & Home"))
    let names = agent.files.names(in: "calendars").filter { $0 != "shared" }
    #expect(names.count == 1)
    _ = try agent.call(
      Contract.events, "Add",
      [id[0], .row([("summary", .string("Tea")), ("start", .string("2026-11-24 16:00"))])])
    #expect(try shared.sync() == ["sent": 1])
    #expect(agent.files.names(in: "calendars/\(names[0])").contains { $0.hasSuffix(".ics") })
  }

  @Test func `nothing is created at a source that is only read from, or without a name`() throws {
    let nameless = try agent.refusal(
      Contract.sync, "CreateCalendar", ["files", " ", ""].map(Value.string))
    #expect(nameless.name.text == CallError.Kind.invalidArguments.rawValue)
    try edit("read-only", .boolean(true))
    let refusal = try agent.refusal(
      Contract.sync, "CreateCalendar", ["files", "Work", ""].map(Value.string))
    #expect(refusal.name.text == CallError.Kind.readOnly.rawValue)
  }

  // MARK: Guests

  private func writeMeeting() throws {
    try shared.write(
      "meeting", "Meeting", "ORGANIZER:mailto:ana@example.org", "ATTENDEE:mailto:bo@example.org")
    try shared.sync()
  }

  @Test func `an event with guests waits until that is allowed`() throws {
    try writeMeeting()
    let before = shared.text("meeting")
    try shared.set("meeting", "location", "Room 2")
    try shared.set("a", "location", "Room 1")
    #expect(try shared.sync() == ["sent": 1])
    #expect(shared.text("meeting") == before)
    #expect(try shared.row()["pending"] == .uint32(1))
    #expect(try shared.row()["guests-waiting"] == .uint32(1))
    #expect(try shared.row()["guests"] == .string("keep"))
    try edit("guests", .string("send"))
    try shared.sync()
    #expect(shared.text("meeting").contains("LOCATION:Room 2\r\n"))
    #expect(try shared.row()["pending"] == .uint32(0))
    #expect(try shared.row()["guests-waiting"] == .uint32(0))
  }

  @Test func `so does its removal`() throws {
    try writeMeeting()
    try shared.remove("meeting")
    #expect(try shared.sync().isEmpty)
    #expect(shared.names.count == 2)
    #expect(try shared.row()["guests-waiting"] == .uint32(1))
    try edit("guests", .string("send"))
    try shared.sync()
    #expect(shared.names == ["a.ics"])
  }
}
