import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// One page of GetOccurrences.
  fileprivate func page(
    _ from: String, _ to: String, _ options: (String, Value)...
  ) throws -> (rows: [Value], next: String) {
    let answer = try call(
      Contract.calendar, "GetOccurrences", [.string(from), .string(to), .row(options)])
    return (answer[0].asArray ?? [], answer[1].asString ?? "")
  }
}

private func summaries(_ rows: [Value]) -> [String] { rows.map { $0["summary"]?.asString ?? "" } }

@Suite struct `Pages of occurrences` {
  @Test(arguments: [1, 3, 7, 100])
  func `the pages together are the whole, in order and without doubles`(limit: UInt32) throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("uid", .string("daily")), ("summary", .string("Daily")),
      ("start", .string("2026-11-21 09:00")), ("rrule", .string("FREQ=DAILY;COUNT=10")))
    // Alike in start and end: the uid decides, and it may have spaces.
    let same = (0..<10).map { component("same \($0) ä", "DTSTART:20261123T080000Z") }
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(same.joined())), .string(""), .string("")])
    // Runs over all of them, and is not to come again on each page.
    _ = try agent.add(
      ("summary", .string("Fair")), ("start", .string("2026-11-20 09:00")),
      ("end", .string("2026-12-20 09:00")))
    // A moment between two days.
    _ = try agent.add(
      ("summary", .string("Moment")), ("start", .string("2026-11-22 00:00")),
      ("end", .string("2026-11-22 00:00")))
    let whole = try agent.page("2026-11-21", "30d").rows
    #expect(whole.count == 22)
    var rows: [Value] = []
    var cursor = ""
    repeat {
      let page = try agent.page(
        "2026-11-21", "30d", ("limit", .uint32(limit)), ("cursor", .string(cursor)))
      #expect(page.rows.count <= limit)
      #expect(page.next.isEmpty || page.rows.count == limit)
      rows += page.rows
      cursor = page.next
    } while !cursor.isEmpty
    #expect(rows == whole)
  }

  @Test func `a page goes on where it was while others write`() throws {
    let agent = try AgentUnderTest()
    for hour in ["10", "11", "12", "13"] { _ = try agent.add(hour, at: "2026-11-21 \(hour):00") }
    let first = try agent.page("today", "", ("limit", .uint32(2)))
    #expect(summaries(first.rows) == ["10", "11"])
    // One comes before the place, one after it, and the row of the cursor itself goes.
    _ = try agent.add("09", at: "2026-11-21 09:00")
    _ = try agent.add("12a", at: "2026-11-21 12:00")
    _ = try agent.call(
      Contract.events, "Remove",
      [first.rows[1]["uid"] ?? .string(""), .string(""), .string("")])
    let rest = try agent.page("today", "", ("cursor", .string(first.next)))
    #expect(Set(summaries(rest.rows)) == ["12", "12a", "13"])
    #expect(rest.next == "")
  }

  @Test(arguments: [1, 2, 3, 4])
  func `occurrences of a series that were moved to one time are each on a page`(
    limit: UInt32
  ) throws {
    let agent = try AgentUnderTest()
    try agent.addDailyYoga()
    for day in ["23", "24", "25"] {
      try agent.update(
        "yoga", "202611\(day)T090000Z", "this", ("start", .string("2026-11-23 15:00")),
        ("summary", .string("Moved from \(day)")))
    }
    let whole = try agent.page("2026-11-21", "30d").rows
    #expect(
      whole.map { $0["recurrence-id"]?.asString ?? "" }.filter {
        $0 > "20261123" && $0 < "20261126"
      }
        == ["20261123T090000Z", "20261124T090000Z", "20261125T090000Z"])
    var rows: [Value] = []
    var cursor = ""
    repeat {
      let page = try agent.page(
        "2026-11-21", "30d", ("limit", .uint32(limit)), ("cursor", .string(cursor)))
      rows += page.rows
      cursor = page.next
    } while !cursor.isEmpty
    #expect(rows == whole)
  }

  @Test(arguments: [
    "1795424400 1795428000 personal yoga", "1795424400 1795428000 personal a uid with spaces",
    "1795424400 1795428000 20261124T personal yoga", "x 0 - personal a",
  ])
  func `a cursor without the occurrence, as older agents gave it, is refused`(cursor: String) throws
  {
    let agent = try AgentUnderTest()
    let error = try agent.refusal(
      Contract.calendar, "GetOccurrences",
      [.string("today"), .string(""), .row([("cursor", .string(cursor))])])
    #expect(error.name == .invalidArgs)
    #expect(error.message.contains("start again"), "\(error.message)")
  }

  @Test func `a full page that is the last has no cursor`() throws {
    let agent = try AgentUnderTest()
    for hour in ["10", "11"] { _ = try agent.add(hour, at: "2026-11-21 \(hour):00") }
    #expect(try agent.page("today", "", ("limit", .uint32(2))).next == "")
  }

  @Test func `a page has 500 rows unless it is said`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("summary", .string("x")), ("start", .string("2026-11-21 09:00")), ("end", .string("1m")),
      ("rrule", .string("FREQ=MINUTELY;INTERVAL=20;COUNT=600")))
    #expect(try agent.page("today", "10d").rows.count == 500)
    #expect(try agent.page("today", "10d", ("limit", .uint32(0))).rows.count == 500)
    #expect(try agent.page("today", "10d", ("limit", .uint32(5000))).rows.count == 600)
  }

  @Test func `a cursor of another time ends or begins the list, and is no fault`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add("Tea", at: "2026-11-21 15:00")
    for (cursor, found) in [
      ("\(Int64.min) 0 - personal a", ["Tea"]), ("\(Int64.max) 0 - personal a", []),
    ] {
      #expect(
        try summaries(agent.page("today", "", ("cursor", .string(cursor))).rows) == found)
    }
  }
}

@Suite struct `Options of GetOccurrences` {
  @Test func `fields are the only keys of the rows`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let rows = try agent.page("today", "", ("fields", .strings(["summary", "uid", "url"]))).rows
    #expect(rows.map { ($0.asRow ?? []).map(\.key) } == [["uid", "summary"]])
  }

  @Test func `each key of a row can be asked for`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("summary", .string("All")), ("start", .string("2026-11-21 15:00")),
      ("location", .string("https://meet.example.org/abc")), ("url", .string("https://a.example")),
      ("categories", .strings(["x"])), ("rrule", .string("FREQ=DAILY;COUNT=2")))
    let all = try agent.page("today", "").rows
    let keys = (all[0].asRow ?? []).map(\.key)
    #expect(Set(keys).isSubset(of: Set(RowKey.ofOccurrences.map(\.rawValue))))
    #expect(try agent.page("today", "", ("fields", .strings(keys))).rows == all)
  }

  @Test func `cancelled events come when they are asked for`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("summary", .string("Off")), ("start", .string("2026-11-21 15:00")),
      ("status", .string("cancelled")))
    _ = try agent.add("On", at: "2026-11-21 16:00")
    #expect(try summaries(agent.page("today", "").rows) == ["On"])
    #expect(
      try summaries(agent.page("today", "", ("include-cancelled", .boolean(true))).rows)
        == ["Off", "On"])
  }

  @Test func `time-zone is that of the texts alone`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let rows = try agent.page("today", "", ("time-zone", .string("Asia/Tokyo"))).rows
    #expect(rows[0]["start-text"] == .string("2026-11-21T17:30:00+09:00"))
    #expect(rows[0]["time-zone"] == .string("Europe/Berlin"))
  }

  @Test func `calendars that are named are asked, also none`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    #expect(try agent.page("today", "", ("calendars", .strings(["personal"]))).rows.count == 1)
    #expect(try agent.page("today", "", ("calendars", .strings([]))).rows.count == 0)
  }

  @Test func `an empty array may come with any type, as busctl sends it`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    #expect(try agent.page("today", "", ("fields", .array("v", []))).rows.count == 1)
  }
}

@Suite struct `Time that is taken` {
  @Test func `conflicts are pairs of rows, and busy times are one`() throws {
    let agent = try AgentUnderTest()
    for (uid, start) in [("a", "2026-11-23 10:00"), ("b", "2026-11-23 10:30")] {
      _ = try agent.add(
        ("uid", .string(uid)), ("summary", .string(uid)), ("start", .string(start)),
        ("end", .string("PT1H")))
    }
    let range = [Value.string("2026-11-23"), .string("")]
    let pairs = try agent.call(Contract.calendar, "Conflicts", range)[0].asArray ?? []
    #expect(pairs.map { $0["first"]?["uid"]?.asString } == ["a"])
    #expect(pairs.map { $0["second"]?["uid"]?.asString } == ["b"])
    #expect(pairs.map { $0["from"] } == [.int64(1_795_426_200)])
    #expect(pairs.map { $0["to"] } == [.int64(1_795_428_000)])
    let busy = try agent.call(Contract.calendar, "FreeBusy", range)[0]
    #expect(
      busy == .array("(xx)", [.structure([.int64(1_795_424_400), .int64(1_795_429_800)])]))
    let free = try agent.call(Contract.calendar, "FreeSlots", range + [.uint32(120)])[0]
    #expect(
      free == .array("(xx)", [.structure([.int64(1_795_429_800), .int64(1_795_449_600)])]))
  }
}

@Suite struct `An event that happens each second` {
  @Test func `one that was cancelled as a whole is passed by`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [
        .string(
          calendar(
            component(
              "ticks", "DTSTART:20261101T000000Z", "DURATION:PT1S", "RRULE:FREQ=SECONDLY",
              "STATUS:CANCELLED"))), .string(""), .string(""),
      ])
    #expect(try agent.page("2026-11-01", "2027-11-01").rows.isEmpty)
    #expect(try agent.call(Contract.calendar, "Next", [.uint32(3)])[0].asArray?.count == 0)
  }

  private func ticking() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("uid", .string("tick")), ("summary", .string("Tick")),
      ("start", .string("2026-11-01 00:00")), ("end", .string("PT1S")),
      ("rrule", .string("FREQ=SECONDLY")))
    return agent
  }

  @Test func `Agenda and Next have one row of it a day`() throws {
    let agent = try ticking()
    let rows = try agent.call(Contract.calendar, "Agenda", [.string("today"), .uint32(366)])
    #expect(rows[0].asArray?.count == 366)
    #expect(try agent.call(Contract.calendar, "Next", [.uint32(3)])[0].asArray?.count == 3)
  }

  @Test func `a range of all years is answered page by page`() throws {
    let agent = try ticking()
    let first = try agent.page("2026-11-20", "9999-12-31", ("limit", .uint32(2)))
    #expect(first.rows.count == 2)
    let second = try agent.page(
      "2026-11-20", "9999-12-31", ("limit", .uint32(2)), ("cursor", .string(first.next)))
    #expect(
      second.rows.map { $0["start-text"]?.asString }
        == ["2026-11-22T00:00:00+01:00", "2026-11-23T00:00:00+01:00"])
  }
}
