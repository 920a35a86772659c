import CalendarBus
import DBus
import TestSupport

@testable import AgentSupport

/// GNOME Online Accounts with two accounts that have calendars, on the bus of an agent under test.
final class MockOnlineAccounts {
  var needsAttention = false
  var password = "secret"
  /// With what a call for a token is refused; nil: it is answered.
  var refusal: DBusError?
  /// Where the calendars of the account with a password are.
  private let url: String

  private let connection: Connection
  private let server: ObjectServer
  private let account: BoundInterface
  private static let root: ObjectPath = "/org/gnome/OnlineAccounts"
  private static let cloud: ObjectPath = "/org/gnome/OnlineAccounts/Accounts/account_1"
  private static let tokens: ObjectPath = "/org/gnome/OnlineAccounts/Accounts/account_2"
  private static let mail: ObjectPath = "/org/gnome/OnlineAccounts/Accounts/account_3"

  /// Comes to the agent's bus.
  init(_ agent: AgentUnderTest, url: String) throws {
    self.url = url
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: agent.loop)
    server = ObjectServer(connection)
    account = BoundInterface(
      InterfaceTable(
        "org.gnome.OnlineAccounts.Account", properties: [.init("AttentionNeeded", "b")]))
    account.get("AttentionNeeded") { [unowned self] in .boolean(needsAttention) }
    let objects = BoundInterface(
      InterfaceTable(
        "org.freedesktop.DBus.ObjectManager",
        methods: [.init("GetManagedObjects", out: [.init("objects", "a{oa{sa{sv}}}")])]))
    objects.on("GetManagedObjects") { [unowned self] _ in .reply([managed]) }
    server.register(MockOnlineAccounts.root, [objects])
    let passwords = BoundInterface(
      InterfaceTable(
        "org.gnome.OnlineAccounts.PasswordBased",
        methods: [.init("GetPassword", in: [.init("id", "s")], out: [.init("password", "s")])]))
    passwords.on("GetPassword") { [unowned self] _ in .reply([.string(password)]) }
    server.register(MockOnlineAccounts.cloud, [account, passwords])
    let tokens = BoundInterface(
      InterfaceTable(
        "org.gnome.OnlineAccounts.OAuth2Based",
        methods: [
          .init("GetAccessToken", out: [.init("access_token", "s"), .init("expires_in", "i")])
        ]))
    tokens.on("GetAccessToken") { [unowned self] _ throws(DBusError) in
      if let refusal { throw refusal }
      return .reply([.string("token"), .int32(3600)])
    }
    server.register(MockOnlineAccounts.tokens, [tokens])
    guard try connection.requestName("org.gnome.OnlineAccounts") == .owner else {
      throw TestSupportError("there are online accounts already")
    }
  }

  /// The user has signed in again, in the settings of the desktop.
  func signIn() throws {
    needsAttention = false
    try server.propertiesChanged(
      MockOnlineAccounts.cloud, account.table.name, ["AttentionNeeded"])
  }

  private var managed: Value {
    func object(
      _ path: ObjectPath, _ id: String, _ provider: String, url: String?, _ secret: String
    ) -> Value.DictionaryEntry {
      var interfaces: [(String, Value)] = [
        (
          "Account",
          .row([
            ("Id", .string(id)), ("ProviderName", .string(provider)),
            ("Identity", .string("alice")),
            ("AttentionNeeded", .boolean(needsAttention)), ("CalendarDisabled", .boolean(false)),
          ])
        ), (secret, .row([])),
      ]
      if let url {
        interfaces.append(
          ("Calendar", .row([("Uri", .string(url)), ("AcceptSslErrors", .boolean(true))])))
      }
      return Value.DictionaryEntry(
        key: .objectPath(path),
        value: .dictionary(
          key: "s", value: "a{sv}",
          interfaces.map {
            Value.DictionaryEntry(key: .string("org.gnome.OnlineAccounts." + $0.0), value: $0.1)
          }))
    }
    return .dictionary(
      key: "o", value: "a{sa{sv}}",
      [
        object(MockOnlineAccounts.cloud, "account_1", "Nextcloud", url: url, "PasswordBased"),
        object(MockOnlineAccounts.tokens, "account_2", "Google", url: url, "OAuth2Based"),
        object(MockOnlineAccounts.mail, "account_3", "IMAP", url: nil, "PasswordBased"),
      ])
  }
}
