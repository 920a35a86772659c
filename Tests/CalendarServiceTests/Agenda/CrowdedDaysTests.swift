import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing
import Widgets

@testable import AgentSupport
@testable import CalendarService

/// So many events that all happen each second, for ever, and one that happens once: ``CrowdedDays`` has each of them
/// once a day. What an answer costs is counted in instances that are walked over.
@Suite struct `Many series by the second` {
  private static let series = 60

  private func crowded(_ lines: String...) throws -> AgentUnderTest {
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

  @Test func `a page has one row of each a day, and the next goes on after it`() throws {
    let agent = try crowded()
    var pages: [[String]] = []
    var cursor = ""
    let steps = try steps(agent) {
      for _ in 0..<4 {
        let page = try page(agent, after: cursor)
        pages.append(page.rows)
        cursor = page.next
        // What others write elsewhere moves nothing.
        _ = try agent.add("Later", at: "2027-01-01 10:00")
      }
    }
    let uids = (0..<Self.series).map { "tick-\($0)" }.sorted()
    let expected = (19..<53).flatMap { day in
      let date = day <= 30 ? "2026-11-\(day)" : "2026-12-\(day < 40 ? "0" : "")\(day - 30)"
      return uids.map { "\(date)T23:00:00Z \($0)" }
        + (day == 20 ? ["2026-11-21T08:00:03Z dentist"] : [])
    }
    #expect(pages.map(\.count) == [500, 500, 500, 301])
    #expect(cursor.isEmpty)
    #expect(Array(pages.joined()) == Array(expected.prefix(1801)))
    // Four pages and what the four changes show.
    #expect(steps < 400_000)
  }

  @Test func `one page takes a few steps of each series`() throws {
    let agent = try crowded()
    let steps = try steps(agent) { _ = try page(agent) }
    // Six of each a day, for 13 days and for two; each by itself would be 40,000.
    #expect(steps < 6000)
  }

  @Test func `today has the rest of the day`() throws {
    let agent = try crowded("DURATION:PT1S")
    let steps = try steps(agent) {
      let rows = try agent.call(Contract.calendar, "Today")[0].asArray ?? []
      #expect(rows.count == Self.series + 1)
      let tick = try #require(rows.first { $0["uid"] == .string("tick-7") })
      #expect(tick["count"] == .uint32(0))
      #expect(tick["start"] == .int64(1_795_215_600))
      #expect(tick["end"] == .int64(1_795_215_600 + 86_400))
      let dentist = try #require(rows.first { $0["uid"] == .string("dentist") })
      #expect(dentist["count"] == nil)
    }
    #expect(steps < 6000)
  }

  @Test func `the snapshot has each once a day, and what happens seldom`() throws {
    let agent = try crowded("DURATION:PT1S")
    var json = ""
    let steps = try steps(agent) {
      json = try agent.call(Contract.calendar, "Snapshot")[0].asString ?? ""
    }
    #expect(json.utf8.count < 70_000)
    let snapshot = try SnapshotV1(json: json)
    #expect(snapshot.today.count + snapshot.todayMore == Self.series + 1)
    #expect(snapshot.days.allSatisfy { $0.events.count + $0.more >= Self.series })
    #expect(snapshot.now.count + snapshot.nowMore == Self.series)
    #expect(snapshot.next.first?.summary == "Dentist")
    #expect(try agent.property("NextWake") == .int64(agent.clock.now.seconds + 3))
    #expect(steps < 100_000)
  }

  @Test func `the days are read in parts, between which others are answered`() throws {
    let agent = try crowded()
    let service = try #require(agent.agent)
    let span = SnapshotBuilder().span(at: agent.clock.now, zone: try service.agenda.reader().zones.local)
    service.cache.forget()
    var (parts, dearest) = (0, 0)
    var gathered = AgendaReader.Gathered.more
    repeat {
      let steps = try steps(agent) {
        gathered = try service.agenda.reader().gather(
          span, now: agent.clock.now, for: [CalendarFilter()], nanoseconds: 0)
      }
      (parts, dearest) = (parts + 1, max(dearest, steps))
    } while gathered == .more
    #expect(gathered == .kept(isMany: false))
    #expect(parts > 10)
    #expect(dearest < 3000)
    #expect(service.cache.holds(span))
    #expect(service.cache.count > 30 * Self.series)
    #expect(service.cache.count % Self.series == 1)
  }

  @Test func `what runs is shown as of the second`() throws {
    let agent = try crowded("DURATION:PT1S")
    for second in 0..<15 {
      agent.clock.advance(seconds: second == 0 ? 0 : 1)
      try agent.settle()
      let json = try agent.call(Contract.calendar, "Snapshot")[0].asString ?? ""
      let snapshot = try SnapshotV1(json: json)
      // The dentist's is at three seconds past.
      let running = Self.series + (second < 3 ? 0 : 1)
      #expect(snapshot.now.count + snapshot.nowMore == running, "\(second)")
    }
  }

  @Test func `the month, what is next and the agenda are bounded, too`() throws {
    let agent = try crowded("DURATION:PT1S")
    let steps = try steps(agent) {
      for mode in ["normal", "expanded"] {
        let json =
          try agent.call(
            Contract.calendar, "Month", [.string("2026-12"), .string(mode)])[0].asString ?? ""
        #expect(json.utf8.count < 1 << 20)
        // Of normal size there are three lanes, of the other a hundred.
        #expect(json.contains(#""more":57"#) == (mode == "normal"))
      }
      let next = try agent.call(Contract.calendar, "Next", [.uint32(100)])[0].asArray
      #expect(next?.count == 100)
      #expect(next?[Self.series]["uid"] == .string("dentist"))
      let error = try agent.refusal(Contract.calendar, "Agenda", [.string(""), .uint32(366)])
      #expect(error.name == .limitsExceeded)
    }
    #expect(steps < 250_000)
  }

  @Test func `busy times and conflicts refuse after as many as they hold`() throws {
    let agent = try crowded("DURATION:PT1S")
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

  @Test func `each begins once a day for whoever listens`() throws {
    let agent = try crowded("DURATION:PT1S")
    _ = agent.takeSignals()
    try agent.advance(to: "2026-11-21T08:00:03Z")
    #expect(agent.signals("EventStarted").map { $0.arguments[0] } == [.string("dentist")])
    _ = agent.takeSignals()
    try agent.advance(to: "2026-11-21T23:00:00Z")
    #expect(agent.signals("EventStarted").count == Self.series)
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

@Suite struct `A row for many occurrences` {
  @Test func `it has their number, and busy times are those of each`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(
      component(
        "tick", "DTSTART:20261101T000000Z", "DURATION:PT5M", "SUMMARY:Tick",
        "RRULE:FREQ=MINUTELY;INTERVAL=10")
        + component("tea", "DTSTART:20261121T150600Z", "DURATION:PT2M", "SUMMARY:Tea"))
    let rows = try agent.call(Contract.calendar, "Today")[0].asArray ?? []
    #expect(rows.map { $0["count"] } == [.uint32(144), nil])
    #expect(rows.first?["start-text"] == .string("2026-11-20T23:00:00Z"))
    #expect(rows.first?["end-text"] == .string("2026-11-21T22:55:00Z"))
    let range = ["2026-11-21", "1d"].map(Value.string)
    #expect(try agent.call(Contract.calendar, "FreeBusy", range)[0].asArray?.count == 145)
    // It is between two of them.
    #expect(try agent.call(Contract.calendar, "Conflicts", range)[0].asArray?.isEmpty == true)
    // Also once the rows of the days are at hand.
    _ = try agent.call(Contract.calendar, "Snapshot")
    #expect(try agent.call(Contract.calendar, "FreeBusy", range)[0].asArray?.count == 145)
    #expect(try agent.call(Contract.calendar, "Today")[0].asArray ?? [] == rows)
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

  @Test(.longProof)
  func `what only a long walk could tell is refused, and views do without it`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents((0..<5).map { nothingByTheSecond("gone-\($0)") }.joined())
    _ = try agent.add("Tea", at: "2026-11-21 16:00")
    let range: [Value] = [.string("2027-01-01"), .string("2027-02-01")]
    for (member, more) in [
      ("FreeBusy", []), ("FreeSlots", [.uint32(60)]), ("Conflicts", []),
    ] as [(MemberName, [Value])] {
      let error = try agent.refusal(Contract.calendar, member, range + more)
      #expect(error.name == .limitsExceeded)
      #expect(error.message.contains("Gone"))
    }
    let rows = try agent.call(Contract.calendar, "GetOccurrences", range + [.row([])])[0].asArray
    #expect(rows?.isEmpty == true)
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
    let service = try #require(agent.agent)
    #expect(service.cache.count == 0)
    // They are read in parts, and what is left to do is what runs now and comes next.
    service.cache.forget()
    let (now, zone) = (agent.clock.now, try service.agenda.reader().zones.local)
    let span = SnapshotBuilder().span(at: now, zone: zone)
    var parts = 0
    var gathered = AgendaReader.Gathered.more
    repeat {
      gathered = try service.agenda.reader().gather(
        span, now: now, for: [CalendarFilter()], nanoseconds: 0)
      parts += 1
    } while gathered == .more
    #expect(gathered == .tooFull)
    #expect(parts > 5)
    let before = service.cache.walked
    let rows = try service.agenda.reader().overview(of: span, now: now, next: 5)
    #expect(service.cache.walked - before < 5000)
    // All 1080 of today, and 200 of each other day.
    let today = TimeSpan(
      start: try Timestamp(text: "2026-11-20T23:00:00Z"),
      end: try Timestamp(text: "2026-11-21T23:00:00Z"))
    #expect(rows.count { $0.span.overlaps(today) } == 1080)
    #expect(rows.count > 30 * AgendaReader.mostOfDay && rows.count < 60 * AgendaReader.mostOfDay)
    try agent.importComponents(component("few", "DTSTART:20261121T150000Z", "SUMMARY:Few"))
    _ = try agent.call(Contract.events, "Undo")
    _ = try agent.call(Contract.events, "Undo")
    try agent.settle()
    _ = try agent.add("Tea", at: "2026-11-21 16:00")
    _ = try agent.call(Contract.calendar, "Snapshot")
    #expect(try #require(agent.agent).cache.count == 1)
  }
}
