import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Recurrence
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// A client that shows weeks as GNOME Shell does: it forgets all when it asks, and keeps what
/// the signals say by the shell's own rules (js/ui/calendar.js, `DBusEventSource`).
private final class StandInShell {
  private let agent: AgentUnderTest
  private var subscription: Subscription?
  private(set) var events: [String: (summary: String, start: Int64, end: Int64)] = [:]
  private(set) var signals: [String] = []

  init(_ agent: AgentUnderTest) throws {
    self.agent = agent
    subscription = try agent.client.subscribe(
      MatchRule(sender: ShellDialect.gnome.name, path: ShellDialect.gnome.path)
    ) { [unowned self] message in take(message) }
  }

  private func take(_ message: Message) {
    guard let member = message.member?.text, let arguments = try? message.arguments() else {
      return
    }
    signals.append(member)
    switch member {
    case "EventsAddedOrUpdated":
      var dropped: Set<String> = []
      for row in arguments[0].asArray ?? [] {
        guard case .structure(let fields) = row, let id = fields[0].asString else { continue }
        let series =
          id.split(separator: "\n", omittingEmptySubsequences: false)
          .prefix(2).joined(separator: "\n") + "\n"
        if !id.hasSuffix("\n"), dropped.insert(series).inserted {
          events = events.filter { !$0.key.hasPrefix(series) }
        }
        events[id] = (
          fields[1].asString ?? "", fields[2].asInteger ?? 0, fields[3].asInteger ?? 0
        )
      }
    case "EventsRemoved":
      for prefix in arguments[0].asStrings ?? [] {
        events = events.filter { !$0.key.hasPrefix(prefix) }
      }
    default: break
    }
  }

  /// Shows the weeks from one day to another, of Berlin.
  func show(_ since: String, _ until: String) throws {
    events = [:]
    _ = try agent.send(
      .call(
        ShellDialect.gnome.name, ShellDialect.gnome.path, ShellDialect.gnome.table.name,
        "SetTimeRange",
        [
          .int64(try Timestamp(text: since).seconds), .int64(try Timestamp(text: until).seconds),
          .boolean(true),
        ]))
    try agent.settle()
  }

  var summaries: [String] { events.values.sorted { $0.start < $1.start }.map(\.summary) }

  func forgetSignals() { signals = [] }
}

@Suite struct `The calendar server of GNOME Shell` {
  private static let yes = "[gnome-shell]\ncalendar-server = yes\n"
  private static let november = ("2026-10-25T23:00:00Z", "2026-12-06T23:00:00Z")

  private func begin() throws -> (AgentUnderTest, StandInShell) {
    let agent = try AgentUnderTest(settings: Self.yes)
    let shell = try StandInShell(agent)
    return (agent, shell)
  }

  @Test func `without the setting the name is left alone`() throws {
    #expect(Configuration.read("").0.servesGnome == false)
    let (read, faults) = Configuration.read("[gnome-shell]\ncalendar-server = maybe\n")
    #expect(!read.servesGnome && faults.count == 1)
    let agent = try AgentUnderTest()
    let answer = try agent.send(
      .call(
        .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
        [.string(ShellDialect.gnome.name.text)]))
    #expect(answer == [.boolean(false)])
  }

  @Test func `the weeks that are shown come with all that is in them`() throws {
    let (agent, shell) = try begin()
    try agent.addStandup()
    try agent.add(
      ("summary", .string("Journey")), ("start", .string("2026-11-23")),
      ("end", .string("2026-11-25")))
    _ = try agent.add("Elsewhere", at: "2027-02-01 10:00")
    try shell.show(Self.november.0, Self.november.1)
    #expect(shell.summaries.contains("Journey") && !shell.summaries.contains("Elsewhere"))
    let journey = try #require(shell.events.values.first { $0.summary == "Journey" })
    // Of whole days: local midnight to a later local midnight.
    #expect(journey.start == (try Timestamp(text: "2026-11-22T23:00:00Z").seconds))
    #expect(journey.end == (try Timestamp(text: "2026-11-24T23:00:00Z").seconds))
    try shell.show("2027-01-31T23:00:00Z", "2027-03-07T23:00:00Z")
    #expect(shell.summaries.contains("Elsewhere"))
  }

  @Test func `what is added, moved and removed arrives, and nothing else is sent`() throws {
    let (agent, shell) = try begin()
    try shell.show(Self.november.0, Self.november.1)
    #expect(shell.events.isEmpty)
    let uid = try agent.add("Tea", at: "2026-11-22 15:00")
    try agent.settle()
    #expect(shell.summaries == ["Tea"])
    #expect(shell.events.keys.allSatisfy { $0.hasSuffix("\(uid)\n") })
    shell.forgetSignals()
    _ = try agent.add("Elsewhere", at: "2027-02-01 10:00")
    _ = try agent.call(Contract.calendar, "Today")
    try agent.settle()
    #expect(shell.signals.isEmpty)
    _ = try agent.call(
      Contract.events, "SetField",
      [uid, "", "", "summary"].map(Value.string) + [.variant(.string("Coffee"))])
    try agent.settle()
    #expect(shell.summaries == ["Coffee"])
    _ = try agent.call(Contract.events, "RemoveMany", [.strings([uid])])
    try agent.settle()
    #expect(shell.events.isEmpty)
    #expect(shell.signals == ["EventsAddedOrUpdated", "EventsRemoved"])
  }

  @Test func `all occurrences of a series are in one signal`() throws {
    let (agent, shell) = try begin()
    try shell.show(Self.november.0, Self.november.1)
    shell.forgetSignals()
    try agent.add(
      ("summary", .string("Choir")), ("start", .string("2026-11-04 19:00")),
      ("rrule", .string("FREQ=WEEKLY")))
    try agent.settle()
    #expect(shell.signals == ["EventsAddedOrUpdated"])
    #expect(shell.summaries == Array(repeating: "Choir", count: 5))
  }

  @Test func `a range that is none, or too long, is refused`() throws {
    let (_, shell) = try begin()
    #expect(throws: DBusError.self) {
      try shell.show("2026-12-06T23:00:00Z", "2026-10-25T23:00:00Z")
    }
    #expect(throws: DBusError.self) {
      try shell.show("2026-12-06T23:00:00Z", "2036-10-25T23:00:00Z")
    }
  }

  @Test func `gdbus and busctl read it, and the properties`() throws {
    let (agent, _) = try begin()
    let name = ShellDialect.gnome.name.text
    let path = ShellDialect.gnome.path.text
    let has = try agent.run(
      "busctl", ["--user", "get-property", name, path, name, "HasCalendars"])
    #expect(has.output == "b true\n", "\(has.errors)")
    let set = try agent.run(
      "gdbus",
      [
        "call", "--session", "-d", name, "-o", path, "-m", name + ".SetTimeRange", "1795000000",
        "1795604800", "true",
      ])
    #expect(set.output == "()\n", "\(set.errors)")
    let since = try agent.run("busctl", ["--user", "get-property", name, path, name, "Since"])
    #expect(since.output == "x 1795000000\n", "\(since.errors)")
  }

  @Test func `the shell's own server gives the name up, and may have it when the agent ends`()
    throws
  {
    let agent = try AgentUnderTest(start: false, settings: Self.yes)
    let other = try Connection(address: agent.bus.address)
    LoopAttachment.attach(other, to: agent.loop)
    #expect(try other.requestName(ShellDialect.gnome.name, replacing: true) == .owner)
    try agent.start()
    #expect(try other.requestName(ShellDialect.gnome.name) == .taken)
    agent.stop()
    #expect(try other.requestName(ShellDialect.gnome.name) == .owner)
  }

  @Test func `an owner that does not give it up is told in the log, and the agent goes on`() throws
  {
    let agent = try AgentUnderTest(start: false, settings: Self.yes)
    let other = try Connection(address: agent.bus.address)
    LoopAttachment.attach(other, to: agent.loop)
    #expect(try other.requestName(ShellDialect.gnome.name) == .owner)
    try agent.start()
    #expect(agent.log.filter { $0.contains("another program owns") }.count == 1)
    try agent.addStandup()
  }
}

@Suite struct `What the shell is told` {
  @Test func `what ends where the weeks begin is not in them, and a moment there is`() throws {
    let zone = FixedZones.shared["Europe/Berlin"]
    let weeks = TimeSpan(
      start: try Timestamp(text: "2026-11-02T00:00:00Z"),
      end: try Timestamp(text: "2026-12-14T00:00:00Z"))
    var occurrences: [Occurrence] = []
    for (uid, start, length) in [
      ("before", "2026-11-01T23:00:00Z", 3600), ("moment", "2026-11-02T00:00:00Z", 0),
      ("into", "2026-11-01T23:00:00Z", 3601), ("after", "2026-12-14T00:00:00Z", 3600),
    ] as [(String, String, Int64)] {
      let instant = try Timestamp(text: start)
      let master = Event(
        uid: EventUID(uid), start: .zoned(ZoneRules.utc.reading(at: instant), zone: "Etc/UTC"),
        end: .time(
          .zoned(ZoneRules.utc.reading(at: instant.adding(seconds: length)), zone: "Etc/UTC")))
      occurrences += try EventSeries(calendar: CalendarID("work"), master: master).occurrences(
        in: .always, context: ZoneContext(zones: FixedZones.shared, local: zone))
    }
    #expect(occurrences.count == 4)
    let names = ShellEvents(occurrences, in: weeks, calendars: []).bySeries.keys.sorted()
    #expect(names == ["work\ninto\n", "work\nmoment\n"])
  }

  @Test func `an event that stops to recur is dropped before it comes again`() throws {
    let zone = FixedZones.shared["Europe/Berlin"]
    let span = TimeSpan(
      start: try Timestamp(text: "2026-11-01T00:00:00Z"),
      end: try Timestamp(text: "2026-12-01T00:00:00Z"))
    let master = Event(
      uid: EventUID("tea"),
      start: .zoned(try CivilDateTime(text: "2026-11-21T15:00"), zone: "Europe/Berlin"),
      summary: "Tea\n\u{202E}x")
    let once = try EventSeries(calendar: CalendarID("work"), master: master).occurrences(
      in: span, context: ZoneContext(zones: FixedZones.shared, local: zone))
    let events = ShellEvents(once, in: span, calendars: [])
    #expect(events.bySeries["work\ntea\n"]?.map(\.summary) == ["Tea x"])
    var repeated = master
    repeated.recurrence.rules = [try RecurrenceRule(text: "FREQ=WEEKLY")]
    let weekly = EventSeries(calendar: CalendarID("work"), master: repeated)
    let gone = EventSeries(
      calendar: CalendarID("work"), master: Event(uid: EventUID("gone"), start: master.start))
    let context = ZoneContext(zones: FixedZones.shared, local: zone)
    let told = ShellEvents(
      try weekly.occurrences(in: span, context: context)
        + gone.occurrences(in: span, context: context), in: span, calendars: [])
    let change = ShellDialect.gnomeChange(events, told)
    #expect(change.removed == ["work\ngone\n", "work\ntea\n"])
    #expect(change.updated.map { $0.map(\.id) } == [["work\ntea\n"]])
    #expect(ShellDialect.gnomeChange(events, events).removed.isEmpty)
    #expect(ShellDialect.gnomeChange(events, events).updated.isEmpty)
  }
}
