import CalendarBus
import DBus
import Platform

/// Hears from logind when the user unlocks a session of theirs.
///
/// The system bus is asked for when somebody first waits for that, and not before: an agent
/// that nobody asks has one connection. Two signals mean it: Unlock, which `loginctl` and
/// display managers send, and a LockedHint that becomes false, which is all that the lockers of
/// wlroots compositors set. Both may come; whoever waits is woken once.
///
/// Source: org.freedesktop.login1(5).
final class SessionLock {
  /// The user is back: a session was unlocked, or nobody can say any more when one will be.
  var onUnlocked: (() -> Void)?

  /// Of the sessions of this user.
  enum State: Equatable {
    case locked, unlocked
  }

  /// Why nobody can say when a session is unlocked.
  struct Unavailable: Error, CustomStringConvertible {
    let description: String
  }

  typealias Answer = (Result<State, Unavailable>) -> Void

  private let loop: EventLoop
  private let log: Log
  private let connect: () throws(DBusError) -> Connection
  private var connection: Connection?
  private var subscriptions: [Subscription] = []
  /// The number of our user; nil until the bus has said it.
  private var user: Int64?

  private static let service: BusName = "org.freedesktop.login1"
  private static let manager: InterfaceName = "org.freedesktop.login1.Manager"
  private static let session: InterfaceName = "org.freedesktop.login1.Session"
  private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
  /// logind answers at once; one that does not must not keep a caller waiting for long.
  private static let patienceMilliseconds = 5000

  /// - Parameter connect: connects to the system bus.
  init(loop: EventLoop, log: Log, connect: @escaping () throws(DBusError) -> Connection) {
    self.loop = loop
    self.log = log
    self.connect = connect
  }

  /// Listens from now on, and answers whether the user's sessions are locked now; that one is
  /// unlocked after the answer is told by ``onUnlocked``.
  ///
  /// A session with a seat counts before those without one, which come over the network. Where
  /// logind has none of this user the answer is a failure, since none could be unlocked.
  func listen(_ answer: @escaping Answer) {
    do throws(DBusError) {
      let connection = try opened()
      // Our own number, as the bus sees it.
      let question = try Message.call(
        .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixUser",
        [.string(connection.uniqueName.text)])
      try ask(question, of: connection) { [weak self] result in
        switch result {
        case .success(let values):
          self?.user = values.first?.asInteger
          self?.listSessions(on: connection, answer)
        case .failure(let error): answer(.failure(Unavailable(error)))
        }
      }
    } catch {
      answer(.failure(Unavailable(error)))
    }
  }

  private func opened() throws(DBusError) -> Connection {
    if let connection, connection.isConnected { return connection }
    let opened = try connect()
    LoopAttachment.attach(opened, to: loop)
    opened.onDisconnect = { [weak self] in
      guard let self else { return }
      log.warning("the system bus is gone: what waits for an unlocked session comes back now")
      close()
      onUnlocked?()
    }
    subscriptions = [
      try opened.subscribe(
        MatchRule(sender: Self.service, interface: Self.session, member: "Unlock")
      ) { [weak self] in self?.heard(from: $0.path) },
      try opened.subscribe(
        MatchRule(
          sender: Self.service, interface: Self.properties, member: "PropertiesChanged",
          firstArgument: Self.session.text)
      ) { [weak self] message in
        guard let changed = try? message.arguments(limits: .request), changed.count > 1,
          changed[1]["LockedHint"] == .boolean(false)
        else { return }
        self?.heard(from: message.path)
      },
    ]
    connection = opened
    return opened
  }

  /// Stops to listen.
  func close() {
    subscriptions = []
    connection?.onDisconnect = nil
    connection?.close()
    connection = nil
  }

  // MARK: Sessions

  private func listSessions(on connection: Connection, _ answer: @escaping Answer) {
    do throws(DBusError) {
      let question = try Message.call(
        Self.service, "/org/freedesktop/login1", Self.manager, "ListSessions")
      try ask(question, of: connection) { [weak self] result in
        switch result {
        case .success(let values): self?.listed(values.first?.asArray ?? [], connection, answer)
        case .failure(let error): answer(.failure(Unavailable(error)))
        }
      }
    } catch {
      answer(.failure(Unavailable(error)))
    }
  }

  private func listed(_ rows: [Value], _ connection: Connection, _ answer: @escaping Answer) {
    let own = rows.compactMap(Session.init).filter { $0.user == user }
    let seated = own.filter { !$0.seat.isEmpty }
    guard !own.isEmpty else {
      return answer(.failure(Unavailable(description: "logind knows no session of yours")))
    }
    askHints(of: (seated.isEmpty ? own : seated).map(\.path)[...], connection, answer)
  }

  /// Unlocked as soon as one session is: the person is there.
  private func askHints(
    of sessions: ArraySlice<ObjectPath>, _ connection: Connection, _ answer: @escaping Answer
  ) {
    guard let path = sessions.first else { return answer(.success(.locked)) }
    get("LockedHint", of: path, on: connection) { [weak self] hint in
      // A logind without that property (before version 230) cannot say that it is locked.
      guard hint == .boolean(true) else { return answer(.success(.unlocked)) }
      self?.askHints(of: sessions.dropFirst(), connection, answer)
    }
  }

  /// A session was unlocked; it may be that of somebody else.
  private func heard(from path: ObjectPath?) {
    guard let path, let connection else { return }
    get("User", of: path, on: connection) { [weak self] owner in
      guard let self, case .structure(let fields)? = owner,
        fields.first?.asInteger == user
      else { return }
      onUnlocked?()
    }
  }

  // MARK: Calls

  private func get(
    _ property: String, of path: ObjectPath, on connection: Connection,
    _ handler: @escaping (Value?) -> Void
  ) {
    do throws(DBusError) {
      let question = try Message.call(
        Self.service, path, Self.properties, "Get",
        [.string(Self.session.text), .string(property)])
      try ask(question, of: connection) { handler((try? $0.get())?.first?.unwrapped) }
    } catch {
      handler(nil)
    }
  }

  private func ask(
    _ question: Message, of connection: Connection,
    _ handler: @escaping (Result<[Value], DBusError>) -> Void
  ) throws(DBusError) {
    try connection.call(question, timeoutMilliseconds: Self.patienceMilliseconds) { result in
      handler(
        result.flatMap { reply in
          do throws(DBusError) {
            return .success(try reply.arguments(limits: .request))
          } catch {
            return .failure(error)
          }
        })
    }
  }
}

/// A row of ListSessions, `(susso)`.
private struct Session {
  let user: Int64
  /// "" for one that came over the network.
  let seat: String
  let path: ObjectPath

  /// nil for a row of another shape.
  init?(_ row: Value) {
    guard case .structure(let fields) = row, fields.count == 5, let user = fields[1].asInteger,
      let seat = fields[3].asString, case .objectPath(let path) = fields[4]
    else { return nil }
    (self.user, self.seat, self.path) = (user, seat, path)
  }
}

extension SessionLock.Unavailable {
  fileprivate init(_ error: DBusError) {
    description = "logind cannot be asked: \(error.message)"
  }
}
