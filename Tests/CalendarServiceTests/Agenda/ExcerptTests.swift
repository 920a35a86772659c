import CalendarBus
import CalendarModel
import DBus
import TestSupport
import Testing
import Widgets

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  /// Makes the calendar "quiet" with the given components in it.
  fileprivate func makeQuiet(_ components: String...) throws {
    try createCalendar("Quiet")
    let answer = try call(
      Contract.transfer, "ImportText",
      [.string(calendar(components.joined())), .string("quiet"), .string("")])
    try #require(answer[0]["failed"] == .uint32(0))
    try settle()
  }

  fileprivate func snapshot(_ options: (String, Value)...) throws -> String {
    try call(Contract.calendar, "SnapshotOf", [.row(options)])[0].asString ?? ""
  }

  /// Returns what a question costs, in instances that are walked over.
  fileprivate func steps(_ body: () throws -> Void) throws -> Int {
    let cache = try #require(agent).cache
    let before = cache.walked
    try body()
    return cache.walked - before
  }
}

private var quiet: (String, Value) { ("calendars", .strings(["quiet"])) }

@Suite struct `What an excerpt of the calendar costs` {
  /// So many events in the years to come, each with two occurrences.
  private func busyYears(_ count: Int, _ lines: String...) throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    let components = (0..<count).map { number in
      let (year, month) = (2027 + number % 5, number / 5 % 12 + 1)
      let day = "\(year)\(month < 10 ? "0" : "")\(month)\(10 + number / 60 % 18)"
      return component(
        "talk-\(number)",
        (["DTSTART:\(day)T100000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Talk"] + lines)
          .joined(separator: "\r\n"))
    }
    try agent.importComponents(components.joined())
    return agent
  }

  @Test func `a calendar with one event costs that event, however much there is of others`() throws
  {
    let agent = try busyYears(600)
    try agent.makeQuiet(
      component(
        "retreat", "DTSTART:20300401T090000Z", "RRULE:FREQ=YEARLY;COUNT=2", "SUMMARY:Retreat"))
    var json = ""
    let steps = try agent.steps { json = try agent.snapshot(quiet) }
    #expect(json.contains(#""next":[{"uid":"retreat""#), "\(json)")
    #expect(steps < 20)
  }

  @Test func `nothing costs nothing`() throws {
    let agent = try busyYears(200)
    #expect(try agent.steps { _ = try agent.snapshot(("privacy", .string("nothing"))) } == 0)
    #expect(try agent.steps { _ = try agent.snapshot(("calendars", .strings([]))) } == 0)
  }

  @Test func `what leaves the time free is looked through to a bound`() throws {
    let agent = try busyYears(3500, "TRANSP:TRANSPARENT")
    _ = try agent.add("Taken", at: "2029-06-01 10:00")
    var json = ""
    let busy = ("privacy", Value.string("busy"))
    let steps = try agent.steps { json = try agent.snapshot(busy) }
    #expect(!json.contains("Talk"))
    // 5, 40, 320 and 2560 of them, with two occurrences each, in a span or two.
    #expect(steps < 12_000)
    _ = try agent.add("Soon", at: "2027-01-05 10:00")
    #expect(try agent.snapshot(busy).contains(#""next":[{"calendar":"busy""#))
  }
}

@Suite struct `An excerpt beside a calendar that floods` {
  private static let often = 6

  /// A loud calendar with events that happen each minute, which alone have more of each day than a view
  /// takes, and beside it one with an event that happens each two minutes, in the evening of each day.
  private func flooded(addresses: [String] = []) throws -> AgentUnderTest {
    let agent = try AgentUnderTest(addresses: addresses)
    let loud = (0..<Self.often).map { number in
      component(
        "loud-\(number)", "DTSTART:20261001T000000Z", "DURATION:PT1M", "SUMMARY:Loud",
        "RRULE:FREQ=MINUTELY", "TRANSP:TRANSPARENT")
    }
    try agent.importComponents(loud.joined())
    try agent.makeQuiet(
      component(
        "tick", "DTSTART:20261001T180000Z", "DURATION:PT1M", "SUMMARY:Tick",
        "RRULE:FREQ=MINUTELY;INTERVAL=2;BYHOUR=18,19,20,21,22"))
    return agent
  }

  /// What the same calendar has alone.
  private func alone() throws -> AgentUnderTest {
    let agent = try flooded()
    for number in 0..<Self.often {
      _ = try agent.call(
        Contract.events, "Remove", ["loud-\(number)", "", ""].map(Value.string))
    }
    try agent.settle()
    return agent
  }

  /// Without what tells the revision.
  private func body(_ json: String) -> String {
    guard let comma = json.firstRange(of: #""time_zone""#) else { return json }
    return String(json[comma.lowerBound...])
  }

  @Test func `SnapshotOf looks for what counts behind what does not, and beyond the days`() throws {
    let agent = try AgentUnderTest()
    let declined = "ATTENDEE;PARTSTAT=DECLINED:mailto:me@example.org"
    var components = (0..<9).map { number in
      component(
        "night-\(number)",
        "DTSTART:2026112\(number % 7 + 2)T0\(number / 7 + 1)0000Z\r\nSUMMARY:Night")
    }
    components.append(
      component("late", "DTSTART:20270520T100000Z\r\nSUMMARY:Late"))
    components.append(
      component("no", "DTSTART:20261122T100000Z\r\nSUMMARY:No\r\n\(declined)"))
    // Without end, and never within the hours.
    components.append(
      component("owl", "DTSTART:20261122T020000Z\r\nRRULE:FREQ=DAILY\r\nSUMMARY:Owl"))
    try agent.importComponents(components.joined())
    func next(_ options: (String, Value)...) throws -> [String] {
      let json = try agent.call(Contract.calendar, "SnapshotOf", [.row(options)])[0].asString ?? ""
      return try SnapshotV1(json: json).next.map(\.summary)
    }
    let hours = ("hours", Value.string("10:00-18:00"))
    #expect(try next(hours) == ["Late"])
    // Monday to Friday, 9:00 to 17:00, unless the settings say otherwise.
    #expect(try next(("hours", .string("working"))) == ["Late"])
    #expect(try next(hours, ("include-declined", .boolean(true))) == ["No", "Late"])
    #expect(try next().count == 5)
    #expect(try !next(("next", .uint32(20))).contains("No"))
    #expect(try next(("next", .uint32(20))).count == 20)
    let whole = try agent.call(Contract.calendar, "Snapshot")[0].asString ?? ""
    #expect(
      try SnapshotV1(json: whole).days.flatMap(\.events).filter(\.isDeclined).map(\.summary) == [
        "No"
      ])
    let render: [Value] = [.string("text"), .row([("hours", .string("10:00-18:00"))])]
    #expect(try agent.call(Contract.calendar, "Render", render)[0] == .string(""))
  }

  @Test(arguments: ["titles", "busy"])
  func `SnapshotOf has as much as if there were nothing else`(privacy: String) throws {
    let agent = try flooded()
    let level = ("privacy", Value.string(privacy))
    // Where it is private what leaves the time free counts as nothing, too.
    let json = try privacy == "busy" ? agent.snapshot(level) : agent.snapshot(quiet, level)
    let alone = try alone()
    #expect(json.contains(privacy == "busy" ? "Busy" : "Tick"))
    #expect(!json.contains("Loud"))
    #expect(body(json) == body(try alone.snapshot(quiet, level)))
    // Asked for again, and after the whole was.
    _ = try agent.call(Contract.calendar, "Snapshot")
    let again = try privacy == "busy" ? agent.snapshot(level) : agent.snapshot(quiet, level)
    #expect(again == json)
  }

  @Test func `all of it by SnapshotOf is what the snapshot has, and is not walked over anew`()
    throws
  {
    let agent = try flooded(addresses: ["me@example.org"])
    _ = try agent.call(Contract.calendar, "Snapshot")
    let first = try agent.steps { _ = try agent.snapshot() }
    let second = try agent.steps { _ = try agent.snapshot() }
    #expect(first == second)
  }

  @Test func `MonthOf has as much as if there were nothing else`() throws {
    let agent = try flooded()
    let alone = try alone()
    for day in ["2026-11-21", "2027-03-01"] {
      for mode in ["normal", "expanded"] {
        let arguments = [Value.string(day), .string(mode), .row([quiet])]
        let json = try agent.call(Contract.calendar, "MonthOf", arguments)[0]
        #expect(json.asString?.contains("Tick") == true)
        #expect(try json == alone.call(Contract.calendar, "MonthOf", arguments)[0])
      }
    }
  }
}
