import DBus
import TestSupport
import Testing

@Suite struct `Answers that are held` {
  /// A bus, a service whose calls answer with how many came before, and a client that makes three calls at once.
  private final class Fixture {
    let bus: PrivateBus
    let service: Connection
    let client: Connection
    let loop = BlockingLoop()
    var handled: [String] = []
    var answers: [String] = []

    init() throws {
      bus = try PrivateBus()
      service = try Connection(address: bus.address)
      client = try Connection(address: bus.address)
      _ = try service.requestName("org.example.Held1")
      loop.add(service)
      loop.add(client)
    }

    /// Answers each call by its name, after `before`.
    func serve(_ before: @escaping (String) -> Void) {
      service.onMethodCall = { [unowned self] call in
        let name = call.member?.text ?? ""
        handled.append(name)
        before(name)
        if let reply = try? Message.reply(to: call, [.string(name)]) { try? service.send(reply) }
        return true
      }
    }

    func call(_ names: [MemberName]) throws {
      for name in names {
        try client.call(.call("org.example.Held1", "/x", "org.example.Held1", name)) {
          [unowned self] result in
          if let text = try? result.get().arguments()[0].asString { answers.append(text) }
        }
      }
      #expect(loop.run(timeoutMilliseconds: 30_000) { answers.count == names.count })
    }
  }

  @Test func `they wait for the end of the turn, and keep their order`() throws {
    let fixture = try Fixture()
    var settled: [Int] = []
    fixture.serve { name in
      guard name == "Write" else { return }
      #expect(
        fixture.service.holdAnswers {
          settled.append(fixture.answers.count)
          return true
        })
    }
    try fixture.call(["Write", "Read", "Write"])
    #expect(fixture.answers == ["Write", "Read", "Write"])
    #expect(fixture.handled == ["Write", "Read", "Write"])
    // Nothing had been answered when it came to be settled.
    #expect(settled.first == 0)
  }

  @Test func `where it cannot be settled the calls are handled once more, and answered once`()
    throws
  {
    let fixture = try Fixture()
    var holds: [Bool] = []
    fixture.serve { _ in holds.append(fixture.service.holdAnswers { false }) }
    try fixture.call(["A", "B", "C"])
    #expect(fixture.answers.sorted() == ["A", "B", "C"])
    // Each had its first chance, and a second one alone.
    #expect(holds.filter { $0 }.count == 3)
    #expect(holds.filter { !$0 }.count == 3)
  }

  @Test func `nothing is held outside of a call`() throws {
    let fixture = try Fixture()
    #expect(!fixture.service.holdAnswers { true })
    #expect(fixture.service.settleHeld())
  }
}
