import CalendarBus
import CalendarModel
import CivilTime
import DBus
import JSON
import TestSupport
import Testing
import Widgets

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  fileprivate func text(_ name: String) -> String {
    String(decoding: files.read(name) ?? [], as: UTF8.self)
  }
}

@Suite struct `Files that are kept for widgets` {
  @Test func `one has the snapshot, and is there with the change`() throws {
    let agent = try AgentUnderTest(settings: "[export \"eww\"]\npath = ~/eww.json\n")
    #expect(agent.text("eww.json") == agent.text("run/snapshot.json"))
    try agent.addStandup()
    try agent.wait(for: "the change") { agent.text("eww.json").contains("Standup") }
    try agent.settle()
    #expect(agent.text("eww.json") == agent.text("run/snapshot.json"))
    #expect(FileStatus(agent.files.file("eww.json"))?.mode == 0o600)
    // Nothing is left beside it.
    #expect(
      try Subprocess.run("sh", ["-c", "ls -A \(agent.files.path) | grep eww"]).output
        == "eww.json\n")
  }

  @Test func `one without titles is made for others to read, and one that is there keeps its mode`()
    throws
  {
    let agent = try AgentUnderTest(
      settings: """
        [export "mine"]
        path = ~/mine.json
        [export "door"]
        path = ~/door.json
        privacy = busy
        [export "blank"]
        path = ~/blank.json
        privacy = nothing

        """)
    func mode(_ name: String) -> UInt32? { FileStatus(agent.files.file(name))?.mode }
    #expect(mode("mine.json") == 0o600)
    #expect(mode("door.json") == 0o644 && mode("blank.json") == 0o644)
    _ = try Subprocess.run(
      "chmod", ["640", agent.files.file("mine.json"), agent.files.file("door.json")])
    try agent.addStandup()
    try agent.settle()
    #expect(agent.text("mine.json").contains("Standup"))
    #expect(agent.text("door.json").contains("Busy"))
    // Titles are never others' to read: the file may have been made when it had none.
    #expect(mode("mine.json") == 0o600 && mode("door.json") == 0o640)
  }

  @Test func `what does not change in one leaves it alone`() throws {
    let agent = try AgentUnderTest(
      settings: "[export \"a\"]\npath = ~/a\n[export \"b\"]\npath = ~/b\nprivacy = nothing\n")
    let before = FileStatus(agent.files.file("b"))
    try agent.addStandup()
    try agent.settle()
    // Its revision is another; that is all.
    #expect(agent.text("a").contains("Standup"))
    #expect(!agent.text("b").contains("Standup"))
    let written = FileStatus(agent.files.file("b"))
    #expect(written != before)
    _ = try agent.call(Contract.calendar, "Today")
    agent.clock.set(to: agent.clock.now)
    try agent.settle()
    #expect(FileStatus(agent.files.file("b")) == written)
  }

  @Test func `hours and declined say what runs and comes next in one`() throws {
    let agent = try AgentUnderTest(
      settings: """
        [export "work"]
        path = ~/work.txt
        format = plain
        hours = 15:00-16:00
        [export "working"]
        path = ~/working.txt
        format = plain
        hours = working
        [export "all"]
        path = ~/all.txt
        format = plain
        declined = Yes
        [export "wrong"]
        path = ~/wrong.txt
        declined = maybe
        hours = late
        [calendar]
        working-hours = 15:30-18:00

        """)
    for minute in 10..<16 {
      _ = try agent.add(
        ("summary", .string("Early")), ("start", .string("2026-11-21 12:\(minute)")))
    }
    _ = try agent.add(("summary", .string("Tea")), ("start", .string("2026-11-21 15:30")))
    try agent.importComponents(
      component(
        "no",
        "DTSTART:20261121T100000Z\r\nSUMMARY:No\r\nATTENDEE;PARTSTAT=DECLINED:mailto:a@example.org")
    )
    try agent.settle()
    #expect(agent.text("work.txt").hasPrefix("Tea "), "\(agent.text("work.txt"))")
    #expect(agent.text("working.txt") == agent.text("work.txt"))
    #expect(agent.text("all.txt").hasPrefix("No "), "\(agent.text("all.txt"))")
  }

  @Test func `free events and their reminders are not in a file of when one is busy`() throws {
    let agent = try AgentUnderTest(
      settings: "[export \"door\"]\npath = ~/door.json\nprivacy = busy\n")
    for number in 0..<6 {
      _ = try agent.add(
        ("summary", .string("Free")), ("start", .string("2026-11-21 \(number + 12):01")),
        ("busy", .boolean(false)), ("reminders", .strings(["PT\(number + 3)H"])))
    }
    _ = try agent.add(
      ("summary", .string("Dentist")), ("start", .string("2026-11-21 20:01")),
      ("reminders", .strings(["PT11H"])))
    agent.clock.advance(seconds: 60)
    try agent.settle()
    let whole = try SnapshotV1(
      json: try agent.call(Contract.calendar, "Snapshot")[0].asString ?? "")
    #expect(whole.reminders.count > 1 && whole.next.allSatisfy { $0.summary == "Free" })
    let door = try SnapshotV1(json: agent.text("door.json"))
    #expect(door.next.map(\.summary) == ["Busy"])
    #expect(door.reminders.map(\.start) == door.next.map(\.start))
  }

  @Test func `of a series with exceptions each reminder is counted by its own occurrence`() throws {
    let agent = try AgentUnderTest()
    let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM"]
    let exceptions = (1...40).map { number in
      let day = "202612\(number % 20 + 10)T\(number <= 20 ? "09" : "15")0000Z"
      return component(
        "big",
        (["RECURRENCE-ID:\(day)", "DTSTART:20261121T090000Z", "SUMMARY:Moved"] + alarm
          + (number % 4 == 0 ? ["TRANSP:TRANSPARENT"] : [])).joined(separator: "\r\n"))
    }
    try agent.importComponents(
      component(
        "big",
        (["DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;BYHOUR=9,15;COUNT=100", "SUMMARY:Big"]
          + alarm).joined(separator: "\r\n")), exceptions.joined())
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(try agent.property("PendingReminders") == .uint32(40))
    for (level, count) in [("titles", 40), ("busy", 30), ("nothing", 0)] {
      let json =
        try agent.call(
          Contract.calendar, "SnapshotOf", [.row([("privacy", .string(level))])])[0].asString ?? ""
      let snapshot = try SnapshotV1(json: json)
      #expect(snapshot.reminders.count + snapshot.remindersMore == count, "\(level)")
    }
  }

  @Test func `calendars and privacy are each file's own`() throws {
    let agent = try AgentUnderTest(
      settings: """
        [export "family"]
        path = ~/family.json
        calendars = Family
        [export "door"]
        path = ~/door.json
        privacy = busy
        theme = dark
        [export "slip"]
        path = ~/slip.json
        calendars = Famly
        """)
    let family =
      try agent.call(
        Contract.calendars, "Create", ["Family", "", ""].map(Value.string))[0].asString ?? ""
    _ = try agent.add(("summary", .string("Dentist")), ("start", .string("2026-11-21 15:00")))
    _ = try agent.call(
      Contract.events, "Add",
      [
        .string(family),
        .row([("summary", .string("Picnic")), ("start", .string("2026-11-22 12:00"))]),
      ])
    try agent.settle()
    let file = try SnapshotV1(json: agent.text("family.json"))
    #expect(file.calendars.map(\.name) == ["Family"])
    #expect(file.next.map(\.summary) == ["Picnic"])
    #expect(!agent.text("family.json").contains("Dentist"))
    let door = try SnapshotV1(json: agent.text("door.json"))
    #expect(door.next.map(\.summary) == ["Busy", "Busy"])
    #expect(door.scheme == .dark)
    // A name that nobody has shows nothing, and is told once.
    let slip = try SnapshotV1(json: agent.text("slip.json"))
    #expect(slip.calendars.isEmpty && slip.next.isEmpty)
    #expect(agent.log.filter { $0.contains("names an unknown calendar, \"Famly\"") }.count == 1)
    #expect(
      try agent.property("Problems").asStrings?.contains { $0.contains("Famly") } == true)
  }

  @Test func `a record for a bar steps with its countdown, though the snapshot does not`() throws {
    let agent = try AgentUnderTest(
      settings: "[export \"bar\"]\npath = ~/bar\nformat = plain\nmax-width = 20\n")
    _ = try agent.add("Tea", at: "2026-11-21 09:30")
    try agent.settle()
    #expect(agent.text("bar") == "Tea in 30 min\n")
    #expect(try agent.property("NextWake").asInteger == 1_795_248_060)
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T08:01:00Z")
    #expect(agent.text("bar") == "Tea in 29 min\n")
    #expect(agent.signals("SnapshotChanged").isEmpty)
  }

  @Test func `the month as a picture has what is in the calendar, and the theme of the screen`()
    throws
  {
    let agent = try AgentUnderTest(
      settings: """
        [appearance]
        theme = dark
        [export "wall"]
        path = ~/wall.svg
        format = svg
        [export "page"]
        path = ~/page.html
        format = html
        privacy = busy
        """)
    try agent.addStandup()
    try agent.settle()
    let wall = agent.text("wall.svg")
    #expect(wall.contains("Standup") && wall.contains(Theme.dark.background.text))
    #expect(wall.hasSuffix("</svg>\n"))
    let page = agent.text("page.html")
    #expect(page.contains("Busy") && !page.contains("Standup"))
    #expect(page.contains("prefers-color-scheme"))
  }

  @Test func `a path that cannot be written is told once, and again only after it could`() throws {
    let agent = try AgentUnderTest(settings: "[export \"x\"]\npath = ~/away/x.json\n")
    func told() -> Int { agent.log.filter { $0.contains("the export \"x\" cannot be") }.count }
    #expect(told() == 1)
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-21 15:00")
    try agent.settle()
    #expect(told() == 1)
    let problems = try agent.property("Problems").asStrings ?? []
    #expect(problems.contains { $0.contains("away/x.json") })
    // The snapshot itself does not suffer.
    #expect(agent.text("run/snapshot.json").contains("Tea"))
    try agent.files.makeDirectory("away")
    _ = try agent.add("Lunch", at: "2026-11-21 12:00")
    try agent.settle()
    #expect(agent.text("away/x.json").contains("Lunch"))
    #expect(try agent.property("Problems").asStrings?.contains { $0.contains("away") } == false)
  }

  @Test func `they stay when the agent ends`() throws {
    let agent = try AgentUnderTest(settings: "[export \"eww\"]\npath = ~/eww.json\n")
    agent.stop()
    #expect(FileStatus(agent.files.file("eww.json")) != nil)
    #expect(FileStatus(agent.snapshotPath) == nil)
  }

  @Test(arguments: ["~/run/snapshot.json", "~/run/../run//snapshot.json", "~/link/snapshot.json"])
  func `the agent's own snapshot is nobody's to replace, however its path is written`(
    _ path: String
  ) throws {
    let agent = try AgentUnderTest(
      start: false, settings: "[export \"x\"]\npath = \(path)\nformat = plain\n")
    _ = try Subprocess.run("ln", ["-s", "run", agent.files.file("link")])
    try agent.start()
    try agent.addStandup()
    try agent.settle()
    #expect(agent.text("run/snapshot.json").hasPrefix("{"))
    let told = try agent.property("Problems").asStrings ?? []
    #expect(told.contains { $0.contains("the agent's own snapshot; use another path") })
    #expect(agent.log.filter { $0.contains("the export \"x\" is not written") }.count == 1)
  }

  @Test func `of two exports with one file the first has it`() throws {
    let agent = try AgentUnderTest(
      settings: """
        [export "a"]
        path = ~/w.json
        [export "b"]
        path = ~/./w.json
        format = plain

        """)
    try agent.addStandup()
    try agent.settle()
    #expect(agent.text("w.json") == agent.text("run/snapshot.json"))
    #expect(
      try agent.property("Problems").asStrings?.contains {
        $0.contains("the file of the export \"a\"")
      }
        == true)
  }

  @Test func `a folder that the environment does not name is told, and nothing is written`() throws
  {
    let agent = try AgentUnderTest(
      settings: "[export \"x\"]\npath = $XDG_RUNTIME_DIR/x.json\n")
    #expect(agent.log.filter { $0.contains("$XDG_RUNTIME_DIR/x.json") }.count == 1)
    #expect(
      try agent.property("Problems").asStrings?.contains { $0.contains("export \"x\"") } == true)
  }
}

@Suite struct `The section export` {
  @Test func `it has a name, a path, and what the widget wants`() {
    let (read, faults) = Configuration.read(
      """
      [export "eww"]
      path = ~/.cache/eww/calendar.json
      format = eww
      calendars = work, Family  life
      privacy = busy
      theme = dark
      max-width = 30
      template = {summary} {countdown}
      [export "all"]
      path = /srv/calendar.json
      """)
    #expect(faults.isEmpty)
    #expect(read.exports.map(\.name) == ["eww", "all"])
    let eww = read.exports[0]
    #expect(eww.form == .bar("eww") && read.exports[1].form == .snapshot)
    #expect(eww.calendars == ["work", "Family life"])
    #expect(eww.privacy == .busy && eww.scheme == .dark && eww.maximumColumns == 30)
    #expect(eww.template?.source == "{summary} {countdown}")
    #expect(eww.file(in: ["HOME": "/home/ana"]) == "/home/ana/.cache/eww/calendar.json")
    #expect(eww.file(in: [:]) == nil && eww.file(in: ["HOME": "here"]) == nil)
    #expect(read.exports[1].file(in: [:]) == "/srv/calendar.json")
  }

  @Test(arguments: [
    ("path = calendar.json", "must be a file under /"), ("path = ~/", "must be a file under /"),
    ("format = wayber", "did you mean \"waybar\"?"), ("calendars = ,", "has no name of a calendar"),
    ("privacy = bussy", "did you mean \"busy\"?"),
    ("theme = sepia", "is not one of auto, light, dark"),
    ("max-width = 0", "is not a number from 1 to 1000"), ("template = {sumary}", "template: "),
    ("pth = /x", "did you mean path?"),
  ])
  func `what is not understood is named`(_ line: String, _ reason: String) {
    let (_, faults) = Configuration.read("[export \"x\"]\npath = /x\n\(line)\n")
    #expect(faults.map(\.line) == [3])
    #expect(faults.first?.reason.contains(reason) == true, "\(faults)")
  }

  @Test func `a privacy that is not understood shows nothing`() {
    let read = Configuration.read("[export \"x\"]\npath = /x\nprivacy = none\n").0
    #expect(read.exports.map(\.privacy) == [.nothing])
  }

  @Test func `one without a path, and a second one with the same, are left out`() {
    let (read, faults) = Configuration.read(
      "[export \"a\"]\nformat = json\n[export \"b\"]\npath = /x\n[export \"c\"]\npath = /x\n")
    #expect(read.exports.map(\.name) == ["b"])
    #expect(faults.map(\.line) == [1, 5])
  }
}

@Suite struct `Light and dark` {
  @Test func `the setting is kept, whatever the desktop says`() {
    #expect(Configuration.read("[appearance]\ntheme = dark\n").0.scheme == .dark)
    #expect(Configuration.read("[appearance]\ntheme = auto\n").0.scheme == nil)
    let (read, faults) = Configuration.read("[appearance]\ntheme = black\n")
    #expect(read.scheme == nil && faults.count == 1)
  }

  @Test func `the snapshot follows the portal, whenever it comes and whatever it says`() throws {
    let agent = try AgentUnderTest()
    func scheme() throws -> ColorScheme? {
      try SnapshotV1(json: agent.text("run/snapshot.json")).scheme
    }
    #expect(try scheme() == .light)
    let portal = try StandInPortal(agent, scheme: 1)
    try agent.wait(for: "the dark") { (try? scheme()) == .dark }
    #expect(
      agent.text("run/snapshot.json").contains("\"background\":\"\(Theme.dark.background.text)\""))
    try portal.tell(2)
    try agent.wait(for: "the light") { (try? scheme()) == .light }
    // A word of another setting changes nothing.
    try portal.tell(1, key: "contrast")
    try agent.settle()
    #expect(try scheme() == .light)
    try portal.tell(1)
    try agent.wait(for: "the dark again") { (try? scheme()) == .dark }
  }

  @Test func `with a setting the portal is not asked`() throws {
    let agent = try AgentUnderTest(settings: "[appearance]\ntheme = light\n")
    let portal = try StandInPortal(agent, scheme: 1)
    try portal.tell(1)
    try agent.settle()
    #expect(try SnapshotV1(json: agent.text("run/snapshot.json")).scheme == .light)
    #expect(portal.questions == 0)
  }
}

/// What answers as the desktop's portal does.
private final class StandInPortal {
  private let connection: Connection
  private(set) var questions = 0
  private static let path: ObjectPath = "/org/freedesktop/portal/desktop"
  private static let interface: InterfaceName = "org.freedesktop.portal.Settings"

  init(_ agent: AgentUnderTest, scheme: UInt32) throws {
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: agent.loop)
    connection.onMethodCall = { [unowned self] call in
      guard call.member == "Read",
        let reply = try? Message.reply(
          to: call, [.variant(.variant(.uint32(scheme)))])
      else { return false }
      questions += 1
      try? connection.send(reply)
      return true
    }
    _ = try connection.requestName("org.freedesktop.portal.Desktop")
  }

  deinit { connection.close() }

  func tell(_ scheme: UInt32, key: String = "color-scheme") throws {
    try connection.emit(
      StandInPortal.path, StandInPortal.interface, "SettingChanged",
      [.string("org.freedesktop.appearance"), .string(key), .variant(.uint32(scheme))])
  }
}
