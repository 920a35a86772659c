import CalendarBus
import DBus
import Platform

/// The secrets of sources in the desktop's keyring.
///
/// It never asks for a keyring to be unlocked: a prompt that nobody asked for would come at login.
///
/// Source: https://specifications.freedesktop.org/secret-service/latest/
final class Keyring {
  private let connection: Connection
  /// Our session with the keyring, over which secrets go in the clear: the bus is the user's own.
  private var session: ObjectPath?

  private static let service: BusName = "org.freedesktop.secrets"
  private static let path: ObjectPath = "/org/freedesktop/secrets"
  private static let main: InterfaceName = "org.freedesktop.Secret.Service"
  private static let collection: InterfaceName = "org.freedesktop.Secret.Collection"
  private static let item: InterfaceName = "org.freedesktop.Secret.Item"
  private static let defaultPath: ObjectPath = "/org/freedesktop/secrets/aliases/default"

  init(connection: Connection) { self.connection = connection }

  /// Finds the secret of a source.
  func secret(
    of id: String, _ completion: @escaping (Result<String, SecretFinder.Failure>) -> Void
  ) {
    search(id) { [unowned self] found in
      switch found {
      case .failure(let failure): completion(.failure(failure))
      case .success((let unlocked, let locked)):
        guard let path = unlocked.first else {
          return completion(
            .failure(
              locked.isEmpty
                ? .missing(
                  reason: localized(
                    "the keyring has no password for it; use calctl sources edit {id} --password",
                    ["id": id]))
                : .locked))
        }
        withSession { [unowned self] session in
          guard let session else { return completion(.failure(.locked)) }
          call(path, Keyring.item, "GetSecret", [.objectPath(session)]) { values in
            guard case .structure(let parts)? = values?.first, parts.count > 2,
              case .array(_, let octets) = parts[2]
            else { return completion(.failure(.locked)) }
            let bytes = octets.compactMap { value in
              if case .byte(let byte) = value { byte } else { nil }
            }
            completion(.success(String(decoding: bytes, as: UTF8.self)))
          }
        }
      }
    }
  }

  /// Stores the secret of a source, replacing the former one.
  ///
  /// - Parameter completion: gets nil when it is stored.
  func store(
    _ secret: String, of id: String, label: String,
    _ completion: @escaping (SecretFinder.Failure?) -> Void
  ) {
    withSession { [unowned self] session in
      guard let session else { return completion(.locked) }
      let properties = Value.row([
        ("org.freedesktop.Secret.Item.Label", .string(label)),
        ("org.freedesktop.Secret.Item.Attributes", Keyring.attributes(id)),
      ])
      let content = Value.structure([
        .objectPath(session), .array("y", []), .array("y", secret.utf8.map(Value.byte)),
        .string("text/plain; charset=utf8"),
      ])
      call(
        Keyring.defaultPath, Keyring.collection, "CreateItem",
        [properties, content, .boolean(true)]
      ) {
        // A keyring that wants a prompt is locked.
        guard case .objectPath(let item)? = $0?.first, item.text != "/" else {
          return completion(.locked)
        }
        completion(nil)
      }
    }
  }

  /// Removes the secret of a source, if it has one.
  ///
  /// - Parameter completion: called once the keyring has answered, or cannot.
  func remove(_ id: String, _ completion: @escaping () -> Void = {}) {
    search(id) { [unowned self] found in
      guard case .success((let unlocked, let locked)) = found else { return completion() }
      let paths = unlocked + locked
      guard !paths.isEmpty else { return completion() }
      var waiting = paths.count
      for path in paths {
        call(path, Keyring.item, "Delete", []) { _ in
          waiting -= 1
          if waiting == 0 { completion() }
        }
      }
    }
  }

  /// Finds out whether a secret could be stored now.
  ///
  /// - Parameter completion: gets nil if it could.
  func check(_ completion: @escaping (SecretFinder.Failure?) -> Void) {
    call(Keyring.path, Keyring.main, "ReadAlias", [.string("default")]) { [unowned self] values in
      guard case .objectPath(let collection)? = values?.first, collection.text != "/" else {
        return completion(.locked)
      }
      call(
        collection, "org.freedesktop.DBus.Properties", "Get",
        [.string(Keyring.collection.text), .string("Locked")]
      ) { values in
        completion(values?.first?.unwrapped.asBoolean == false ? nil : .locked)
      }
    }
  }

  private static func attributes(_ id: String) -> Value {
    .dictionary(
      key: "s", value: "s",
      [("application", "datebook"), ("source", id)].map {
        Value.DictionaryEntry(key: .string($0.0), value: .string($0.1))
      })
  }

  private func search(
    _ id: String,
    _ completion:
      @escaping (
        Result<(unlocked: [ObjectPath], locked: [ObjectPath]), SecretFinder.Failure>
      ) -> Void
  ) {
    call(Keyring.path, Keyring.main, "SearchItems", [Keyring.attributes(id)]) { values in
      guard let values, values.count == 2 else { return completion(.failure(.locked)) }
      let paths = values.map { list in
        (list.asArray ?? []).compactMap { value in
          if case .objectPath(let path) = value { path } else { nil }
        }
      }
      completion(.success((paths[0], paths[1])))
    }
  }

  private func withSession(_ body: @escaping (ObjectPath?) -> Void) {
    if let session { return body(session) }
    call(Keyring.path, Keyring.main, "OpenSession", [.string("plain"), .variant(.string(""))]) {
      [unowned self] values in
      if case .objectPath(let path)? = values?.last { session = path }
      body(session)
    }
  }

  /// Calls a method; nil if it fails, or if there is no keyring.
  private func call(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value],
    _ handler: @escaping ([Value]?) -> Void
  ) {
    do throws(DBusError) {
      let message = try Message.call(Keyring.service, path, interface, member, arguments)
      try connection.call(message) { [weak self] result in
        guard case .success(let answer) = result,
          let values = try? answer.arguments(limits: .request)
        else {
          // A restarted keyring does not know our session.
          self?.session = nil
          return handler(nil)
        }
        handler(values)
      }
    } catch {
      handler(nil)
    }
  }
}
