import Messages

internal import CDBus

/// A connection to a message bus, private to its owner.
///
/// It does nothing on its own: attach it to a loop (``attach(to:)``, or a ``BlockingLoop``), which
/// tells it when descriptors are ready and deadlines have passed. Everything happens on that
/// one thread. A connection that the bus drops calls ``onDisconnect``; it never ends the process.
package final class Connection {
  /// What came of asking for a name.
  package enum NameResult: Equatable, Sendable {
    /// The name is ours now.
    case owner
    /// It was ours before.
    case alreadyOwner
    /// Somebody else has it; we do not wait in the queue.
    case taken
  }

  /// Called once when the bus closed the connection, or it was closed here by ``close()``.
  package var onDisconnect: (() -> Void)?
  /// Called once when the bus has let us in, after ``init(opening:)``.
  package var onRegistered: (() -> Void)?
  /// Called for each method call that comes in, when its turn comes. A false answer makes it
  /// `UnknownMethod`.
  package var onMethodCall: ((Message) -> Bool)?

  let pointer: OpaquePointer
  let watches = ConnectionWatches()
  var subscriptions = SubscriptionTable()
  /// The calls without an answer yet, by serial number.
  var outstanding: [UInt32: ReplyHandler] = [:]
  /// The calls that have come and wait for their turn.
  var calls = CallQueue()
  /// What reports that clients leave of which many calls wait, by their names.
  var watchedClients: [BusName: Subscription] = [:]
  /// The call that is being handled, where its answer may be held; see ``holdAnswers(until:)``.
  var handled: Message?
  /// The answers that wait for the end of this pass.
  var held: HeldAnswers?
  private var isClosed = false

  // MARK: Opening

  /// Connects to the bus of the user's session.
  ///
  /// - Throws: `NoServer` with what to do when there is no such bus, or it does not answer.
  package static func session() throws(DBusError) -> Connection {
    try Connection(address: sessionAddress(environment))
  }

  /// Returns the address of the session bus: `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in
  /// `XDG_RUNTIME_DIR`, else `DBUS_STARTER_ADDRESS`.
  ///
  /// libdbus would go on and start a bus of its own in an X11 session, where nobody would ever look
  /// for us.
  ///
  /// - Parameter variable: returns a variable of the environment; nil when it is not set.
  /// - Throws: `NoServer` when none of them is there.
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

  /// Begins to connect to the system bus: `DBUS_SYSTEM_BUS_ADDRESS`, else the socket that the
  /// specification names. Does not wait for the bus; see ``init(opening:)``.
  ///
  /// - Throws: `NoServer` when nobody listens there.
  package static func openSystem() throws(DBusError) -> Connection {
    try Connection(
      opening: try environment("DBUS_SYSTEM_BUS_ADDRESS")
        ?? "unix:path=/run/dbus/system_bus_socket;unix:path=/var/run/dbus/system_bus_socket")
  }

  /// Connects to the bus at an address, or at the first of several that answers, and says hello.
  /// Blocks for the answer.
  ///
  /// - Throws: `NoServer` with the address and libdbus's reason.
  package init(address: String) throws(DBusError) {
    let opened = try Connection.open(address)
    var reason = CError()
    guard dbus_bus_register(opened, &reason.raw) != 0 else {
      let error = reason.taken()
      dbus_connection_close(opened)
      dbus_connection_unref(opened)
      // Before `pointer` is set: there is nothing that deinit would close once more.
      throw DBusError(
        .noServer,
        UserText(
          "the bus at {address} refuses the connection: {reason}",
          ["address": address, "reason": error.message]))
    }
    pointer = opened
    prepare()
  }

  /// Opens the socket of the bus at an address, and says hello without waiting for the answer: a bus
  /// that takes connections and does not answer holds nobody.
  ///
  /// Signals can be subscribed to and methods called at once; the bus gets it all after the hello. One
  /// that does not let us in, or says nothing for the time of a call, ends the connection, which calls
  /// ``onDisconnect``, with ``isRegistered`` still false.
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
    // A flood of calls stays in the bus's queue, at its sender's cost: libdbus reads on once what it
    // and we hold, the calls that wait included, is below this. One message may be longer; see
    // MessageReader on why.
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

  /// Sends what is queued and closes the connection. Calls under way get an error, and then
  /// ``onDisconnect`` is called, both on the loop's next turn.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    // A bus that has not let us in reads nothing, and would be waited for.
    if isRegistered { dbus_connection_flush(pointer) }
    dbus_connection_close(pointer)
    watches.loop?.setNeedsDispatch()
  }

  // MARK: State

  /// False from the moment on that libdbus noticed that the bus is gone.
  package var isConnected: Bool { dbus_connection_get_is_connected(pointer) != 0 }

  /// Whether the bus has let us in, be it that it is gone by now.
  package var isRegistered: Bool { dbus_bus_get_unique_name(pointer) != nil }

  /// The name that the bus gave this connection, as `:1.42`; `:0.0` before it has answered.
  package var uniqueName: BusName {
    dbus_bus_get_unique_name(pointer).map { BusName(unchecked: String(cString: $0)) } ?? ":0.0"
  }

  /// The octets that wait to be sent. Someone who emits much looks at it and waits.
  package var outgoingOctets: Int { Int(dbus_connection_get_outgoing_size(pointer)) }

  /// Blocks until all that is queued is sent.
  package func flush() { dbus_connection_flush(pointer) }

  // MARK: Names

  /// Asks the bus for a name, without waiting in line. Blocks for the answer.
  ///
  /// - Parameter replacing: whether it is taken from an owner who allows that, and whoever wants it
  ///   may take it from us; otherwise nobody can.
  /// - Throws: the bus's error, such as `AccessDenied` by its policy.
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

  /// Gives a name back. Blocks for the answer; nothing happens when it was not ours.
  ///
  /// - Throws: the bus's error.
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

  /// Queues a message: a signal, or a call without an answer. It goes out with the answers that are
  /// held, where some are; see ``holdAnswers(until:)``.
  ///
  /// - Throws: `Disconnected`; `NotSupported` for a descriptor over a transport that has none.
  package func send(_ message: Message) throws(DBusError) {
    try requireSendable(message)
    if held != nil {
      held?.messages.append(message)
      held?.octets += message.octets
      return
    }
    try sendNow(message)
  }

  /// Queues a message also while answers are held.
  func sendNow(_ message: Message) throws(DBusError) {
    guard dbus_connection_send(pointer, message.pointer, nil) != 0 else {
      throw DBusError(.noMemory, "no memory to send a message")
    }
  }

  /// Emits a signal to all that listen.
  ///
  /// - Parameter destination: whom alone it is for; nil for all.
  /// - Throws: as ``send(_:)``, and as ``MessageWriter`` for the arguments.
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

  /// Looks at one message; true when it is done with.
  fileprivate func receive(_ message: Message) -> Bool {
    switch message.kind {
    case .methodCall:
      // Nobody serves anything here: libdbus says so.
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

  /// A path as a value of an address.
  ///
  /// Source: D-Bus Specification, "Server Addresses".
  private static func escaped(_ path: String) -> String {
    guard let copy = dbus_address_escape_value(path) else { return path }
    defer { dbus_free(copy) }
    return String(cString: copy)
  }
}

/// What libdbus calls for each message, before its own handlers.
private func connectionFilter(
  _ connection: OpaquePointer?, _ message: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) -> DBusHandlerResult {
  guard let message, let data else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
  let owner = Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue()
  return owner.receive(Message(retaining: message))
    ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
}

/// libdbus's own error, until it is converted to a ``DBusError``.
struct CError: ~Copyable {
  var raw = CDBus.DBusError()

  init() { dbus_error_init(&raw) }

  deinit {
    var copy = raw
    dbus_error_free(&copy)
  }

  /// Returns the error as a value.
  func taken() -> DBusError {
    guard let name = raw.name else { return DBusError(.failed, "libdbus gave no reason") }
    return DBusError(
      ErrorName(unchecked: String(cString: name)),
      raw.message.map { String(cString: $0) } ?? "no message")
  }
}
