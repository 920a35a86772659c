import Messages

internal import CDBus

/// A connection to a message bus, private to its owner.
///
/// It does nothing on its own: attach it to a loop (``attach(to:)``, or a ``BlockingLoop``), which
/// reports ready descriptors and passed deadlines. Everything happens on that one thread. When the
/// bus drops the connection, ``onDisconnect`` is called; the process never ends.
package final class Connection {
  /// The result of requesting a name.
  package enum NameResult: Equatable, Sendable {
    /// The name is ours now.
    case owner
    /// It was ours already.
    case alreadyOwner
    /// Another connection has it; we do not wait in the queue.
    case taken
  }

  /// Called once when the connection ends, closed by the bus or by ``close()``.
  package var onDisconnect: (() -> Void)?
  /// Called once when the bus has accepted us, after ``init(opening:)``.
  package var onRegistered: (() -> Void)?
  /// Called for each incoming method call when its turn comes; false: answer `UnknownMethod`.
  package var onMethodCall: ((Message) -> Bool)?

  let pointer: OpaquePointer
  let watches = ConnectionWatches()
  var subscriptions = SubscriptionTable()
  /// The calls that wait for an answer, by serial number.
  var outstanding: [UInt32: ReplyHandler] = [:]
  /// The incoming calls that wait for their turn.
  var calls = CallQueue()
  /// Watches for the exit of clients with many waiting calls, by their names.
  var watchedClients: [BusName: Subscription] = [:]
  /// The call being handled, if its answer may be held; see ``holdAnswers(until:)``.
  var handled: Message?
  /// The answers that wait for the end of this pass; nil if none are held.
  var held: HeldAnswers?
  private var isClosed = false

  // MARK: Opening

  /// Connects to the bus of the user's session.
  ///
  /// - Throws: `NoServer`, with what to do, if there is no such bus or it does not answer.
  package static func session() throws(DBusError) -> Connection {
    try Connection(address: sessionAddress(environment))
  }

  /// Returns the address of the session bus.
  ///
  /// That is `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`, else
  /// `DBUS_STARTER_ADDRESS`. libdbus itself would then start a new bus in an X11 session, where
  /// nobody would look for us.
  ///
  /// - Parameter variable: Returns a variable of the environment; nil when it is not set.
  /// - Throws: `NoServer` if there is none of them; an error of `variable`.
  package static func sessionAddress(
    _ variable: (String) throws(DBusError) -> String?
  ) throws(DBusError) -> String {
    if let address = try variable("DBUS_SESSION_BUS_ADDRESS") { return address }
    if let folder = try variable("XDG_RUNTIME_DIR"), cdbus_readable_path(folder + "/bus") != 0 {
      return "unix:path=" + escaped(folder + "/bus")
    }
    if let address = try variable("DBUS_STARTER_ADDRESS") { return address }
    throw DBusError(
      .noServer,
      UserText(
        """
        there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set and $XDG_RUNTIME_DIR/bus does \
        not exist; log in to a session, or run the program under dbus-run-session
        """))
  }

  /// Begins to connect to the system bus, without waiting for it; see ``init(opening:)``.
  ///
  /// Its address is `DBUS_SYSTEM_BUS_ADDRESS`, else the socket that the specification names.
  ///
  /// - Throws: `NoServer` when nobody listens there.
  package static func openSystem() throws(DBusError) -> Connection {
    try Connection(
      opening: try environment("DBUS_SYSTEM_BUS_ADDRESS")
        ?? "unix:path=/run/dbus/system_bus_socket;unix:path=/var/run/dbus/system_bus_socket")
  }

  /// Connects to the bus at an address and registers with it; blocks for the answer.
  ///
  /// - Parameter address: Of several addresses, the first that answers is used.
  /// - Throws: `NoServer` with the address and libdbus's reason.
  package init(address: String) throws(DBusError) {
    let opened = try Connection.open(address)
    var reason = CError()
    guard dbus_bus_register(opened, &reason.raw) != 0 else {
      let error = reason.taken()
      dbus_connection_close(opened)
      dbus_connection_unref(opened)
      // Thrown before `pointer` is set, so that deinit does not close it again.
      throw DBusError(
        .noServer,
        UserText(
          "the bus at {address} refuses the connection: {reason}",
          ["address": address, "reason": error.text]))
    }
    pointer = opened
    prepare()
  }

  /// Opens the socket of the bus at an address and says hello, without waiting for the answer.
  ///
  /// So a bus that accepts connections and does not answer blocks nobody. Signals can be subscribed
  /// to and methods called at once. If the bus refuses us, or does not answer within the time-out
  /// of a call, the connection ends and calls ``onDisconnect``, with ``isRegistered`` still false.
  ///
  /// - Throws: `NoServer` with the address and libdbus's reason when nobody listens there.
  package init(opening address: String) throws(DBusError) {
    pointer = try Connection.open(address)
    prepare()
    try call(.call(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")) {
      [weak self] result in
      guard let self else { return }
      guard let name = (try? result.get().arguments(limits: .request))?.first?.asString,
        dbus_bus_set_unique_name(pointer, name) != 0
      else { return close() }
      let notify = onRegistered
      onRegistered = nil
      notify?()
    }
  }

  private static func open(_ address: String) throws(DBusError) -> OpaquePointer {
    guard !address.utf8.contains(0) else {
      throw DBusError(.noServer, UserText("the bus address contains a NUL"))
    }
    var reason = CError()
    guard let opened = dbus_connection_open_private(address, &reason.raw) else {
      throw DBusError(
        .noServer,
        UserText(
          "cannot connect to the bus at {address}: {reason}",
          ["address": address, "reason": reason.taken().message]))
    }
    dbus_connection_set_exit_on_disconnect(opened, 0)
    return opened
  }

  private func prepare() {
    // An overload of calls stays in the bus's queue, at its sender's cost: libdbus pauses reading
    // while the messages that it and we hold, waiting calls included, exceed this. One message may
    // be longer; see MessageReader for the reason.
    dbus_connection_set_max_received_size(pointer, 32 << 20)
    installFilter()
  }

  deinit {
    dbus_connection_remove_filter(
      pointer, connectionFilter, Unmanaged.passUnretained(self).toOpaque())
    detach()
    if !isClosed { dbus_connection_close(pointer) }
    dbus_connection_unref(pointer)
  }

  /// Sends what is queued and closes the connection.
  ///
  /// Pending calls get an error, and then ``onDisconnect`` is called, both in the loop's next pass.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    // A bus that has not accepted us reads nothing, and flushing would block.
    if isRegistered { dbus_connection_flush(pointer) }
    dbus_connection_close(pointer)
    watches.loop?.setNeedsDispatch()
  }

  // MARK: State

  /// False once libdbus has noticed that the bus is gone.
  package var isConnected: Bool { dbus_connection_get_is_connected(pointer) != 0 }

  /// Whether the bus has accepted us, even if it is gone by now.
  package var isRegistered: Bool { dbus_bus_get_unique_name(pointer) != nil }

  /// The name that the bus gave this connection, such as `:1.42`; `:0.0` before it has answered.
  package var uniqueName: BusName {
    dbus_bus_get_unique_name(pointer).map { BusName(unchecked: String(cString: $0)) } ?? ":0.0"
  }

  /// The octets that wait to be sent; who emits much checks it and waits.
  package var outgoingOctets: Int { Int(dbus_connection_get_outgoing_size(pointer)) }

  /// Blocks until all that is queued is sent.
  package func flush() { dbus_connection_flush(pointer) }

  // MARK: Names

  /// Requests a name, without waiting in its queue; blocks for the answer.
  ///
  /// - Parameter replacing: Whether to take the name from an owner who allows it, and to allow the
  ///   same to others; otherwise nobody can take it from us.
  /// - Throws: The bus's error, such as `AccessDenied` by its policy; `InvalidArgs` for a unique
  ///   name.
  package func requestName(
    _ name: BusName, replacing: Bool = false
  ) throws(DBusError) -> NameResult {
    try requireWellKnown(name)
    var reason = CError()
    // 4 is DBUS_NAME_FLAG_DO_NOT_QUEUE, 1 and 2 ALLOW_REPLACEMENT and REPLACE_EXISTING; the answers
    // are the macros DBUS_REQUEST_NAME_REPLY_….
    switch dbus_bus_request_name(pointer, name.text, replacing ? 7 : 4, &reason.raw) {
    case 1: return .owner
    case 3: return .taken
    case 4: return .alreadyOwner
    default: throw reason.taken()
    }
  }

  /// Releases a name; blocks for the answer. Nothing happens if it was not ours.
  ///
  /// - Throws: The bus's error; `InvalidArgs` for a unique name.
  package func releaseName(_ name: BusName) throws(DBusError) {
    try requireWellKnown(name)
    var reason = CError()
    if dbus_bus_release_name(pointer, name.text, &reason.raw) < 0 { throw reason.taken() }
  }

  private func requireWellKnown(_ name: BusName) throws(DBusError) {
    if name.isUnique || name == .bus {
      throw DBusError(.invalidArgs, "\(name) is not a bus name that can be owned")
    }
  }

  // MARK: Sending

  /// Queues a message: a signal, an answer, or a call that wants no reply.
  ///
  /// While answers are held, it is held with them; see ``holdAnswers(until:)``.
  ///
  /// - Throws: `Disconnected`; `NotSupported` if the transport cannot carry a descriptor in it;
  ///   `NoMemory`.
  package func send(_ message: Message) throws(DBusError) {
    try requireSendable(message)
    if held != nil {
      held?.messages.append(message)
      held?.octets += message.octets
      return
    }
    try sendNow(message)
  }

  /// Queues a message even while answers are held.
  func sendNow(_ message: Message) throws(DBusError) {
    guard dbus_connection_send(pointer, message.pointer, nil) != 0 else {
      throw DBusError(.noMemory, "no memory to send a message")
    }
  }

  /// Emits a signal.
  ///
  /// - Parameter destination: The only connection that gets it; nil for all that listen.
  /// - Throws: See ``send(_:)``, and ``MessageWriter`` for the arguments.
  package func emit(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
    to destination: BusName? = nil
  ) throws(DBusError) {
    let message = try Message.signal(path, interface, member, arguments)
    if let destination { try message.setDestination(destination) }
    try send(message)
  }

  func requireSendable(_ message: Message) throws(DBusError) {
    guard isConnected else {
      throw DBusError(.disconnected, UserText("the connection to the bus is closed"))
    }
    if message.signature.text.utf8.contains(TypeCode.fileDescriptor.rawValue),
      dbus_connection_can_send_type(pointer, Int32(TypeCode.fileDescriptor.rawValue)) == 0
    {
      throw DBusError(.notSupported, "this connection cannot carry file descriptors")
    }
  }

  // MARK: Receiving

  private func installFilter() {
    guard
      dbus_connection_add_filter(
        pointer, connectionFilter, Unmanaged.passUnretained(self).toOpaque(), nil) != 0
    else { preconditionFailure("no memory for a connection's filter") }
  }

  /// Handles one message; returns true if libdbus need not handle it.
  fileprivate func receive(_ message: Message) -> Bool {
    switch message.kind {
    case .methodCall:
      // Nothing is served here: libdbus answers with an error.
      guard onMethodCall != nil else { return false }
      enqueue(message)
      return true
    case .signal:
      // libdbus makes up this signal when the connection ends.
      if message.interface == "org.freedesktop.DBus.Local" && message.member == "Disconnected" {
        isClosed = true
        failOutstandingCalls()
        let notify = onDisconnect
        onDisconnect = nil
        notify?()
      }
      deliver(message)
      return false
    default:
      return false
    }
  }

  private static func environment(_ name: String) throws(DBusError) -> String? {
    guard let value = cdbus_environment(name), value.pointee != 0 else { return nil }
    guard let text = String(validatingCString: value) else {
      throw DBusError(
        .noServer,
        UserText(
          "cannot find the bus: {variable} is not valid UTF-8; set it to a path or address in UTF-8",
          ["variable": name]))
    }
    return text
  }

  /// Returns a path escaped for a bus address.
  ///
  /// Source: D-Bus Specification, "Server Addresses".
  private static func escaped(_ path: String) -> String {
    guard let copy = dbus_address_escape_value(path) else { return path }
    defer { dbus_free(copy) }
    return String(cString: copy)
  }
}

/// Called by libdbus for each message, before its own handlers.
private func connectionFilter(
  _ connection: OpaquePointer?, _ message: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) -> DBusHandlerResult {
  guard let message, let data else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
  let owner = Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue()
  return owner.receive(Message(retaining: message))
    ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
}

/// libdbus's own error; freed when released.
struct CError: ~Copyable {
  var raw = CDBus.DBusError()

  init() { dbus_error_init(&raw) }

  deinit {
    var copy = raw
    dbus_error_free(&copy)
  }

  /// Returns the error as a ``DBusError``.
  func taken() -> DBusError {
    guard let name = raw.name else { return DBusError(.failed, "libdbus gave no reason") }
    return DBusError(
      ErrorName(unchecked: String(cString: name)),
      raw.message.map { String(cString: $0) } ?? "no message")
  }
}
