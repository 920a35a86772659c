import CalendarBus
import DBus
import JSON
import Sync
import TestSupport
import Testing

/// An agent with a calendar on a real server.
private final class SyncedAgent {
  let agent: AgentUnderTest

  init(_ server: CalendarServer, user: String) throws {
    agent = try AgentUnderTest()
    let id = try agent.call(
      Contract.sync, "Add",
      [
        .string("caldav"), .string(server.url),
        .row([
          ("name", .string("Cloud")), ("user", .string(user)),
          ("password-command", .strings(["/bin/echo", "secret"])),
        ]),
      ])
    #expect(id == [.string("cloud")])
    try sync()
  }

  /// Synchronises, and returns the counts that are not 0.
  @discardableResult
  func sync() throws -> [String: Int64] {
    let answer = try agent.call(Contract.sync, "SyncNow", [.string("cloud")])
    guard case .dictionary(_, _, let entries) = answer[0] else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: entries.map { ($0.key.asString ?? "", $0.value.asInteger ?? -1) }
    ).filter { $0.value != 0 }
  }

  /// The ID of our calendar of the server's calendar.
  func calendar(_ name: String) throws -> String {
    let calendars = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    return try #require(calendars.first { $0["name"] == .string(name) })["id"]?.asString ?? ""
  }

  func add(_ summary: String, to calendar: String) throws -> String {
    try agent.call(
      Contract.events, "Add",
      [
        .string(calendar),
        .row([("summary", .string(summary)), ("start", .string("2026-11-23 10:00"))]),
      ])[0].asString ?? ""
  }

  func set(_ uid: String, _ field: String, _ text: String) throws {
    _ = try agent.call(
      Contract.events, "SetField",
      [uid, "", "", field].map(Value.string) + [.variant(.string(text))])
  }

  func remove(_ uid: String) throws {
    _ = try agent.call(Contract.events, "Remove", [uid, "", ""].map(Value.string))
  }

  /// Every event of the calendar by UID: its title and place.
  func contents(_ calendar: String) throws -> [String: [String]] {
    let rows = try agent.call(
      Contract.calendar, "GetOccurrences",
      [
        .string("2026-11-23"), .string("2026-11-24"),
        .row([("calendars", .strings([calendar]))]),
      ])[0].asArray ?? []
    return Dictionary(
      uniqueKeysWithValues: rows.map {
        (
          $0["uid"]?.asString ?? "",
          [$0["summary"]?.asString ?? "", $0["location"]?.asString ?? ""]
        )
      })
  }

  /// A request to the server with datebook-sync alone, as another client would make it.
  static func request(_ requests: [RemoteRequest]) throws {
    let lines = requests.map { JSONWriter.text(of: $0.json) + "\n" }.joined()
    let program = directory(ofFile: OtherAgent.path) + "/datebook-sync"
    let outcome = try Subprocess.run(program, [], input: .bytes(Array(lines.utf8)))
    #expect(!outcome.output.contains("\"failed\""), "\(outcome.output)")
  }
}

@Suite struct `Calendars of a server` {
  private static let kinds = CalendarServer.Kind.available

  /// A server with an empty calendar of this name.
  private func server(_ kind: CalendarServer.Kind, calendar: String) throws -> CalendarServer {
    let server = try CalendarServer(kind)
    var access = RemoteAccess(kind: .caldav, url: server.url)
    (access.user, access.secret) = ("alice", "secret")
    try SyncedAgent.request([
      .open(access), .createCollection(name: calendar, color: "#336699"),
    ])
    return server
  }

  @Test(arguments: kinds)
  func `what one computer does is on the other`(kind: CalendarServer.Kind) throws {
    let server = try server(kind, calendar: "Work")
    let (first, second) = (
      try SyncedAgent(server, user: "alice"), try SyncedAgent(server, user: "alice")
    )
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

  @Test func `a wrong password is said once, and is not tried again by itself`() throws {
    let kind = try #require(Self.kinds.first { $0.isRadicale })
    let server = try server(kind, calendar: "Work")
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
    let server = try server(kind, calendar: "Work")
    let agents = [
      try SyncedAgent(server, user: "alice"), try SyncedAgent(server, user: "alice"),
    ]
    let calendars = try agents.map { try $0.calendar("Work") }
    let seed = UInt64(variable("DATEBOOK_SEED")) ?? UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for step in 0..<rounds(60, long: 1000) {
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
}
