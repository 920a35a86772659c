import DBus
import TestSupport

/// A service with one object on a private bus, in the same thread as the test that calls it.
final class SampleService {
  static let name: BusName = "org.example.Sample1"
  static let path: ObjectPath = "/org/example/Sample1"
  static let table = InterfaceTable(
    "org.example.Sample1",
    methods: [
      .init(
        "Agenda", in: [.init("from", "s"), .init("days", "u")], out: [.init("rows", "aa{sv}")]),
      .init("Echo", in: [.init("value", "v")], out: [.init("value", "v")]),
      .init("Count", in: [.init("texts", "as")], out: [.init("count", "u")]),
      .init(
        "Read", in: [.init("fd", "h")], out: [.init("text", "s")],
        annotations: [.carriesDescriptors]),
      .init("Later", out: [.init("text", "s")]),
      .init("Drop"),
      .init("Huge", out: [.init("texts", "as")]),
      .init("Liar", out: [.init("text", "s")]),
      .init("Refuse", in: [.init("text", "s")]),
    ],
    properties: [
      .init("Version", "s", emits: .const),
      .init("Revision", "t"),
      .init("Next", "a{sv}", emits: .invalidates),
      .init("Quiet", "b", emits: .never),
    ],
    signals: [.init("Changed", [.init("revision", "t"), .init("details", "a{sv}")])])

  let bus: PrivateBus
  let connection: Connection
  let server: ObjectServer
  let loop = BlockingLoop()
  /// The calls of Later that wait.
  var waiting: [Responder] = []
  var revision: UInt64 = 7
  /// How many calls of Agenda came.
  var calls = 0

  init() throws {
    bus = try PrivateBus()
    connection = try Connection(address: bus.address)
    loop.add(connection)
    server = ObjectServer(connection)
    server.register(SampleService.path, [bound()])
    guard try connection.requestName(SampleService.name) == .owner else {
      throw TestSupportError("the name is taken on a new bus")
    }
  }

  private func bound() -> BoundInterface {
    let sample = BoundInterface(SampleService.table)
    sample.on("Agenda") { [unowned self] call in
      calls += 1
      return .reply([
        .rows([[("from", .string(call.string(0))), ("days", .uint32(call.uint32(1)))]])
      ])
    }
    sample.on("Echo") { .reply([$0.arguments[0]]) }
    sample.on("Count") { .reply([.uint32(UInt32($0.strings(0).count))]) }
    sample.on("Read") { call throws(DBusError) in
      .reply([.string(try text(of: call.fileDescriptor(0)))])
    }
    sample.on("Later") { [unowned self] call in
      waiting.append(call.responder)
      return .later
    }
    sample.on("Drop") { _ in .later }
    sample.on("Huge") { _ in
      .reply([.strings([String](repeating: String(repeating: "x", count: 1 << 20), count: 40))])
    }
    sample.on("Liar") { _ in .reply([.uint32(1)]) }
    sample.on("Refuse") { call throws(DBusError) in
      throw DBusError("org.example.Sample1.Error.Refused", call.string(0))
    }
    sample.get("Version") { .string("1.0") }
    sample.get("Revision") { [unowned self] in .uint64(revision) }
    sample.get("Next") { .row([("summary", .string("Tea"))]) }
    sample.get("Quiet") { .boolean(false) }
    return sample
  }

  /// Opens another connection on the service's bus and loop.
  func client() throws -> Connection {
    let client = try Connection(address: bus.address)
    loop.add(client)
    return client
  }

  /// Calls a member of the sample interface and turns the loop until the answer is there.
  func call(
    _ member: MemberName, _ arguments: [Value] = [], from client: Connection
  ) throws -> [Value] {
    try send(
      .call(SampleService.name, SampleService.path, SampleService.table.name, member, arguments),
      from: client)
  }

  /// Sends any call and turns the loop until the answer is there.
  func send(_ message: Message, from client: Connection) throws -> [Value] {
    var result: Result<Message, DBusError>?
    try client.call(message) { result = $0 }
    guard loop.run(timeoutMilliseconds: 30_000, until: { result != nil }), let result else {
      throw TestSupportError("no answer in 30 s")
    }
    return try result.get().arguments()
  }

  /// Returns the error that a call gets.
  func error(_ message: Message, from client: Connection) throws -> DBusError {
    do {
      let values = try send(message, from: client)
      throw TestSupportError("an error was expected, not \(values)")
    } catch let error as DBusError {
      return error
    }
  }

  /// Runs a program against the bus, while the service answers it.
  func run(_ program: String, _ arguments: [String]) throws -> Subprocess.Outcome {
    let child = try Subprocess(program, arguments, environment: bus.environment)
    return child.wait { loop.turn(until: $0) }
  }

  /// Runs busctl on the session bus.
  func busctl(_ arguments: String...) throws -> Subprocess.Outcome {
    try run("busctl", ["--user"] + arguments)
  }
}
