import CalendarBus
import DBus
import TestSupport
import Testing
import Widgets

@testable import AgentSupport

@Suite struct `Sources that a person should know of` {
  /// The sources in the file that bars read.
  private func shown(_ agent: AgentUnderTest) -> [SnapshotSource] {
    let octets = agent.files.read("run/snapshot.json") ?? []
    return (try? SnapshotV1(json: Array(octets)))?.sources ?? []
  }

  @Test func `a source that has never worked is in the snapshot until it works`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.call(
      Contract.sync, "Add",
      [.string("vdir"), .string(agent.files.file("calendars")), .row([("name", .string("Files"))])])
    try agent.wait(for: "the source in the snapshot") { !shown(agent).isEmpty }
    let source = try #require(shown(agent).first)
    #expect(source.id == "files" && source.name == "Files" && source.state == .stale)
    #expect(source.since == nil && source.text.hasSuffix("."))
    try agent.files.makeDirectory("calendars")
    try agent.files.makeDirectory("calendars/shared")
    _ = try agent.call(Contract.sync, "SyncNow", [.string("files")])
    try agent.wait(for: "the snapshot without it") { shown(agent).isEmpty }
  }

  @Test func `one that waits for a yes is there with its sentence, and gone when it is removed`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.files.makeDirectory("calendars")
    try agent.files.makeDirectory("calendars/shared")
    for number in 1...8 {
      try agent.files.write(
        calendar(component("event-\(number)", "DTSTART:20261123T100000Z", "SUMMARY:Event")),
        to: "calendars/shared/event-\(number).ics")
    }
    _ = try agent.call(
      Contract.sync, "Add",
      [.string("vdir"), .string(agent.files.file("calendars")), .row([("name", .string("Files"))])])
    _ = try agent.call(Contract.sync, "SyncNow", [.string("files")])
    #expect(shown(agent).isEmpty)
    for number in 1...8 { try agent.files.removeFile("calendars/shared/event-\(number).ics") }
    #expect(throws: DBusError.self) {
      try agent.call(Contract.sync, "SyncNow", [.string("files")])
    }
    try agent.wait(for: "the source in the snapshot") { !shown(agent).isEmpty }
    let source = try #require(shown(agent).first)
    #expect(source.state == .confirm && source.since != nil)
    #expect(source.text.hasPrefix("8 of 8 events are gone"))
    _ = try agent.call(Contract.sync, "Remove", [.string("files"), .boolean(false)])
    try agent.wait(for: "the snapshot without it") { shown(agent).isEmpty }
  }
}
