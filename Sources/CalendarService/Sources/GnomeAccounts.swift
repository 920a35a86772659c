import CalendarBus
import DBus
import Platform

/// An account of GNOME Online Accounts that has calendars.
struct GnomeAccount: Equatable {
  let path: ObjectPath
  let id: String
  /// Such as "Google" or "Nextcloud".
  let provider: String
  /// Such as "ana@example.org".
  let user: String
  let url: String
  /// Whether the user has to sign in again, in the settings of the desktop.
  let needsAttention: Bool
  /// Whether it gives tokens rather than a password.
  let hasTokens: Bool
}

/// The accounts that the user has in the settings of GNOME.
///
/// Source: the interfaces org.gnome.OnlineAccounts.*, as gnome-online-accounts 3.46 has them.
final class GnomeAccounts {
  private let connection: Connection
  private var subscription: Subscription?
  /// Called when an account has changed, since somebody has asked for one.
  var onChange: () -> Void = {}

  private static let service: BusName = "org.gnome.OnlineAccounts"
  private static let root: ObjectPath = "/org/gnome/OnlineAccounts"
  private static let base = "org.gnome.OnlineAccounts."
  private static let objects: InterfaceName = "org.freedesktop.DBus.ObjectManager"
  private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"

  init(connection: Connection) { self.connection = connection }

  /// Lists those with calendars.
  func list(
    _ completion: @escaping (Result<[GnomeAccount], SecretFinder.Failure>) -> Void
  ) {
    call(GnomeAccounts.root, GnomeAccounts.objects, "GetManagedObjects") { result in
      switch result {
      case .failure(let error): completion(.failure(GnomeAccounts.failure(error)))
      case .success(let values):
        guard case .dictionary(_, _, let entries)? = values.first else {
          return completion(.success([]))
        }
        completion(.success(entries.compactMap(GnomeAccounts.account)))
      }
    }
  }

  /// Finds the password or token of an account.
  func secret(
    of id: String, _ completion: @escaping (Result<SourceSecret, SecretFinder.Failure>) -> Void
  ) {
    follow()
    list { [weak self] result in
      switch result {
      case .failure(let failure): completion(.failure(failure))
      case .success(let accounts):
        guard let account = accounts.first(where: { $0.id == id }) else {
          return completion(
            .failure(
              .missing(
                reason: localized(
                  "the account is not in GNOME Online Accounts any more, or has no calendars"))))
        }
        guard !account.needsAttention else {
          return completion(.failure(GnomeAccounts.needsSignIn(account.provider)))
        }
        self?.secret(of: account, completion)
      }
    }
  }

  private func secret(
    of account: GnomeAccount,
    _ completion: @escaping (Result<SourceSecret, SecretFinder.Failure>) -> Void
  ) {
    let (interface, member, arguments): (String, MemberName, [Value]) =
      account.hasTokens
      ? ("OAuth2Based", "GetAccessToken", [])
      // The ID matters only where there are several passwords, as of mail.
      : ("PasswordBased", "GetPassword", [.string("")])
    guard let interface = try? InterfaceName(GnomeAccounts.base + interface) else { return }
    call(account.path, interface, member, arguments) { result in
      switch result {
      case .success(let values):
        guard let text = values.first?.asString, !text.isEmpty else {
          return completion(.failure(GnomeAccounts.needsSignIn(account.provider)))
        }
        completion(.success(SourceSecret(text: text, isToken: account.hasTokens)))
      case .failure(let error) where error.name.text == GnomeAccounts.base + "Error.NotAuthorized":
        completion(.failure(GnomeAccounts.needsSignIn(account.provider)))
      case .failure(let error): completion(.failure(GnomeAccounts.failure(error)))
      }
    }
  }

  private static func account(_ entry: Value.DictionaryEntry) -> GnomeAccount? {
    guard case .objectPath(let path) = entry.key, let account = entry.value[base + "Account"],
      let calendar = entry.value[base + "Calendar"], let id = account["Id"]?.asString,
      let url = calendar["Uri"]?.asString, !url.isEmpty,
      account["CalendarDisabled"]?.asBoolean != true
    else { return nil }
    return GnomeAccount(
      path: path, id: id, provider: account["ProviderName"]?.asString ?? "",
      user: account["Identity"]?.asString ?? "", url: url,
      needsAttention: account["AttentionNeeded"]?.asBoolean ?? false,
      hasTokens: entry.value[base + "OAuth2Based"] != nil)
  }

  private static func needsSignIn(_ provider: String) -> SecretFinder.Failure {
    .missing(
      reason: localized(
        "{provider} wants you to sign in again: open Online Accounts in the settings of GNOME",
        ["provider": provider]))
  }

  /// What a failed call means: absent, or perhaps without a network.
  private static func failure(_ error: DBusError) -> SecretFinder.Failure {
    if error.name == .serviceUnknown || error.name == .nameHasNoOwner {
      return .missing(reason: localized("GNOME Online Accounts is not on this desktop"))
    }
    return .failed(reason: error.message)
  }

  /// Notices from now on that an account has changed, as after a sign-in.
  private func follow() {
    guard subscription == nil else { return }
    let rule = MatchRule(
      sender: GnomeAccounts.service, interface: GnomeAccounts.properties,
      member: "PropertiesChanged")
    subscription = try? connection.subscribe(rule) { [unowned self] _ in onChange() }
  }

  private func call(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
    _ arguments: [Value] = [], _ handler: @escaping (Result<[Value], DBusError>) -> Void
  ) {
    do throws(DBusError) {
      let message = try Message.call(GnomeAccounts.service, path, interface, member, arguments)
      try connection.call(message) { result in
        handler(
          result.flatMap { answer in
            do throws(DBusError) {
              return .success(try answer.arguments(limits: .request))
            } catch { return .failure(error) }
          })
      }
    } catch {
      handler(.failure(error))
    }
  }
}
