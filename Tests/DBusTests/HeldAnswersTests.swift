import TestSupport
import Testing

@testable import DBus

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

  @Test func `a turn whose held answers are long ends early`() throws {
    let fixture = try Fixture()
    let text = String(repeating: "x", count: 600_000)
    var handled = 0
    var turns: [Int] = []
    fixture.service.onMethodCall = { call in
      handled += 1
      _ = fixture.service.holdAnswers {
        turns.append(handled)
        handled = 0
        return true
      }
      // libdbus alone makes it, and so fast that a turn has time for many.
      if let answer = try? Message.error(DBusError(.failed, text), to: call) {
        try? fixture.service.send(answer)
      }
      return true
    }
    var answers = 0
    for _ in 0..<24 {
      try fixture.client.call(.call("org.example.Held1", "/x", "org.example.Held1", "Read")) { _ in
        answers += 1
      }
    }
    // The bus has passed all of them on.
    _ = try fixture.client.callAndWait(
      .call(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId"))
    #expect(fixture.loop.run(timeoutMilliseconds: 30_000) { answers == 24 })
    #expect(turns.reduce(0, +) == 24)
    // Two are more than may wait to be sent.
    #expect(turns.allSatisfy { $0 <= 2 }, "\(turns)")
  }

  @Test func `the length of a message is that of its octets, however it was made`() throws {
    let fixture = try Fixture()
    var lengths: [Int] = []
    fixture.service.onMethodCall = { call in
      let texts = ["", "x"].map { $0 + String(repeating: "é", count: 500) }
      for text in texts {
        if let reply = try? Message.reply(to: call, [.string(text)]),
          let error = try? Message.error(DBusError(.failed, text), to: call)
        {
          lengths += [reply.octets, error.octets]
          if text == texts[1] { try? fixture.service.send(reply) }
        }
      }
      return true
    }
    try fixture.call(["Read"])
    #expect(lengths.count == 4)
    #expect(lengths.allSatisfy { (1000..<1200).contains($0) }, "\(lengths)")
  }

  @Test func `nothing is held outside of a call`() throws {
    let fixture = try Fixture()
    #expect(!fixture.service.holdAnswers { true })
    #expect(fixture.service.settleHeld())
  }
}
