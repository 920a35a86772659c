import Testing

@testable import DBus

/// Calls whose members say whose they are: "A1" is the first of caller A.
private struct Line {
  var queue = CallQueue()

  @discardableResult
  mutating func come(_ members: String...) throws -> [Bool] {
    try members.map { member in
      let caller = BusName(unchecked: ":1." + member.prefix(1))
      return queue.append(try Message.call(nil, "/", nil, MemberName(member)), from: caller)
    }
  }

  mutating func take(_ count: Int = 1) -> [String] {
    (0..<count).compactMap { _ in queue.take()?.member?.text }
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

  @Test func `one who floods is refused, and the others wait for one call of it`() throws {
    var line = Line()
    for number in 1...CallQueue.maximumOfOneCaller {
      #expect(try line.come("A\(number)") == [true])
    }
    #expect(try line.come("A0", "B1", "B2") == [false, true, true])
    #expect(line.queue.count == CallQueue.maximumOfOneCaller + 2)
    #expect(line.take(5) == ["A1", "B1", "A2", "B2", "A3"])
    // There is room again, for as many as were taken.
    #expect(try line.come("A10001", "A10002", "A10003", "A0") == [true, true, true, false])
    #expect(line.take(CallQueue.maximumOfOneCaller).last == "A10003")
    #expect(line.queue.isEmpty)
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
