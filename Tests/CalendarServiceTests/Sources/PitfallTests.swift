import CalendarBus
import DBus
import TestSupport
import Testing

/// What has cost users of other programs their events.
@Suite struct `Sources that mislead` {
  private let files: TemporaryDirectory

  init() throws {
    files = try TemporaryDirectory()
    try files.makeDirectory("work")
  }

  private func write(_ name: String, uid: String, _ summary: String, _ more: String = "") throws {
    try files.write(
      """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:-//test//EN\r
      BEGIN:VEVENT\r
      UID:\(uid)\r
      DTSTAMP:20261101T000000Z\r
      DTSTART;TZID=Europe/Berlin:20261123T100000\r
      DTEND;TZID=Europe/Berlin:20261123T110000\r
      SUMMARY:\(summary)\r
      \(more)END:VEVENT\r
      END:VCALENDAR\r

      """, to: name)
  }

  private func agent() throws -> SyncedAgent {
    let agent = try SyncedAgent(folder: files.path)
    try agent.sync()
    return agent
  }

  private func summaries(_ agent: SyncedAgent) throws -> [String] {
    try agent.agent.summaries(from: "2026-11-23").sorted()
  }

  @Test func `a calendar that is not listed any more stays here`() throws {
    try files.makeDirectory("home")
    try write("work/a.ics", uid: "a", "Review")
    try write("home/b.ics", uid: "b", "Lunch")
    let agent = try agent()
    try files.rename("home", to: ".home")
    #expect(try agent.sync().isEmpty)
    #expect(try summaries(agent) == ["Lunch", "Review"])
    #expect(
      try agent.row()["reason"]
        == .string(
          """
          the folder of home is not there any more, so it is read-only; to remove it here, too: \
          calctl calendars rm home --with-events
          """))
    try files.rename(".home", to: "home")
    #expect(try agent.sync().isEmpty)
    #expect(try agent.row()["reason"] == .string(""))
  }

  @Test func `an event that was created on both sides is one item, with what both say`() throws {
    let agent = try agent()
    _ = try agent.agent.call(
      Contract.events, "Add",
      [
        .string(agent.calendar("work")),
        .row([
          ("uid", .string("a")), ("summary", .string("Review")), ("location", .string("Room 1")),
          ("start", .string("2026-11-23 10:00")),
        ]),
      ])
    try write("work/z.ics", uid: "a", "Review")
    #expect(try agent.sync()["sent"] == 1)
    #expect(files.names(in: "work") == ["z.ics"])
    #expect(
      String(decoding: files.read("work/z.ics") ?? [], as: UTF8.self).contains("LOCATION:Room 1"))
    #expect(try summaries(agent) == ["Review"])
  }

  @Test func `an event that is there twice is shown once, and none of them is removed`() throws {
    try write("work/a.ics", uid: "a", "Review")
    try write("work/b.ics", uid: "a", "Review")
    let agent = try agent()
    #expect(try summaries(agent) == ["Review"])
    #expect(agent.agent.log.contains { $0.contains("it has the same UID as") })
    #expect(try agent.sync().isEmpty)
    #expect(files.names(in: "work") == ["a.ics", "b.ics"])
  }

  @Test func `an event with guests is not sent: they would get invitations`() throws {
    try write("work/a.ics", uid: "a", "Review", "ATTENDEE:mailto:ana@example.org\r\n")
    let agent = try agent()
    let text = files.read("work/a.ics")
    try agent.set("a", "location", "Room 2")
    #expect(try agent.sync().isEmpty)
    #expect(files.read("work/a.ics") == text)
    #expect(try agent.row()["pending"] == .uint32(1))
    #expect(try agent.row()["guests-waiting"] == .uint32(1))
  }

  @Test(.enabled(if: CalendarServer.Kind.available.contains(.radicale)))
  func `an item that conflicts again and again waits for the next run`() throws {
    let server = try CalendarServer.with(calendar: "work", .radicale)
    let proxy = try FaultProxy(server, percent: 100, faults: ["unstable"])
    try proxy.setCalm(true)
    let agent = try SyncedAgent(server, at: proxy.url)
    try agent.sync()
    let tea = try agent.add("Tea", to: agent.calendar("work"))
    #expect(try agent.sync() == ["sent": 1])
    try proxy.setCalm(false)
    try agent.set(tea, "summary", "Tea with Ana")
    #expect(try agent.sync() == ["failed": 1])
    #expect(proxy.requests.filter { $0.method == "PUT" && $0.fault == "412" }.count == 4)
    // Nothing is removed in order to write it.
    #expect(!proxy.requests.contains { $0.method == "DELETE" })
    #expect(try agent.row()["pending"] == .uint32(1))
    try proxy.setCalm(true)
    #expect(try agent.sync() == ["sent": 1])
  }

  @Test(.enabled(if: CalendarServer.Kind.available.contains(.radicale)))
  func `an item that is listed, and not there when it is fetched, is not removed`() throws {
    let server = try CalendarServer.with(calendar: "work", .radicale)
    let proxy = try FaultProxy(server, percent: 100, faults: ["vanish"])
    try proxy.setCalm(true)
    let agents = [try SyncedAgent(server, at: proxy.url), try SyncedAgent(server)]
    try agents[0].sync()
    let work = try agents[0].calendar("work")
    let tea = try agents[0].add("Tea", to: work)
    for agent in agents { try agent.sync() }
    try agents[1].set(tea, "summary", "Tea with Ana")
    try agents[1].sync()
    try proxy.setCalm(false)
    #expect(try agents[0].sync() == ["failed": 1])
    #expect(try agents[0].contents(work) == [tea: ["Tea", ""]])
    try proxy.setCalm(true)
    #expect(try agents[0].sync() == ["updated": 1])
    #expect(try agents[0].contents(work) == [tea: ["Tea with Ana", ""]])
  }

  // DAViCal answers a token that it does not know with changes that lack what is gone.
  @Test(.enabled(if: CalendarServer.Kind.available.contains(.radicale)))
  func `a server is asked for all that it has each week`() throws {
    let server = try CalendarServer.with(calendar: "work", .radicale)
    let proxy = try FaultProxy(server, percent: 0, faults: [])
    let agent = try SyncedAgent(server, at: proxy.url)
    func listings() throws -> Int {
      try agent.sync()
      return proxy.requests.count(where: \.isFull)
    }
    #expect(try listings() == 1)
    agent.agent.stop()
    try agent.agent.start()
    #expect(try listings() == 1)
    try agent.agent.advance(to: "2026-11-28T09:00:00Z")
    #expect(try listings() == 2)
    #expect(try listings() == 2)
  }
}
