import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// A client that makes the calls of Cinnamon's calendar applet and keeps what the signals say by the
/// applet's own rules (cinnamon 5.6, calendar@cinnamon.org/eventView.js, `EventsManager`).
private final class StandInApplet {
  struct Row: Equatable {
    var color: String
    var summary: String
    var isAllDay: Bool
    var start: Int64
    var end: Int64
    var modified: Int64
  }

  private let agent: AgentUnderTest
  private var subscription: Subscription?
  /// By local day, then by id: an event is kept on each day that it touches.
  private(set) var days: [String: [String: Row]] = [:]
  private(set) var signals: [String] = []
  private let zone = FixedZones.shared["Europe/Berlin"]

  init(_ agent: AgentUnderTest) throws {
    self.agent = agent
    subscription = try agent.client.subscribe(
      MatchRule(sender: "org.cinnamon.CalendarServer", path: "/org/cinnamon/CalendarServer")
    ) { [unowned self] in take($0) }
  }

  private func take(_ message: Message) {
    guard let member = message.member?.text, let arguments = try? message.arguments() else {
      return
    }
    signals.append(member)
    switch member {
    case "EventsAddedOrUpdated": for row in arguments[0].asArray ?? [] { add(row) }
    case "EventsRemoved":
      for id in split(arguments[0].asString ?? "") {
        for day in days.keys { days[day]?[id] = nil }
      }
    default: break
    }
  }

  /// As `split("::")` of JavaScript.
  private func split(_ text: String) -> [String] {
    var parts = [""]
    var rest = text[...]
    while let character = rest.first {
      if rest.hasPrefix("::") {
        parts.append("")
        rest = rest.dropFirst(2)
      } else {
        parts[parts.count - 1].append(character)
        rest = rest.dropFirst()
      }
    }
    return parts
  }

  private func add(_ value: Value) {
    guard case .structure(let fields) = value, fields.count == 7, let id = fields[0].asString,
      case .boolean(let isAllDay) = fields[3]
    else {
      Issue.record("the applet cannot unpack \(value)")
      return
    }
    let row = Row(
      color: fields[1].asString ?? "", summary: fields[2].asString ?? "", isAllDay: isAllDay,
      start: fields[4].asInteger ?? 0, end: fields[5].asInteger ?? 0,
      modified: fields[6].asInteger ?? 0)
    let last = Timestamp(seconds: isAllDay ? row.end - 1 : row.end)
    var day = zone.reading(at: Timestamp(seconds: row.start)).date
    let lastDay = zone.reading(at: last).date
    while day <= lastDay {
      // What has the same id and was modified at the same time is the same to it.
      if days["\(day)"]?[id]?.modified != row.modified { days["\(day)", default: [:]][id] = row }
      guard let next = day.adding(days: 1) else { return }
      day = next
    }
  }

  /// The applet turns to 42 days; with another month it forgets what it has.
  func show(_ since: String, _ until: String, force: Bool = false) throws {
    if !force { days = [:] }
    try ask(since, until, force: force)
  }

  func ask(_ since: String, _ until: String, force: Bool) throws {
    _ = try agent.send(
      .call(
        "org.cinnamon.CalendarServer", "/org/cinnamon/CalendarServer",
        "org.cinnamon.CalendarServer", "SetTimeRange",
        [
          .int64(try Timestamp(text: since).seconds), .int64(try Timestamp(text: until).seconds),
          .boolean(force),
        ]))
    try agent.settle()
  }

  func summaries(_ day: String) -> [String] {
    (days[day] ?? [:]).values.sorted { $0.start < $1.start }.map(\.summary)
  }

  func forgetSignals() { signals = [] }
}

@Suite struct `The calendar server of Cinnamon` {
  private static let yes = "[cinnamon]\ncalendar-server = yes\n"
  private static let november = ("2026-10-25T23:00:00Z", "2026-12-06T22:59:59Z")

  private func begin() throws -> (AgentUnderTest, StandInApplet) {
    let agent = try AgentUnderTest(settings: Self.yes)
    return (agent, try StandInApplet(agent))
  }

  @Test func `without the setting the name is left alone, and GNOME's is a setting of its own`()
    throws
  {
    #expect(Configuration.read("").0.servesCinnamon == false)
    let (read, faults) = Configuration.read("[cinnamon]\ncalendar-server = maybe\n")
    #expect(!read.servesCinnamon && faults.count == 1)
    let both = Configuration.read(Self.yes).0
    #expect(both.servesCinnamon && !both.servesGnome)
    #expect(features(both).contains("cinnamon") && !features(both).contains("gnome-shell"))
    let agent = try AgentUnderTest()
    let answer = try agent.send(
      .call(
        .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
        [.string("org.cinnamon.CalendarServer")]))
    #expect(answer == [.boolean(false)])
  }

  @Test func `the interface is the one that the applet's proxy is made for`() throws {
    let (agent, _) = try begin()
    let xml = try agent.run(
      "busctl",
      [
        "--user", "--no-pager", "introspect", "org.cinnamon.CalendarServer",
        "/org/cinnamon/CalendarServer", "org.cinnamon.CalendarServer",
      ])
    let rows = xml.output.split(separator: "\n").map {
      $0.split(separator: " ").prefix(4).joined(separator: " ")
    }
    for row in [
      ".Exit method - -", ".SetTimeRange method xxb -", ".Since property x 0",
      ".Status property i 2", ".Until property x 0", ".ClientDisappeared signal s -",
      ".EventsAddedOrUpdated signal a(sssbxxx) -", ".EventsRemoved signal s -",
    ] {
      #expect(rows.contains(row), "\(row) is not in \(rows)")
    }
  }

  @Test func `the weeks that are shown come with all that is in them, on each of its days`() throws
  {
    let (agent, applet) = try begin()
    try agent.addStandup()
    try agent.add(
      ("summary", .string("Journey")), ("start", .string("2026-11-23")),
      ("end", .string("2026-11-25")), ("color", .string("#c0ffee")))
    _ = try agent.add("Elsewhere", at: "2027-02-01 10:00")
    try applet.show(Self.november.0, Self.november.1)
    #expect(applet.summaries("2026-11-23").contains("Journey"))
    #expect(applet.summaries("2026-11-24").contains("Journey"))
    #expect(!applet.summaries("2026-11-25").contains("Journey"))
    #expect(!applet.days.values.joined().contains { $0.value.summary == "Elsewhere" })
    let journey = try #require(
      applet.days["2026-11-23"]?.values.first { $0.summary == "Journey" })
    #expect(journey.isAllDay && journey.color == "#c0ffee")
    #expect(journey.start == (try Timestamp(text: "2026-11-22T23:00:00Z").seconds))
    #expect(journey.end == (try Timestamp(text: "2026-11-24T23:00:00Z").seconds))
    try applet.show("2027-01-31T23:00:00Z", "2027-03-14T22:59:59Z")
    #expect(applet.summaries("2027-02-01").contains("Elsewhere"))
  }

  @Test func `what is added, renamed, moved and removed arrives, and nothing else is sent`() throws
  {
    let (agent, applet) = try begin()
    try applet.show(Self.november.0, Self.november.1)
    let uid = try agent.add("Tea", at: "2026-11-22 15:00")
    try agent.settle()
    #expect(applet.summaries("2026-11-22") == ["Tea"])
    applet.forgetSignals()
    _ = try agent.add("Elsewhere", at: "2027-02-01 10:00")
    try agent.settle()
    #expect(applet.signals.isEmpty)
    func set(_ field: String, _ value: String) throws {
      _ = try agent.call(
        Contract.events, "SetField",
        [uid, "", "", field].map(Value.string) + [.variant(.string(value))])
      try agent.settle()
    }
    try set("summary", "Coffee")
    #expect(applet.summaries("2026-11-22") == ["Coffee"])
    #expect(applet.signals == ["EventsAddedOrUpdated"])
    try set("start", "2026-11-25 15:00")
    #expect(applet.summaries("2026-11-22").isEmpty)
    #expect(applet.summaries("2026-11-25") == ["Coffee"])
    _ = try agent.call(Contract.events, "RemoveMany", [.strings([uid])])
    try agent.settle()
    #expect(applet.days.values.joined().isEmpty)
    #expect(
      applet.signals == [
        "EventsAddedOrUpdated", "EventsRemoved", "EventsAddedOrUpdated", "EventsRemoved",
      ])
  }

  @Test func `the same weeks come again when they are forced, as at each opening, and not else`()
    throws
  {
    let (agent, applet) = try begin()
    _ = try agent.add("Tea", at: "2026-11-22 15:00")
    try applet.show(Self.november.0, Self.november.1)
    applet.forgetSignals()
    try applet.ask(Self.november.0, Self.november.1, force: false)
    #expect(applet.signals.isEmpty)
    let before = applet.days
    try applet.ask(Self.november.0, Self.november.1, force: true)
    #expect(applet.signals == ["EventsAddedOrUpdated"])
    // The same moment of modification: the applet draws nothing anew.
    #expect(applet.days == before)
  }

  @Test func `a UID with colons is itself, and leaves nobody else's event behind`() throws {
    let (agent, applet) = try begin()
    try applet.show(Self.november.0, Self.november.1)
    for (uid, name) in [("a::b", "One"), ("a", "Two"), ("b:20261122T140000Z", "Three")] {
      try agent.add(
        ("uid", .string(uid)), ("summary", .string(name)),
        ("start", .string("2026-11-22 15:00")))
    }
    try agent.settle()
    #expect(Set(applet.summaries("2026-11-22")) == ["One", "Two", "Three"])
    _ = try agent.call(Contract.events, "RemoveMany", [.strings(["a::b"])])
    try agent.settle()
    #expect(Set(applet.summaries("2026-11-22")) == ["Two", "Three"])
  }

  @Test func `Exit is answered, and the agent stays`() throws {
    let (agent, applet) = try begin()
    try applet.show(Self.november.0, Self.november.1)
    let answer = try agent.send(
      .call(
        "org.cinnamon.CalendarServer", "/org/cinnamon/CalendarServer",
        "org.cinnamon.CalendarServer", "Exit"))
    #expect(answer.isEmpty)
    applet.forgetSignals()
    _ = try agent.add("Tea", at: "2026-11-22 15:00")
    try agent.settle()
    #expect(applet.signals.isEmpty)
    try applet.ask(Self.november.0, Self.november.1, force: false)
    #expect(applet.summaries("2026-11-22") == ["Tea"])
  }

  @Test func `Cinnamon's own server gives the name up, and may have it when the agent ends`() throws
  {
    let agent = try AgentUnderTest(start: false, settings: Self.yes)
    let other = try Connection(address: agent.bus.address)
    LoopAttachment.attach(other, to: agent.loop)
    #expect(try other.requestName("org.cinnamon.CalendarServer", replacing: true) == .owner)
    try agent.start()
    #expect(try other.requestName("org.cinnamon.CalendarServer") == .taken)
    agent.stop()
    #expect(try other.requestName("org.cinnamon.CalendarServer") == .owner)
  }
}

@Suite struct `An id for Cinnamon` {
  @Test(arguments: [
    ("work\ntea\n", "work:tea"), ("work\ntea\n20261121", "work:tea:20261121"),
    ("work\na::b\n", "work:a%3A%3Ab"), ("work\n50%\n", "work:50%25"),
    ("work\n%3A\n", "work:%253A"), ("work\n:\n", "work:%3A"),
  ])
  func `has no colon but those between its parts`(_ id: String, _ expected: String) {
    #expect(ShellDialect.cinnamonID(id) == expected)
  }
}
