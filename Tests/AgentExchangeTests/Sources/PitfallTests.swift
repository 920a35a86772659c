import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

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

  /// Source: RFC 6638 section 3.2.10.
  @Test(.enabled(if: CalendarServer.Kind.available.contains(.radicale)))
  func `what guests answer while an event is edited here is no conflict`() throws {
    let server = try CalendarServer.with(calendar: "work", .radicale)
    let proxy = try FaultProxy(server, percent: 100, faults: ["scheduling"])
    let agent = try SyncedAgent(server, at: proxy.url)
    try agent.sync()
    let work = try agent.calendar("work")
    let tea = "tea"
    let text = calendar(
      "BEGIN:VEVENT\r\nUID:tea\r\nDTSTAMP:20261101T120000Z\r\nDTSTART:20261123T090000Z\r\n"
        + "DTEND:20261123T100000Z\r\nSUMMARY:Tea\r\nORGANIZER:mailto:ana@example.org\r\nEND:VEVENT\r\n"
    )
    _ = try agent.agent.call(
      Contract.transfer, "ImportText", [.string(text), .string(work), .string("")])
    #expect(try agent.sync() == ["sent": 1])
    for title in ["Tea with Ana", "Tea with Bo"] {
      try agent.set(tea, "summary", title)
      #expect(try agent.sync() == ["sent": 1])
    }
    #expect(try agent.contents(work) == [tea: ["Tea with Bo", ""]])
    #expect(
      proxy.requests.filter { $0.method == "PUT" }.map(\.fault) == [
        "schedule-tag", "schedule-tag", "schedule-tag",
      ])
  }

  struct Shortage: CustomTestStringConvertible {
    var fault: String
    var status: String
    /// How many of the two events the server has no room for.
    var refused: Int64
    var testDescription: String { fault }
  }

  @Test(
    .enabled(if: CalendarServer.Kind.available.contains(.radicale)),
    arguments: [
      Shortage(fault: "small", status: "413", refused: 1),
      Shortage(fault: "full", status: "507", refused: 2),
    ])
  func `an event that a server has no room for waits, is named, and keeps no other waiting`(
    _ shortage: Shortage
  ) throws {
    let server = try CalendarServer.with(calendar: "work", .radicale)
    let proxy = try FaultProxy(server, percent: 100, faults: [shortage.fault])
    let agents = [try SyncedAgent(server, at: proxy.url), try SyncedAgent(server)]
    for agent in agents { try agent.sync() }
    let work = try agents[0].calendar("work")
    let minutes = try agents[0].add("Minutes", to: work)
    try agents[0].set(minutes, "description", String(repeating: "They said so. ", count: 1000))
    _ = try agents[0].add("Tea", to: work)
    let lunch = try agents[1].add("Lunch", to: try agents[1].calendar("work"))
    try agents[1].sync()

    var expected = ["added": 1, "failed": shortage.refused]
    if shortage.refused < 2 { expected["sent"] = 1 }
    #expect(try agents[0].sync() == expected)
    #expect(try agents[0].contents(work)[lunch] == ["Lunch", ""])
    let row = try agents[0].row()
    #expect(row["pending"] == .uint32(UInt32(shortage.refused)))
    #expect(row["state"] == .string("idle"))
    let reason = row["reason"]?.asString ?? ""
    #expect(reason.contains("has no room for that: \(shortage.status)"), "\(reason)")
    if shortage.refused < 2 { #expect(reason.contains(minutes)) }

    try proxy.setCalm(true)
    #expect(try agents[0].sync() == ["sent": shortage.refused])
    #expect(try agents[0].row()["reason"] == .string(""))
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
