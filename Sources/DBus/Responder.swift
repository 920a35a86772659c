/// Sends the one reply that a method call must get.
///
/// The first of ``succeed(_:)`` and ``fail(_:)`` counts. If neither is called before the last
/// reference is released, the caller gets an error rather than a time-out. A caller that wants no
/// reply gets none.
package final class Responder {
  /// The unique name of the caller.
  package let sender: BusName?

  private let call: Message
  private let what: String
  private let expected: Signature
  private weak var connection: Connection?
  private var isAnswered = false

  init(_ call: Message, _ what: String, returning expected: Signature, over connection: Connection)
  {
    self.call = call
    self.what = what
    self.expected = expected
    self.connection = connection
    sender = call.sender
  }

  deinit {
    if !isAnswered {
      fail(DBusError(.failed, "\(what) was dropped without a reply; please report this"))
    }
  }

  /// Replies with values; replies with an error if they do not fit the table or a message.
  package func succeed(_ values: [Value]) {
    succeed(values.map(\.signature.text).joined()) { () throws(DBusError) in
      try Message.reply(to: call, values)
    }
  }

  /// Replies with rows and the values after them, in the same way.
  package func succeed(_ rows: EncodedRows, _ rest: [Value]) {
    succeed(EncodedRows.signature.text + rest.map(\.signature.text).joined()) {
      () throws(DBusError) in
      try Message.reply(to: call, rows, rest)
    }
  }

  private func succeed(_ given: String, _ reply: () throws(DBusError) -> Message) {
    guard !isAnswered else { return }
    guard given == expected.text else {
      fail(
        DBusError(
          .failed,
          "\(what) replies with \u{201C}\(given)\u{201D} instead of \u{201C}\(expected)\u{201D}; "
            + "please report this"))
      return
    }
    do throws(DBusError) {
      try answer(reply())
    } catch {
      fail(error)
    }
  }

  /// Replies with an error.
  package func fail(_ error: DBusError) {
    guard !isAnswered else { return }
    // If the error cannot be sent, memory is out, or the bus is gone.
    if let message = try? Message.error(error, to: call) { try? answer(message) }
    isAnswered = true
  }

  private func answer(_ message: Message) throws(DBusError) {
    if call.expectsReply, let connection, connection.isConnected { try connection.send(message) }
    isAnswered = true
  }
}
