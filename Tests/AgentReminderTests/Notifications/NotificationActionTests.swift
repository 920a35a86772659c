import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `What a notification offers` {
  /// An agent of which a reminder of 9:30 is shown, since 9:15.
  ///
  /// - Parameter prepare: called before it starts.
  private func shown(
    snoozes: [SnoozeStep] = Configuration().snoozes, _ pairs: (String, Value)...,
    prepare: (AgentUnderTest) throws -> Void = { _ in }
  ) throws -> (AgentUnderTest, NotificationServer) {
    let agent = try AgentUnderTest(start: false, notifications: true, snoozes: snoozes)
    try prepare(agent)
    try agent.start()
    let server = try NotificationServer(agent)
    try agent.files.write(
      "#!/bin/sh\necho \"$@ $XDG_ACTIVATION_TOKEN\" >> \"$HOME/opened\"\n", to: "open", mode: 0o700)
    try agent.settle()
    let row: [(String, Value)] =
      [
        ("summary", .string("Standup")), ("start", .string("2026-11-21 09:30")),
        ("reminders", .strings(["15m"])),
      ] + pairs
    _ = try agent.call(Contract.events, "Add", [.string(""), .row(row)])
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    return (agent, server)
  }

  private func opened(_ agent: AgentUnderTest) throws -> String {
    // To its end: a process that nobody waits for would be in the way of others that wait for any.
    try agent.wait(for: "the program that opens it") {
      agent.files.read("opened") != nil && agent.agent?.opener.count == 0
    }
    return String(decoding: agent.files.read("opened") ?? [], as: UTF8.self)
  }

  @Test func `a meeting is joined: its address is opened, and the reminder is seen`() throws {
    let (agent, server) = try shown(
      ("description", .string("Join at https://meet.jit.si/Standup.")))
    #expect(server.shown[0].actions.prefix(2) == ["join", "Join"])
    server.emit("ActivationToken", [.uint32(1), .string("token-1")])
    server.invoke(1, "join")
    #expect(try opened(agent) == "--new https://meet.jit.si/Standup token-1\n")
    #expect(try agent.pending() == [])
  }

  /// Has what opens addresses write down where it would come up.
  private func writeEnvironment(_ agent: AgentUnderTest, to program: String = "open") throws {
    try agent.files.write(
      """
      #!/bin/sh
      echo "$WAYLAND_DISPLAY|$PATH|$HOME|$XDG_ACTIVATION_TOKEN|$DESKTOP_STARTUP_ID" > "$HOME/.opened"
      mv "$HOME/.opened" "$HOME/opened"

      """, to: program, mode: 0o700)
  }

  @Test func `it is opened on the screen that came after the agent, as systemd was told`() throws {
    let (agent, server) = try shown(("description", .string("https://meet.jit.si/Standup")))
    try writeEnvironment(agent)
    let manager = try SessionManager(
      agent,
      environment: [
        "WAYLAND_DISPLAY=wayland-1", "PATH=/usr/bin:/bin:/opt/bin", "XDG_ACTIVATION_TOKEN=old",
        "DESKTOP_STARTUP_ID=old", "without-a-value",
      ])
    server.emit("ActivationToken", [.uint32(1), .string("token-1")])
    server.invoke(1, "join")
    #expect(
      try opened(agent) == "wayland-1|/usr/bin:/bin:/opt/bin|\(agent.files.path)|token-1|\n")
    withExtendedLifetime(manager) {}
  }

  @Test func `a program is found by either PATH, and begins with the one that has it`() throws {
    let (agent, server) = try shown(("description", .string("https://meet.jit.si/Standup"))) {
      $0.configuration.opener = ["opener"]
      $0.environment["PATH"] = $0.files.file("own") + ":/usr/bin:/bin"
      $0.environment["DESKTOP_STARTUP_ID"] = "of the agent's start"
      try $0.files.makeDirectory("own")
      try $0.files.makeDirectory("told")
      try writeEnvironment($0, to: "own/opener")
    }
    let (own, told) = (agent.files.file("own"), agent.files.file("told"))
    let manager = try SessionManager(agent, environment: ["PATH=/usr/bin:/bin"])
    server.invoke(1, "join")
    #expect(try opened(agent) == "|\(own):/usr/bin:/bin|\(agent.files.path)||\n")

    // Nor is it missed where what systemd has said last knows it.
    _ = try agent.run("mv", [own + "/opener", told + "/opener"])
    _ = try agent.run("rm", [agent.files.file("opened")])
    func problems() throws -> [String] {
      try (agent.property("Problems").asStrings ?? []).filter { $0.contains("no program") }
    }
    #expect(
      try problems() == ["Join and Open location do nothing: there is no program opener in PATH"])
    manager.environment = ["PATH=\(told):/usr/bin:/bin"]
    try agent.add(
      ("summary", .string("Review")), ("start", .string("2026-11-21 09:31")),
      ("reminders", .strings(["15m"])), ("url", .string("https://meet.jit.si/Review")))
    try agent.advance(to: "2026-11-21T08:16:00Z")
    try agent.wait(for: "its notification") { server.shown.count == 2 }
    try agent.settle()
    server.invoke(2, "join")
    #expect(try opened(agent) == "|\(told):/usr/bin:/bin|\(agent.files.path)||\n")
    #expect(try problems() == [])
  }

  @Test func `systemd that does not answer keeps nobody from a meeting`() throws {
    let (agent, server) = try shown(("description", .string("https://meet.jit.si/Standup"))) {
      $0.managerPatienceMilliseconds = 5
    }
    try writeEnvironment(agent)
    let manager = try SessionManager(agent, answers: false)
    server.invoke(1, "join")
    #expect(try opened(agent) == "|/usr/bin:/bin|\(agent.files.path)||\n")
    withExtendedLifetime(manager) {}
  }

  @Test func `a meeting that cannot be opened is told again`() throws {
    let (agent, server) = try shown(("description", .string("https://meet.jit.si/Standup")))
    try agent.files.write("#!/bin/sh\nexit 3\n", to: "open", mode: 0o700)
    server.invoke(1, "join")
    try agent.wait(for: "the failure") { agent.log.contains { $0.contains("could not open") } }
    try agent.settle()
    #expect(try agent.pending().count == 1)
    try agent.advance(to: "2026-11-21T08:15:01Z")
    try agent.wait(for: "its notification") { server.shown.count == 2 }
    try agent.settle()
    #expect(server.shown[1].summary == "Standup" && !server.shown[1].isSilent)
    #expect(agent.log.contains { $0.contains("could not open https://meet.jit.si/Standup") })
    #expect(agent.agent?.opener.count == 0)
  }

  @Test func `a place is looked up on a map`() throws {
    let (agent, server) = try shown(("location", .string("Café Ömer & Co; Hauptstr. 5")))
    #expect(server.shown[0].actions.suffix(2) == ["location", "Open location"])
    server.invoke(1, "location")
    #expect(
      try opened(agent)
        == "--new https://www.openstreetmap.org/search?query=Caf%C3%A9%20%C3%96mer%20%26%20Co%3B%20Hauptstr.%205 \n"
    )
    // Who looks where it is has not gone there: it stays, and is not heard again.
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settle()
    #expect(server.shown[1].isSilent)
    #expect(server.open == [2])
    #expect(try agent.pending().count == 1)
    #expect(agent.signals("ReminderDismissed").isEmpty)
  }

  @Test func `without an address and a place there is neither`() throws {
    let (_, server) = try shown()
    #expect(server.shown[0].actions == ["snooze", "Snooze 10 min", "dismiss", "Dismiss"])
  }

  @Test func `the steps of the settings are offered, and each means what it says`() throws {
    let steps = ["5m", "1h", "1d", "start"].compactMap(SnoozeStep.init)
    let due: [Int64] = [1_795_249_200, 1_795_252_500, 1_795_335_300, 1_795_249_800]
    for (step, due) in due.enumerated() {
      let (agent, server) = try shown(snoozes: steps)
      #expect(
        server.shown[0].actions == [
          "snooze", "Snooze 5 min", "dismiss", "Dismiss", "snooze:1", "Snooze 1 h",
          "snooze:2", "Snooze 1 day", "snooze:3", "Snooze until the start",
        ])
      server.invoke(1, step == 0 ? "snooze" : "snooze:\(step)")
      try agent.wait(for: "the snooze") { !agent.signals("ReminderSnoozed").isEmpty }
      #expect(agent.signals("ReminderSnoozed")[0].arguments[2] == .int64(due))
    }
  }

  @Test func `until the start nothing can be put off that has begun`() throws {
    let (agent, server) = try shown(snoozes: ["5m", "start"].compactMap(SnoozeStep.init))
    #expect(server.shown[0].actions.suffix(2) == ["snooze:1", "Snooze until the start"])
    for instant in ["08:20:00", "08:25:00", "08:29:00", "08:30:00"] {
      try agent.advance(to: "2026-11-21T\(instant)Z")
      try agent.settle()
    }
    #expect(server.shown.last?.body.hasPrefix("now") == true)
    #expect(server.shown.last?.actions == ["snooze", "Snooze 5 min", "dismiss", "Dismiss"])
  }

  @Test func `the first three buttons, which GNOME Shell shows, are those that are needed most`()
    throws
  {
    let (_, server) = try shown(
      snoozes: ["10m", "1h"].compactMap(SnoozeStep.init),
      ("url", .string("https://meet.jit.si/Standup")), ("location", .string("Hauptstr. 5, Ulm")))
    let keys = server.shown[0].actions.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    #expect(keys == ["join", "snooze", "dismiss", "snooze:1", "location"])
  }

  @Test func `a step that there is not means nothing`() throws {
    let (agent, server) = try shown()
    server.invoke(1, "snooze:7", closes: false)
    try agent.settle()
    try agent.settle()
    #expect(try agent.pending()[0]["state"] == .string("due"))
  }

  @Test func `a meeting whose program is not there comes back, and the log says why`() throws {
    let (agent, server) = try shown(("description", .string("https://meet.jit.si/Standup")))
    _ = try agent.run("rm", [agent.files.file("open")])
    server.invoke(1, "join")
    try agent.wait(for: "the line") { agent.log.contains { $0.contains("could not be opened") } }
    #expect(
      agent.log.contains { $0.contains("https://meet.jit.si/Standup could not be opened: start") })
    try agent.settleNotifications()
    #expect(try agent.pending().map { $0["state"] } == [.string("snoozed")])
    try agent.advance(to: "2026-11-21T08:15:01Z")
    try agent.wait(for: "its notification") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(server.shown[1].summary == "Standup" && !server.shown[1].isSilent)
    #expect(try agent.pending().map { $0["state"] } == [.string("due")])
    #expect(agent.signals("ReminderDue").count == 2)
  }

  @Test func `a place whose program is not there stays on the screen, and waits`() throws {
    let (agent, server) = try shown(("location", .string("Hauptstr. 5, Berlin")))
    _ = try agent.run("rm", [agent.files.file("open")])
    server.invoke(1, "location")
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(agent.log.contains { $0.contains("could not be opened: start") })
    #expect(server.open == [2])
    #expect(try agent.pending().map { $0["state"] } == [.string("due")])
    #expect(agent.signals("ReminderDismissed").isEmpty)
  }

  @Test func `its words change in their place and silently as the start comes near`() throws {
    let (agent, server) = try shown()
    for instant in ["08:19:59", "08:20:00", "08:25:00", "08:29:00", "08:30:00", "09:29:59"] {
      try agent.advance(to: "2026-11-21T\(instant)Z")
      try agent.settle()
    }
    #expect(
      server.shown.map(\.body) == [
        "in 15 min · 09:30–10:30", "in 10 min · 09:30–10:30",
        "in 5 min · 09:30–10:30",
        "in 1 min · 09:30–10:30", "now · 09:30–10:30",
      ])
    try agent.advance(to: "2026-11-21T09:30:00Z")
    try agent.settle()
    #expect(server.shown.last?.body == "Over: today, 09:30–10:30")
    #expect(server.shown.dropFirst().allSatisfy { $0.replaces == 1 && $0.isSilent })
    #expect(server.open == [1])
    #expect(try agent.pending().count == 1)
  }

  @Test func `a to-do says that it is one, and when it is due`() throws {
    let agent = try AgentUnderTest(notifications: true, snoozes: [.start])
    let server = try NotificationServer(agent)
    try agent.settle()
    try agent.importComponents(
      [
        "BEGIN:VTODO", "UID:report", "DTSTAMP:20261101T000000Z", "DUE:20261121T083000Z",
        "SUMMARY:Report", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x",
        "TRIGGER;RELATED=END:-PT15M", "END:VALARM", "END:VTODO", "",
      ].joined(separator: "\r\n"))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(server.shown[0].summary == "Report")
    #expect(server.shown[0].body == "To-do, due within 15 min, 09:30")
    #expect(
      server.shown[0].actions == ["snooze", "Snooze until it is due", "dismiss", "Dismiss"])
    // From mark to mark: the one before has to be on the screen.
    for time in ["08:20", "08:25", "08:29", "08:30", "08:31", "08:40"] {
      try agent.advance(to: "2026-11-21T\(time):00Z")
      try agent.settle()
    }
    #expect(server.shown.last?.body == "To-do, overdue since today, 09:30")
  }

  @Test(arguments: [
    (["DTSTART:20261121T083000Z"], "starts", "Snooze until the start"),
    (
      ["DTSTART:20261121T083000Z", "DUE:20261121T083000Z"], "due", "Snooze until it is due"
    ),
    (["DTSTART:20261121T080000Z", "DURATION:PT30M"], "due", "Snooze until it is due"),
  ])
  func `a to-do that has a start and no end starts then, and can be put off until it does`(
    times: [String], verb: String, label: String
  ) throws {
    let agent = try AgentUnderTest(notifications: true, snoozes: [.start])
    let server = try NotificationServer(agent)
    try agent.settle()
    try agent.importComponents(
      toDo(
        "paint",
        (times + [
          "SUMMARY:Paint", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x",
          "TRIGGER;VALUE=DATE-TIME:20261121T081500Z", "END:VALARM",
        ]).joined(separator: "\r\n")))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    #expect(server.shown[0].body == "To-do, \(verb) within 15 min, 09:30")
    #expect(server.shown[0].actions == ["snooze", label, "dismiss", "Dismiss"])
  }

  @Test func `a to-do without a date is never due, and cannot be put off until it is`() throws {
    let agent = try AgentUnderTest(
      notifications: true, snoozes: [.start, .length(CalendarDuration(seconds: 600))])
    let server = try NotificationServer(agent)
    try agent.settle()
    try agent.importComponents(
      [
        "BEGIN:VTODO", "UID:book", "DTSTAMP:20261101T000000Z", "SUMMARY:Read a book",
        "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x",
        "TRIGGER;VALUE=DATE-TIME:20261121T081500Z", "END:VALARM", "END:VTODO", "",
      ].joined(separator: "\r\n"))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    #expect(server.shown[0].summary == "Read a book")
    #expect(server.shown[0].body == "To-do")
    #expect(server.shown[0].actions == ["snooze:1", "Snooze 10 min", "dismiss", "Dismiss"])
  }

  @Test(
    arguments: [
      (20, ["now"]), (29, ["now"]), (30, ["in 1 min", "now"]), (80, ["in 2 min", "now"]),
      (0, ["now"]), (320, ["in 6 min", "in 1 min", "now"]),
    ] as [(Int64, [String])])
  func `the same words do not come twice`(secondsBefore: Int64, words: [String]) throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    _ = try agent.add("Standup", at: "2026-11-21 09:30", reminders: "\(secondsBefore)s")
    let start = try Timestamp(text: "2026-11-21T08:30:00Z")
    // Each second, as a person would see it.
    for second in stride(from: -secondsBefore, through: 2, by: 1) {
      agent.clock.advance(to: start.adding(seconds: second))
      try agent.settle()
    }
    #expect(server.shown.map { $0.body.split(separator: " · ").first.map(String.init) } == words)
  }

  @Test func `one that was closed is not shown again as the start comes near`() throws {
    let (agent, server) = try shown()
    server.close(1, reason: 1)
    try agent.settle()
    try agent.advance(to: "2026-11-21T08:30:00Z")
    #expect(server.shown.count == 1)
  }
}
