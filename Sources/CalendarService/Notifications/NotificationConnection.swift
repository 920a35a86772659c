import DBus

/// The line to org.freedesktop.Notifications.
///
/// Everything goes over one connection that stays open, since some servers tell of actions only the
/// connection that sent the notification.
///
/// Source: Desktop Notifications Specification 1.2.
final class NotificationConnection {
  let presence: NotificationPresence
  /// Those of what it is to show.
  let answers: PendingReplies
  let inhibition: ServerInhibition
  private let connection: Connection
  private let log: Log

  private static let service: BusName = "org.freedesktop.Notifications"
  private static let path: ObjectPath = "/org/freedesktop/Notifications"
  private static let interface: InterfaceName = "org.freedesktop.Notifications"

  /// - Parameter patienceMilliseconds: After how long a server that does not answer is a problem. The wait goes on.
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
      log.warning("the notification server does not answer; ReminderDue is emitted all the same")
    }
  }

  /// Hears one of its signals.
  func subscribe(
    _ member: MemberName, _ handler: @escaping (Message) -> Void
  ) throws(DBusError) -> Subscription {
    try connection.subscribe(
      MatchRule(
        sender: NotificationConnection.service, path: NotificationConnection.path,
        interface: NotificationConnection.interface, member: member),
      handler)
  }

  /// Asks for something that there is an answer to, and waits for it without an end: a server that stands still for
  /// a minute shows what it was asked for when it goes on, and its number must be known then, or nobody hears what
  /// people do with it. One that goes away ends the call.
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

  /// Takes a notification away.
  func close(_ notification: UInt32) {
    do throws(DBusError) {
      // It may be closed already, and then the server says so with an error.
      try connection.call(message("CloseNotification", [.uint32(notification)])) { _ in }
    } catch {
      log.warning("notification \(notification) could not be taken away: \(error)")
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
      return .failure(DBusError(.noReply, "the server that was asked has gone"))
    }
    do throws(DBusError) {
      return .success(try reply.arguments(limits: .request))
    } catch {
      return .failure(error)
    }
  }
}
