import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

/// The program itself under the clock and the zone of the machine, which are moved under its hands.
extension AgentProcess {
  /// Writes down the signals of the agent while `body` runs.
  fileprivate func hearing(
    _ member: MemberName, _ body: (_ heard: () -> [[Value]]) throws -> Void
  ) throws {
    var heard: [[Value]] = []
    let subscription = try connection.subscribe(MatchRule(path: Contract.path, member: member)) {
      if let arguments = try? $0.arguments() { heard.append(arguments) }
    }
    defer { subscription.cancel() }
    // The bus knows of the subscription once this is answered.
    _ = try property("Revision")
    try body { heard }
  }

  fileprivate func add(_ summary: String, at start: String) throws -> String {
    let answer = try call(
      Contract.events, "Add",
      [
        .string(""),
        .row([
          ("summary", .string(summary)), ("start", .string(start)), ("reminders", .strings(["0m"])),
        ]),
      ])
    return answer[0].asString ?? ""
  }
}

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

/// Whether there is something that plays logind.
private let hasMock =
  (try? Subprocess.run("/usr/bin/python3", ["-c", "import dbusmock"]))?.status == .exited(0)

@Suite struct `A machine that sleeps` {
  @Test(.enabled(if: hasMock, "python3-dbusmock is not installed"))
  func `logind's word that it is back is told as a resume, once, and its first word is not`() throws
  {
    let agent = try AgentProcess()
    let login: BusName = "org.freedesktop.login1"
    var isThere = false
    let watch = try agent.connection.watchOwner(of: login) { isThere = $0 != nil }
    let mock = try Subprocess(
      "/usr/bin/python3", ["-m", "dbusmock", "--template", "logind"],
      environment: agent.bus.environment)
    defer { mock.terminate(signal: 9) }
    try agent.wait(for: "logind") { isThere }
    try agent.start()
    func emit(_ isAsleep: Bool) throws {
      let message = try Message.call(
        login, "/org/freedesktop/login1", "org.freedesktop.DBus.Mock", "EmitSignal",
        [
          .string("org.freedesktop.login1.Manager"), .string("PrepareForSleep"), .string("b"),
          .array("v", [.variant(.boolean(isAsleep))]),
        ])
      var isDone = false
      var fault: DBusError?
      try agent.connection.call(message) { result in
        isDone = true
        if case .failure(let error) = result { fault = error }
      }
      try agent.wait(for: "the mock") { isDone }
      if let fault { throw fault }
      // It writes down each signal, and would stand still with a pipe that is full.
      mock.pump()
    }
    try agent.hearing("ClockChanged") { all in
      // Others may set the clock meanwhile.
      func heard() -> [[Value]] { all().filter { $0.first == .string("resume") } }
      // The agent listens some moments after its start: the first night may be too early for it.
      while heard().isEmpty {
        try emit(true)
        try emit(false)
        _ = try agent.property("Revision")
      }
      try emit(true)
      _ = try agent.property("Revision")
      #expect(heard().count == 1)
      try emit(false)
      try agent.wait(for: "the resume") { heard().count > 1 }
      try emit(false)
      _ = try agent.property("Revision")
      #expect(heard().count == 2)
    }
    withExtendedLifetime(watch) {}
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

  @Test(.enabled(if: !mounting.isEmpty, "needs a mount namespace"))
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
        ["-t", "\(process.processID)"]
          + (mounting.contains("-rm") ? ["-U", "--preserve-credentials"] : [])
          + [
            "-m", "sh", "-c",
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
