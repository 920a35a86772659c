import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@Suite struct `A connection in an event loop` {
  /// Two connections to a bus of their own, in one loop.
  private final class Pair {
    let bus: PrivateBus
    let loop: EventLoop
    let one: Connection
    let other: Connection

    init() throws {
      bus = try PrivateBus()
      loop = try EventLoop()
      one = try Connection(address: bus.address)
      other = try Connection(address: bus.address)
      LoopAttachment.attach(one, to: loop)
      LoopAttachment.attach(other, to: loop)
    }

    func wait(until condition: () -> Bool) throws -> Bool {
      try loop.run(withinMilliseconds: 30_000, until: condition)
    }
  }

  @Test func `a call is answered by the other end in the same loop`() throws {
    let pair = try Pair()
    let server = ObjectServer(pair.other)
    let echo = BoundInterface(
      InterfaceTable(
        "org.example.Echo", methods: [.init("Echo", in: [.init("a", "s")], out: [.init("b", "s")])])
    )
    echo.on("Echo") { .reply([.string($0.string(0))]) }
    server.register("/echo", [echo])
    var answers: [String] = []
    for text in ["a", "b", "c"] {
      try pair.one.call(
        .call(pair.other.uniqueName, "/echo", "org.example.Echo", "Echo", [.string(text)])
      ) { answers.append((try? $0.get().arguments().first?.asString) ?? "error") }
    }
    #expect(try pair.wait { answers.count == 3 })
    #expect(answers == ["a", "b", "c"])
  }

  @Test func `a call that nobody answers ends with its deadline`() throws {
    let pair = try Pair()
    pair.other.onMethodCall = { _ in true }
    var name: ErrorName?
    try pair.one.call(
      .call(pair.other.uniqueName, "/", nil, "Nothing"), timeoutMilliseconds: 1
    ) { result in if case .failure(let error) = result { name = error.name } }
    #expect(try pair.wait { name != nil })
    #expect(name == .noReply)
  }

  @Test func `a message larger than a socket takes goes out in pieces`() throws {
    let pair = try Pair()
    var received = 0
    pair.other.onMethodCall = { message in
      received = (try? message.arguments().first?.asString?.utf8.count) ?? -1
      return true
    }
    let call = try Message.call(
      pair.other.uniqueName, "/", nil, "Take", [.string(String(repeating: "x", count: 4 << 20))])
    call.refuseReply()
    try pair.one.send(call)
    #expect(try pair.wait { received != 0 })
    #expect(received == 4 << 20)
  }

  @Test func `the end of the bus is told once`() throws {
    let pair = try Pair()
    var ends = 0
    pair.one.onDisconnect = { ends += 1 }
    pair.bus.stop()
    #expect(try pair.wait { ends > 0 })
    #expect(ends == 1)
    #expect(!pair.one.isConnected)
  }

  @Test func `an idle connection wakes the loop never`() throws {
    let pair = try Pair()
    // Whatever the bus has said at the beginning.
    _ = try pair.loop.run(withinMilliseconds: 50) { false }
    let before = pair.loop.wakeups
    _ = try pair.loop.run(withinMilliseconds: 50) { false }
    // One is the end of the wait itself.
    #expect(pair.loop.wakeups - before <= 1)
  }

  @Test func `a connection that is gone leaves nothing in the loop`() throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    for _ in 0..<3 {
      let connection = try Connection(address: bus.address)
      LoopAttachment.attach(connection, to: loop)
      connection.close()
    }
    // The deadline alone ends it: a watch that was left would turn the loop.
    let before = loop.wakeups
    _ = try loop.run(withinMilliseconds: 50) { false }
    #expect(loop.wakeups - before <= 4)
  }
}
