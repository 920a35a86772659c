import Messages

internal import CDBus

extension Connection {
  /// The time-out of a call unless the caller chooses another; the same as libdbus uses.
  package static let defaultTimeoutMilliseconds = 25_000

  /// The time-out of a call that waits as long as the callee is on the bus.
  package static let noTimeout = Int(Int32.max)

  /// Calls a method without blocking; the handler gets the reply or the error later, once.
  ///
  /// The handler runs on the loop. It gets `NoReply` after the time-out, or when the callee or the
  /// bus goes away before it answers.
  ///
  /// - Returns: The pending call, which need not be kept.
  /// - Throws: See ``send(_:)``; the handler is not called then.
  @discardableResult
  package func call(
    _ message: Message, timeoutMilliseconds: Int = Connection.defaultTimeoutMilliseconds,
    _ handler: @escaping (Result<Message, DBusError>) -> Void
  ) throws(DBusError) -> PendingCall {
    try requireSendable(message)
    var pending: OpaquePointer?
    guard
      dbus_connection_send_with_reply(
        pointer, message.pointer, &pending, Int32(clamping: timeoutMilliseconds)) != 0
    else { throw DBusError(.noMemory, "no memory to send a message") }
    // libdbus returns no pending call if the connection ended while it was sending.
    guard let pending else {
      throw DBusError(.disconnected, UserText("the connection to the bus is closed"))
    }
    let reply = ReplyHandler(message.serial, handler, self)
    let box = Unmanaged.passRetained(reply)
    guard dbus_pending_call_set_notify(pending, replyArrived, box.toOpaque(), releaseHandler) != 0
    else {
      box.release()
      dbus_pending_call_cancel(pending)
      dbus_pending_call_unref(pending)
      throw DBusError(.noMemory, "no memory to wait for a reply")
    }
    outstanding[message.serial] = reply
    return PendingCall(owning: pending, reply)
  }

  /// Fails all calls that have no answer yet, which libdbus does not do when the connection ends.
  func failOutstandingCalls() {
    for (_, reply) in outstanding.sorted(by: { $0.key < $1.key }) {
      reply.finish(
        .failure(
          DBusError(
            .noReply, UserText("the connection to the bus was closed before the reply came"))))
    }
  }

  /// Calls a method and blocks until the reply comes.
  ///
  /// For programs that have nothing else to do; a service uses ``call(_:timeoutMilliseconds:_:)``.
  ///
  /// - Throws: The callee's error; `NoReply` after the time-out; see also ``send(_:)``.
  package func callAndWait(
    _ message: Message, timeoutMilliseconds: Int = Connection.defaultTimeoutMilliseconds
  ) throws(DBusError) -> Message {
    try requireSendable(message)
    var reason = CError()
    guard
      let reply = dbus_connection_send_with_reply_and_block(
        pointer, message.pointer, Int32(clamping: timeoutMilliseconds), &reason.raw)
    else { throw reason.taken() }
    return Message(owning: reply)
  }
}

/// A call that waits for its answer.
package final class PendingCall {
  private let pointer: OpaquePointer
  private let reply: ReplyHandler

  init(owning pointer: OpaquePointer, _ reply: ReplyHandler) {
    self.pointer = pointer
    self.reply = reply
  }

  deinit { dbus_pending_call_unref(pointer) }

  /// Stops waiting; the handler is not called any more.
  package func cancel() {
    reply.finish(nil)
    dbus_pending_call_cancel(pointer)
  }
}

/// Carries a closure through libdbus and makes sure that it is called at most once.
final class ReplyHandler {
  private let serial: UInt32
  private var handle: ((Result<Message, DBusError>) -> Void)?
  private weak var connection: Connection?

  init(
    _ serial: UInt32, _ handle: @escaping (Result<Message, DBusError>) -> Void,
    _ connection: Connection
  ) {
    self.serial = serial
    self.handle = handle
    self.connection = connection
  }

  /// Calls the handler with the answer; nil drops the handler.
  func finish(_ result: Result<Message, DBusError>?) {
    let handle = handle
    self.handle = nil
    connection?.outstanding[serial] = nil
    if let result { handle?(result) }
  }
}

private func replyArrived(_ pending: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  guard let pending, let data, let reply = dbus_pending_call_steal_reply(pending) else { return }
  let message = Message(owning: reply)
  let handler = Unmanaged<ReplyHandler>.fromOpaque(data).takeUnretainedValue()
  handler.finish(message.error.map { .failure($0) } ?? .success(message))
}

private func releaseHandler(_ data: UnsafeMutableRawPointer?) {
  guard let data else { return }
  Unmanaged<ReplyHandler>.fromOpaque(data).release()
}
