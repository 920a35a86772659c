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
  @Test func `a countdown goes on without signals of the agent`() throws {
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

  @Test func `the text follows a clock that is set`() throws {
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

  @Test func `an agent that is paused is marked, and nothing is counted down until it goes on`()
    throws
  {
    let desk = try Desk(event: "2026-11-21T09:30:00Z")
    try desk.follower.start()
    #expect(try desk.lines(1) == ["Standup in 30 min"])
    try desk.agent.pause(true)
    #expect(try desk.lines(2).last == "calendar?")
    desk.clock.advance(seconds: 120)
    #expect(desk.printed.count == 2)
    try desk.agent.pause(false)
    #expect(try desk.lines(3).last == "Standup in 28 min")
    desk.clock.advance(seconds: 60)
    #expect(desk.printed.last == "Standup in 27 min")
  }

  @Test func `i3bar gets a header and an endless array, and clicks show other events`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z", arguments: ["--format", "i3bar"])
    try desk.follower.start()
    let lines = try desk.lines(3)
    #expect(lines[0] == #"{"version":1,"click_events":true}"#)
    #expect(lines[1] == "[")
    #expect(lines[2].hasPrefix(#"[{"name":"datebook","full_text":"Standup in 30 min","#))
    #expect(lines[2].hasSuffix("}],"))
    desk.type("[\n{\"name\":\"datebook\",\"button\":5,\"x\":1}\n")
    #expect(try desk.lines(4)[3].contains(#""full_text":"Dentist at 13:30""#))
    // There is no further event; other input, and an empty line, are ignored.
    desk.type(
      ",{\"name\":\"datebook\",\"button\":5}\n,{\"name\":\"wifi\",\"button\":4}\nnonsense\n,")
    desk.type("{\"name\":\"datebook\",\"button\":4}\n")
    #expect(try desk.lines(5)[4] == lines[2])
    desk.type(",{\"name\":\"datebook\",\"button\":5}\n")
    _ = try desk.lines(6)
    desk.type(",{\"name\":\"datebook\",\"button\":4}\n")
    #expect(try desk.lines(7)[6] == lines[2])
    desk.closeInput()
    desk.clock.advance(seconds: 60)
    #expect(try desk.lines(8)[7].contains("Standup in 29 min"))
  }

  @Test func `clicks in i3bar open the page and the meeting of the shown event`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      "#!/bin/sh\necho $$ >>\(folder.file("started"))\necho \"$1\" >>\(folder.file("opened"))\n",
      to: "xdg-open")
    _ = try Subprocess.run("chmod", ["+x", folder.file("xdg-open")])
    let desk = try Desk(
      event: "2026-11-21T09:30:00Z", arguments: ["--format", "i3bar"], path: folder.path)
    try desk.follower.start()
    _ = try desk.lines(3)
    func opened() -> String { String(decoding: folder.read("opened") ?? [], as: UTF8.self) }
    desk.type("[\n{\"name\":\"datebook\",\"button\":2}\n")
    #expect(try desk.turn { opened() == "https://example.org/42\n" })
    desk.type("{\"name\":\"datebook\",\"button\":3}\n")
    #expect(try desk.turn { opened().hasSuffix("\nhttps://meet.jit.si/Standup%24x\n") })
    // The other event has no address.
    desk.type("{\"name\":\"datebook\",\"button\":5}\n{\"name\":\"datebook\",\"button\":3}\n")
    _ = try desk.lines(4)
    // A click that opens something comes after those that do not.
    desk.type("{\"name\":\"datebook\",\"button\":4}\n{\"name\":\"datebook\",\"button\":2}\n")
    let page = "https://example.org/42\n"
    #expect(try desk.turn { opened().hasSuffix("x\n" + page) })
    #expect(opened() == page + "https://meet.jit.si/Standup%24x\n" + page)
    // No process is left, not even a zombie.
    let started = String(decoding: folder.read("started") ?? [], as: UTF8.self)
    for process in started.split(separator: "\n") {
      #expect(try desk.turn { readFile("/proc/\(process)/stat") == nil })
    }
  }

  @Test(arguments: [
    #"{"name":"datebook","button":1,"modifiers":["Shift"]}"#, #"{"name":"datebook","button":8}"#,
  ])
  func `a click in i3bar snoozes the reminder that is due`(click: String) throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z", arguments: ["--format", "i3bar"])
    let start = try Timestamp(text: "2026-11-21T09:30:00Z")
    var snapshot = try SnapshotV1(json: desk.agent.snapshot)
    func show(_ reminders: [SnapshotReminder]) {
      snapshot.reminders = reminders
      desk.agent.snapshot = String(decoding: snapshot.json, as: UTF8.self)
    }
    func reminder(
      _ id: String, _ state: SnapshotReminder.State, minutesLater: Int64 = 0
    ) -> SnapshotReminder {
      let start = start.adding(seconds: 60 * minutesLater)
      return SnapshotReminder(
        id: id, uid: id, calendar: "work", start: start, end: start, isAllDay: false,
        due: start, state: state, snoozes: 0, isMissed: false)
    }
    // The bar names the one that begins first, not the first one of the list.
    show([
      reminder("11", .snoozed), reminder("10", .due, minutesLater: 5), reminder("12", .due),
    ])
    try desk.follower.start()
    _ = try desk.lines(3)
    desk.type("[\n" + click + "\n")
    #expect(try desk.turn { desk.agent.snoozed == ["12"] })
    // Without a due reminder it does nothing.
    show([reminder("11", .snoozed)])
    try desk.agent.announce()
    _ = try desk.lines(4)
    desk.type("," + click + "\n,{\"name\":\"datebook\",\"button\":5}\n")
    _ = try desk.lines(5)
    #expect(desk.agent.snoozed == ["12"])
  }

  @Test func `a click in i3bar lists the week in a terminal`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      "#!/bin/sh\nprintf '%s|' \"$@\" >\(folder.file("opened"))\n", to: "x-terminal-emulator")
    _ = try Subprocess.run("chmod", ["+x", folder.file("x-terminal-emulator")])
    let desk = try Desk(
      event: "2026-11-21T09:30:00Z", arguments: ["--format", "i3bar"], path: folder.path)
    try desk.follower.start()
    _ = try desk.lines(3)
    desk.type("[\n{\"name\":\"datebook\",\"button\":1}\n")
    #expect(
      try desk.turn { folder.read("opened") == Array("-e|sh|-c|calctl week; read -r line|".utf8) })
  }

  @Test func `a click that finds no meeting address says so in a notification`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z", arguments: ["--format", "i3bar"])
    let notes = try desk.notifications()
    try desk.follower.start()
    _ = try desk.lines(3)
    desk.type("[\n{\"name\":\"datebook\",\"button\":5}\n{\"name\":\"datebook\",\"button\":3}\n")
    #expect(try desk.turn { !notes.summaries.isEmpty })
    #expect(notes.summaries == ["Dentist has no meeting address"])
    #expect(notes.milliseconds == [5000])
  }

  @Test func `calctl bar --do changes the event of bars that send no clicks`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z")
    try desk.follower.start()
    #expect(try desk.lines(1) == ["Standup in 30 min"])
    try desk.tell(.next)
    #expect(try desk.lines(2).last == "Dentist at 13:30")
    try desk.tell(.previous)
    #expect(try desk.lines(3).last == "Standup in 30 min")
    try desk.tell(.next)
    _ = try desk.lines(4)
    try desk.tell(.first)
    #expect(try desk.lines(5).last == "Standup in 30 min")
  }

  @Test func `a click knows which event is shown, whichever bar answers`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z")
    #expect(try desk.passed() == nil, "no bar follows")
    try desk.follower.start()
    _ = try desk.lines(1)
    #expect(try desk.passed() == 0)
    try desk.tell(.next)
    _ = try desk.lines(2)
    #expect(try desk.passed() == 1)
    // There is no third event.
    try desk.tell(.next)
    #expect(try desk.passed() == 1)
  }

  @Test func `the agent leaves out private events`() throws {
    let desk = try Desk(event: "2026-11-21T09:30:00Z", arguments: ["--privacy", "busy"])
    try desk.follower.start()
    _ = try desk.lines(1)
    #expect(desk.agent.asked.map { $0.text(.privacy) } == ["busy"] && desk.agent.calls == 0)
  }

  @Test func `a declined event counts only here, and is asked for when it begins`() throws {
    let desk = try Desk(
      event: "2026-11-21T09:30:00Z",
      arguments: ["--declined", "--template", "{start} {summary}"])
    try desk.follower.start()
    #expect(try desk.lines(1) == ["09:30 Standup"])
    #expect(desk.agent.asked.map { $0.flag(.includeDeclined) } == [true] && desk.agent.calls == 0)
    #expect(desk.clock.armed == (try Timestamp(text: "2026-11-21T09:30:00Z")))
    desk.clock.set(to: try Timestamp(text: "2026-11-21T09:30:00Z"))
    #expect(try desk.turn { desk.agent.asked.count == 2 })
    // An answer that is as old as the question is not asked for again.
    #expect(desk.clock.armed == (try Timestamp(text: "2026-11-21T10:30:00Z")))
  }

  @Test func `a text without the countdown needs no wakeups for it`() throws {
    let desk = try Desk(
      event: "2026-11-21T09:30:00Z", arguments: ["--template", "{start} {summary}"])
    try desk.follower.start()
    #expect(try desk.lines(1) == ["09:30 Standup"])
    #expect(desk.clock.armed == (try Timestamp(text: "2026-11-21T10:30:00Z")))
  }

  @Test func `an answer that is not a snapshot ends it with an error`() throws {
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
  private let input: (read: Int32, write: Int32)
  private var text = ""

  /// - Parameters:
  ///   - event: when the first event begins; there is another one four hours later.
  ///   - arguments: of calctl bar.
  init(
    event: String, arguments: [String] = [], path: String = "",
    patienceMilliseconds: Int = 60_000
  ) throws {
    bus = try PrivateBus()
    loop = try EventLoop()
    clock = try ManualClock("2026-11-21T09:00:00Z")
    agent = try SnapshotAgent(bus, loop, snapshot: Desk.snapshot(event: event, revision: 1))
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw TestSupportError("pipe: \(errno)") }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    pipe = (ends[0], ends[1])
    guard Glibc.pipe(&ends) == 0 else { throw TestSupportError("pipe: \(errno)") }
    input = (ends[0], ends[1])
    let address = bus.address
    let options = try BarOptions(try ParsedArguments(arguments, for: .bar))
    let context = CommandContext(
      environment: ProcessEnvironment(["PATH": path]),
      standardOutput: StandardOutput(descriptor: pipe.write),
      standardInput: input.read,
      wantsColor: false, now: clock.now, writeError: { _ in },
      connect: { () throws(DBusError) in try Connection(address: address) })
    follower = try BarFollower(
      context, loop: loop, clock: clock, options: options,
      patienceMilliseconds: patienceMilliseconds)
  }

  deinit {
    close(pipe.read)
    close(pipe.write)
    close(input.read)
    if isInputOpen { close(input.write) }
  }

  private var isInputOpen = true

  /// Writes to the follower's input, as a bar does on a click.
  func type(_ text: String) {
    #expect(Glibc.write(input.write, text, text.utf8.count) == text.utf8.count)
  }

  /// Does what `calctl bar --do` does.
  func tell(_ action: BarAction) throws {
    let connection = try Connection(address: bus.address)
    try action.send(connection)
    connection.close()
  }

  /// Asks as `calctl bar --do open` does how many events are skipped; nil without a bar that follows.
  func passed() throws -> UInt32? {
    let connection = try Connection(address: bus.address)
    defer { connection.close() }
    LoopAttachment.attach(connection, to: loop)
    var result: Result<Message, DBusError>?
    try connection.call(
      .call(Contract.barName, Contract.barPath, Contract.bar, "Passed")
    ) { result = $0 }
    guard try turn({ result != nil }), case .success(let reply)? = result else { return nil }
    return try reply.arguments().first?.asInteger.map { UInt32($0) }
  }

  /// Closes the follower's input.
  func closeInput() {
    close(input.write)
    isInputOpen = false
  }

  /// A server of notifications on the bus.
  func notifications() throws -> NotificationList { try NotificationList(bus, loop) }

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

  /// A snapshot with an event of an hour, and another one.
  static func snapshot(event start: String, revision: Int64) throws -> String {
    let start = try Timestamp(text: start)
    let zone = ZoneRules.utc
    var event = Event(
      uid: EventUID("standup"), start: .utc(start),
      end: .duration(CalendarDuration(seconds: 3600)), summary: "Standup")
    event.url = "https://example.org/42"
    event.location = "https://meet.jit.si/Standup$x"
    let later = Event(
      uid: EventUID("dentist"), start: .utc(start.adding(seconds: 4 * 3600)),
      end: .duration(CalendarDuration(seconds: 1800)), summary: "Dentist")
    let series = [event, later].map { EventSeries(calendar: CalendarID("work"), master: $0) }
    let now = try Timestamp(text: "2026-11-21T09:00:00Z")
    let builder = SnapshotBuilder()
    let context = ZoneContext(zones: FixedZones.shared, local: zone)
    let occurrences = try series.flatMap {
      try $0.occurrences(in: builder.span(at: now, zone: zone), context: context)
    }
    let snapshot = builder.build(
      occurrences: occurrences,
      calendars: [CalendarInfo(id: CalendarID("work"), name: "Work", color: EventColor.palette[0])],
      reminders: [], now: now, zone: zone, revision: revision
    )
    return String(decoding: snapshot.json, as: UTF8.self)
  }
}

/// An agent that has only a snapshot.
private final class SnapshotAgent {
  var snapshot: String
  private var isPaused = false
  /// How often it was asked.
  private(set) var calls = 0
  /// The options of each SnapshotOf.
  private(set) var asked: [Row] = []
  /// The IDs of the snoozed reminders.
  private(set) var snoozed: [String] = []
  private let connection: Connection
  private let server: ObjectServer
  private static let table = InterfaceTable(
    Contract.calendar,
    methods: [
      .init("Snapshot", out: [.init("json", "s")]),
      .init("SnapshotOf", in: [.init("options", "a{sv}")], out: [.init("json", "s")]),
    ],
    properties: [.init("State", "s")],
    signals: [.init("SnapshotChanged", [.init("revision", "t"), .init("path", "s")])])
  private static let remindersTable = InterfaceTable(
    Contract.reminders,
    methods: [
      .init("Snooze", in: [.init("id", "s"), .init("until", "s")], out: [.init("due", "x")])
    ])

  init(_ bus: PrivateBus, _ loop: EventLoop, snapshot: String) throws {
    self.snapshot = snapshot
    connection = try Connection(address: bus.address)
    LoopAttachment.attach(connection, to: loop)
    server = ObjectServer(connection)
    let interface = BoundInterface(SnapshotAgent.table)
    interface.get("State") { [unowned self] in .string(isPaused ? "paused" : "ready") }
    interface.on("Snapshot") { [unowned self] _ throws(DBusError) in
      calls += 1
      if isPaused { throw DBusError("org.datebook.Calendar1.Error.StorageFailed", "paused") }
      return .reply([.string(self.snapshot)])
    }
    interface.on("SnapshotOf") { [unowned self] call in
      asked.append(Row(call.arguments.first ?? .row([])))
      return .reply([.string(self.snapshot)])
    }
    let reminders = BoundInterface(SnapshotAgent.remindersTable)
    reminders.on("Snooze") { [unowned self] call in
      snoozed.append(call.arguments.first?.asString ?? "")
      return .reply([.int64(0)])
    }
    server.register(Contract.path, [interface, reminders])
    try come()
  }

  func come() throws { _ = try connection.requestName(Contract.busName) }
  func leave() throws { try connection.releaseName(Contract.busName) }

  /// Refuses to answer, or does so again, and signals that.
  func pause(_ isPaused: Bool) throws {
    self.isPaused = isPaused
    try server.propertiesChanged(Contract.path, Contract.calendar, ["State"])
  }

  /// Signals that the snapshot has changed.
  func announce() throws {
    try server.emit(
      Contract.path, SnapshotAgent.table, "SnapshotChanged", [.uint64(1), .string("")])
  }
}

/// A server of notifications that keeps what it is to show.
private final class NotificationList {
  private(set) var summaries: [String] = []
  /// How long each is to be shown.
  private(set) var milliseconds: [Int64] = []
  private let connection: Connection
  private let server: ObjectServer
  private static let table = InterfaceTable(
    "org.freedesktop.Notifications",
    methods: [
      .init(
        "Notify",
        in: [
          .init("app_name", "s"), .init("replaces_id", "u"), .init("app_icon", "s"),
          .init("summary", "s"), .init("body", "s"), .init("actions", "as"),
          .init("hints", "a{sv}"), .init("expire_timeout", "i"),
        ], out: [.init("id", "u")])
    ])

  init(_ bus: PrivateBus, _ loop: EventLoop) throws {
    connection = try Connection(address: bus.address)
    LoopAttachment.attach(connection, to: loop)
    server = ObjectServer(connection)
    let interface = BoundInterface(NotificationList.table)
    interface.on("Notify") { [unowned self] call in
      summaries.append(call.arguments[3].asString ?? "")
      milliseconds.append(call.arguments[7].asInteger ?? 0)
      return .reply([.uint32(1)])
    }
    server.register("/org/freedesktop/Notifications", [interface])
    _ = try connection.requestName("org.freedesktop.Notifications")
  }
}
