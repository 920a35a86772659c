import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import CalendarService

/// logind as the template of python3-dbusmock plays it, on a bus that is somebody's system bus.
final class MockLogind {
  /// The user that the test runs as.
  let user: UInt32

  private let mock: Subprocess
  private let loop: EventLoop
  private let client: Connection
  private var pipes: DescriptorWatch?

  /// Whether there is something that plays logind.
  static let isInstalled =
    (try? Subprocess.run("/usr/bin/python3", ["-c", "import dbusmock"]))?.status == .exited(0)
  static let whatIsMissing: Comment = "python3-dbusmock is not installed"

  /// Returns when it answers.
  init(on bus: PrivateBus, loop: EventLoop) throws {
    self.loop = loop
    client = try Connection(address: bus.address)
    LoopAttachment.attach(client, to: loop)
    let mock = try Subprocess(
      "/usr/bin/python3", ["-m", "dbusmock", "--template", "logind"], environment: bus.environment)
    self.mock = mock
    let me = try MockLogind.send(
      .call(
        .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixUser",
        [.string(client.uniqueName.text)]), over: client, loop)
    user = UInt32(me[0].asInteger ?? 0)
    // It writes down each call and signal, and would stand still with a pipe that is full.
    pipes = try loop.watch(mock.descriptor, for: .read) { _ in mock.pump() }
    var isThere = false
    let watch = try client.watchOwner(of: LoginWatch.service) { isThere = $0 != nil }
    guard
      try loop.run(
        withinMilliseconds: AgentUnderTest.patienceMilliseconds,
        until: { isThere || mock.status != nil }), isThere
    else { throw TestSupportError("logind is not played: \(mock.outcome.errors)") }
    // The template is loaded once the name is there and a call is answered.
    try settle()
    withExtendedLifetime(watch) {}
  }

  deinit { stop() }

  func stop() {
    if let pipes { loop.cancel(pipes) }
    pipes = nil
    mock.terminate(signal: 9)
    _ = try? mock.wait()
  }

  /// Returns when what it has sent before is with the bus.
  func settle() throws {
    try call(LoginWatch.managerPath, LoginWatch.manager, "ListSessions")
  }

  func addSession(_ id: String, seat: String = "seat0", user: UInt32? = nil) throws {
    try call(
      LoginWatch.managerPath, "org.freedesktop.DBus.Mock", "AddSession",
      [
        .string(id), .string(seat), .uint32(user ?? self.user), .string("u\(user ?? self.user)"),
        .boolean(true),
      ])
  }

  /// What a locker of a wlroots compositor does.
  func hint(_ id: String, locked: Bool) throws {
    try session(id, "SetLockedHint", [.boolean(locked)])
  }

  /// What `loginctl unlock-session` does.
  func unlock(_ id: String) throws { try session(id, "Unlock", []) }

  /// Says that the machine goes to sleep, or is back.
  func prepareForSleep(_ isAsleep: Bool) throws {
    try call(
      LoginWatch.managerPath, "org.freedesktop.DBus.Mock", "EmitSignal",
      [
        .string(LoginWatch.manager.text), .string("PrepareForSleep"), .string("b"),
        .array("v", [.variant(.boolean(isAsleep))]),
      ])
  }

  private func session(_ id: String, _ member: MemberName, _ arguments: [Value]) throws {
    let path = try ObjectPath("/org/freedesktop/login1/session/" + id)
    try call(path, "org.freedesktop.login1.Session", member, arguments)
  }

  @discardableResult
  private func call(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = []
  ) throws -> [Value] {
    try MockLogind.send(
      .call(LoginWatch.service, path, interface, member, arguments), over: client, loop)
  }

  private static func send(
    _ message: Message, over client: Connection, _ loop: EventLoop
  ) throws -> [Value] {
    var result: Result<Message, DBusError>?
    try client.call(message, timeoutMilliseconds: AgentUnderTest.patienceMilliseconds) {
      result = $0
    }
    guard
      try loop.run(
        withinMilliseconds: AgentUnderTest.patienceMilliseconds, until: { result != nil }),
      let result
    else { throw TestSupportError("logind does not answer") }
    return try result.get().arguments()
  }
}
