import DBus
import Platform

/// The connection to the server of org.freedesktop.Notifications.
///
/// It stays open, since some servers report actions only to the connection that sent the
/// notification.
///
/// Source: Desktop Notifications Specification 1.2.
final class NotificationConnection {
  let presence: NotificationPresence
  /// The calls without a reply.
  let answers: PendingReplies
  let inhibition: ServerInhibition
  private let connection: Connection
  private let log: Log

  private static let service: BusName = "org.freedesktop.Notifications"
  private static let path: ObjectPath = "/org/freedesktop/Notifications"
  private static let interface: InterfaceName = "org.freedesktop.Notifications"

  /// - Parameter patienceMilliseconds: how long a server may not answer before that is a problem.
  init(
    on connection: Connection, patienceMilliseconds: Int, later: @escaping PendingReplies.Later,
    log: Log
  ) {
    self.connection = connection
    self.log = log
    presence = NotificationPresence(of: NotificationConnection.service, on: connection, log: log)
    inhibition = ServerInhibition(
      of: NotificationConnection.service, NotificationConnection.path,
      NotificationConnection.interface, on: connection, log: log)
    answers = PendingReplies(patienceMilliseconds: patienceMilliseconds, later: later) {
      log.warning(
        localized("the notification server does not answer; reminders are sent as D-Bus signals"))
    }
  }

  /// Subscribes to a signal of the server.
  func subscribe(
    _ member: MemberName, _ handler: @escaping (Message) -> Void
  ) throws(DBusError) -> Subscription {
    try connection.subscribe(
      MatchRule(
        sender: NotificationConnection.service, path: NotificationConnection.path,
        interface: NotificationConnection.interface, member: member),
      handler)
  }

  /// Calls a method, without a timeout.
  ///
  /// A server that hangs for a minute shows the notification afterwards, and its ID is needed to
  /// know what people do with it. If the server ends, so does the call.
  func call(
    _ member: MemberName, _ arguments: [Value],
    _ handler: @escaping (Result<[Value], DBusError>) -> Void
  ) {
    let asked = presence.owner
    let server = answers.server
    do throws(DBusError) {
      try connection.call(message(member, arguments), timeoutMilliseconds: Connection.noTimeout) {
        [weak self] result in
        guard let self else { return }
        answers.answered(by: server)
        handler(result.flatMap { read($0, asked: asked) })
      }
      answers.asked()
    } catch {
      handler(.failure(error))
    }
  }

  /// Closes a notification.
  func close(_ notification: UInt32) {
    do throws(DBusError) {
      // The server answers with an error if it is closed already.
      try connection.call(message("CloseNotification", [.uint32(notification)])) { _ in }
    } catch {
      log.warning(
        localized(
          "notification {id} could not be closed: {reason}",
          ["id": Int(notification), "reason": error.text]))
    }
  }

  private func message(_ member: MemberName, _ arguments: [Value]) throws(DBusError) -> Message {
    try .call(
      NotificationConnection.service, NotificationConnection.path, NotificationConnection.interface,
      member,
      arguments)
  }

  private func read(_ reply: Message, asked: BusName?) -> Result<[Value], DBusError> {
    guard presence.isOfPresent(reply, asked: asked) else {
      return .failure(
        DBusError(.noReply, localized("the notification server ended before it answered")))
    }
    do throws(DBusError) {
      return .success(try reply.arguments(limits: .request))
    } catch {
      return .failure(error)
    }
  }
}
