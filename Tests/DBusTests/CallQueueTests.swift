import Testing

@testable import DBus

/// Calls whose members say whose they are: "A1" is the first of caller A.
private struct Line {
  var queue = CallQueue()

  /// - Returns: those of the calls by which a caller came to be in a hurry.
  @discardableResult
  mutating func come(_ members: String..., noReply: Bool = false) throws -> [String] {
    try members.filter { member in
      let call = try Message.call(nil, "/", nil, MemberName(member))
      if noReply { call.refuseReply() }
      return queue.append(call, from: caller(member)) == .hurries
    }
  }

  func caller(_ member: String) -> BusName { BusName(unchecked: ":1." + member.prefix(1)) }

  mutating func take(_ count: Int = 1, hurriedToo: Bool = true) -> [String] {
    (0..<count).compactMap { _ in
      guard let taken = queue.take(hurriedToo: hurriedToo) else { return nil }
      return taken.call.member?.text
    }
  }

  /// "no A" is the refusal of a call of A.
  mutating func takeRefused(_ count: Int = 1) -> [String] {
    (0..<count).compactMap { _ in
      queue.takeRefused().map { "no \($0.caller.text.dropFirst(3))" }
    }
  }
}

@Suite struct `Calls that wait` {
  //  comes   A1 A2 A3 A4 B1 C1 B2
  //  goes    A1 B1 C1 A2 B2 A3 A4
  @Test func `callers are served by turns, each in the order of its own calls`() throws {
    var line = Line()
    try line.come("A1", "A2", "A3", "A4", "B1", "C1", "B2")
    #expect(line.queue.count == 7)
    #expect(line.take(8) == ["A1", "B1", "C1", "A2", "B2", "A3", "A4"])
    #expect(line.queue.isEmpty)
  }

  //  comes   A1 A2 A3        B1      A4
  //  goes             A1 A2      A3      B1 A4
  @Test func `who comes anew stands behind those who wait, each of whom has one turn before`()
    throws
  {
    var line = Line()
    try line.come("A1", "A2", "A3")
    #expect(line.take(2) == ["A1", "A2"])
    try line.come("B1")
    #expect(line.take() == ["A3"])
    try line.come("A4")
    #expect(line.take(3) == ["B1", "A4"])
  }

  //  comes   A1 B1 B2       A2
  //  goes             A1 B1     B2 A2
  @Test func `a caller whose last call was taken stands at the end when it comes again`() throws {
    var line = Line()
    try line.come("A1", "B1", "B2")
    #expect(line.take(2) == ["A1", "B1"])
    try line.come("A2")
    #expect(line.take(2) == ["B2", "A2"])
  }

  //  comes   A1 … A9       B1 B2 C1            B3
  //  goes            A1              B1 C1 B2     B3 A2 A3 …
  @Test func `who is in a hurry has its turns when none of the others waits`() throws {
    var line = Line()
    #expect(try line.come("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9") == ["A5"])
    #expect(line.take() == ["A1"])
    #expect(!line.queue.hasPatient)
    try line.come("B1", "B2", "C1")
    #expect(line.queue.hasPatient)
    #expect(line.take(3) == ["B1", "C1", "B2"])
    try line.come("B3")
    #expect(line.take(2, hurriedToo: false) == ["B3"])
    #expect(line.take(3) == ["A2", "A3", "A4"])
    // Few wait now, but it stays in a hurry until none does.
    try line.come("B4")
    #expect(line.take(6) == ["B4", "A5", "A6", "A7", "A8", "A9"])
    try line.come("A10", "B5")
    #expect(line.take(2) == ["A10", "B5"])
  }

  @Test func `one in a hurry has a turn now and then though others wait without end`() throws {
    var line = Line()
    for number in 1...20 { try line.come("A\(number)") }
    var turns: [String] = []
    for number in 1...60 {
      try line.come("B\(number)")
      turns += line.take()
    }
    let places = turns.indices.filter { turns[$0].hasPrefix("A") }
    #expect(places.count == 3)
    #expect(
      zip(places.dropFirst(), places).allSatisfy { $0 - $1 == CallQueue.turnsBetweenHurried + 1 })
  }

  @Test func `one who floods is refused, in its turn, and the others go before it`() throws {
    var line = Line()
    let most = CallQueue.maximumOfOneCaller
    for number in 1...most { try line.come("A\(number)") }
    try line.come("A1001", "B1", "A1002", "B2")
    #expect((line.queue.count, line.queue.refusedCount) == (most + 2, 2))
    #expect(line.take(5) == ["B1", "B2", "A1", "A2", "A3"])
    // There is room again, for as many as were taken.
    try line.come("A1004", "A1005", "A1006", "A1007")
    #expect((line.queue.count, line.queue.refusedCount) == (most, 3))
    #expect(
      line.take(most + 2).suffix(7) == [
        "A997", "A998", "A999", "A1000", "A1004", "A1005", "A1006",
      ])
    // It stays in a hurry while refusals wait.
    #expect(line.queue.isHurried(line.caller("A")))
    #expect(line.takeRefused(4) == ["no A", "no A", "no A"])
    #expect(!line.queue.isHurried(line.caller("A")))
    #expect(line.queue.isEmpty)
  }

  @Test func `whoever has less than its share is not refused for the floods of others`() throws {
    var line = Line()
    for flood in ["A", "B", "C", "D"] {
      for number in 1...CallQueue.maximumOfOneCaller { try line.come("\(flood)\(number)") }
    }
    #expect(line.queue.count == CallQueue.maximum)
    for number in 1...20 { try line.come("E\(number)") }
    #expect(line.queue.isHurried(line.caller("E")))
    #expect((line.queue.count, line.queue.refusedCount) == (CallQueue.maximum + 20, 0))
    try line.come("A1001")
    #expect(line.queue.firstRefusal == .callerFull)
    // A fifth of all is its share.
    for number in 21...CallQueue.maximum / 5 + 1 { try line.come("E\(number)") }
    #expect((line.queue.count, line.queue.refusedCount) == (CallQueue.maximum + 800, 2))
    #expect(line.takeRefused() == ["no A"])
    #expect(line.queue.firstRefusal == .allFull)
  }

  @Test func `the least share is sixteen calls, however many callers there are`() throws {
    var queue = CallQueue()
    for caller in 0..<300 {
      for _ in 0..<CallQueue.leastShare {
        queue.append(
          try Message.call(nil, "/", nil, "Call"), from: BusName(unchecked: ":1.\(caller)"))
      }
    }
    #expect((queue.count, queue.refusedCount) == (300 * CallQueue.leastShare, 0))
    queue.append(try Message.call(nil, "/", nil, "Call"), from: ":1.0")
    #expect(queue.refusedCount == 1)
  }

  @Test func `the reason of a refusal says which limit it was`() {
    #expect("\(CallQueue.Reason.callerFull)" == "1000 of your calls are already waiting")
    #expect(
      "\(CallQueue.Reason.allFull)"
        == "4000 calls are already waiting, and you have more than your share of them")
  }

  //  comes   A1 … A1000  A1001 … A6000, none with a reply  A6001, with one  B1
  //  goes    B1 A1 … A6000, and the refusal of A6001
  @Test func `calls that want no reply are not lost, however many of their caller wait`() throws {
    var line = Line()
    let most = CallQueue.maximumOfOneCaller
    for number in 1...most { try line.come("A\(number)") }
    for number in most + 1...6000 { try line.come("A\(number)", noReply: true) }
    try line.come("A6001", "B1")
    #expect((line.queue.count, line.queue.refusedCount) == (6001, 1))
    #expect(!line.queue.isFull)
    #expect(line.take(7000) == ["B1"] + (1...6000).map { "A\($0)" })
    #expect(line.takeRefused(2) == ["no A"])
    #expect(line.queue.isEmpty)
  }

  @Test func `a queue full of calls that want no reply takes no more until there is room`() throws {
    var line = Line()
    for number in 1...CallQueue.maximumSilent {
      #expect(!line.queue.isFull)
      try line.come("\(number % 2 == 0 ? "A" : "B")\(number)", noReply: true)
    }
    #expect(line.queue.isFull)
    #expect(line.queue.refusedCount == 0)
    try line.come("C1")
    #expect(line.take() == ["C1"])
    #expect(line.queue.isFull)
    #expect(line.take().count == 1)
    #expect(!line.queue.isFull)
    // Those of one who is gone keep their places.
    try line.come("A10001", noReply: true)
    line.queue.dropAnswered(of: line.caller("A"))
    #expect(line.queue.isFull)
    #expect(line.take(CallQueue.maximumSilent + 1).count == CallQueue.maximumSilent)
    #expect(!line.queue.isFull && line.queue.isEmpty)
  }

  @Test func `of many callers that flood together some are refused, and who waits is not`() throws {
    var line = Line()
    let floods = ["A", "B", "C", "D", "E"]
    for number in 1...900 { for flood in floods { try line.come("\(flood)\(number)") } }
    #expect((line.queue.count, line.queue.refusedCount) == (CallQueue.maximum, 500))
    #expect(line.queue.firstRefusal == .allFull)
    try line.come("F1")
    #expect(line.take() == ["F1"])
    #expect(!line.queue.isFull)
  }

  @Test func `of one who is gone those calls stay that want no answer`() throws {
    var line = Line()
    for number in 1...5 { try line.come("A\(number)") }
    try line.come("A6", "A7", noReply: true)
    for number in 8...12 { try line.come("A\(number)") }
    try line.come("B1")
    line.queue.dropAnswered(of: line.caller("A"))
    #expect(line.queue.count == 3)
    #expect(line.take(4) == ["B1", "A6", "A7"])
    try line.come("A13")
    line.queue.dropAnswered(of: line.caller("A"))
    line.queue.dropAnswered(of: line.caller("C"))
    #expect(line.queue.isEmpty && !line.queue.hasPatient)
    #expect(line.take().isEmpty)
  }

  @Test func `the order holds through any mixture of coming and going`() throws {
    var line = Line()
    var (sent, taken) = ([Int](repeating: 0, count: 5), [Int](repeating: 0, count: 5))
    let callers = ["A", "B", "C", "D", "E"]
    var step = 1
    for _ in 0..<5000 {
      step = step * 1_103_515_245 % 2_147_483_647
      let caller = step % 5
      if step % 7 < 4 {
        sent[caller] += 1
        try line.come("\(callers[caller])\(sent[caller])")
      } else if let member = line.take().first {
        let whose = try #require(callers.firstIndex(of: String(member.prefix(1))))
        taken[whose] += 1
        #expect(member == "\(callers[whose])\(taken[whose])")
      }
      #expect(line.queue.count == sent.reduce(0, +) - taken.reduce(0, +))
    }
  }
}

@Suite struct `Calls that want no reply, over a bus` {
  @Test func `each of more than there is room for is made, and others are answered then`() throws {
    let service = try SampleService()
    let flooder = try service.client()
    let client = try service.client()
    let sent = CallQueue.maximumSilent + 2000
    for _ in 0..<sent {
      let call = try Message.call(
        SampleService.name, SampleService.path, SampleService.table.name, "Agenda",
        [.string(""), .uint32(1)])
      call.refuseReply()
      try flooder.send(call)
    }
    // Once the bus has answered both, all that was sent waits in the memory of the service.
    let question = { try Message.call(.bus, "/", "org.freedesktop.DBus", "ListNames") }
    _ = try flooder.callAndWait(question())
    _ = try service.connection.callAndWait(question())
    var most = 0
    #expect(
      service.loop.run(timeoutMilliseconds: 60_000) {
        most = max(most, service.connection.calls.count)
        return service.calls == sent
      })
    #expect(most <= CallQueue.maximumSilent)
    _ = try service.call("Count", [.strings([])], from: client)
    #expect(service.calls == sent)
    #expect(service.connection.calls.isEmpty)
  }
}
