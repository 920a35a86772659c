import CalendarBus
import DBus
import Platform
import TestSupport

/// A notification server that writes down what it is told, on the bus and in the
/// loop of an agent under test.
///
/// Source: Desktop Notifications Specification 1.2.
final class NotificationServer {
  struct Shown: Equatable {
    let id: UInt32
    let replaces: UInt32
    let summary: String
    let body: String
    /// Keys and labels in turn.
    let actions: [String]
    let urgency: Int64
    let timeout: Int64
    /// Whether it comes without a sound.
    let isSilent: Bool
  }

  /// The icon and the hints of the last Notify.
  private(set) var icon = ""
  private(set) var hints: Value = .row([])
  /// Every Notify, in order.
  private(set) var shown: [Shown] = []
  /// What is on the screen.
  private(set) var open: Set<UInt32> = []
  /// Every CloseNotification, in order.
  private(set) var closed: [UInt32] = []
  /// How many of the next Notify are refused.
  var refusals = 0
  /// How many were, so far.
  private(set) var refusedCount = 0
  /// With what they are.
  var refusal = DBusError(.failed, "too many notifications")
  /// Notifications of these summaries are refused.
  var refused: Set<String> = []
  /// Whether the answers to Notify wait for ``answerHeld()``.
  var isSlow = false
  /// Whether those to GetCapabilities do.
  var hidesCapabilities = false
  private var held: [() -> Void] = []
  /// Whether an answer to GetCapabilities waits, or has.
  private(set) var isAskedInVain = false

  /// Whether it is not to disturb; nil: it knows no such thing.
  var isInhibited: Bool? {
    didSet {
      try? server.propertiesChanged(
        NotificationServer.path, interface.table.name, ["Inhibited"])
    }
  }

  private let connection: Connection
  private let server: ObjectServer
  private let interface: BoundInterface
  private static let path: ObjectPath = "/org/freedesktop/Notifications"
  private static let table = InterfaceTable(
    "org.freedesktop.Notifications",
    methods: [
      .init("GetCapabilities", out: [.init("capabilities", "as")]),
      .init(
        "Notify",
        in: [
          .init("app_name", "s"), .init("replaces_id", "u"), .init("app_icon", "s"),
          .init("summary", "s"), .init("body", "s"), .init("actions", "as"),
          .init("hints", "a{sv}"), .init("expire_timeout", "i"),
        ], out: [.init("id", "u")]),
      .init("CloseNotification", in: [.init("id", "u")]),
    ],
    signals: [
      .init("NotificationClosed", [.init("id", "u"), .init("reason", "u")]),
      .init("ActionInvoked", [.init("id", "u"), .init("action_key", "s")]),
      .init("ActivationToken", [.init("id", "u"), .init("activation_token", "s")]),
    ])

  /// Comes to the agent's bus.
  ///
  /// - Parameters:
  ///   - isReady: whether it has its object before it has the name; ``becomeReady()``.
  ///   - isInhibited: what it says of that; nil: it has no such property.
  init(
    _ agent: AgentUnderTest, capabilities: [String] = ["actions", "body", "body-markup"],
    isReady: Bool = true, isInhibited: Bool? = nil
  ) throws {
    self.isInhibited = isInhibited
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: agent.loop)
    server = ObjectServer(connection)
    var table = NotificationServer.table
    if isInhibited != nil { table.properties = [.init("Inhibited", "b")] }
    interface = BoundInterface(table)
    if isInhibited != nil {
      interface.get("Inhibited") { [unowned self] in .boolean(self.isInhibited ?? false) }
    }
    interface.on("GetCapabilities") { [unowned self] call in
      guard hidesCapabilities else { return .reply([.strings(capabilities)]) }
      let responder = call.responder
      held.append { responder.succeed([.strings(capabilities)]) }
      isAskedInVain = true
      return .later
    }
    interface.on("Notify") { [unowned self] call throws(DBusError) in
      if refusals > 0 || refused.contains(call.string(3)) {
        refusals = max(0, refusals - 1)
        refusedCount += 1
        throw refusal
      }
      let notification = Shown(
        id: call.uint32(1) == 0 ? UInt32(shown.count + 1) : call.uint32(1),
        replaces: call.uint32(1), summary: call.string(3),
        body: call.string(4), actions: call.strings(5),
        urgency: call.arguments[6]["urgency"]?.asInteger ?? -1,
        timeout: call.arguments[7].asInteger ?? -1,
        isSilent: call.arguments[6]["suppress-sound"]?.asBoolean ?? false)
      icon = call.string(2)
      hints = call.arguments[6]
      shown.append(notification)
      open.insert(notification.id)
      if isSlow {
        let responder = call.responder
        held.append { responder.succeed([.uint32(notification.id)]) }
        return .later
      }
      return .reply([.uint32(notification.id)])
    }
    interface.on("CloseNotification") { [unowned self] call in
      closed.append(call.uint32(0))
      close(call.uint32(0), reason: 3)
      return .reply([])
    }
    if isReady { becomeReady() }
    guard try connection.requestName("org.freedesktop.Notifications") == .owner else {
      throw TestSupportError("there is a notification server already")
    }
  }

  /// Answers calls from now on.
  func becomeReady() { server.register(NotificationServer.path, [interface]) }

  /// Answers what waits for it, and is slow no more.
  func answerHeld() {
    isSlow = false
    for answer in held { answer() }
    held = []
  }

  /// A person chooses an action; many servers close the notification then.
  func invoke(_ id: UInt32, _ action: String, closes: Bool = true) {
    emit("ActionInvoked", [.uint32(id), .string(action)])
    if closes { close(id, reason: 2) }
  }

  /// 1 expired, 2 dismissed by a person, 3 closed by CloseNotification, 4 other.
  func close(_ id: UInt32, reason: UInt32) {
    if open.remove(id) != nil { emit("NotificationClosed", [.uint32(id), .uint32(reason)]) }
  }

  /// Leaves the bus, as when it crashes; returns when the bus has seen it.
  func quit(_ agent: AgentUnderTest) throws {
    try leave(agent) { connection.close() }
  }

  /// Lets another server have the name, and goes on; returns when the bus has seen it.
  func giveUpName(_ agent: AgentUnderTest) throws {
    try leave(agent) { try connection.releaseName("org.freedesktop.Notifications") }
  }

  private func leave(_ agent: AgentUnderTest, _ leave: () throws -> Void) throws {
    var isGone = false
    let watch = try agent.client.watchOwner(of: "org.freedesktop.Notifications") {
      isGone = $0 == nil
    }
    try leave()
    try agent.wait(for: "the end of the server") { isGone }
    withExtendedLifetime(watch) {}
  }

  func emit(_ signal: MemberName, _ arguments: [Value]) {
    // A server that is gone emits nothing.
    try? server.emit(NotificationServer.path, NotificationServer.table, signal, arguments)
  }
}
