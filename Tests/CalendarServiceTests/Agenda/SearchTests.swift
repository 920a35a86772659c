import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// One page of Search.
  fileprivate func page(
    _ query: String, _ options: (String, Value)...
  ) throws -> (rows: [Value], next: String) {
    let answer = try call(Contract.calendar, "Search", [.string(query), .row(options)])
    return (answer[0].asArray ?? [], answer[1].asString ?? "")
  }

  fileprivate func importText(_ components: String...) throws {
    _ = try call(
      Contract.transfer, "ImportText",
      [.string(calendar(components.joined())), .string(""), .string("")])
  }
}

private func texts(_ rows: [Value], _ key: String = "summary") -> [String] {
  rows.map { $0[key]?.asString ?? "" }
}

/// The agent's clock shows 2026-11-21 09:00 in Berlin.
@Suite struct `Search on the bus` {
  @Test func `Find answers with rows as of GetOccurrences`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let found = try agent.call(Contract.calendar, "Find", [.string("stand ada"), .uint32(0)])[0]
    #expect(found == (try agent.call(Contract.calendar, "Today")[0]))
    #expect(try agent.page("stand ada").rows == found.asArray)
  }

  @Test func `an event that repeats is one row: its next occurrence, one that runs too`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("summary", .string("Yoga")), ("start", .string("2026-11-01 08:30")),
      ("end", .string("45m")), ("rrule", .string("FREQ=DAILY")))
    #expect(try texts(agent.page("yoga").rows, "start-text") == ["2026-11-21T08:30:00+01:00"])
    try agent.advance(to: "2026-11-21T08:20:00Z")
    #expect(try texts(agent.page("yoga").rows, "start-text") == ["2026-11-22T08:30:00+01:00"])
    #expect(
      try texts(agent.page("yoga", ("from", .string("2027-01-01"))).rows, "start-text")
        == ["2027-01-01T08:30:00+01:00"])
    #expect(
      try texts(agent.page("yoga", ("to", .string("2026-11-20"))).rows, "start-text")
        == ["2026-11-19T08:30:00+01:00"])
  }

  @Test func `a page has the fifty most relevant where the caller does not say`() throws {
    let agent = try AgentUnderTest()
    let events = (0..<60).map {
      component("tea-\($0)", "DTSTART:20270101T100000Z", "SUMMARY:Tea \($0)")
    }
    try agent.importComponents(events.joined())
    let first = try agent.page("tea")
    #expect(first.rows.count == 50)
    let second = try agent.page("tea", ("cursor", .string(first.next)))
    #expect(second.rows.count == 10 && second.next.isEmpty)
    #expect(Set(texts(first.rows + second.rows)).count == 60)
  }

  @Test func `what is over comes as its last occurrence`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("summary", .string("Course")), ("start", .string("2024-01-01 10:00")),
      ("rrule", .string("FREQ=WEEKLY;COUNT=5")))
    _ = try agent.add("Course party", at: "2024-03-01 20:00")
    _ = try agent.add(("summary", .string("Course day")), ("start", .string("2024-02-02")))
    #expect(
      try texts(agent.page("course", ("order", .string("start"))).rows, "start-text")
        == ["2024-01-29T10:00:00+01:00", "2024-02-02", "2024-03-01T20:00:00+01:00"])
  }

  @Test func `where one occurrence has the words, it is that one`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      component(
        "s", "DTSTART:20261120T100000Z", "RRULE:FREQ=DAILY", "SUMMARY:Standup"),
      component(
        "s", "DTSTART:20261225T120000Z", "RECURRENCE-ID:20261225T100000Z",
        "SUMMARY:Christmas standup"))
    #expect(
      try texts(agent.page("christmas").rows, "start-text") == ["2026-12-25T12:00:00Z"])
    #expect(
      try texts(agent.page("christmas").rows, "recurrence-id") == ["20261225T100000Z"])
    // Both have this word: the next of all.
    #expect(try texts(agent.page("standup").rows, "start-text") == ["2026-11-21T10:00:00Z"])
    #expect(try agent.page("christmas", ("to", .string("2026-12-01"))).rows == [])
  }

  @Test func `only events with an occurrence in the range are found`() throws {
    let agent = try AgentUnderTest()
    for day in ["2026-11-20", "2026-11-25", "2026-12-20"] {
      _ = try agent.add("Tea \(day)", at: "\(day) 15:00")
    }
    func found(_ options: (String, Value)...) throws -> [String] {
      let answer = try agent.call(
        Contract.calendar, "Search",
        [.string("tea"), .row(options + [("order", .string("start"))])]
      )
      return texts(answer[0].asArray ?? []).map { String($0.suffix(5)) }
    }
    #expect(try found() == ["11-20", "11-25", "12-20"])
    #expect(try found(("from", .string("today"))) == ["11-25", "12-20"])
    #expect(try found(("to", .string("2026-11-30"))) == ["11-20", "11-25"])
    #expect(try found(("from", .string("today")), ("to", .string("7d"))) == ["11-25"])
    #expect(try found(("from", .string("2030-01-01"))) == [])
  }

  @Test func `cancelled and declined events come when they are asked for`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      component("c", "DTSTART:20261121T140000Z", "SUMMARY:Tea off", "STATUS:CANCELLED"),
      component(
        "d", "DTSTART:20261121T150000Z", "SUMMARY:Tea no",
        "ATTENDEE;PARTSTAT=DECLINED:mailto:me@example.org"))
    #expect(try texts(agent.page("tea").rows) == ["Tea no"])
    #expect(try agent.page("tea", ("include-declined", .boolean(false))).rows == [])
    #expect(try agent.page("tea", ("include-cancelled", .boolean(true))).rows.count == 2)
  }

  @Test func `calendars are those of the option, and of the query by id or name`() throws {
    let agent = try AgentUnderTest()
    let store = try agent.store()
    for (id, name, isVisible) in [("work", "Office hours", true), ("old", "Archive", false)] {
      try store.put(
        calendar: CalendarInfo(
          id: CalendarID(id), name: name, color: EventColor.palette[1], isVisible: isVisible),
        now: agent.clock.now)
      _ = try agent.call(
        Contract.events, "AddSimple",
        [id, "Tea \(id)", "2026-11-22 15:00", "", ""].map(Value.string))
    }
    _ = try agent.add("Tea home", at: "2026-11-22 16:00")
    func found(_ query: String, _ calendars: String...) throws -> Set<String> {
      let options: [(String, Value)] =
        calendars.isEmpty ? [] : [("calendars", .strings(calendars))]
      let answer = try agent.call(Contract.calendar, "Search", [.string(query), .row(options)])
      return Set(texts(answer[0].asArray ?? []))
    }
    #expect(try found("tea") == ["Tea work", "Tea home"])
    #expect(try found("tea", "old") == ["Tea old"])
    #expect(try found("tea", "old", "work") == ["Tea old", "Tea work"])
    #expect(try found("tea calendar:work") == ["Tea work"])
    #expect(try found("tea calendar:OFF") == ["Tea work"])
    #expect(try found("tea calendar:\"office h\"") == ["Tea work"])
    #expect(try found("tea calendar:\"öffice H\"") == ["Tea work"])
    #expect(try found("tea calendar:wor") == [])
    #expect(try found("tea calendar:old") == [])
    #expect(try found("tea calendar:archive", "old") == ["Tea old"])
    #expect(try found("tea calendar:work calendar:personal") == [])
  }

  @Test(arguments: ["relevance", "start"], [1, 3, 7, 100] as [UInt32])
  func `the pages together are the whole, in order and without doubles`(
    order: String, limit: UInt32
  ) throws {
    let agent = try AgentUnderTest()
    var components = (0..<12).map {
      component(
        "u\($0) ä", "DTSTART:202612\($0 + 10)T100000Z",
        "SUMMARY:Tea \($0 % 3 == 0 ? "tea teapot" : "")", "LOCATION:\($0 % 2 == 0 ? "tea" : "")")
    }
    // Master and override are two hits of one event.
    components += [
      component("s", "DTSTART:20261120T100000Z", "RRULE:FREQ=DAILY;COUNT=90", "SUMMARY:Tea"),
      component(
        "s", "DTSTART:20261225T120000Z", "RECURRENCE-ID:20261225T100000Z",
        "SUMMARY:Christmas tea"),
    ]
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(components.joined())), .string(""), .string("")])
    let whole = try agent.page("tea", ("order", .string(order))).rows
    #expect(whole.count == 13)
    var rows: [Value] = []
    var cursor = ""
    repeat {
      let page = try agent.page(
        "tea", ("order", .string(order)), ("limit", .uint32(limit)), ("cursor", .string(cursor)))
      #expect(page.next.isEmpty || page.rows.count == limit)
      rows += page.rows
      cursor = page.next
    } while !cursor.isEmpty
    #expect(rows == whole)
  }

  @Test func `a page goes on where it was while others write`() throws {
    let agent = try AgentUnderTest()
    for hour in 10..<20 { _ = try agent.add("Tea \(hour)", at: "2026-11-21 \(hour):00") }
    let first = try agent.page("tea", ("limit", .uint32(4)))
    #expect(texts(first.rows) == ["Tea 19", "Tea 18", "Tea 17", "Tea 16"])
    // Every rank is another now.
    for hour in 20..<24 { _ = try agent.add("Coffee \(hour)", at: "2026-11-21 \(hour):00") }
    _ = try agent.add("Tea new", at: "2026-11-22 10:00")
    let second = try agent.page("tea", ("limit", .uint32(3)), ("cursor", .string(first.next)))
    #expect(texts(second.rows) == ["Tea 15", "Tea 14", "Tea 13"])
    // The row of the cursor itself goes.
    _ = try agent.call(
      Contract.events, "Remove",
      [second.rows[2]["uid"] ?? .string(""), .string(""), .string("")])
    let rest = try agent.page("tea", ("cursor", .string(second.next)))
    #expect(Set(texts(rest.rows)).isSuperset(of: ["Tea 12", "Tea 11", "Tea 10"]))
    #expect(rest.next == "")
  }

  @Test func `what is written is found at once, and what is removed no more`() throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add("東京会議", at: "2026-11-21 15:00")
    #expect(try texts(agent.page("会議").rows) == ["東京会議"])
    _ = try agent.call(
      Contract.events, "Remove", [.string(uid), .string(""), .string("")])
    #expect(try agent.page("会議").rows == [])
  }

  @Test func `to-dos are not found`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      "BEGIN:VTODO\r\nUID:t\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Rent\r\nEND:VTODO\r\n")
    #expect(try agent.page("rent").rows == [])
  }

  @Test func `an event without an occurrence is not found`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      component(
        "x", "DTSTART:20261120T100000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Never",
        "EXDATE:20261120T100000Z", "EXDATE:20261121T100000Z"))
    #expect(try agent.page("never").rows == [])
  }

  @Test func `Find has 20 rows unless it is said`() throws {
    let agent = try AgentUnderTest()
    let components = (0..<30).map {
      component("u\($0)", "DTSTART:20261201T100000Z", "SUMMARY:Tea")
    }
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(components.joined())), .string(""), .string("")])
    for (limit, count) in [(0, 20), (7, 7), (5000, 30)] as [(UInt32, Int)] {
      let rows = try agent.call(Contract.calendar, "Find", [.string("tea"), .uint32(limit)])[0]
      #expect(rows.asArray?.count == count)
    }
  }

  static let refusals = [
    Refused("Search", [.string(""), .row([("limit", .uint32(1))])], "InvalidArgs", "query"),
    Refused("Search", [.string("* \" -"), .row([("limit", .uint32(1))])], "InvalidArgs", "letter"),
    Refused(
      "Search", [.string("calendar:personal"), .row([("limit", .uint32(1))])], "InvalidArgs", "word"
    ),
    Refused(
      "Search", [.string(String(repeating: "x", count: 5000)), .row([("limit", .uint32(1))])],
      "LimitsExceeded", "4096"),
    Refused(
      "Search", [.string(String(repeating: "a ", count: 2_000)), .row([("limit", .uint32(1))])],
      "LimitsExceeded", "64"),
    Refused(
      "Search",
      [.string(String(repeating: "word ", count: 10_000)), .row([("limit", .uint32(1))])],
      "LimitsExceeded", "4096"),
    Refused(
      "Search", [.string("tea"), .row([("limit", .uint32(5001))])], "LimitsExceeded", "5000"),
    Refused(
      "Search", [.string("tea"), .row([("order", .string("relevence"))])], "InvalidArgs",
      "relevance"),
    Refused("Search", [.string("tea"), .row([("order", .uint32(1))])], "InvalidArgs", "order"),
    Refused(
      "Search", [.string("tea"), .row([("odrer", .string("start"))])], "InvalidArgs", "order"),
    Refused(
      "Search", [.string("tea"), .row([("from", .string("someday"))])], "InvalidTime", "from"),
    Refused("Search", [.string("tea"), .row([("to", .string("someday"))])], "InvalidTime", "to"),
    Refused(
      "Search", [.string("tea"), .row([("time-zone", .string("Mars/Olympus"))])], "InvalidTime",
      "time-zone"),
    Refused(
      "Search", [.string("tea"), .row([("calendars", .strings(["none"]))])], "NotFound", "none"),
    Refused(
      "Search", [.string("tea"), .row([("fields", .strings(["sumary"]))])], "InvalidArgs", "summary"
    ),
    Refused(
      "Search", [.string("tea"), .row([("cursor", .string("r x y"))])], "InvalidArgs", "cursor"),
    Refused(
      "Search", [.string("tea"), .row([("cursor", .string("1795249800 1795253400 personal x"))])],
      "InvalidArgs", "cursor"),
    Refused("Find", [.string(""), .uint32(0)], "InvalidArgs", "query", "letter"),
    Refused("Find", [.string("tea"), .uint32(5001)], "LimitsExceeded", "5000"),
    Refused(
      "Search",
      [.string("tea"), .row([("order", .string("start")), ("cursor", .string("r 1 2"))])],
      "InvalidArgs", "cursor"),
    Refused(
      "Search", [.string("tea"), .row([("order", .string("start")), ("cursor", .string("x"))])],
      "InvalidArgs", "cursor"),
  ]

  @Test(arguments: refusals)
  func `what cannot be answered is refused by name with a reason`(call: Refused) throws {
    let agent = try AgentUnderTest()
    let error = try agent.refusal(
      Contract.calendar, MemberName(unchecked: call.member), call.values())
    #expect(error.name.text == call.name, "\(error)")
    for word in call.words { #expect(error.message.contains(word), "\(error)") }
    #expect(error.message.utf8.count < 600)
  }
}
