import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// An agent with a source of what stands for Google, and a keyring.
private final class GoogleAgent {
  let agent: AgentUnderTest
  let keyring: MockKeyring
  let server = try! GoogleServer()

  init() throws {
    agent = try AgentUnderTest(start: false)
    agent.environment["DATEBOOK_GOOGLE"] = server.address
    keyring = try MockKeyring(agent)
    try agent.start()
    let id = try agent.call(
      Contract.sync, "Add",
      [
        .string("google"), .string(""),
        .row([
          ("client-id", .string(GoogleServer.client)), ("secret", .string(GoogleServer.secret)),
        ]),
      ])
    #expect(id == [.string("google")])
    try agent.wait(for: "the end of a run") { !agent.signals("SyncFinished").isEmpty }
  }

  /// Signs in, and returns why that or the run after it failed; nil if it did not.
  func signIn(_ acts: String...) throws -> String? {
    let page = try agent.call(Contract.sync, "SignIn", [.string("google")])[0].asString ?? ""
    try server.browse(page, acts)
    return sync()
  }

  /// Synchronises, and returns why that failed; nil if it did not.
  func sync() -> String? {
    do {
      _ = try agent.call(Contract.sync, "SyncNow", [.string("google")])
      return nil
    } catch {
      return "\(error)"
    }
  }

  func row() throws -> Value {
    try #require(try agent.call(Contract.sync, "List")[0].asArray?.first)
  }

  var renewals: Int {
    get throws { try server.requests.filter { $0 == "POST /token refresh_token" }.count }
  }

  var calendars: [String] {
    get throws {
      (try agent.call(Contract.calendars, "List")[0].asArray ?? [])
        .filter { $0["source"] == .string("google") }.compactMap { $0["name"]?.asString }
    }
  }
}

@Suite struct `Calendars of Google` {
  private let google: GoogleAgent

  init() throws { google = try GoogleAgent() }

  @Test func `nothing is asked for before the user has signed in`() throws {
    #expect(try google.row()["state"] == .string("sign-in"))
    #expect(try google.row()["text"]?.asString?.contains("calctl sources sign-in google") == true)
    #expect(try google.server.requests.isEmpty)
  }

  @Test func `who has signed in has the calendars, also after a restart`() throws {
    #expect(try google.signIn("stray", "good") == nil)
    #expect(try google.calendars.sorted() == ["Ana", "Holidays"])
    #expect(google.sync() == nil)
    // The token of the sign-in is still good.
    #expect(try google.renewals == 0)
    google.agent.stop()
    try google.agent.start()
    #expect(google.sync() == nil)
    #expect(try google.renewals == 1)
    let log = google.agent.log.joined(separator: "\n")
    for secret in ["refresh-", "access-", GoogleServer.secret] { #expect(!log.contains(secret)) }
  }

  @Test func `a change is sent to Google`() throws {
    #expect(try google.signIn("good") == nil)
    let calendars = try google.agent.call(Contract.calendars, "List")[0].asArray ?? []
    let id = try #require(calendars.first { $0["name"] == .string("Ana") }?["id"])
    _ = try google.agent.call(
      Contract.events, "Add",
      [id, .row([("summary", .string("Tea")), ("start", .string("2026-11-23 10:00"))])])
    #expect(google.sync() == nil)
    #expect(try google.server.requests.contains { $0.hasPrefix("PUT /caldav/v2/ana@example.org/") })
    #expect(try google.row()["pending"] == .uint32(0))
  }

  @Test func `who says no is told so, and may try again`() throws {
    #expect(try google.signIn("denied")?.contains("said no") == true)
    #expect(try google.row()["state"] == .string("sign-in"))
    let text = try google.row()["text"]?.asString ?? ""
    #expect(text.contains("said no") && text.contains("calctl sources sign-in google"))
    #expect(try google.signIn("good") == nil)
    #expect(try google.row()["state"] == .string("idle"))
  }

  @Test func `a second sign-in ends the first`() throws {
    let page = try google.agent.call(Contract.sync, "SignIn", [.string("google")])[0].asString ?? ""
    #expect(try google.signIn("good") == nil)
    #expect(page.contains("client_id=client-1"))
  }

  @Test func `an access token is renewed before it ends`() throws {
    try google.server.set("\"expires\": 1")
    #expect(try google.signIn("good") == nil)
    #expect(google.sync() == nil)
    #expect(google.sync() == nil)
    #expect(try google.renewals >= 2)
  }

  @Test func `a token is renewed once, however many wait for it, and for all calendars`() throws {
    try google.server.set("\"expires\": 1")
    #expect(try google.signIn("good") == nil)
    let before = try google.renewals
    let answers = try (1...3).map { _ in
      try google.agent.begin(
        .call(Contract.busName, Contract.path, Contract.sync, "SyncNow", [.string("google")]))
    }
    try google.agent.wait(for: "the end of the run") { answers.allSatisfy { $0.result != nil } }
    for answer in answers { _ = try answer.values() }
    #expect(try google.calendars.count == 2)
    #expect(try google.renewals == before + 1)
  }

  @Test func `a new refresh token is kept before the access token is used`() throws {
    try google.server.set("\"rotate\": true, \"expires\": 1")
    #expect(try google.signIn("good") == nil)
    let first = google.keyring.secrets["google"]
    #expect(google.sync() == nil)
    #expect(google.keyring.secrets["google"] != first)
    google.agent.stop()
    try google.agent.start()
    #expect(google.sync() == nil)
  }

  @Test func `a new refresh token that the keyring does not take is not lost`() throws {
    try google.server.set("\"rotate\": true, \"expires\": 1")
    #expect(try google.signIn("good") == nil)
    let credentials = google.keyring.secrets["google"]
    // It can be read, but not written.
    google.keyring.isFull = true
    #expect(google.sync() != nil)
    google.keyring.isFull = false
    #expect(google.keyring.secrets["google"] == credentials)
    #expect(google.sync() == nil)
    #expect(google.keyring.secrets["google"] != credentials)
  }

  @Test func `a token that ends in the middle is renewed, and the rest follows`() throws {
    #expect(try google.signIn("good") == nil)
    let before = try google.renewals
    // What was given before is good for one request more, a new one for three.
    try google.server.set("\"lifetime\": 3")
    #expect(google.sync() == nil)
    #expect(try google.renewals == before + 1)
  }

  @Test func `a token that is refused even new is tried once more only`() throws {
    #expect(try google.signIn("good") == nil)
    let before = try google.renewals
    try google.server.set("\"dav\": [401, \"application/json\", {}]")
    #expect(google.sync() != nil)
    #expect(try google.renewals == before + 1)
    #expect(try google.row()["state"] == .string("sign-in"))
  }

  @Test func `a sign-in that Google has ended is said once, and not tried again by itself`() throws
  {
    try google.server.set("\"expires\": 1")
    #expect(try google.signIn("good") == nil)
    try google.server.set("\"token\": [400, \"application/json\", {\"error\": \"invalid_grant\"}]")
    #expect(google.sync()?.contains("sign in again") == true)
    #expect(try google.row()["state"] == .string("sign-in"))
    #expect(try google.row()["next-run"] == .int64(0))
    try google.server.set("\"token\": null")
    #expect(try google.signIn("good") == nil)
  }

  @Test func `an interface that is not enabled is a problem, with what to do`() throws {
    try google.server.set(
      "\"list\": [403, \"application/json\", {\"reason\": \"accessNotConfigured\"}]")
    #expect(try google.signIn("good") != nil)
    let problems = try google.agent.property("Problems").asStrings ?? []
    #expect(problems.contains { $0.contains("\"CalDAV API\"") })
  }

  @Test func `Google without an answer is waited for`() throws {
    try google.server.set("\"expires\": 1")
    #expect(try google.signIn("good") == nil)
    try google.server.set("\"token\": [503, \"text/html\", \"<html>Sorry</html>\"]")
    #expect(google.sync() != nil)
    #expect(try google.row()["state"] == .string("waiting"))
  }

  @Test func `a source that is removed is forgotten by the keyring and by Google`() throws {
    #expect(try google.signIn("good") == nil)
    #expect(google.keyring.secrets["google"] != nil)
    _ = try google.agent.call(
      Contract.sync, "Remove", [.string("google"), .boolean(false)])
    try google.agent.wait(for: "the revocation") {
      google.keyring.secrets.isEmpty
        && (try? google.server.requests.contains("POST /revoke")) == true
    }
  }

  @Test func `a source that is removed at the end of its sign-in leaves no token`() throws {
    try google.server.set(
      """
      "token": [200, "application/json",
        {"access_token": "access", "refresh_token": "refresh", "expires_in": 3600}]
      """)
    let agent = try #require(google.agent.agent)
    google.keyring.onStore = { [google] in
      google.keyring.onStore = {}
      #expect(throws: Never.self) { try agent.sources.remove("google") { _ in } }
      // Its ID is not given to another before the token is gone.
      #expect(agent.sources.leaving.contains("google"))
    }
    let page = try google.agent.call(Contract.sync, "SignIn", [.string("google")])[0].asString ?? ""
    try google.server.browse(page, ["good"])
    try google.agent.wait(for: "the revocation") {
      google.keyring.secrets.isEmpty && agent.sources.leaving.isEmpty
        && (try? google.server.requests.contains("POST /revoke")) == true
    }
  }

  @Test func `a sign-in that failed long ago is not the answer to a run`() throws {
    let agent = try #require(google.agent.agent)
    let page = try google.agent.call(Contract.sync, "SignIn", [.string("google")])[0].asString ?? ""
    try google.server.browse(page, ["denied"])
    try google.agent.wait(for: "the end of the sign-in") {
      agent.sources.sources.first?.reason.contains("said no") == true
    }
    try google.agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(google.sync()?.contains("nobody has signed in yet") == true)
  }

  @Test func `whether the keyring can keep a secret is known before it is typed`() throws {
    #expect(try google.agent.call(Contract.sync, "CheckKeyring").isEmpty)
    google.keyring.isLocked = true
    let error = try google.agent.refusal(Contract.sync, "CheckKeyring")
    #expect(error.name.text.hasSuffix(".SyncFailed"))
    #expect(error.message.contains("unlock it"))
  }

  @Test func `another user of Google is another source, and the same one is refused`() throws {
    func add(_ user: String) throws -> [Value] {
      try google.agent.call(
        Contract.sync, "Add",
        [
          .string("google"), .string(""),
          .row([("client-id", .string("client-2")), ("user", .string(user))]),
        ])
    }
    // Nobody knows who has signed in to the first.
    #expect(try add("") == [.string("google-2")])
    #expect(try add("ana@example.org") == [.string("google-3")])
    #expect(throws: DBusError.self) { try add("ana@example.org") }
    #expect(try add("bo@example.org") == [.string("google-4")])
  }

  @Test func `a source with a password has no page to sign in on`() throws {
    _ = try google.agent.call(
      Contract.sync, "Add", [.string("vdir"), .string("/nowhere"), .row([])])
    let error = try google.agent.refusal(Contract.sync, "SignIn", [.string("nowhere")])
    #expect(error.name.text.hasSuffix(".InvalidArgs"))
  }
}

@Suite struct `Tokens that a program prints` {
  @Test func `one is good for a whole run, and the next run has another`() throws {
    let server = try GoogleServer()
    let agent = try AgentUnderTest(start: false)
    agent.environment["DATEBOOK_GOOGLE"] = server.address
    try agent.start()
    // Each line of the file is a token that was asked for.
    let script = "echo >> \"$0\"; echo token-$(wc -l < \"$0\")"
    let command = ["/bin/sh", "-c", script, agent.files.file("tokens")]
    try server.set("\"given\": \"token-1\"")
    _ = try agent.call(
      Contract.sync, "Add",
      [.string("google"), .string(""), .row([("token-command", .strings(command))])])
    for run in 1...2 {
      try server.set("\"given\": \"token-\(run)\"")
      _ = try agent.call(Contract.sync, "SyncNow", [.string("google")])
      #expect(agent.files.read("tokens")?.count == run)
    }
    let asked = try server.requests.filter { !$0.hasPrefix("GET /control") }
    #expect(asked.count { $0.hasPrefix("REPORT ") } >= 4)
    #expect(!asked.contains { $0.hasPrefix("POST /token") })
  }
}
