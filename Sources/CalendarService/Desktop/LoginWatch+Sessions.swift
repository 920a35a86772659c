import CalendarBus
import DBus
import Messages
import Platform

/// Whether the sessions of the user are locked, and when one is unlocked.
///
/// Two signals mean that one is unlocked: Unlock, which `loginctl` and display managers send, and
/// a LockedHint that becomes false, which is all that lockers of wlroots compositors set.
///
/// Source: org.freedesktop.login1(5).
extension LoginWatch {
  /// The state of this user's sessions.
  enum State: Equatable {
    case locked, unlocked
  }

  /// Why it cannot be known when a session is unlocked.
  struct Unavailable: UserError {
    let text: UserText
  }

  typealias Answer = (Result<State, Unavailable>) -> Void

  private static let session: InterfaceName = "org.freedesktop.login1.Session"
  private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
  /// How long to wait for logind, which usually answers at once.
  private static let patienceMilliseconds = 5000

  /// Subscribes to unlocked sessions, and answers whether the user's sessions are locked now.
  ///
  /// ``onUnlocked`` reports a later unlock if ``isUnlockAwaited`` is true after the answer.
  /// Sessions without a seat, over the network, count only if there are no others. Without a
  /// session of this user the answer is a failure, since none could be unlocked.
  func whenListening(_ answer: @escaping Answer) {
    questions += 1
    let finish: Answer = { [weak self] result in
      answer(result)
      self?.questions -= 1
      self?.restUnlessAwaited()
    }
    do throws(DBusError) {
      let connection = try opened()
      try listen(on: connection)
      try ask(.call(Self.service, Self.managerPath, Self.manager, "ListSessions"), of: connection) {
        [weak self] result in
        switch result {
        case .success(let values):
          self?.findOwn(values.first?.asArray ?? [], connection, finish)
        case .failure(let error): finish(.failure(Unavailable(error)))
        }
      }
    } catch {
      finish(.failure(Unavailable(error)))
    }
  }

  private func listen(on connection: Connection) throws(DBusError) {
    guard sessionSignals.isEmpty else { return }
    sessionSignals = [
      try connection.subscribe(
        MatchRule(sender: Self.service, interface: Self.session, member: "Unlock")
      ) { [weak self] in self?.heard(from: $0.path) },
      try connection.subscribe(
        MatchRule(
          sender: Self.service, interface: Self.properties, member: "PropertiesChanged",
          firstArgument: Self.session.text)
      ) { [weak self] message in
        guard let self, !restUnlessAwaited() else { return }
        guard let changed = try? message.arguments(limits: .request), changed.count > 1,
          changed[1]["LockedHint"] == .boolean(false)
        else { return }
        heard(from: message.path)
      },
    ]
  }

  /// Unsubscribes if no reminder waits: an idle agent should not wake up for changed sessions.
  ///
  /// - Returns: whether it unsubscribed.
  @discardableResult
  private func restUnlessAwaited() -> Bool {
    guard questions == 0, !isUnlockAwaited() else { return false }
    sessionSignals = []
    return true
  }

  // MARK: Sessions

  private func findOwn(
    _ rows: [Value], _ connection: Connection, _ answer: @escaping Answer
  ) {
    do throws(DBusError) {
      // Our user ID, as the bus sees it; logind's answer implies that we have a unique name.
      let question = try Message.call(
        .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixUser",
        [.string(connection.uniqueName.text)])
      try ask(question, of: connection) { [weak self] result in
        switch result {
        case .success(let values):
          self?.user = values.first?.asInteger
          self?.listed(rows, connection, answer)
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
      return answer(.failure(Unavailable(text: UserText("logind has no session of yours"))))
    }
    askHints(of: (seated.isEmpty ? own : seated).map(\.path)[...], connection, answer)
  }

  /// Answers "unlocked" as soon as one session is: the user is there.
  private func askHints(
    of sessions: ArraySlice<ObjectPath>, _ connection: Connection, _ answer: @escaping Answer
  ) {
    guard let path = sessions.first else { return answer(.success(.locked)) }
    get("LockedHint", of: path, on: connection) { [weak self] hint in
      // A logind without that property (before version 230) counts as unlocked.
      guard hint == .boolean(true) else { return answer(.success(.unlocked)) }
      self?.askHints(of: sessions.dropFirst(), connection, answer)
    }
  }

  /// Handles an unlocked session, which may be another user's.
  private func heard(from path: ObjectPath?) {
    guard let path, let connection, !restUnlessAwaited() else { return }
    get("User", of: path, on: connection) { [weak self] owner in
      guard let self, case .structure(let fields)? = owner,
        fields.first?.asInteger == user
      else { return }
      onUnlocked?()
      restUnlessAwaited()
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
  /// "" for a session over the network.
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

extension LoginWatch.Unavailable {
  fileprivate init(_ error: DBusError) {
    text = UserText("logind does not answer: {reason}", ["reason": error.text])
  }
}
