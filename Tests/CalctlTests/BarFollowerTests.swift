import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Glibc
import Platform
import TestSupport
import Testing
import Widgets

@testable import CalctlCommands

@Suite struct `A bar's follower` {
  @Test func `a countdown goes on without a word from the agent`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z")
    try desk.follower.start()
    #expect(try desk.lines(1) == ["Standup in 30 min"])
    let asked = desk.agent.calls
    // time        09:00:00   09:00:59   09:01:00   09:20:00
    // the bar     30 min                29 min     10 min
    desk.clock.advance(seconds: 59)
    #expect(desk.printed == ["Standup in 30 min"])
    desk.clock.advance(seconds: 1)
    #expect(desk.printed.last == "Standup in 29 min")
    desk.clock.advance(seconds: 19 * 60)
    #expect(desk.printed.last == "Standup in 10 min")
    #expect(desk.printed.count == 21, "one line a minute")
    #expect(desk.agent.calls == asked)
  }

  @Test func `a change of the calendar is shown, and the same text not twice`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z")
    try desk.follower.start()
    _ = try desk.lines(1)
    desk.agent.snapshot = try Desk.snapshot(event: "2026-11-21T09:30:00Z", revision: 2)
    try desk.agent.announce()
    #expect(try desk.turn { desk.agent.calls == 2 })
    desk.agent.snapshot = try Desk.snapshot(event: "2026-11-21T09:10:00Z", revision: 3)
    try desk.agent.announce()
    #expect(try desk.lines(2) == ["Standup in 30 min", "Standup in 10 min"])
  }

  @Test func `a clock that is set is followed`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z")
    try desk.follower.start()
    _ = try desk.lines(1)
    desk.clock.set(to: try Timestamp(text: "2026-11-21T08:55:00Z"))
    #expect(desk.printed.last == "Standup in 35 min")
  }

  @Test func `the old line stays while the agent restarts`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z")
    try desk.follower.start()
    _ = try desk.lines(1)
    try desk.agent.leave()
    desk.agent.snapshot = try Desk.snapshot(event: "2026-11-21T09:10:00Z", revision: 2)
    try desk.agent.come()
    #expect(try desk.lines(2) == ["Standup in 30 min", "Standup in 10 min"])
  }

  @Test func `an agent that stays away is marked, and its return shown`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z", patienceMilliseconds: 0)
    try desk.follower.start()
    #expect(try desk.lines(1) == ["Standup in 30 min"])
    try desk.agent.leave()
    #expect(try desk.lines(2).last == "calendar?")
    try desk.agent.come()
    #expect(try desk.lines(3).last == "Standup in 30 min")
  }

  @Test func `an answer that is no snapshot ends it with words`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z")
    desk.agent.snapshot = "{}"
    let error = #expect(throws: CommandError.self) { try desk.follower.follow() }
    #expect(error?.exitCode == .failed)
    #expect(error?.message.contains("the agent's snapshot cannot be read") == true)
  }
}

/// A bar and an agent on a private bus, in one loop, at 2026-11-21 09:00 UTC.
private final class Desk {
  let clock: ManualClock
  let agent: SnapshotAgent
  let follower: BarFollower
  private let bus: PrivateBus
  private let loop: EventLoop
  private let pipe: (read: Int32, write: Int32)
  private var text = ""

  /// - Parameter event: when the only event begins.
  init(event: String, patienceMilliseconds: Int = 60_000) throws {
    bus = try PrivateBus()
    loop = try EventLoop()
    clock = try ManualClock("2026-11-21T09:00:00Z")
    agent = try SnapshotAgent(bus, loop, snapshot: Desk.snapshot(event: event, revision: 1))
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw TestSupportError("pipe: \(errno)") }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    pipe = (ends[0], ends[1])
    let address = bus.address
    let context = CommandContext(
      environment: ProcessEnvironment([:]), standardOutput: StandardOutput(descriptor: ends[1]),
      wantsColor: false, now: clock.now, writeError: { _ in },
      connect: { () throws(DBusError) in try Connection(address: address) })
    follower = try BarFollower(
      context, loop: loop, clock: clock, format: .plain,
      patienceMilliseconds: patienceMilliseconds)
  }

  deinit {
    close(pipe.read)
    close(pipe.write)
  }

  /// What was printed so far, whole lines.
  var printed: [String] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(pipe.read, &buffer, buffer.count)
      if count <= 0 { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Turns the loop until so many lines are printed, and returns them.
  func lines(_ count: Int) throws -> [String] {
    guard try turn({ printed.count >= count }) else {
      throw TestSupportError("\(count) lines did not come, only \(printed)")
    }
    return printed
  }

  /// Turns the loop until a condition holds.
  func turn(_ condition: () -> Bool) throws -> Bool {
    try loop.run(withinMilliseconds: 30_000, until: condition)
  }

  /// A snapshot with one event of an hour.
  static func snapshot(event start: String, revision: Int64) throws -> String {
    let start = try Timestamp(text: start)
    let zone = ZoneRules.utc
    let event = Event(
      uid: EventUID("standup"), start: .utc(start),
      end: .duration(CalendarDuration(seconds: 3600)), summary: "Standup")
    let series = EventSeries(calendar: CalendarID("work"), master: event)
    let now = try Timestamp(text: "2026-11-21T09:00:00Z")
    let builder = SnapshotBuilder()
    let occurrences = try series.occurrences(
      in: builder.span(at: now, zone: zone),
      context: ZoneContext(zones: FixedZones.shared, local: zone))
    let snapshot = builder.build(
      occurrences: occurrences,
      calendars: [CalendarInfo(id: CalendarID("work"), name: "Work", color: EventColor.palette[0])],
      reminders: [], now: now, zone: zone, revision: revision
    )
    return String(decoding: snapshot.json, as: UTF8.self)
  }
}

/// An agent that has nothing but a snapshot.
private final class SnapshotAgent {
  var snapshot: String
  /// How often it was asked.
  private(set) var calls = 0
  private let connection: Connection
  private let server: ObjectServer
  private static let table = InterfaceTable(
    Contract.calendar, methods: [.init("Snapshot", out: [.init("json", "s")])],
    signals: [.init("SnapshotChanged", [.init("revision", "t"), .init("path", "s")])])

  init(_ bus: PrivateBus, _ loop: EventLoop, snapshot: String) throws {
    self.snapshot = snapshot
    connection = try Connection(address: bus.address)
    LoopAttachment.attach(connection, to: loop)
    server = ObjectServer(connection)
    let interface = BoundInterface(SnapshotAgent.table)
    interface.on("Snapshot") { [unowned self] _ in
      calls += 1
      return .reply([.string(self.snapshot)])
    }
    server.register(Contract.path, [interface])
    try come()
  }

  func come() throws { _ = try connection.requestName(Contract.busName) }
  func leave() throws { try connection.releaseName(Contract.busName) }

  /// Says that the snapshot has changed.
  func announce() throws {
    try server.emit(
      Contract.path, SnapshotAgent.table, "SnapshotChanged", [.uint64(1), .string("")])
  }
}
