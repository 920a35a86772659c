import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Work that takes long` {
  private let loop: EventLoop
  private let work: LongWork

  init() throws {
    loop = try EventLoop()
    // Each step is a piece.
    work = LongWork(loop: loop, pieceNanoseconds: 0)
  }

  @Test func `each caller gets its turn, and its own come one after the other`() throws {
    var done: [String] = []
    for (caller, name) in [("a", "1"), ("a", "2"), ("b", "3"), ("c", "4")] {
      var left = 3
      work.run(for: caller) {
        done.append(caller + name)
        left -= 1
        return left > 0
      }
    }
    #expect(done == ["a1"])
    #expect(try loop.run(withinMilliseconds: 10_000) { done.count == 12 })
    #expect(
      done == [
        "a1", "a1", "b3", "c4", "a1", "b3", "c4", "a2", "b3", "c4", "a2", "a2",
      ])
    #expect(work.hasRoom(for: "a"))
  }

  @Test func `what is small is done at once`() {
    var count = 0
    work.run(for: "a") {
      count += 1
      return false
    }
    #expect(count == 1)
  }

  @Test func `two are room enough for a caller, and sixteen for all`() throws {
    var isOver = false
    func begin(_ caller: String) { work.run(for: caller) { !isOver } }
    for number in 0..<8 {
      let caller = "\(number)"
      for _ in 0..<2 {
        #expect(work.hasRoom(for: caller))
        begin(caller)
      }
      #expect(!work.hasRoom(for: caller))
      #expect(work.hasRoom(for: "other") == (number < 7))
    }
    isOver = true
    #expect(try loop.run(withinMilliseconds: 10_000) { work.hasRoom(for: "0") })
  }
}

@Suite struct `Long answers of many callers` {
  @Test func `one that asks without end is refused, and another one has its answer before`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.addManyReminders()
    let other = try Connection(address: agent.bus.address)
    LoopAttachment.attach(other, to: agent.loop)
    func message(_ member: MemberName, _ arguments: [Value] = []) throws -> Message {
      try .call(Contract.busName, Contract.path, Contract.reminders, member, arguments)
    }
    let many = try (0..<200).map { _ in
      try agent.begin(message("Upcoming", [.uint32(24)]))
    }
    var answer: Result<Message, DBusError>?
    try other.call(message("DismissAll"), timeoutMilliseconds: 60_000) { answer = $0 }
    try agent.wait(for: "the other one's answer") { answer != nil }
    #expect(try answer?.get().arguments() == [.uint32(0)])
    #expect(many.contains { $0.result == nil })
    try agent.wait(for: "all answers") { many.allSatisfy { $0.result != nil } }
    let answered = many.filter { (try? $0.values()) != nil }
    #expect(answered.count >= 2)
    for refused in many where !answered.contains(where: { $0 === refused }) {
      let error = #expect(throws: DBusError.self) { try refused.values() }
      #expect(error?.name.text == CallError.Kind.busy.rawValue)
    }
    #expect(try many[0].values()[0].asArray?.count == 4000)
    // At most two of them were worked at.
    #expect(answered.count < 100, "\(answered.count)")
  }
}
