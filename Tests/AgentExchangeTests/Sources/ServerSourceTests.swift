import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `Calendars of a server` {
  private static let kinds = CalendarServer.Kind.available

  @Test(arguments: kinds)
  func `what one computer does is on the other`(kind: CalendarServer.Kind) throws {
    let server = try CalendarServer.with(calendar: "Work", kind)
    let (first, second) = (try SyncedAgent(server), try SyncedAgent(server))
    try first.sync()
    try second.sync()
    let work = try first.calendar("Work")
    let tea = try first.add("Tea", to: work)
    #expect(try first.sync() == ["sent": 1])
    #expect(try second.sync() == ["added": 1])
    // Both change another property of it.
    try first.set(tea, "summary", "Tea with Ana")
    try second.set(tea, "location", "Corner café")
    #expect(try first.sync() == ["sent": 1])
    #expect(try second.sync()["sent"] == 1)
    try first.sync()
    #expect(try first.contents(work) == [tea: ["Tea with Ana", "Corner café"]])
    #expect(try second.contents(second.calendar("Work")) == first.contents(work))
    try second.remove(tea)
    #expect(try second.sync() == ["sent": 1])
    #expect(try first.sync() == ["removed": 1])
    #expect(try first.contents(work).isEmpty)
    // At rest nothing is asked for twice.
    #expect(try first.sync().isEmpty)
    #expect(try second.sync().isEmpty)
  }

  @Test(arguments: kinds)
  func `an edit on one computer wins over the removal on the other`(
    kind: CalendarServer.Kind
  ) throws {
    let server = try CalendarServer.with(calendar: "Work", kind)
    let agents = [try SyncedAgent(server), try SyncedAgent(server)]
    for agent in agents { try agent.sync() }
    let calendars = try agents.map { try $0.calendar("Work") }
    let tea = try agents[0].add("Tea", to: calendars[0])
    for agent in agents { try agent.sync() }
    try agents[0].remove(tea)
    #expect(try agents[0].sync() == ["sent": 1])
    try agents[1].set(tea, "summary", "Tea with Ana")
    #expect(try agents[1].sync()["sent"] == 1)
    try agents[0].sync()
    for (agent, calendar) in zip(agents, calendars) {
      #expect(try agent.contents(calendar) == [tea: ["Tea with Ana", ""]])
    }
  }

  @Test func `a computer that was off for a month catches up`() throws {
    let server = try CalendarServer.with(
      calendar: "Work", try #require(Self.kinds.first { $0.isRadicale }))
    let (first, second) = (try SyncedAgent(server), try SyncedAgent(server))
    for agent in [first, second] { try agent.sync() }
    let work = try first.calendar("Work")
    let (tea, walk) = (try first.add("Tea", to: work), try first.add("Walk", to: work))
    for agent in [first, second] { try agent.sync() }
    // Nothing is sent any more before it is off.
    try second.set(tea, "location", "Corner café")
    second.agent.stop()
    try first.set(tea, "summary", "Tea with Ana")
    try first.remove(walk)
    let talk = try first.add("Talk", to: work)
    try first.sync()
    try second.agent.start()
    try second.agent.advance(to: "2026-12-22T09:00:00Z")
    try second.sync()
    try first.sync()
    let contents = [tea: ["Tea with Ana", "Corner café"], talk: ["Talk", ""]]
    #expect(try first.contents(work) == contents)
    #expect(try second.contents(second.calendar("Work")) == contents)
  }

  @Test func `a wrong password is said once, and is not tried again by itself`() throws {
    let kind = try #require(Self.kinds.first { $0.isRadicale })
    let server = try CalendarServer.with(calendar: "Work", kind)
    let agent = try AgentUnderTest()
    _ = try agent.call(
      Contract.sync, "Add",
      [
        .string("caldav"), .string(server.url),
        .row([
          ("name", .string("Cloud")), ("user", .string("alice")),
          ("password-command", .strings(["/bin/echo", "wrong"])),
        ]),
      ])
    try agent.wait(for: "the end of a run") { !agent.signals("SyncFinished").isEmpty }
    let row = try #require(try agent.call(Contract.sync, "List")[0].asArray?.first)
    #expect(row["state"] == .string("sign-in"))
    #expect(row["next-run"] == .int64(0))
    #expect(!agent.log.contains { $0.contains("wrong") })
    let problems = try agent.property("Problems").asStrings ?? []
    #expect(problems.contains { $0.hasPrefix("the source cloud: ") })
  }

  @Test(arguments: kinds.filter(\.isRadicale))
  func `two computers that change everything at random hold the same in the end`(
    kind: CalendarServer.Kind
  ) throws {
    let server = try CalendarServer.with(calendar: "Work", kind)
    let agents = [try SyncedAgent(server), try SyncedAgent(server)]
    for agent in agents { try agent.sync() }
    let calendars = try agents.map { try $0.calendar("Work") }
    let seed = UInt64(variable("DATEBOOK_SEED")) ?? UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for step in 0..<rounds(60, long: 200) {
      let index = Int.random(in: 0..<2, using: &random)
      let (agent, calendar) = (agents[index], calendars[index])
      let uid = try agent.contents(calendar).keys.sorted().randomElement(using: &random)
      switch (Int.random(in: 0..<10, using: &random), uid) {
      case (0...2, _), (_, nil): _ = try agent.add("Event \(step)", to: calendar)
      case (3...4, let uid?): try agent.set(uid, "summary", "Title \(step)")
      case (5...6, let uid?): try agent.set(uid, "location", "Room \(step)")
      case (7, let uid?): try agent.remove(uid)
      default: try agent.sync()
      }
    }
    for _ in 0..<2 { for agent in agents { try agent.sync() } }
    let contents = try agents[0].contents(calendars[0])
    #expect(!contents.isEmpty)
    #expect(try agents[1].contents(calendars[1]) == contents, "DATEBOOK_SEED=\(seed)")
    #expect(try agents[0].sync().isEmpty)
    #expect(try agents[1].sync().isEmpty)
  }

  /// The answer that made other programs delete everything: a valid, empty listing.
  @Test(arguments: kinds.filter { !$0.isRadicale })
  func `a server that lost its folder deletes nothing here before a yes`(
    kind: CalendarServer.Kind
  ) throws {
    let server = try CalendarServer(kind)
    let agent = try SyncedAgent(server)
    try agent.sync()
    let calendar = try #require(try agent.row()["calendars"]?.asStrings?.first)
    for number in 1...8 { _ = try agent.add("Event \(number)", to: calendar) }
    #expect(try agent.sync() == ["sent": 8])
    let contents = try agent.contents(calendar)

    // Our token is that of the empty calendar: the server knows it, and says that nothing changed.
    try server.loseData()
    #expect(try agent.sync().isEmpty)
    #expect(try agent.contents(calendar) == contents)
    // In a week at the latest it is asked for all.
    try agent.agent.advance(to: "2026-11-29T09:00:00Z")
    func expectHeld() throws {
      #expect(throws: DBusError.self) { try agent.sync() }
      #expect(try agent.contents(calendar) == contents)
      #expect(try agent.row()["state"] == .string("confirm"))
      #expect(try agent.row()["deletions"] == .uint32(8))
    }
    try expectHeld()
    let problems = try agent.agent.property("Problems").asStrings ?? []
    #expect(problems.contains { $0.hasPrefix("the source cloud: ") })
    // Neither another question nor a restart is a yes.
    try expectHeld()
    agent.agent.stop()
    try agent.agent.start()
    try expectHeld()

    _ = try agent.agent.call(Contract.sync, "Accept", [.string("cloud")])
    try agent.sync()
    #expect(try agent.contents(calendar).isEmpty)
    let trash =
      try agent.agent.call(Contract.events, "Trash", [.uint32(0), .string("")])[0].asArray ?? []
    #expect(trash.count == 8)
  }
}
