import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// The promise of ChangesSince and EventsChanged: whoever listens and asks has what
/// the agent has.
@Suite struct `A copy that a client keeps` {
  /// November 2026 to March 2027 in Berlin.
  private static let winter: Range<Int64> = 1_793_487_600..<1_804_201_200

  private static let edits = proofSize("DATEBOOK_EDITS", short: 200, long: 2000)

  @Test func `it equals what the agent holds after random edits and restarts of both`() throws {
    let seed = UInt64(variable("DATEBOOK_SEED")) ?? UInt64.random(in: 0...UInt64.max)
    let agent = try AgentUnderTest()
    var edits = RandomEdits(agent, seed: seed)
    var client = try CopyingClient(agent, span: Self.winter)
    var (restarts, lives, comparisons) = (0, 0, 0)
    var tried = 0
    do {
      while edits.made < Self.edits {
        try edits.edit()
        tried += 1
        switch edits.number(1...1000) {
        case ...4:
          // The client goes in the middle of its work, and misses what comes before it is back.
          client.end()
          let kept = client.copy
          for _ in 0..<edits.number(0...20) { try edits.edit() }
          client = try CopyingClient(agent, span: Self.winter, copy: kept)
          lives += 1
        case ...8:
          agent.stop()
          try agent.start()
          restarts += 1
        case ...11:
          try agent.vanish()
          try agent.start()
          restarts += 1
        case ...15:
          try agent.expectExact(client, "seed \(seed), edit \(tried)")
          comparisons += 1
        case ...50: agent.clock.advance(seconds: 7)
        default: break
        }
      }
      try agent.expectExact(client, "seed \(seed), at the end")
    } catch {
      Issue.record("seed \(seed), edit \(tried): \(error)")
    }
    print(
      "exact copy: seed \(seed), \(edits.made) edits of \(tried) tried, \(restarts) restarts of the "
        + "agent, \(lives) of the client, \(comparisons) comparisons on the way, "
        + "\(client.copy.events.count) events; \(edits.kinds.sorted { $0.key < $1.key })")
    client.end()
  }

  @Test(.longProof) func `a client that was away for too long reads everything again by List`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let first = try CopyingClient(agent, span: Self.winter)
    try agent.expectExact(first, "before")
    first.end()
    _ = try agent.call(Contract.events, "Remove", ["standup", "", ""].map(Value.string))
    // More than an answer of ChangesSince has; one of them has no occurrence at all.
    var components = (1...5001).map { component("many-\($0)", "DTSTART:20261124T100000Z") }
    components[0] = component(
      "many-1", "DTSTART:20261124T100000Z\r\nRRULE:FREQ=DAILY;COUNT=1\r\nEXDATE:20261124T100000Z")
    components.append(toDo("task", "SUMMARY:Task"))
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(components.joined())), .string(""), .string("")])
    let second = try CopyingClient(agent, span: Self.winter, copy: first.copy)
    try agent.settle()
    try agent.wait(for: "the client") { !second.faults.isEmpty || second.isQuiet }
    #expect(second.faults == [])
    #expect(second.wholeReadings == 1)
    #expect(second.copy.events.count == 5001)
    try agent.expectExact(second.copy, "after")
    second.end()
  }

  // The failure of seed 1393512625466817127: EventsChanged names a range with two hours to spare, at whose very
  // begin there is an event.
  @Test func `what lasts no time is in the copy once after a change of its neighbour`() throws {
    let agent = try AgentUnderTest()
    let moment: Int64 = 1_799_596_800
    let later = moment + 2 * 3600
    let client = try CopyingClient(agent, span: Self.winter)
    for (title, start, end) in [("Moment", moment, moment), ("Neighbour", later, later + 3600)] {
      _ = try agent.call(
        Contract.events, "Add",
        [
          .string(""),
          .row([
            ("summary", .string(title)), ("start", .string("@\(start)")),
            ("end", .string("@\(end)")),
          ]),
        ])
    }
    try agent.expectExact(client, "added")
    for title in ["Neighbour", "Moment"] {
      let found = try #require(client.shown.first { $0["summary"]?.asString == title })
      _ = try agent.call(
        Contract.events, "SetField",
        [
          .string(found["uid"]?.asString ?? ""), .string(""), .string(""), .string("location"),
          .variant(.string("Room 2")),
        ])
      try agent.expectExact(client, "\(title) changed")
    }
    client.end()
  }

  // The failure of seed 5209517732846967088: an event was read while its calendar had
  // another colour, and the calendar was as before when it was looked at.
  @Test func `a colour that came and went leaves no trace in the copy`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let client = try CopyingClient(agent, span: Self.winter)
    try agent.expectExact(client, "before")
    for round in 1...20 {
      // The client reads the event in the middle of these, whenever it comes to it.
      _ = try agent.call(
        Contract.events, "SetField",
        [
          .string("standup"), .string(""), .string(""), .string("summary"),
          .variant(.string("Standup \(round)")),
        ])
      _ = try agent.call(
        Contract.calendars, "SetColor", [.string("personal"), .string("#123456")])
      _ = try agent.call(Contract.events, "Undo")
    }
    try agent.expectExact(client, "after")
    client.end()
  }
}

extension AgentUnderTest {
  /// Holds a client's copies against what the agent has now.
  fileprivate func expectExact(_ client: CopyingClient, _ place: String) throws {
    try settle()
    let revision = try #require(try property("Revision").asInteger)
    try wait(for: "the client") {
      !client.faults.isEmpty || (client.isQuiet && client.copy.seen == UInt64(revision))
    }
    #expect(client.faults == [], "\(place)")
    // Nobody is away for so long here.
    #expect(client.wholeReadings == 0, "\(place)")
    try expectExact(client.copy, place)
    try expectShown(client, place)
  }

  fileprivate func expectExact(_ copy: CopyingClient.Copy, _ place: String) throws {
    var expected: [CopyingClient.Name: Value] = [:]
    let always = TimeSpan(start: .earliest, end: .latest)
    for series in try store().series(touching: always, calendars: nil)
    where series.kind == .event {
      let name = CopyingClient.Name(calendar: series.calendar.text, uid: series.uid.text)
      expected[name] =
        try call(
          Contract.events, "Get", [.string("\(name.calendar)/\(name.uid)"), .string("")])[0]
    }
    #expect(Set(copy.events.keys) == Set(expected.keys), "\(place)")
    for (name, row) in expected { #expect(copy.events[name] == row, "\(place)") }

    for row in try call(Contract.calendars, "List")[0].asArray ?? [] {
      let fields = copy.calendars[row["id"]?.asString ?? ""]
      for (key, value) in row.asRow ?? [] where key != "events" {
        #expect(fields?[key] == value, "\(place): the calendar's \(key)")
      }
    }

  }

  private func expectShown(_ client: CopyingClient, _ place: String) throws {
    var rows: [Value] = []
    var cursor = ""
    repeat {
      let page = try call(
        Contract.calendar, "GetOccurrences",
        [
          .string("@\(client.span.lowerBound)"), .string("@\(client.span.upperBound)"),
          .row([("cursor", .string(cursor)), ("limit", .uint32(5000))]),
        ])
      rows += page[0].asArray ?? []
      cursor = page[1].asString ?? ""
    } while !cursor.isEmpty
    let shown = Dictionary(grouping: client.shown) { RowName($0) }
    #expect(client.shown.count == rows.count, "\(place)")
    for row in rows {
      let copies = shown[RowName(row)] ?? []
      #expect(copies == [row], "\(place)")
    }
  }
}

/// What tells the rows of a span apart.
private struct RowName: Hashable {
  let calendar: String?
  let uid: String?
  let id: String?

  init(_ row: Value) {
    calendar = row["calendar"]?.asString
    uid = row["uid"]?.asString
    id = row["recurrence-id"]?.asString
  }
}
