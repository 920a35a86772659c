import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// Calendars that are created at real servers, and what they make of our events.
@Suite struct `A calendar that is created at a server` {
  private static let kinds = CalendarServer.Kind.available

  private func agent(_ server: CalendarServer) throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    _ = try agent.call(
      Contract.sync, "Add",
      [
        .string("caldav"), .string(server.url),
        .row([
          ("name", .string("Cloud")), ("user", .string("alice")),
          ("password-command", .strings(["/bin/echo", "secret"])),
        ]),
      ])
    try sync(agent)
    return agent
  }

  private func color(_ name: String, _ agent: AgentUnderTest) throws -> String {
    let calendars = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    return try #require(calendars.first { $0["name"] == .string(name) })["color"]?.asString ?? ""
  }

  private func sync(_ agent: AgentUnderTest) throws {
    _ = try agent.call(Contract.sync, "SyncNow", [.string("cloud")])
  }

  @Test(arguments: kinds)
  func `another computer has it, and the undo of what is in it`(kind: CalendarServer.Kind) throws {
    let server = try CalendarServer(kind)
    let first = try agent(server)
    let id = try first.call(
      Contract.sync, "CreateCalendar", ["cloud", "Garden", "#336699"].map(Value.string))[0]
    #expect(try color("Garden", first) == "#336699")
    let uid = try first.call(
      Contract.events, "Add",
      [id, .row([("summary", .string("Sow")), ("start", .string("2026-11-23 10:00"))])])[0]
    try sync(first)
    let second = try agent(server)
    // Xandikos keeps none.
    if kind.isRadicale { #expect(try color("Garden", second) == "#336699") }
    #expect(try second.summaries(from: "2026-11-23") == ["Sow"])
    // The server writes it in its own way; that is no reason to refuse an undo.
    _ = try first.call(
      Contract.events, "SetField",
      [uid, .string(""), .string(""), .string("summary"), .variant(.string("Reap"))])
    try sync(first)
    try sync(second)
    #expect(try second.summaries(from: "2026-11-23") == ["Reap"])
    _ = try first.call(Contract.events, "Undo")
    try sync(first)
    try sync(second)
    #expect(try second.summaries(from: "2026-11-23") == ["Sow"])
    #expect(try first.summaries(from: "2026-11-23") == ["Sow"])
    // The addition is undone, too.
    _ = try first.call(Contract.events, "Undo")
    try sync(first)
    try sync(second)
    #expect(try second.summaries(from: "2026-11-23").isEmpty)
  }
}
