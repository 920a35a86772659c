import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `Keys of an update` {
  /// A key, the value that it gets, what Get then has, and what it has when the
  /// key is emptied.
  static let keys:
    [(String, @Sendable () -> Value, @Sendable () -> Value, @Sendable () -> Value?)] =
      [
        ("location", { .string("Hall") }, { .string("Hall") }, { nil }),
        ("description", { .string("a\nb") }, { .string("a\nb") }, { nil }),
        ("url", { .string("https://a.example/") }, { .string("https://a.example/") }, { nil }),
        ("status", { .string("tentative") }, { .string("tentative") }, { .string("confirmed") }),
        ("class", { .string("private") }, { .string("private") }, { .string("public") }),
        ("categories", { .strings(["a", "b,c"]) }, { .strings(["a", "b,c"]) }, { nil }),
        ("reminders", { .strings(["5m"]) }, { .strings(["PT5M"]) }, { nil }),
        ("rrule", { .string("FREQ=DAILY;COUNT=3") }, { .string("FREQ=DAILY;COUNT=3") }, { nil }),
        (
          "rdate", { .strings(["2026-12-24 9:30", "2026-12-31"]) },
          { .strings(["2026-12-24T09:30:00", "2026-12-31T09:30:00"]) }, { nil }
        ),
      ]

  @Test(arguments: keys.indices)
  func `each is changed, and emptied`(index: Int) throws {
    let (key, value, after, emptied) = Self.keys[index]
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.update("standup", "", "", (key, value()))
    #expect(try agent.event("standup")[key] == after())
    let empty: Value = if case .array = value() { .strings([]) } else { .string("") }
    try agent.update("standup", "", "", (key, empty))
    #expect(try agent.event("standup")[key] == emptied())
  }

  @Test func `a colour is changed, and becomes the calendar's again`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let ofCalendar = try agent.event("standup")["color"]
    try agent.update("standup", "", "", ("color", .string("#aabbcc")), ("busy", .boolean(false)))
    #expect(try agent.event("standup")["color"] == .string("#aabbcc"))
    #expect(try agent.event("standup")["busy"] == .boolean(false))
    // By the names that calendars have, too: ours, and those of CSS.
    for (name, text) in [("Teal", "#0e9aa7"), ("#abc", "#aabbcc"), ("tomato", "#ff6347")] {
      try agent.update("standup", "", "", ("color", .string(name)))
      #expect(try agent.event("standup")["color"] == .string(text))
    }
    try agent.update("standup", "", "", ("color", .string("")))
    #expect(try agent.event("standup")["color"] == ofCalendar)
  }

  /// "Standup" is on 21 November from 9:30 to 10:30 in Berlin.
  static let times: [([(String, String)], String, String)] = [
    ([("start", "14:00")], "2026-11-21T14:00:00+01:00", "2026-11-21T15:00:00+01:00"),
    ([("start", "noon")], "2026-11-21T12:00:00+01:00", "2026-11-21T13:00:00+01:00"),
    ([("start", "2026-12-01")], "2026-12-01T09:30:00+01:00", "2026-12-01T10:30:00+01:00"),
    // At 9:00 on a Saturday that is the next one, as for a new event.
    ([("start", "sat 8:00")], "2026-11-28T08:00:00+01:00", "2026-11-28T09:00:00+01:00"),
    ([("start", "yesterday")], "2026-11-20T09:30:00+01:00", "2026-11-20T10:30:00+01:00"),
    ([("start", "tomorrow 8:00")], "2026-11-22T08:00:00+01:00", "2026-11-22T09:00:00+01:00"),
    (
      [("start", "2026-11-21T14:00:00Z")], "2026-11-21T15:00:00+01:00",
      "2026-11-21T16:00:00+01:00"
    ),
    ([("end", "45m")], "2026-11-21T09:30:00+01:00", "2026-11-21T10:15:00+01:00"),
    ([("end", "+45m")], "2026-11-21T09:30:00+01:00", "2026-11-21T10:15:00+01:00"),
    ([("end", "+3d")], "2026-11-21T09:30:00+01:00", "2026-11-24T09:30:00+01:00"),
    ([("end", "11:00")], "2026-11-21T09:30:00+01:00", "2026-11-21T11:00:00+01:00"),
    ([("end", "2h"), ("start", "8:00")], "2026-11-21T08:00:00+01:00", "2026-11-21T10:00:00+01:00"),
    ([("end", "")], "2026-11-21T09:30:00+01:00", "2026-11-21T10:30:00+01:00"),
    (
      [("time-zone", "Asia/Tokyo")], "2026-11-21T09:30:00+09:00", "2026-11-21T10:30:00+09:00"
    ),
    (
      [("time-zone", "Asia/Tokyo"), ("start", "18:00")], "2026-11-21T18:00:00+09:00",
      "2026-11-21T19:00:00+09:00"
    ),
    ([("time-zone", "UTC")], "2026-11-21T09:30:00Z", "2026-11-21T10:30:00Z"),
    ([("time-zone", "floating")], "2026-11-21T09:30:00+01:00", "2026-11-21T10:30:00+01:00"),
  ]

  @Test(arguments: times.indices)
  func `times are read as people mean them`(index: Int) throws {
    let (pairs, start, end) = Self.times[index]
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("standup"), .string(""), .string(""),
        .row(pairs.map { ($0.0, .string($0.1)) }),
      ])
    let event = try agent.event("standup")
    #expect(event["start-text"] == .string(start))
    #expect(event["end-text"] == .string(end))
    #expect(
      event["time-zone"]?.asString != "Europe/Berlin" || !pairs.contains { $0.0 == "time-zone" })
  }

  @Test func `a weekday that may be two days is refused with both, as for a new event`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let added = try agent.refusal(
      Contract.events, "AddSimple", ["", "Tea", "sat", "", ""].map(Value.string))
    let changed = try agent.refusal(
      Contract.events, "Update",
      [.string("standup"), .string(""), .string(""), .row([("start", .string("sat"))])])
    #expect(changed.message == added.message)
    #expect(changed.message.contains("28"), "\(changed.message)")
  }

  @Test func `an event stays on its own clock`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("uid", .string("call")), ("summary", .string("Call")),
      ("start", .string("2026-11-21 20:00")),
      ("time-zone", .string("America/New_York")))
    // 16:00 in Berlin is 10:00 in New York.
    try agent.reschedule("call", "", "", "2026-11-25 16:00")
    #expect(try agent.event("call")["start-text"] == .string("2026-11-25T10:00:00-05:00"))
    #expect(try agent.event("call")["time-zone"] == .string("America/New_York"))
    try agent.update("call", "", "", ("start", .int64(1_795_705_200)))
    #expect(try agent.event("call")["start-text"] == .string("2026-11-26T10:00:00-05:00"))
    // The day in Berlin moves; the time in New York stays, across its own change.
    try agent.update("call", "", "", ("start", .string("2026-11-26 2:00")))
    #expect(try agent.event("call")["start-text"] == .string("2026-11-25T20:00:00-05:00"))
    try agent.update("call", "", "", ("start", .string("2027-03-20")))
    #expect(try agent.event("call")["start-text"] == .string("2027-03-19T20:00:00-04:00"))
    // What Get has for other dates, Update takes.
    try agent.update("call", "", "", ("rdate", .strings(["2027-04-01T20:00:00"])))
    #expect(try agent.event("call")["rdate"] == .strings(["2027-04-01T20:00:00"]))
  }

  @Test func `an event is turned into days and back`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.update("standup", "", "", ("all-day", .boolean(true)))
    #expect(try agent.event("standup")["start-text"] == .string("2026-11-21"))
    #expect(try agent.event("standup")["end-text"] == .string("2026-11-22"))
    try agent.update("standup", "", "", ("end", .string("2026-11-24")))
    #expect(try agent.event("standup")["end-text"] == .string("2026-11-24"))
    try agent.update("standup", "", "", ("start", .string("2026-12-01")))
    #expect(try agent.event("standup")["end-text"] == .string("2026-12-04"))
    try agent.update(
      "standup", "", "", ("start", .string("2026-12-01 9:00")), ("end", .string("1h")))
    #expect(try agent.event("standup")["start-text"] == .string("2026-12-01T09:00:00+01:00"))
    try agent.update("standup", "", "", ("all-day", .boolean(true)))
    try agent.update("standup", "", "", ("all-day", .boolean(false)))
    #expect(try agent.event("standup")["start-text"] == .string("2026-12-01T00:00:00+01:00"))
    #expect(try agent.event("standup")["end-text"] == .string("2026-12-01T01:00:00+01:00"))
    try agent.update("standup", "", "", ("all-day", .boolean(false)))
    #expect(try agent.event("standup")["all-day"] == .boolean(false))
  }

  @Test func `if-revision lets a change pass until the event has changed`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.addDailyYoga()
    // Another event has changed since revision 1.
    try agent.update("standup", "", "", ("if-revision", .uint64(1)), ("location", .string("A")))
    for seen: UInt64 in [0, 1, 2, 99] {
      let error = try agent.refusal(
        Contract.events, "Update",
        [
          .string("standup"), .string(""), .string(""),
          .row([("if-revision", .uint64(seen)), ("location", .string("B"))]),
        ])
      #expect(error.name.text == CallError.Kind.conflict.rawValue)
      #expect(error.message.contains("the current revision is 3"), "\(error)")
    }
    #expect(try agent.event("standup")["location"] == .string("A"))
    try agent.update("standup", "", "", ("if-revision", .uint64(3)), ("location", .string("B")))
    #expect(try agent.event("standup")["location"] == .string("B"))
  }
}

@Suite struct `Ends that count` {
  /// It is 9:00 in Berlin.
  @Test(arguments: [
    ("+3h", "2026-11-21T17:00:00+01:00"), ("3h", "2026-11-21T17:00:00+01:00"),
    ("in 6h", "2026-11-21T15:00:00+01:00"), ("+3d", "2026-11-24T14:00:00+01:00"),
    ("in 2 days at 9:00", "2026-11-23T09:00:00+01:00"),
  ])
  func `a plus counts from the start, and in from now`(end: String, expected: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.call(
      Contract.events, "AddSimple", ["", "Tea", "14:00", end, ""].map(Value.string))
    let added = try agent.add(
      ("summary", .string("Tea")), ("start", .string("14:00")), ("end", .string(end)))
    #expect(try agent.event(added)["end-text"] == .string(expected))
    try agent.addStandup()
    try agent.update("standup", "", "", ("start", .string("14:00")), ("end", .string(end)))
    #expect(try agent.event("standup")["end-text"] == .string(expected))
    let rows = try agent.call(
      Contract.calendar, "GetOccurrences", [.string("today"), .string(""), .row([])])[0].asArray
    #expect(rows?.map { $0["end-text"] } == [expected, expected, expected].map(Value.string))
  }

  @Test func `a moment from now that lies before the start is refused`() throws {
    let agent = try AgentUnderTest()
    let error = try agent.refusal(
      Contract.events, "AddSimple", ["", "Tea", "14:00", "in 3h", ""].map(Value.string))
    #expect(error.message.hasPrefix("end: 2026-11-21 12:00 is before the start"))
  }

  @Test func `whole days are counted in days`() throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add(
      ("summary", .string("Trip")), ("start", .string("2026-11-24")), ("end", .string("+2d")))
    #expect(try agent.event(uid)["end-text"] == .string("2026-11-26"))
    let error = try agent.refusal(
      Contract.events, "AddSimple", ["", "Trip", "2026-11-24", "+3h", ""].map(Value.string))
    #expect(error.message == "end: an all-day event lasts whole days, not +3h")
  }
}
