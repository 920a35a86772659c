import CalendarBus
import CalendarModel
import DBus
import JSON
import Sync
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

/// An agent with the calendars of a server, or of a folder.
final class SyncedAgent {
  let agent: AgentUnderTest

  /// - Parameter url: of the server; nil for its own, without a detour.
  init(_ server: CalendarServer, at url: String? = nil) throws {
    agent = try AgentUnderTest()
    try add(
      "caldav", url ?? server.url,
      [("user", .string("alice")), ("password-command", .strings(["/bin/echo", "secret"]))])
  }

  init(folder: String) throws {
    agent = try AgentUnderTest()
    try add("vdir", folder, [])
  }

  private func add(_ kind: String, _ url: String, _ options: [(String, Value)]) throws {
    let id = try agent.call(
      Contract.sync, "Add",
      [.string(kind), .string(url), .row([("name", .string("Cloud"))] + options)])
    #expect(id == [.string("cloud")])
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

  /// The row of the source.
  func row() throws -> Value {
    try #require(try agent.call(Contract.sync, "List")[0].asArray?.first)
  }

  /// Whether an event was added, edited or removed here and the server is not known to have that.
  func hasUnsentChange(of uid: String, in calendar: String) throws -> Bool {
    let store = try #require(agent.agent?.storage.current)
    let collection = try #require(
      store.collections(of: "cloud").first { $0.calendar?.text == calendar })
    guard let item = try store.item(of: EventUID(uid), in: collection) else {
      return try store.content(of: EventUID(uid), in: CalendarID(calendar)) != nil
    }
    return item.isEdited || item.isRemoved
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

  /// The row of an event; of a series that of all of it. nil if it is gone.
  func master(_ uid: String) throws -> Value? {
    do {
      return try agent.call(Contract.events, "Get", [.string(uid), .string("")])[0]
    } catch let error as DBusError where error.name.text == CallError.Kind.notFound.rawValue {
      return nil
    }
  }

  /// The rows of the calendar, in some weeks.
  func rows(_ calendar: String, from: String = "2026-11-23", to: String = "2026-11-24") throws
    -> [Value]
  {
    try agent.call(
      Contract.calendar, "GetOccurrences",
      [
        .string(from), .string(to),
        .row([("calendars", .strings([calendar])), ("limit", .uint32(5000))]),
      ])[0].asArray ?? []
  }

  /// Every event of the calendar by UID: its title and place.
  func contents(_ calendar: String) throws -> [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: try rows(calendar).map {
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

extension CalendarServer {
  /// One with an empty calendar of this name.
  static func with(calendar: String, _ kind: Kind) throws -> CalendarServer {
    let server = try CalendarServer(kind)
    var access = RemoteAccess(kind: .caldav, url: server.url)
    (access.user, access.secret) = ("alice", "secret")
    try SyncedAgent.request([
      .open(access), .createCollection(name: calendar, color: "#336699"),
    ])
    return server
  }
}
