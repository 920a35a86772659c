import CalendarBus
import CivilTime
import DBus
import Glibc
import JSON
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// A program that adds what it was given to a file, as one line, and says what its environment
/// has of it.
private let keeping = """
  #!/bin/sh
  cat >> "$HOME/told"
  (env | grep ^DATEBOOK_ | sort; echo) >> "$HOME/environment"

  """

@Suite struct `Hooks` {
  private let agent: AgentUnderTest

  init() throws {
    agent = try AgentUnderTest()
    try agent.files.makeDirectory("hooks")
  }

  private func put(_ hook: String, _ name: String, _ text: String, mode: UInt32 = 0o700) throws {
    try agent.files.makeDirectory("hooks/\(hook).d")
    try agent.files.write(text, to: "hooks/\(hook).d/\(name)", mode: mode)
    // Whatever the umask says.
    chmod(agent.files.file("hooks/\(hook).d/\(name)"), mode)
  }

  /// What the programs were given by now, in order.
  private func told() throws -> [JSONValue] {
    try agent.wait(for: "the end of the hooks") { agent.agent?.hooks.count == 0 }
    let bytes = agent.files.read("told") ?? []
    return try bytes.split(separator: UInt8(ascii: "\n")).map {
      try JSONReader.value(of: Array($0), maximumOctets: 1 << 20)
    }
  }

  @Test func `a program that does not end is ended after its time, and said so`() throws {
    try put("day-start", "stay", "#!/bin/sh\nexec sleep 1000\n")
    var lines: [String] = []
    let runner = HookRunner(
      folder: agent.files.file("hooks"), environment: ["PATH": "/usr/bin:/bin"], loop: agent.loop,
      log: Log(marksPriority: false) { lines.append($0) }, milliseconds: 100)
    runner.run(.dayStart, HookCall(day: CivilDate.epoch, events: [], colors: [:]))
    #expect(runner.count == 1)
    try agent.wait(for: "its end") { runner.count == 0 }
    #expect(lines.contains { $0.contains("stay was stopped after") })
    #expect(runner.problems.contains { $0.contains("stay was stopped after") })
  }

  @Test func `what comes while a thousand wait is dropped, and counted when they have run`()
    throws
  {
    try put("day-start", "run", "#!/bin/sh\n")
    var lines: [String] = []
    let runner = HookRunner(
      folder: agent.files.file("hooks"), environment: ["PATH": "/usr/bin:/bin"], loop: agent.loop,
      log: Log(marksPriority: false) { lines.append($0) })
    for _ in 0..<HookRunner.mostAtOnce + HookRunner.mostWaiting + 3 {
      runner.run(.dayStart, HookCall(day: CivilDate.epoch, events: [], colors: [:]))
    }
    #expect(runner.count == HookRunner.mostAtOnce + HookRunner.mostWaiting)
    try agent.wait(for: "their end") { runner.count == 0 }
    #expect(
      lines == [
        "datebookd: 1000 runs of hooks are waiting; new ones are skipped\n",
        "datebookd: 3 runs of hooks were skipped\n",
      ])
  }

  @Test func `what failed is a problem until it is run well, and so is a folder that no hook has`()
    throws
  {
    try put("day-start", "fail", "this is no program")
    try agent.files.makeDirectory("hooks/reminder.d")
    let runner = HookRunner(
      folder: agent.files.file("hooks"), environment: ["PATH": "/usr/bin:/bin"], loop: agent.loop,
      log: Log(marksPriority: false) { _ in })
    func run() throws {
      runner.run(.dayStart, HookCall(day: CivilDate.epoch, events: [], colors: [:]))
      try agent.wait(for: "its end") { runner.count == 0 }
    }
    #expect(runner.problems.count == 1)
    #expect(runner.problems.first?.contains("reminder.d is not a folder of a hook") ?? false)
    try run()
    #expect(runner.problems.count == 2)
    #expect(runner.problems.first?.hasPrefix("hook failed at its last run: ") ?? false)
    #expect(runner.problems.first?.contains("day-start.d/fail") ?? false, "\(runner.problems)")
    try agent.files.write("#!/bin/sh\n", to: "hooks/day-start.d/fail", mode: 0o700)
    // A process that another test starts may have the file open for a moment, which cannot be run then.
    repeat { try run() } while runner.problems.contains { $0.contains("Text file busy") }
    #expect(runner.problems.count == 1, "\(runner.problems)")
  }

  /// What the environments of the programs had of it by now, in order.
  private func environments() throws -> [[String: String]] {
    _ = try told()
    var all: [[String: String]] = [[:]]
    for line in String(decoding: agent.files.read("environment") ?? [], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 {
        all[all.count - 1][String(parts[0])] = String(parts[1])
      } else {
        all.append([:])
      }
    }
    return all.filter { !$0.isEmpty }
  }

  @Test func `a reminder's program gets the reminder`() throws {
    try put("reminder-due", "keep", keeping)
    let uid = try agent.add("Tea; rm -rf /", at: "2026-11-21 10:00", reminders: "15m")
    try agent.advance(to: "2026-11-21T08:45:00Z")
    let told = try told()
    #expect(told.count == 1)
    #expect(told.first?["hook"] == "reminder-due")
    #expect(told.first?["late"] == 0)
    #expect(told.first?["quiet"] == false)
    #expect(told.first?["reminder"]?["uid"]?.stringValue == uid)
    #expect(told.first?["reminder"]?["summary"] == "Tea; rm -rf /")
    #expect(told.first?["reminder"]?["start"] == 1_795_251_600)
    #expect(
      try environments() == [
        [
          "DATEBOOK_HOOK": "reminder-due", "DATEBOOK_UID": uid, "DATEBOOK_RECURRENCE_ID": "",
          "DATEBOOK_SUMMARY": "Tea; rm -rf /", "DATEBOOK_REMINDER": try agent.onlyReminder(),
        ]
      ])
  }

  @Test func `they begin with what systemd has been told since the agent's start`() throws {
    try put(
      "reminder-due", "keep",
      "#!/bin/sh\necho \"$WAYLAND_DISPLAY|$PATH|$HOME|$XDG_ACTIVATION_TOKEN\" > \"$HOME/environment\"\n"
    )
    let manager = try SessionManager(
      agent,
      environment: [
        "WAYLAND_DISPLAY=wayland-1", "PATH=/opt/bin:/usr/bin", "XDG_ACTIVATION_TOKEN=old",
        "DATEBOOK_HOOK=other",
      ])
    _ = try agent.add("Tea", at: "2026-11-21 10:00", reminders: "15m")
    try agent.advance(to: "2026-11-21T08:45:00Z")
    #expect(try told() == [])
    #expect(
      agent.files.read("environment").map { String(decoding: $0, as: UTF8.self) }
        == "wayland-1|/opt/bin:/usr/bin:/bin|\(agent.files.path)|\n")
    withExtendedLifetime(manager) {}
  }

  @Test func `where systemd does not answer any more they begin with what it has said last`() throws
  {
    try put(
      "reminder-due", "keep", "#!/bin/sh\necho \"$WAYLAND_DISPLAY\" >> \"$HOME/environment\"\n")
    let manager = try SessionManager(agent, environment: ["WAYLAND_DISPLAY=wayland-1"])
    _ = try agent.add("Tea", at: "2026-11-21 10:00", reminders: "15m")
    _ = try agent.add("Cake", at: "2026-11-21 10:10", reminders: "15m")
    _ = try agent.add("Walk", at: "2026-11-21 10:20", reminders: "15m")
    func displays() -> String {
      agent.files.read("environment").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    try agent.advance(to: "2026-11-21T08:45:00Z")
    try agent.wait(for: "the first") { displays() == "wayland-1\n" }
    // It is patient enough with one that it would wait for.
    try manager.standStill()
    try agent.advance(to: "2026-11-21T08:55:00Z")
    try agent.wait(for: "the second") { displays() == "wayland-1\nwayland-1\n" }
    try agent.advance(to: "2026-11-21T09:05:00Z")
    try agent.wait(for: "the third") { displays() == "wayland-1\nwayland-1\nwayland-1\n" }
    withExtendedLifetime(manager) {}
  }

  @Test func `what systemd says late is for the next`() throws {
    try put(
      "reminder-due", "keep", "#!/bin/sh\necho \"$WAYLAND_DISPLAY\" >> \"$HOME/environment\"\n")
    let manager = try SessionManager(
      agent, environment: ["WAYLAND_DISPLAY=wayland-1"], answers: false)
    for (title, time) in [("Tea", "10:00"), ("Cake", "10:10"), ("Walk", "10:20")] {
      _ = try agent.add(title, at: "2026-11-21 \(time)", reminders: "15m")
    }
    func displays() -> String {
      agent.files.read("environment").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    try agent.advance(to: "2026-11-21T08:45:00Z")
    try manager.answer()
    try agent.wait(for: "the first") { displays() == "wayland-1\n" }
    manager.environment = ["WAYLAND_DISPLAY=wayland-2"]
    try agent.advance(to: "2026-11-21T08:55:00Z")
    try agent.wait(for: "the second") { displays() == "wayland-1\nwayland-1\n" }
    try manager.answer()
    try agent.advance(to: "2026-11-21T09:05:00Z")
    try agent.wait(for: "the third") { displays() == "wayland-1\nwayland-1\nwayland-2\n" }
    withExtendedLifetime(manager) {}
  }

  @Test func `what has its turn as the agent stops is run, whatever systemd does`() throws {
    try put("reminder-due", "keep", "#!/bin/sh\ncat > \"$HOME/gate\"\n")
    #expect(mkfifo(agent.files.file("gate"), 0o600) == 0)
    let manager = try SessionManager(agent, answers: false)
    // No pipe holds so much.
    let title = String(repeating: "long ", count: 40_000)
    try agent.importComponents(
      component(
        "tea", "DTSTART:20261121T090000Z", "SUMMARY:\(title)", "BEGIN:VALARM", "ACTION:DISPLAY",
        "DESCRIPTION:x", "TRIGGER:-PT15M", "END:VALARM"))
    try agent.advance(to: "2026-11-21T08:45:00Z")
    #expect(agent.agent?.hooks.count == 1)
    let reader = try Subprocess("cat", [agent.files.file("gate")])
    agent.stop()
    let told = try JSONReader.value(of: Array(reader.wait().output.utf8), maximumOctets: 1 << 20)
    #expect(told["reminder"]?["uid"] == "tea")
    withExtendedLifetime(manager) {}
  }

  @Test func `without systemd, and as the agent stops, none has a token of its start`() throws {
    let line = "$WAYLAND_DISPLAY|$XDG_ACTIVATION_TOKEN|$DESKTOP_STARTUP_ID"
    try put("day-start", "keep", "#!/bin/sh\necho \"\(line)\" > \"$HOME/environment\"\n")
    let runner = HookRunner(
      folder: agent.files.file("hooks"),
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": agent.files.path, "WAYLAND_DISPLAY": "wayland-1",
        "XDG_ACTIVATION_TOKEN": "old", "DESKTOP_STARTUP_ID": "old",
      ], loop: agent.loop, log: Log(marksPriority: false) { _ in })
    runner.run(.dayStart, HookCall(day: CivilDate.epoch, events: [], colors: [:]))
    try agent.wait(for: "its end") { runner.count == 0 }
    #expect(
      agent.files.read("environment").map { String(decoding: $0, as: UTF8.self) }
        == "wayland-1||\n")
  }

  @Test func `of a series the environment says which occurrence it is`() throws {
    for hook in ["reminder-due", "event-start", "event-end"] { try put(hook, "keep", keeping) }
    try agent.importComponents(
      component(
        "tea", "DTSTART;TZID=Europe/Berlin:20261120T100000", "DURATION:PT1H", "SUMMARY:Tea",
        "RRULE:FREQ=DAILY", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M",
        "END:VALARM"))
    let occurrence = "20261121T090000Z"
    func wanted(_ hook: String, _ more: [String: String] = [:]) -> [String: String] {
      [
        "DATEBOOK_HOOK": hook, "DATEBOOK_UID": "tea", "DATEBOOK_RECURRENCE_ID": occurrence,
        "DATEBOOK_SUMMARY": "Tea",
      ].merging(more) { $1 }
    }
    try agent.advance(to: "2026-11-21T08:55:00Z")
    var expected = [wanted("reminder-due", ["DATEBOOK_REMINDER": try agent.onlyReminder()])]
    #expect(try environments() == expected)
    for (hour, hook) in [("09", "event-start"), ("10", "event-end")] {
      try agent.advance(to: "2026-11-21T\(hour):00:00Z")
      expected.append(wanted(hook))
      #expect(try environments() == expected)
    }
  }

  @Test func `a day and a change have no event in their environment, and the day its date`() throws
  {
    for hook in ["events-changed", "day-start"] { try put(hook, "keep", keeping) }
    _ = try agent.add("Tea", at: "2026-11-22 10:00", reminders: "none")
    #expect(try environments() == [["DATEBOOK_HOOK": "events-changed"]])
    try agent.advance(to: "2026-11-21T23:00:00Z")
    #expect(
      try environments().last == ["DATEBOOK_HOOK": "day-start", "DATEBOOK_DATE": "2026-11-22"])
  }

  @Test func `the start of an event, its end, a change and a day have theirs`() throws {
    for hook in ["event-start", "event-end", "events-changed", "day-start"] {
      try put(hook, "keep", keeping)
    }
    let uid = try agent.add(
      ("summary", .string("Late show")), ("start", .string("2026-11-21 23:00")),
      ("end", .string("2026-11-22 00:30")))
    #expect(try told().map { $0["hook"] } == ["events-changed"])
    #expect(try told()[0]["uids"]?.arrayValue == [.string(uid)])
    #expect(try told()[0]["origin"] == "local")
    try agent.advance(to: "2026-11-21T22:00:00Z")
    #expect(try told().last?["hook"] == "event-start")
    #expect(try told().last?["event"]?["summary"] == "Late show")
    try agent.advance(to: "2026-11-21T23:00:00Z")
    #expect(try told().last?["hook"] == "day-start")
    #expect(try told().last?["date"] == "2026-11-22")
    #expect(try told().last?["events"]?[0]?["uid"]?.stringValue == uid)
    try agent.advance(to: "2026-11-21T23:30:00Z")
    #expect(try told().last?["hook"] == "event-end")
    #expect(try told().count == 4)
  }

  @Test func `a day is begun once, also by an agent that comes later`() throws {
    try put("day-start", "keep", keeping)
    agent.stop()
    try agent.start()
    #expect(try told().isEmpty)
    agent.stop()
    agent.clock.advance(to: try .init(text: "2026-11-24T07:00:00Z"))
    try agent.start()
    #expect(try told().map { $0["date"] } == ["2026-11-24"])
  }

  @Test func `a clock that was ahead for years keeps no day from beginning`() throws {
    try put("day-start", "keep", keeping)
    agent.clock.set(to: try Timestamp(text: "2038-01-20T07:00:00Z"))
    try agent.settle()
    agent.clock.set(to: try Timestamp(text: "2026-11-22T07:00:00Z"))
    try agent.settle()
    // They run at once, and so may end in any order.
    #expect(Set(try told().map { $0["date"] }) == ["2038-01-20", "2026-11-22"])
  }

  @Test func `a title without end keeps no program from being run`() throws {
    try put("events-changed", "keep", keeping)
    try put("event-start", "keep", keeping)
    let title = String(repeating: "long ", count: 40_000)
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [
        .string(
          "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:d\r\n"
            + "DTSTAMP:20261101T000000Z\r\nDTSTART:20261121T080000Z\r\nDTEND:20261121T090000Z\r\n"
            + "SUMMARY:\(title)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"), .string(""), .string("merge"),
      ])
    #expect(Set(try told().map { $0["hook"] }) == ["events-changed", "event-start"])
  }

  @Test func `the start of an event has been dealt with before its end is`() throws {
    // The first waits until it may go on; the second would be there before it.
    #expect(mkfifo(agent.files.file("gate"), 0o600) == 0)
    try put(
      "event-start", "slow",
      "#!/bin/sh\nread line < \"$HOME/gate\"\necho '\"start\"' >> \"$HOME/told\"\n")
    try put("event-end", "fast", "#!/bin/sh\necho '\"end\"' >> \"$HOME/told\"\n")
    _ = try agent.add(
      ("summary", .string("Short")), ("start", .string("2026-11-21 10:00")),
      ("end", .string("2026-11-21 10:05")))
    try agent.advance(to: "2026-11-21T09:00:00Z")
    try agent.advance(to: "2026-11-21T09:05:00Z")
    #expect(agent.agent?.hooks.count == 2)
    let gate = try Subprocess("sh", ["-c", "echo go > '\(agent.files.file("gate"))'"])
    #expect(try told() == ["start", "end"])
    try gate.wait()
  }

  @Test func `four run at once, and all have their turn`() throws {
    try put(
      "day-start", "count",
      "#!/bin/sh\necho started\nread line < \"$HOME/gate\"\necho '{}' >> \"$HOME/told\"\n")
    #expect(mkfifo(agent.files.file("gate"), 0o600) == 0)
    var lines: [String] = []
    // None is ended while it waits for the others, however long that takes.
    let runner = HookRunner(
      folder: agent.files.file("hooks"),
      environment: ["PATH": "/usr/bin:/bin", "HOME": agent.files.path], loop: agent.loop,
      log: Log(marksPriority: false) { lines.append($0) }, milliseconds: 3_600_000)
    for _ in 0..<6 {
      runner.run(.dayStart, HookCall(day: CivilDate.epoch, events: [], colors: [:]))
    }
    func started() -> Int { lines.count { $0.hasSuffix("started\n") } }
    try agent.wait(for: "four programs") { started() == 4 }
    #expect(runner.count == 6)
    #expect(started() == 4)
    // A writer that stays, and a line for each.
    let gate = try Subprocess(
      "sh",
      [
        "-c",
        "exec 3<> '\(agent.files.file("gate"))'; printf '\\n\\n\\n\\n\\n\\n' >&3; exec tail -f /dev/null",
      ])
    defer { gate.terminate() }
    try agent.wait(for: "the end of the hooks") { runner.count == 0 }
    #expect(try told().count == 6)
  }

  @Test func `those of the agent run for 30 seconds at most`() {
    #expect(agent.agent?.hooks.milliseconds == 30_000)
  }

  @Test func `a folder that no hook has is told once, with those that there are`() throws {
    try put("reminder", "keep", keeping)
    try put("reminder-due", "keep", keeping)
    for minute in 0..<2 {
      _ = try agent.add("Tea", at: "2026-11-21 10:0\(minute)", reminders: "15m")
    }
    try agent.advance(to: "2026-11-21T08:46:00Z")
    _ = try told()
    let lines = agent.log.filter { $0.contains("is not a folder of a hook") }
    #expect(lines.count == 1)
    for word in ["hooks/reminder.d ", "reminder-due.d, event-start.d, event-end.d"] {
      #expect(lines.first?.contains(word) ?? false, "\(lines)")
    }
  }

  @Test func `what is not the user's alone is refused with a line, once`() throws {
    try put("reminder-due", "open", keeping, mode: 0o722)
    for number in 0..<2 {
      _ = try agent.add("\(number)", at: "2026-11-21 10:0\(number)", reminders: "0m")
    }
    try agent.advance(to: "2026-11-21T09:01:00Z")
    #expect(try told().isEmpty)
    #expect(agent.log.filter { $0.contains("hook refused") }.count == 1)
    #expect(
      agent.log.contains { $0.contains("reminder-due.d/open cannot be used: others may write") })
  }

  @Test func `none is run where anybody may swap their folder, which is one problem`() throws {
    try put("reminder-due", "a", keeping)
    try put("day-start", "a", keeping)
    setMode(agent.files.path, 0o777)
    _ = try agent.add("Tea", at: "2026-11-21 10:00", reminders: "0m")
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(try told().isEmpty)
    #expect(
      agent.agent?.hooks.problems
        == [
          "hook refused: \(agent.files.path) cannot be used: others may write to it (mode "
            + "777); run chmod go-w on it"
        ])
  }

  @Test func `a program that names no program to run it is told with what is missing`() throws {
    try put("reminder-due", "bare", "echo so it is\n")
    _ = try agent.add("Tea", at: "2026-11-21 10:00", reminders: "0m")
    try agent.advance(to: "2026-11-21T09:00:00Z")
    try agent.wait(for: "the line") { agent.log.contains { $0.contains("bare") } }
    #expect(agent.log.contains { $0.contains("its first line must name its interpreter") })
    #expect(
      agent.agent?.hooks.problems.contains { $0.contains("such as #!/bin/sh") } ?? false)
  }

  @Test func `output and failure are logged, and the reminder is told all the same`() throws {
    try put("reminder-due", "fails", "#!/bin/sh\necho so it is\nexit 7\n")
    _ = try agent.add("Tea", at: "2026-11-21 10:00", reminders: "0m")
    try agent.advance(to: "2026-11-21T09:00:00Z")
    _ = try told()
    #expect(agent.signals("ReminderDue").count == 1)
    #expect(agent.log.contains { $0.contains("reminder-due.d/fails: so it is") })
    #expect(agent.log.contains { $0.contains("reminder-due.d/fails exited with code 7") })
  }
}
