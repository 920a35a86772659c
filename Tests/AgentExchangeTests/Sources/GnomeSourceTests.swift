import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Accounts of GNOME` {
  private static let kind = CalendarServer.Kind.available.first { $0.isRadicale }
  private let agent: AgentUnderTest

  init() throws { agent = try AgentUnderTest() }

  private func add(_ account: String, url: String) throws {
    _ = try agent.call(
      Contract.sync, "Add",
      [
        .string("caldav"), .string(url),
        .row([
          ("name", .string("Cloud")), ("user", .string("alice")),
          ("gnome-account", .string(account)),
        ]),
      ])
  }

  /// Synchronises, and returns why that failed; nil if it did not.
  private func sync() -> String? {
    do {
      _ = try agent.call(Contract.sync, "SyncNow", [.string("cloud")])
      return nil
    } catch {
      return "\(error)"
    }
  }

  private var state: String? {
    get throws {
      try agent.call(Contract.sync, "List")[0].asArray?.first?["state"]?.asString
    }
  }

  @Test func `those with calendars are listed`() throws {
    let accounts = try MockOnlineAccounts(agent, url: "https://cloud.example/")
    let rows = try agent.call(Contract.sync, "Accounts")[0].asArray ?? []
    #expect(rows.map { $0["id"] } == [.string("account_1"), .string("account_2")])
    #expect(rows.first?["name"] == .string("Nextcloud"))
    #expect(rows.first?["user"] == .string("alice"))
    #expect(rows.first?["url"] == .string("https://cloud.example/"))
    withExtendedLifetime(accounts) {}
  }

  @Test(.enabled(if: kind != nil, "Radicale is not installed"))
  func `a password is asked for at each run`() throws {
    let server = try CalendarServer(#require(Self.kind))
    let accounts = try MockOnlineAccounts(agent, url: server.url)
    try add("account_1", url: server.url)
    #expect(sync() == nil)
    accounts.password = "wrong"
    #expect(sync() != nil)
    #expect(try state == "sign-in")
    accounts.password = "secret"
    #expect(sync() == nil)
  }

  @Test func `an account that needs attention says where, and is used when it has got it`() throws {
    let accounts = try MockOnlineAccounts(agent, url: "http://127.0.0.1:9/")
    accounts.needsAttention = true
    try add("account_1", url: "http://127.0.0.1:9/")
    #expect(sync()?.contains("settings of GNOME") == true)
    #expect(try state == "sign-in")
    try agent.settle()
    let runs = agent.signals("SyncFinished").count
    try accounts.signIn()
    try agent.wait(for: "another run") { agent.signals("SyncFinished").count > runs }
    // Nobody is there; but it is asked.
    #expect(try state == "waiting")
  }

  @Test(arguments: [
    ("org.gnome.OnlineAccounts.Error.NotAuthorized", "sign-in"),
    ("org.gnome.OnlineAccounts.Error.Failed", "waiting"),
  ])
  func `a token that is refused is one thing, and no network another`(
    name: String, expected: String
  ) throws {
    let accounts = try MockOnlineAccounts(agent, url: "http://127.0.0.1:9/")
    accounts.refusal = DBusError(try ErrorName(name), "no")
    try add("account_2", url: "http://127.0.0.1:9/")
    #expect(sync() != nil)
    #expect(try state == expected)
  }

  @Test func `an account that is gone, or never was, is said`() throws {
    try add("account_9", url: "http://127.0.0.1:9/")
    #expect(sync()?.contains("GNOME Online Accounts is not on this desktop") == true)
    let accounts = try MockOnlineAccounts(agent, url: "http://127.0.0.1:9/")
    #expect(sync()?.contains("any more") == true)
    #expect(try state == "sign-in")
    withExtendedLifetime(accounts) {}
  }
}

@Suite struct `Credentials of systemd` {
  @Test(.enabled(if: CalendarServer.Kind.available.contains { $0.isRadicale }))
  func `one that is named as the source is its password`() throws {
    let kind = try #require(CalendarServer.Kind.available.first { $0.isRadicale })
    let server = try CalendarServer(kind)
    let agent = try AgentUnderTest(start: false)
    let folder = try agent.files.makeDirectory("credentials")
    agent.environment["CREDENTIALS_DIRECTORY"] = folder
    try agent.files.write("secret\n", to: "credentials/cloud")
    try agent.start()
    let options = Value.row([("name", .string("Cloud")), ("user", .string("alice"))])
    _ = try agent.call(
      Contract.sync, "Check", [.string("caldav"), .string(server.url), options])
    let id = try agent.call(
      Contract.sync, "Add", [.string("caldav"), .string(server.url), options])
    _ = try agent.call(Contract.sync, "SyncNow", id)
    #expect(try agent.call(Contract.sync, "List")[0].asArray?.first?["state"] == .string("idle"))
  }
}
