import CalendarBus
import DBus
import TestSupport
import Testing

/// An agent that has no sources, and lets anybody sign in.
private final class SignInAgent {
  let session: Session
  private let loop = BlockingLoop()
  private let connection: Connection
  private let server: ObjectServer
  /// The calls, as the member and its arguments.
  private(set) var calls: [(member: String, arguments: [Value])] = []
  static let page = "https://accounts.example/?client_id=me"

  init() throws {
    session = try Session(hasAgent: false)
    connection = try Connection(address: session.bus.address)
    loop.add(connection)
    server = ObjectServer(connection)
    let answered = Contract.syncTable.methods.filter {
      ["Add", "CheckKeyring", "List", "SignIn", "SyncNow"].contains($0.name)
    }
    let sync = BoundInterface(InterfaceTable(Contract.sync, methods: answered))
    sync.on("Add") { [unowned self] in answer("Add", $0, .string("google")) }
    sync.on("CheckKeyring") { [unowned self] in
      calls.append(("CheckKeyring", $0.arguments))
      return .reply([])
    }
    sync.on("SignIn") { [unowned self] in answer("SignIn", $0, .string(SignInAgent.page)) }
    let counts = Value.dictionary(
      key: "s", value: "u",
      [Value.DictionaryEntry(key: .string("added"), value: .uint32(3))])
    sync.on("SyncNow") { [unowned self] in answer("SyncNow", $0, counts) }
    sync.on("List") { _ in
      .reply([
        Row.array([
          Row(.row([("id", .string("google")), ("calendars", .strings(["work", "home"]))]))
        ])
      ])
    }
    let calendars = BoundInterface(
      InterfaceTable(
        Contract.calendars, methods: Contract.calendarsTable.methods.filter { $0.name == "List" }))
    calendars.on("List") { _ in
      .reply([
        Row.array(
          ["work", "home", "personal"].map {
            Row(
              .row([("id", .string($0)), ("events", .uint32(60)), ("source", .string("google"))]))
          })
      ])
    }
    server.register(Contract.path, [sync, calendars])
    _ = try connection.requestName(Contract.busName)
  }

  private func answer(_ member: String, _ call: MethodCall, _ value: Value) -> MethodAnswer {
    calls.append((member, call.arguments))
    return .reply([value])
  }

  func run(_ arguments: String..., input: String = "") throws -> Subprocess.Outcome {
    try session.start(["sources"] + arguments, input: .bytes(Array(input.utf8)))
      .wait { loop.turn(until: $0) }
  }
}

@Suite struct `Signing in with a browser` {
  private let agent: SignInAgent

  init() throws { agent = try SignInAgent() }

  @Test func `google is added with a client, and the page to sign in on is shown`() throws {
    let outcome = try agent.run(
      "add", "google", "--client-id", "me", "--client-secret-command", "echo hush hush",
      "--user", "ana@example.org")
    #expect(outcome.output == "Added google: 2 calendars, 120 events.\n", "\(outcome.errors)")
    #expect(outcome.errors.contains("\n  \(SignInAgent.page)\n"))
    #expect(agent.calls.map(\.member) == ["CheckKeyring", "Add", "SignIn", "SyncNow"])
    let options = try #require(agent.calls.dropFirst().first?.arguments.last)
    #expect(options["client-id"] == .string("me"))
    #expect(options["secret"] == .string("hush hush"))
    #expect(options["user"] == .string("ana@example.org"))
    #expect(options["read-only"] == .boolean(false))
  }

  @Test func `without a command the secret is read from standard input`() throws {
    _ = try agent.run("add", "google", "--client-id", "me", input: "hush\n")
    #expect(agent.calls.map(\.member).prefix(2) == ["CheckKeyring", "Add"])
    #expect(agent.calls[1].arguments.last?["secret"] == .string("hush"))
  }

  @Test func `a client has to be named`() throws {
    let outcome = try agent.run("add", "google")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--client-id"))
    #expect(agent.calls.isEmpty)
  }

  @Test func `the address where a browser elsewhere landed is passed on`() throws {
    let listener = try GoogleServer()
    let outcome = try agent.run(
      "sign-in", "google", "--paste", input: "\(listener.address)/?code=1&state=2\r\n")
    #expect(outcome.output == "Signed in to google. 3 added.\n", "\(outcome.errors)")
    #expect(try listener.requests == ["GET /"])
    #expect(agent.calls.map(\.member) == ["SignIn", "SyncNow"])
  }

  @Test func `an address that the sign-in does not know is refused at once`() throws {
    let listener = try GoogleServer()
    let outcome = try agent.run(
      "sign-in", "google", "--paste", input: "\(listener.address)/?cod\n")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("not that of the sign-in under way"))
    #expect(outcome.errors.contains("calctl sources sign-in google --paste"))
    #expect(try listener.requests == ["GET /"])
    #expect(agent.calls.map(\.member) == ["SignIn"])
  }

  @Test(arguments: [
    "", "https://127.0.0.1:80/?code=1", "http://example.org/?code=1", "http://127.0.0.1/?code=1",
    "http://127.0.0.1:0/", "http://127.0.0.1:99999/", "http://127.0.0.1:80/ HTTP/1.1",
  ])
  func `nothing else is passed on`(address: String) throws {
    let outcome = try agent.run("sign-in", "google", "--paste", input: address + "\n")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("127.0.0.1"))
    #expect(agent.calls.map(\.member) == ["SignIn"])
  }
}
