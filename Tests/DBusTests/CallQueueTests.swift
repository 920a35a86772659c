import Testing

@testable import DBus

/// Calls whose members say whose they are: "A1" is the first of client A.
private struct Calls {
  var queue = CallQueue()

  mutating func come(_ members: String..., noReply: Bool = false) throws {
    for member in members {
      let call = try Message.call(nil, "/", nil, MemberName(member))
      if noReply { call.refuseReply() }
      queue.append(call, from: client(member))
    }
  }

  mutating func come(_ client: String, _ numbers: ClosedRange<Int>, noReply: Bool = false) throws {
    for number in numbers { try come("\(client)\(number)", noReply: noReply) }
  }

  func client(_ member: String) -> BusName { BusName(unchecked: ":1." + member.prefix(1)) }

  /// "no A" is the refusal of a call of A.
  mutating func take(_ count: Int = 1) -> [String] {
    (0..<count).compactMap { _ in
      guard let (entry, client) = queue.take() else { return nil }
      return switch entry {
      case .call(let call): call.member?.text
      case .refused: "no \(client.text.dropFirst(3))"
      }
    }
  }
}

@Suite struct `Calls that wait` {
  //  comes   A1 A2 A3 A4 B1 C1 B2
  //  goes    A1 B1 C1 A2 B2 A3 A4
  @Test func `clients are served in turn, each in the order of its own calls`() throws {
    var calls = Calls()
    try calls.come("A1", "A2", "A3", "A4", "B1", "C1", "B2")
    #expect(calls.take(8) == ["A1", "B1", "C1", "A2", "B2", "A3", "A4"])
    #expect(calls.queue.isEmpty)
  }

  //  comes   A1 A2 A3        B1      A4
  //  goes             A1 A2      A3      B1 A4
  @Test func `a client that comes later is served after one call of each that waits`() throws {
    var calls = Calls()
    try calls.come("A1", "A2", "A3")
    #expect(calls.take(2) == ["A1", "A2"])
    try calls.come("B1")
    #expect(calls.take() == ["A3"])
    try calls.come("A4")
    #expect(calls.take(3) == ["B1", "A4"])
  }

  //  comes   A1 B1 B2       A2
  //  goes             A1 B1     B2 A2
  @Test func `a client whose last call was taken comes last again`() throws {
    var calls = Calls()
    try calls.come("A1", "B1", "B2")
    #expect(calls.take(2) == ["A1", "B1"])
    try calls.come("A2")
    #expect(calls.take(2) == ["B2", "A2"])
  }

  @Test func `calls over the limit of a client are refused in its turn, and no one else's`() throws
  {
    var calls = Calls()
    let most = CallQueue.maximumOfClient
    try calls.come("A", 1...most + 2)
    try calls.come("B1")
    #expect(calls.queue.count(of: calls.client("A")) == most + 2)
    #expect(calls.take(3) == ["A1", "B1", "A2"])
    // There is room again, for as many as were taken.
    try calls.come("A", most + 3...most + 5)
    #expect(
      calls.take(most + 4).suffix(6) == [
        "A\(most)", "no A", "no A", "A\(most + 3)", "A\(most + 4)", "no A",
      ])
    #expect(calls.queue.isEmpty)
  }

  @Test func `calls that want no reply are not refused`() throws {
    var calls = Calls()
    let most = CallQueue.maximumOfClient
    try calls.come("A", 1...most)
    try calls.come("A", most + 1...6000, noReply: true)
    try calls.come("A6001")
    #expect(!calls.queue.isFull)
    #expect(calls.take(7000) == (1...6000).map { "A\($0)" } + ["no A"])
  }

  @Test func `a queue full of calls that want no reply takes no more until there is room`() throws {
    var calls = Calls()
    for number in 1...CallQueue.maximumSilent {
      #expect(!calls.queue.isFull)
      try calls.come("\(number % 2 == 0 ? "A" : "B")\(number)", noReply: true)
    }
    #expect(calls.queue.isFull)
    #expect(calls.take() == ["B1"])
    #expect(!calls.queue.isFull)
    // Those of a client that has left still wait.
    try calls.come("A10001", noReply: true)
    calls.queue.drop(calls.client("A"))
    #expect(calls.queue.isFull)
    #expect(calls.take(CallQueue.maximumSilent + 1).count == CallQueue.maximumSilent)
    #expect(!calls.queue.isFull && calls.queue.isEmpty)
  }

  @Test func `of a client that has left only those calls remain that want no reply`() throws {
    var calls = Calls()
    try calls.come("A", 1...5)
    try calls.come("A6", "A7", noReply: true)
    try calls.come("A", 8...12)
    try calls.come("B", 1...CallQueue.maximumOfClient + 1)
    try calls.come("C1")
    calls.queue.drop(calls.client("A"))
    calls.queue.drop(calls.client("B"))
    calls.queue.drop(calls.client("D"))
    #expect(calls.take(4) == ["A6", "C1", "A7"])
    #expect(calls.queue.isEmpty)
    try calls.come("B1", "B2")
    #expect(calls.take(3) == ["B1", "B2"])
  }

  @Test func `the order holds through any mixture of coming and going`() throws {
    var calls = Calls()
    var (sent, taken) = ([Int](repeating: 0, count: 5), [Int](repeating: 0, count: 5))
    let clients = ["A", "B", "C", "D", "E"]
    var step = 1
    for _ in 0..<5000 {
      step = step * 1_103_515_245 % 2_147_483_647
      let client = step % 5
      if step % 7 < 4 {
        sent[client] += 1
        try calls.come("\(clients[client])\(sent[client])")
      } else if let member = calls.take().first {
        let whose = try #require(clients.firstIndex(of: String(member.prefix(1))))
        taken[whose] += 1
        #expect(member == "\(clients[whose])\(taken[whose])")
      }
      #expect(
        clients.map { calls.queue.count(of: calls.client($0)) } == zip(sent, taken).map { $0 - $1 })
    }
  }
}

@Suite struct `A client that floods, over a bus` {
  private func agenda() throws -> Message {
    try .call(
      SampleService.name, SampleService.path, SampleService.table.name, "Agenda",
      [.string(""), .uint32(1)])
  }

  /// Waits until the bus has passed on all that a client sent: it waits in the memory of the service.
  private func passOn(_ client: Connection, to service: SampleService) throws {
    let question = { try Message.call(.bus, "/", "org.freedesktop.DBus", "ListNames") }
    _ = try client.callAndWait(question())
    _ = try service.connection.callAndWait(question())
  }

  @Test func `calls that want no reply are all made, however many there are`() throws {
    let service = try SampleService()
    let flooder = try service.client()
    let client = try service.client()
    let sent = CallQueue.maximumSilent + 2000
    for _ in 0..<sent {
      let call = try agenda()
      call.refuseReply()
      try flooder.send(call)
    }
    try passOn(flooder, to: service)
    var most = 0
    let name = flooder.uniqueName
    #expect(
      service.loop.run(timeoutMilliseconds: 60_000) {
        most = max(most, service.connection.calls.count(of: name))
        return service.calls == sent
      })
    #expect(most <= CallQueue.maximumSilent)
    _ = try service.call("Count", [.strings([])], from: client)
    #expect(service.calls == sent)
    #expect(service.connection.calls.isEmpty)
  }

  @Test func `its calls over the limit are refused, and another client is answered before`() throws
  {
    let service = try SampleService()
    let flooder = try service.client()
    let client = try service.client()
    let sent = 5 * CallQueue.maximumOfClient
    var answers: [ErrorName?] = []
    var message = ""
    for _ in 0..<sent {
      try flooder.call(agenda()) { result in
        switch result {
        case .success: answers.append(nil)
        case .failure(let error):
          answers.append(error.name)
          message = error.message
        }
      }
    }
    try passOn(flooder, to: service)
    _ = try service.call("Count", [.strings([])], from: client)
    #expect(service.calls < sent / 2)
    #expect(service.loop.run(timeoutMilliseconds: 60_000) { answers.count == sent })
    #expect(Set(answers) == [nil, .limitsExceeded])
    #expect(answers.prefix(CallQueue.maximumOfClient).allSatisfy { $0 == nil })
    #expect(message == "1000 of your calls were waiting already; wait for their answers")
    #expect(service.connection.calls.isEmpty)
  }

  @Test func `when it leaves the bus its calls are dropped`() throws {
    let service = try SampleService()
    let client = try service.client()
    let sent = CallQueue.maximumOfClient
    let flooder = try service.client()
    for _ in 0..<sent { try flooder.call(agenda()) { _ in } }
    try passOn(flooder, to: service)
    flooder.close()
    // This call came after all of the flooder's, and is answered in its turn.
    _ = try service.call("Count", [.strings([])], from: client)
    #expect(service.loop.run(timeoutMilliseconds: 60_000) { service.connection.calls.isEmpty })
    #expect(service.connection.watchedClients.isEmpty)
    #expect(service.calls < sent / 2)
  }
}
