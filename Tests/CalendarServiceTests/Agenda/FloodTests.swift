import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing
import Widgets

@testable import CalendarService

/// So many events that all happen each second, for ever, and one that happens once. What
/// an answer costs is counted in instances that are walked over.
@Suite struct `Many series by the second` {
  private static let series = 60

  private func flooded(_ lines: String...) throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    let start = ["DTSTART:20261101T000000Z", "SUMMARY:Tick", "RRULE:FREQ=SECONDLY"]
    let ticks = (0..<Self.series).map { one in
      component("tick-\(one)", (start + lines).joined(separator: "\r\n"))
    }
    let dentist = component(
      "dentist", "DTSTART:20261121T080003Z", "DTEND:20261121T090000Z", "SUMMARY:Dentist")
    try agent.importComponents((ticks + [dentist]).joined())
    try agent.settle()
    return agent
  }

  /// Returns what a question costs.
  private func steps(_ agent: AgentUnderTest, _ body: () throws -> Void) throws -> Int {
    let cache = try #require(agent.agent).cache
    let before = cache.walked
    try body()
    return cache.walked - before
  }

  private func page(
    _ agent: AgentUnderTest, after cursor: String = "", limit: UInt32 = 500
  ) throws -> (rows: [String], next: String) {
    let answer = try agent.call(
      Contract.calendar, "GetOccurrences",
      [
        .string("2026-11-20"), .string("2026-12-20"),
        .row([("limit", .uint32(limit)), ("cursor", .string(cursor))]),
      ])
    let rows = (answer[0].asArray ?? []).map {
      "\($0["start-text"]?.asString ?? "") \($0["uid"]?.asString ?? "")"
    }
    return (rows, answer[1].asString ?? "")
  }

  @Test func `a page is the first of all, cheap, and the next goes on behind it`() throws {
    let agent = try flooded()
    var pages: [[String]] = []
    var cursor = ""
    let steps = try steps(agent) {
      for _ in 0..<4 {
        let page = try page(agent, after: cursor)
        pages.append(page.rows)
        cursor = page.next
        // What others write elsewhere moves nothing.
        _ = try agent.add("Later", at: "2026-12-01 10:00")
      }
    }
    let uids = (0..<Self.series).map { "tick-\($0)" }.sorted()
    let expected = (0..<34).flatMap { second in
      uids.map { "2026-11-19T23:00:\(second < 10 ? "0" : "")\(second)Z \($0)" }
    }
    #expect(pages.map(\.count) == [500, 500, 500, 500])
    #expect(Array(pages.joined()) == Array(expected.prefix(2000)))
    // Four pages and what the four changes show; each series by itself would be 500 steps.
    #expect(steps < 400_000)
  }

  @Test func `one page takes a few steps of each series`() throws {
    let agent = try flooded()
    let steps = try steps(agent) { _ = try page(agent) }
    // 501 of the first, half of them of the second, …; each by itself would be 30,000.
    #expect(steps < 6000)
  }

  @Test func `the snapshot takes the first of each day, and what happens seldom besides`() throws {
    let agent = try flooded()
    var json = ""
    let steps = try steps(agent) {
      json = try agent.call(Contract.calendar, "Snapshot")[0].asString ?? ""
    }
    #expect(json.utf8.count < 70_000)
    let more = json.split(separator: #""more":"#).dropFirst().compactMap {
      Int($0.prefix { $0.isNumber })
    }
    #expect(more.count > 50)
    // The first 200 of a day count, and of today besides them what happens seldom, runs
    // now and comes next.
    #expect(more.filter { $0 > 200 }.count <= 2)
    #expect((more.max() ?? 0) < 300)
    #expect(try agent.property("NextWake") == .int64(agent.clock.now.seconds + 1))
    #expect(steps < 100_000)
  }

  @Test func `what the snapshot shows of them is read in parts, between which others are answered`()
    throws
  {
    let agent = try flooded()
    let service = try #require(agent.agent)
    let now = agent.clock.now
    let span = SnapshotBuilder().span(at: now, zone: try service.reader().zones.local)
    let whole = CalendarFilter()
    let busy = CalendarFilter(privacy: .busy)
    let atOnce = try [whole, busy].map {
      try service.reader().overview(of: span, now: now, next: 5, excerpt: $0)
    }
    service.cache.forget()
    var parts = 0
    // The dearest of them: of each day the first of one series.
    var dearest = 0
    var gathered = AgendaReader.Gathered.more
    repeat {
      let steps = try steps(agent) {
        gathered = try service.reader().gather(span, now: now, for: [whole, busy], nanoseconds: 0)
      }
      (parts, dearest) = (parts + 1, max(dearest, steps))
    } while gathered == .more
    #expect(gathered == .flooded)
    #expect(parts > Self.series)
    #expect(dearest < 43 * 2 * AgendaReader.mostOfDay)
    for (excerpt, expected) in zip([whole, busy], atOnce) {
      // What is left to do is what runs a while later, and what comes next.
      let later = now.adding(seconds: 5)
      var found: [Occurrence] = []
      let steps = try steps(agent) {
        found = try service.reader().overview(of: span, now: now, next: 5, excerpt: excerpt)
        _ = try service.reader().overview(of: span, now: later, next: 5, excerpt: excerpt)
      }
      #expect(Set(found) == Set(expected))
      #expect(steps < 5000)
    }
  }

  @Test func `what runs is shown as of the second, also when it was read some seconds before`()
    throws
  {
    let agent = try flooded("DURATION:PT1S")
    for second in 0..<15 {
      agent.clock.advance(seconds: second == 0 ? 0 : 1)
      try agent.settle()
      let json = try agent.call(Contract.calendar, "Snapshot")[0].asString ?? ""
      let snapshot = try SnapshotV1(json: json)
      let now = agent.clock.now
      // Of those that run the ten that began last; the dentist's is at three seconds past.
      let running = Self.series + (second < 3 ? 0 : 1)
      #expect(snapshot.now.count + snapshot.nowMore == running, "\(second)")
      #expect(snapshot.now.allSatisfy { $0.start == now })
    }
  }

  @Test func `the month, what is next and the agenda are bounded, too`() throws {
    let agent = try flooded("DURATION:PT1S")
    let steps = try steps(agent) {
      for mode in ["normal", "expanded"] {
        let json =
          try agent.call(
            Contract.calendar, "Month", [.string("2026-12"), .string(mode)])[0].asString ?? ""
        #expect(json.utf8.count < 1 << 20)
        #expect(json.contains(#""more":"#))
      }
      let next = try agent.call(Contract.calendar, "Next", [.uint32(100)])[0].asArray
      #expect(next?.count == 100)
      let error = try agent.refusal(Contract.calendar, "Agenda", [.string(""), .uint32(366)])
      #expect(error.name == .limitsExceeded)
    }
    #expect(steps < 250_000)
  }

  @Test func `busy times and conflicts refuse after as many as they hold`() throws {
    let agent = try flooded("DURATION:PT1S")
    let range: [Value] = [.string("2026-11-21"), .string("2027-11-21")]
    for (member, more) in [
      ("FreeBusy", []), ("FreeSlots", [.uint32(60)]), ("Conflicts", []),
    ] as [(MemberName, [Value])] {
      let steps = try steps(agent) {
        let error = try agent.refusal(Contract.calendar, member, range + more)
        #expect(error.name == .limitsExceeded)
      }
      #expect(steps < 50_100)
    }
  }

  @Test func `they do not begin for anybody who listens`() throws {
    let agent = try flooded("DURATION:PT1S")
    _ = agent.takeSignals()
    try agent.advance(to: "2026-11-21T08:00:03Z")
    let started = agent.signals("EventStarted").map { $0.arguments[0] }
    #expect(started == [.string("dentist")])
  }

  @Test func `a search finds the last of each that has ended by halves`() throws {
    let agent = try AgentUnderTest()
    let ended = (0..<100).map { one in
      component(
        "old-\(one)", "DTSTART:20100101T000000Z", "SUMMARY:Tock",
        "RRULE:FREQ=SECONDLY;UNTIL=20200101T000000Z")
    }
    try agent.importComponents(ended.joined())
    let steps = try steps(agent) {
      let answer = try agent.call(
        Contract.calendar, "Search", [.string("tock"), .row([("limit", .uint32(100))])])
      let rows = answer[0].asArray ?? []
      #expect(rows.count == 100)
      #expect(rows.allSatisfy { $0["start"] == .int64(1_577_836_800) })
    }
    #expect(steps < 300_000)
  }
}

@Suite struct `Too much for one answer` {
  /// An EXRULE in other words than the rule, which takes all of it away.
  private func nothingByTheSecond(_ uid: String) -> String {
    let all = (0..<60).map(String.init).joined(separator: ",")
    return component(
      uid, "DTSTART:20261101T000000Z", "SUMMARY:Gone", "RRULE:FREQ=SECONDLY",
      "EXRULE:FREQ=MINUTELY;BYSECOND=\(all)")
  }

  @Test func `what only a long walk could tell is refused, and views do without it`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents((0..<5).map { nothingByTheSecond("gone-\($0)") }.joined())
    _ = try agent.add("Tea", at: "2026-11-21 16:00")
    let range: [Value] = [.string("2027-01-01"), .string("2027-02-01")]
    for (member, more) in [
      ("GetOccurrences", [.row([])]), ("FreeBusy", []), ("FreeSlots", [.uint32(60)]),
      ("Conflicts", []),
    ] as [(MemberName, [Value])] {
      let error = try agent.refusal(Contract.calendar, member, range + more)
      #expect(error.name == .limitsExceeded)
      #expect(error.message.contains("gone-"))
    }
    let json = try agent.call(Contract.calendar, "Snapshot")[0].asString ?? ""
    #expect(json.contains("Tea"))
    let next = try agent.call(Contract.calendar, "Next", [.uint32(1)])[0].asArray
    #expect(next?.first?["summary"] == .string("Tea"))
  }

  @Test func `series that together have too many are not kept, and are shown all the same`() throws
  {
    let agent = try AgentUnderTest()
    // 45,000 in the six weeks of the month.
    let often = (0..<90).map {
      component(
        "often-\($0)", "DTSTART:20261001T000000Z", "SUMMARY:Often", "RRULE:FREQ=HOURLY;INTERVAL=2")
    }
    try agent.importComponents(often.joined())
    let json = try agent.call(Contract.calendar, "Snapshot")[0].asString ?? ""
    #expect(json.contains("Often"))
    #expect(try #require(agent.agent).cache.count == 0)
    try agent.importComponents(component("few", "DTSTART:20261121T150000Z", "SUMMARY:Few"))
    _ = try agent.call(Contract.events, "Undo")
    _ = try agent.call(Contract.events, "Undo")
    try agent.settle()
    _ = try agent.add("Tea", at: "2026-11-21 16:00")
    _ = try agent.call(Contract.calendar, "Snapshot")
    #expect(try #require(agent.agent).cache.count == 1)
  }
}
