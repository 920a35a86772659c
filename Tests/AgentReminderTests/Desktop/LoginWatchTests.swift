import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  /// The reasons of ClockChanged, in order.
  fileprivate var reasons: [String] {
    signals("ClockChanged").map { $0.arguments[0].asString ?? "?" }
  }

  /// Makes it listen to logind now, and returns when it does.
  fileprivate func listenToLogind() throws {
    agent?.loginWatch.start()
    try loginSettle()
  }

  /// Lets it hear a word of logind.
  fileprivate func hear(_ logind: MockLogind, isAsleep: Bool) throws {
    try logind.prepareForSleep(isAsleep)
    try loginSettle()
    try settle()
  }
}

@Suite(.enabled(if: MockLogind.isInstalled, MockLogind.whatIsMissing))
struct `logind's word that the machine is back` {
  private let agent: AgentUnderTest
  private let logind: MockLogind

  init() throws {
    agent = try AgentUnderTest()
    logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try agent.listenToLogind()
  }

  @Test func `it is a resume, each time, and its word before that is none`() throws {
    // One that comes alone: the agent was started in the night.
    try agent.hear(logind, isAsleep: false)
    #expect(agent.reasons == [])
    for night in 1...2 {
      try agent.hear(logind, isAsleep: true)
      #expect(agent.reasons.count == night - 1)
      try agent.hear(logind, isAsleep: false)
      try agent.hear(logind, isAsleep: false)
      #expect(agent.reasons == Array(repeating: "resume", count: night))
    }
  }

  @Test func `the clock that hears of it later tells it not once more, and the next night it does`()
    throws
  {
    try agent.hear(logind, isAsleep: true)
    try agent.hear(logind, isAsleep: false)
    agent.clock.resume(at: agent.clock.now.adding(seconds: 1))
    try agent.settle()
    #expect(agent.reasons == ["resume"])
    agent.clock.resume(at: agent.clock.now.adding(seconds: 2))
    try agent.settle()
    #expect(agent.reasons == ["resume", "resume"])
  }

  @Test func `a clock that never hears of it keeps no later resume untold`() throws {
    try agent.hear(logind, isAsleep: true)
    try agent.hear(logind, isAsleep: false)
    // Suspended by somebody who does not ask logind.
    agent.clock.resume(at: agent.clock.now.adding(seconds: 3600))
    try agent.settle()
    #expect(agent.reasons == ["resume", "resume"])
  }

  @Test func `logind that is read after the clock tells it not once more, in whatever parts`()
    throws
  {
    try agent.hear(logind, isAsleep: true)
    agent.clock.resume(at: agent.clock.now.adding(seconds: 3600))
    try agent.hear(logind, isAsleep: false)
    #expect(agent.reasons == ["resume"])
    agent.clock.resume(at: agent.clock.now.adding(seconds: 3600))
    try agent.hear(logind, isAsleep: true)
    try agent.hear(logind, isAsleep: false)
    #expect(agent.reasons == ["resume", "resume"])
  }

  @Test func `what fell due in the night is told with it`() throws {
    _ = try agent.add("Standup", at: "2026-11-21 09:30", reminders: "15m")
    try agent.hear(logind, isAsleep: true)
    // Time passes, and the timer does not tell.
    agent.clock.wake = nil
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:16:00Z"))
    try agent.hear(logind, isAsleep: false)
    #expect(agent.signals("ReminderDue").count == 1)
  }
}

@Suite(.enabled(if: MockLogind.isInstalled, MockLogind.whatIsMissing))
struct `Who listens to sessions` {
  @Test func `it is over when nobody waits for one any more`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try logind.addSession("c1")
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let watch = try #require(agent.agent?.loginWatch)
    func snooze() throws {
      let id = try #require(try agent.pending().first?["id"]?.asString)
      _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("unlock")])
      #expect(watch.sessionSignals.count == 2)
    }
    #expect(watch.sessionSignals.isEmpty)
    try snooze()
    let connection = watch.connection
    try logind.unlock("c1")
    try agent.wait(for: "the reminder") { agent.signals("ReminderDue").count == 2 }
    #expect(watch.sessionSignals.isEmpty)
    // Of one that was dismissed the first signal after it tells.
    try snooze()
    #expect(watch.connection === connection)
    let id = try #require(try agent.pending().first?["id"]?.asString)
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(id)])
    try logind.hint("c1", locked: true)
    try agent.wait(for: "its end") { watch.sessionSignals.isEmpty }
  }

  @Test func `a refusal leaves nobody listening`() throws {
    let agent = try AgentUnderTest()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    let watch = try #require(agent.agent?.loginWatch)
    var answers = 0
    watch.whenListening {
      if case .failure = $0 { answers += 1 }
    }
    #expect(watch.sessionSignals.count == 2)
    try agent.wait(for: "the answer") { answers == 1 }
    #expect(watch.sessionSignals.isEmpty && watch.questions == 0)
    withExtendedLifetime(logind) {}
  }
}

@Suite struct `A system bus that is not as it should be` {
  /// A watch alone, with what it says.
  private final class Listener {
    let loop: EventLoop
    private(set) var log: [String] = []
    private(set) var watch: LoginWatch!
    var heard: [Bool] = []

    init(_ address: @escaping () -> String) throws {
      let loop = try EventLoop()
      self.loop = loop
      watch = LoginWatch(
        loop: loop, log: Log(marksPriority: false) { [unowned self] in log.append($0) },
        firstPauseMilliseconds: 10
      ) { () throws(DBusError) in try Connection(opening: address()) }
      watch.onSleepChange = { [unowned self] in heard.append($0) }
    }

    func wait(until condition: () -> Bool) throws {
      #expect(
        try loop.run(withinMilliseconds: AgentUnderTest.patienceMilliseconds, until: condition))
    }

    var isRegistered: Bool { watch.connection?.isRegistered ?? false }
  }

  @Test(.enabled(if: MockLogind.isInstalled, MockLogind.whatIsMissing))
  func `one that is started anew is found again, and what it says is heard`() throws {
    var bus = try PrivateBus()
    let listener = try Listener { bus.address }
    listener.watch.start()
    try listener.wait { listener.isRegistered }
    listener.watch.isUnlockAwaited = { true }
    var unlocked = 0
    listener.watch.onUnlocked = { unlocked += 1 }
    bus.stop()
    try listener.wait { listener.watch.connection == nil }
    #expect(listener.log.first == "datebookd: the connection to the system bus was lost\n")
    #expect(
      listener.log.contains {
        $0.contains("reminders that wait for an unlocked session are shown now")
      })
    #expect(unlocked == 1)
    bus = try PrivateBus()
    let logind = try MockLogind(on: bus, loop: listener.loop)
    try listener.wait { listener.isRegistered }
    #expect(listener.log.last == "datebookd: the system bus is back\n")
    // What it asked for before this answer is in force with it.
    var isAnswered = false
    listener.watch.whenListening { _ in isAnswered = true }
    try listener.wait { isAnswered }
    try logind.prepareForSleep(true)
    try listener.wait { listener.heard == [true] }
  }

  @Test func `where there is none nothing is said, and it is not looked for`() throws {
    let listener = try Listener { "unix:path=/nonexistent/bus" }
    listener.watch.start()
    #expect(try listener.loop.run(withinMilliseconds: 30) { false } == false)
    #expect(listener.log.isEmpty)
    #expect(listener.loop.wakeups <= 1)
  }

  @Test func `one that does not come back is looked for twelve times and no more`() throws {
    let bus = try PrivateBus()
    var attempts = 0
    let loop = try EventLoop()
    var log: [String] = []
    let watch = LoginWatch(
      loop: loop, log: Log(marksPriority: false) { log.append($0) }, firstPauseMilliseconds: 0
    ) { () throws(DBusError) in
      attempts += 1
      return try Connection(opening: bus.address)
    }
    watch.start()
    #expect(try loop.run(withinMilliseconds: 60_000) { watch.connection?.isRegistered ?? false })
    bus.stop()
    #expect(try loop.run(withinMilliseconds: 60_000) { log.count == 2 })
    #expect(attempts == 13)
    #expect(log.last?.contains("gave up on the system bus") == true)
  }

  @Test func `one that says nothing keeps neither the reminders nor the end waiting`() throws {
    let bus = try SilentBus()
    let listener = try Listener { bus.address }
    listener.watch.start()
    listener.watch.whenListening { _ in }
    #expect(try listener.loop.run(withinMilliseconds: 20) { false } == false)
    #expect(!listener.isRegistered && listener.watch.connection != nil)
    listener.watch.stop()
    #expect(listener.watch.connection == nil)
  }
}
