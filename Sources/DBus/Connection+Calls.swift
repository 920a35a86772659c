internal import CDBus

extension Connection {
  /// How long an answer may take unless the caller says otherwise, as libdbus has it.
  package static let defaultTimeoutMilliseconds = 25_000

  /// Calls a method and goes on; the handler gets the reply or the error later, once.
  ///
  /// The handler runs on the loop. It gets `NoReply` after the time-out, or when the callee or the bus
  /// goes away before it answers.
  ///
  /// - Returns: the call under way. It need not be kept.
  /// - Throws: as ``send(_:)``; then the handler is not called.
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
    // libdbus noticed only while it was sending.
    guard let pending else {
      throw DBusError(.disconnected, "the connection to the bus is gone")
    }
    let box = Unmanaged.passRetained(ReplyHandler(handler))
    guard dbus_pending_call_set_notify(pending, replyArrived, box.toOpaque(), releaseHandler) != 0
    else {
      box.release()
      dbus_pending_call_cancel(pending)
      dbus_pending_call_unref(pending)
      throw DBusError(.noMemory, "no memory to wait for an answer")
    }
    return PendingCall(owning: pending)
  }

  /// Calls a method and blocks for the reply. For programs that have nothing else to do; a service
  /// uses ``call(_:timeoutMilliseconds:_:)``.
  ///
  /// - Throws: the callee's error, or `NoReply` after the time-out.
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

/// A call whose answer is outstanding.
package final class PendingCall {
  private let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { dbus_pending_call_unref(pointer) }

  /// True when the handler was called.
  package var isCompleted: Bool { dbus_pending_call_get_completed(pointer) != 0 }

  /// Gives up: the handler is not called any more.
  package func cancel() { dbus_pending_call_cancel(pointer) }
}

/// Carries a closure through libdbus.
private final class ReplyHandler {
  let handle: (Result<Message, DBusError>) -> Void
  init(_ handle: @escaping (Result<Message, DBusError>) -> Void) { self.handle = handle }
}

private func replyArrived(_ pending: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  guard let pending, let data, let reply = dbus_pending_call_steal_reply(pending) else { return }
  let message = Message(owning: reply)
  let handler = Unmanaged<ReplyHandler>.fromOpaque(data).takeUnretainedValue()
  if let error = message.error {
    handler.handle(.failure(error))
  } else {
    handler.handle(.success(message))
  }
}

private func releaseHandler(_ data: UnsafeMutableRawPointer?) {
  guard let data else { return }
  Unmanaged<ReplyHandler>.fromOpaque(data).release()
}
