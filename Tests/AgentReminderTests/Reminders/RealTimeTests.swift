import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

// The program itself under the clock and the zone of the machine, which are moved under its hands.

@Suite(.serialized) struct `The clock of the machine` {
  @Test(.enabled(if: ClockNudge.isAllowed, "moving the clock by 1 µs needs CAP_SYS_TIME"))
  func `a clock that is set by a microsecond is told to everybody, each time`() throws {
    let agent = try AgentProcess()
    try agent.start()
    try agent.hearing("ClockChanged") { heard in
      for count in 1...2 {
        #expect(ClockNudge.nudge())
        try agent.wait(for: "ClockChanged") { heard().count >= count }
      }
      #expect(heard().allSatisfy { $0.first == .string("clock-set") })
    }
    #expect(try agent.terminate().status == .exited(0))
  }

  @Test(.enabled(if: ClockNudge.isAllowed, "moving the clock by 1 µs needs CAP_SYS_TIME"))
  func `what is to ring when the clock is set rings at its instant, once`() throws {
    let agent = try AgentProcess()
    try agent.start()
    let clock = try RealtimeClock(loop: agent.loop)
    let soon = clock.now.adding(seconds: 3)
    _ = try agent.add("Tea", at: soon.description)
    try agent.hearing("ReminderDue") { due in
      try agent.hearing("ClockChanged") { changes in
        #expect(ClockNudge.nudge())
        try agent.wait(for: "ClockChanged") { !changes().isEmpty }
      }
      var heardAt: Timestamp?
      try agent.wait(for: "the reminder") {
        if heardAt == nil, !due().isEmpty { heardAt = clock.now }
        return heardAt != nil
      }
      #expect(try #require(heardAt) >= soon)
      // The clock is set once more when it has rung.
      try agent.hearing("ClockChanged") { changes in
        #expect(ClockNudge.nudge())
        try agent.wait(for: "ClockChanged") { !changes().isEmpty }
      }
      _ = try agent.property("Revision")
      #expect(due().map { $0[2] } == [.string("Tea")])
      #expect(due().map { $0[4] } == [.int64(soon.seconds)])
    }
    #expect(try agent.terminate().status == .exited(0))
  }

  @Test
  func
    `what falls due while the agent stands still is told when it goes on, once, late and in order`()
    throws
  {
    let agent = try AgentProcess()
    try agent.start()
    let clock = try RealtimeClock(loop: agent.loop)
    // In the order in which they were added they are not due.
    let soon = clock.now.adding(seconds: 2)
    let starts = [("last", 1), ("first", 0), ("second", 0)] as [(String, Int64)]
    for (summary, seconds) in starts {
      _ = try agent.add(summary, at: soon.adding(seconds: seconds).description)
    }
    try agent.hearing("ReminderDue") { heard in
      try agent.frozen {
        var isOver = false
        clock.wake = { if $0 == .due { isOver = true } }
        clock.arm(at: soon.adding(seconds: 2))
        try agent.wait(for: "the instants") { isOver }
        #expect(heard().isEmpty)
      }
      try agent.wait(for: "the reminders") { heard().count >= 3 }
      // Whatever else it would say comes before this answer.
      _ = try agent.property("Revision")
      #expect(heard().map { $0[2].asString } == ["first", "second", "last"])
      for signal in heard() {
        #expect((signal[5]["late"]?.asInteger ?? 0) >= 1, "\(signal)")
      }
    }
    #expect(try agent.terminate().status == .exited(0))
  }
}

@Suite struct `A machine that sleeps` {
  @Test(.enabled(if: MockLogind.isInstalled, MockLogind.whatIsMissing))
  func `the program hears from logind that it is back`() throws {
    let agent = try AgentProcess()
    let logind = try MockLogind(on: agent.bus, loop: agent.loop)
    try agent.start()
    try agent.hearing("ClockChanged") { all in
      // Others may set the clock meanwhile.
      func isHeard() -> Bool { all().contains { $0.first == .string("resume") } }
      // The agent listens some moments after its start: the first nights may be too early for it.
      let most = AgentUnderTest.patienceMilliseconds / 100
      for _ in 0..<most where !isHeard() {
        try logind.prepareForSleep(true)
        try logind.prepareForSleep(false)
        _ = try agent.loop.run(withinMilliseconds: 100, until: isHeard)
      }
      #expect(isHeard())
    }
    #expect(try agent.terminate().status == .exited(0))
  }
}

@Suite struct `The zone of a machine that travels` {
  /// Gives the agent an /etc of its own.
  private static let ownFolder = #"""
    mount --make-rprivate / && mount -t tmpfs none /mnt && cp -a /etc/. /mnt &&
    mount --move /mnt /etc && ln -sfn /usr/share/zoneinfo/Etc/UTC /etc/localtime &&
    rm -f /etc/timezone && unset TZ && exec "$0"
    """#

  @Test(.enabled(if: !mounting.isEmpty, "needs a mount namespace, which root may have"))
  func `a link that is replaced as timedatectl does it moves what floats, and is told`() throws {
    let agent = try AgentProcess(prefix: mounting + ["sh", "-c", Self.ownFolder])
    try agent.start()
    #expect(try agent.property("TimeZone") == .string("Etc/UTC"))
    let uid = try agent.add("Holiday", at: "2040-01-01")
    func due() throws -> Timestamp {
      let rows = try agent.call(Contract.reminders, "Why", [.string(uid), .string("")])
      return Timestamp(seconds: rows[0].asArray?.first?["due"]?.asInteger ?? 0)
    }
    let before = try due()
    let process = try #require(agent.process)
    try agent.hearing("ClockChanged") { all in
      func heard() -> [[Value]] { all().filter { $0.first == .string("time-zone") } }
      let outcome = try Subprocess.run(
        "nsenter",
        [
          "-t", "\(process.processID)", "-m", "sh", "-c",
          "ln -s /usr/share/zoneinfo/Asia/Tokyo /etc/localtime.new && "
            + "mv -T /etc/localtime.new /etc/localtime",
        ])
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      try agent.wait(for: "ClockChanged") { !heard().isEmpty }
    }
    #expect(try agent.property("TimeZone") == .string("Asia/Tokyo"))
    let after = try due()
    #expect(after == before.adding(seconds: -9 * 3600))
    #expect(try agent.terminate().status == .exited(0))
  }
}
