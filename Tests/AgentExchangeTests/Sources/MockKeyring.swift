import CalendarBus
import DBus
import TestSupport

@testable import AgentSupport

/// A keyring on the bus of an agent under test, which is never locked unless it is told.
///
/// Source: https://specifications.freedesktop.org/secret-service/latest/
final class MockKeyring {
  /// The secrets by the ID of their source.
  var secrets: [String: String] = [:]
  var isLocked = false
  /// Runs before it stores a secret.
  var onStore: () -> Void = {}
  /// Whether it takes no secret any more.
  var isFull = false

  private let connection: Connection
  private let server: ObjectServer
  private var paths: [String: ObjectPath] = [:]

  private static let service = InterfaceTable(
    "org.freedesktop.Secret.Service",
    methods: [
      .init(
        "OpenSession", in: [.init("algorithm", "s"), .init("input", "v")],
        out: [.init("output", "v"), .init("result", "o")]),
      .init(
        "SearchItems", in: [.init("attributes", "a{ss}")],
        out: [.init("unlocked", "ao"), .init("locked", "ao")]),
      .init("ReadAlias", in: [.init("name", "s")], out: [.init("collection", "o")]),
    ])
  private static let collection = InterfaceTable(
    "org.freedesktop.Secret.Collection",
    methods: [
      .init(
        "CreateItem",
        in: [.init("properties", "a{sv}"), .init("secret", "(oayays)"), .init("replace", "b")],
        out: [.init("item", "o"), .init("prompt", "o")])
    ],
    properties: [.init("Locked", "b")])
  private static let item = InterfaceTable(
    "org.freedesktop.Secret.Item",
    methods: [
      .init("GetSecret", in: [.init("session", "o")], out: [.init("secret", "(oayays)")]),
      .init("Delete", out: [.init("prompt", "o")]),
    ])
  private static let root: ObjectPath = "/org/freedesktop/secrets"
  private static let login: ObjectPath = "/org/freedesktop/secrets/collection/login"
  private static let session: ObjectPath = "/org/freedesktop/secrets/session/1"

  /// Comes to the agent's bus.
  init(_ agent: AgentUnderTest) throws {
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: agent.loop)
    server = ObjectServer(connection)
    let service = BoundInterface(MockKeyring.service)
    service.on("OpenSession") { _ in
      .reply([.variant(.string("")), .objectPath(MockKeyring.session)])
    }
    service.on("ReadAlias") { _ in .reply([.objectPath(MockKeyring.login)]) }
    service.on("SearchItems") { [unowned self] call in
      let id = call.arguments[0]["source"]?.asString ?? ""
      let found = secrets[id] == nil ? [] : [Value.objectPath(path(of: id))]
      return .reply([.array("o", isLocked ? [] : found), .array("o", isLocked ? found : [])])
    }
    server.register(MockKeyring.root, [service])
    let collection = BoundInterface(MockKeyring.collection)
    collection.on("CreateItem") { [unowned self] call in
      guard !isLocked, !isFull else {
        return .reply([.objectPath("/"), .objectPath("/prompt")])
      }
      onStore()
      let attributes = call.arguments[0]["org.freedesktop.Secret.Item.Attributes"]
      let id = attributes?["source"]?.asString ?? ""
      secrets[id] = MockKeyring.text(call.arguments[1])
      return .reply([.objectPath(path(of: id)), .objectPath("/")])
    }
    collection.get("Locked") { [unowned self] in .boolean(isLocked) }
    for path in [MockKeyring.login, "/org/freedesktop/secrets/aliases/default"] {
      server.register(path, [collection])
    }
    guard try connection.requestName("org.freedesktop.secrets") == .owner else {
      throw TestSupportError("there is a keyring already")
    }
  }

  /// The path of an item, which is served from now on.
  private func path(of id: String) -> ObjectPath {
    if let path = paths[id] { return path }
    let path = try! ObjectPath("/org/freedesktop/secrets/items/\(paths.count)")
    let item = BoundInterface(MockKeyring.item)
    item.on("GetSecret") { [unowned self] _ in
      let octets = (secrets[id] ?? "").utf8.map(Value.byte)
      return .reply([
        .structure([
          .objectPath(MockKeyring.session), .array("y", []), .array("y", octets),
          .string("text/plain"),
        ])
      ])
    }
    item.on("Delete") { [unowned self] _ in
      secrets[id] = nil
      return .reply([.objectPath("/")])
    }
    server.register(path, [item])
    paths[id] = path
    return path
  }

  private static func text(_ secret: Value) -> String {
    guard case .structure(let parts) = secret, case .array(_, let values) = parts[2] else {
      return ""
    }
    let octets = values.compactMap { value in
      if case .byte(let octet) = value { octet } else { nil }
    }
    return String(decoding: octets, as: UTF8.self)
  }
}
