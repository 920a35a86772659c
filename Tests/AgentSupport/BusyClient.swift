import CalendarBus
import DBus
import Platform
import TestSupport

@testable import CalendarService

/// A client that behaves well: it reads and writes at random, one call at a time, with pauses like those of
/// people's programs, and measures how long each answer takes.
final class BusyClient {
  /// How long each answer to a question took, in nanoseconds.
  private(set) var reads: [Int64] = []
  /// How long each answer to a change took.
  private(set) var writes: [Int64] = []
  var times: [Int64] { reads + writes }
  /// Refusals other than those of an event that another client removed.
  private(set) var faults: [String] = []
  /// Whether it waits for an answer.
  private(set) var isWaiting = false
  var isBusy = true

  private let connection: Connection
  private let loop: EventLoop
  private var random: SeededGenerator
  private let name: Int
  private let mostPause: Int
  private var uids: [String] = []
  private var counter = 0

  /// It asks nothing before ``begin()``.
  ///
  /// - Parameter mostPause: between two calls, in milliseconds; the mean is half of it.
  init(_ agent: AgentProcess, name: Int, mostPause: Int) throws {
    self.name = name
    self.mostPause = mostPause
    random = SeededGenerator(seed: UInt64(name))
    loop = agent.loop
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: agent.loop)
  }

  /// Asks from now on, the first time after a pause: people's programs do not start in one instant.
  func begin() { pause() }

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private func pause() {
    loop.after(milliseconds: number(min(1, mostPause)...mostPause)) { [weak self] in
      guard let self, isBusy else { return }
      do { try ask() } catch { faults.append("\(error)") }
    }
  }

  private func ask() throws {
    let begin = SystemCalls.monotonicNanoseconds()
    let (message, uid) = try nextCall()
    isWaiting = true
    try connection.call(message, timeoutMilliseconds: AgentUnderTest.patienceMilliseconds) {
      [weak self] result in
      guard let self else { return }
      isWaiting = false
      let time = SystemCalls.monotonicNanoseconds() - begin
      if message.interface == Contract.events { writes.append(time) } else { reads.append(time) }
      switch result {
      case .success: if let uid { uids.append(uid) }
      case .failure(let error): faults.append("\(error)")
      }
      pause()
    }
  }

  private func nextCall() throws -> (Message, String?) {
    let day = "2027-0\(number(1...9))-\(number(10...28))"
    switch number(1...100) {
    case ...40: return (try call(Contract.calendar, "Today"), nil)
    case ...70:
      return (
        try call(
          Contract.calendar, "GetOccurrences", [.string(day), .string("1d"), .row([])]), nil
      )
    case ...78:
      return (try call(Contract.calendar, "Search", [.string("board"), .row([])]), nil)
    case ...82: return (try call(Contract.calendar, "Next", [.uint32(10)]), nil)
    case ...90 where !uids.isEmpty:
      let uid = uids[number(0...uids.count - 1)]
      return (
        try call(
          Contract.events, "Reschedule",
          [.string(uid), .string(""), .string(""), .string(day + " 11:00")]), nil
      )
    case ...93 where uids.count > 20:
      let uid = uids.removeFirst()
      return (
        try call(Contract.events, "Remove", [.string(uid), .string(""), .string("")]), nil
      )
    default:
      counter += 1
      let uid = "busy-\(name)-\(counter)"
      return (
        try call(
          Contract.events, "Add",
          [
            .string(""),
            .row([
              ("uid", .string(uid)), ("summary", .string("Board \(counter)")),
              ("start", .string(day + " 10:00")),
            ]),
          ]), uid
      )
    }
  }

  private func call(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = []
  ) throws -> Message {
    try .call(Contract.busName, Contract.path, interface, member, arguments)
  }
}
