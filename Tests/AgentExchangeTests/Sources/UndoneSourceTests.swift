import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// Undo and removals of synchronised events.
@Suite struct `Undo of what a source has` {
  private let shared: SharedFolder
  private var agent: AgentUnderTest { shared.agent }

  init() throws {
    shared = try SharedFolder()
    try shared.write("a", "Review")
    try shared.add()
  }

  @Test func `an edit that was sent is undone there, too, and redone`() throws {
    try shared.set("a", "summary", "Mine")
    #expect(try shared.sync() == ["sent": 1])
    try shared.undo()
    #expect(try shared.sync() == ["sent": 1])
    #expect(shared.text("a").contains("SUMMARY:Review\r\n"))
    _ = try agent.call(Contract.events, "Redo")
    #expect(try shared.sync() == ["sent": 1])
    #expect(shared.text("a").contains("SUMMARY:Mine\r\n"))
    #expect(try shared.sync().isEmpty)
  }

  @Test func `a file that was written anew without a change does not bring back a removed event`()
    throws
  {
    try shared.remove("a")
    // Another program orders the properties in another way, and stamps it.
    try shared.write("a", "Review", modified: "20261121T070000Z")
    let counts = try shared.sync()
    #expect(counts == ["sent": 1])
    #expect(shared.names.isEmpty)
    #expect(try agent.summaries(from: "2026-11-23").isEmpty)
    #expect(try shared.sync().isEmpty)
  }

  @Test func `a removed event that is added again under its UID is not removed there`() throws {
    try shared.remove("a")
    _ = try agent.call(
      Contract.events, "Add",
      [
        .string("office"),
        .row([
          ("uid", .string("a@example.org")), ("summary", .string("Tea")),
          ("start", .string("2026-11-23 10:00")),
        ]),
      ])
    #expect(try shared.sync() == ["sent": 1])
    #expect(shared.names == ["a.ics"])
    #expect(shared.text("a").contains("SUMMARY:Tea\r\n"))
  }

  @Test func `a file that was changed brings it back`() throws {
    try shared.remove("a")
    try shared.write("a", "Review of the plan")
    #expect(try shared.sync()["conflicts"] == 1)
    #expect(try agent.summaries(from: "2026-11-23") == ["Review of the plan"])
    #expect(shared.names == ["a.ics"])
  }
}
