import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// Removes one occurrence of "Yoga".
  fileprivate func remove(_ occurrence: String) throws {
    _ = try call(Contract.events, "Remove", ["yoga", occurrence, "this"].map(Value.string))
  }
}

@Suite struct `Exceptions whose occurrences go` {
  private func change(
    _ agent: AgentUnderTest, _ pairs: (String, Value)..., id: String = "", scope: String = ""
  ) throws -> Value {
    try agent.call(
      Contract.events, "Update", [.string("yoga"), .string(id), .string(scope), .row(pairs)])[0]
  }

  /// Daily yoga of which the second and the fourth are called otherwise.
  private func agent() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    try agent.addDailyYoga()
    try agent.update("yoga", "20261122T090000Z", "this", ("summary", .string("Early")))
    try agent.update("yoga", "20261124T090000Z", "this", ("summary", .string("Late")))
    return agent
  }

  @Test func `another interval says which have gone, and undo brings them back`() throws {
    let agent = try agent()
    let answer = try change(agent, ("rrule", .string("FREQ=DAILY;INTERVAL=3")))
    #expect(answer["uid"] == .string("yoga"))
    #expect(answer["calendar"] == .string("personal"))
    #expect(answer["revision"] == .uint64(4))
    #expect(answer["dropped-count"] == .uint32(1))
    #expect(answer["dropped"] == .strings(["20261122T090000Z"]))
    #expect(try agent.listing().prefix(2) == ["21 10:00 Yoga", "24 10:00 Late"])
    _ = try agent.call(Contract.events, "Undo")
    #expect(
      try agent.listing() == [
        "21 10:00 Yoga", "22 10:00 Early", "23 10:00 Yoga", "24 10:00 Late", "25 10:00 Yoga",
      ])
  }

  @Test func `without a rule all have gone`() throws {
    let agent = try agent()
    let answer = try change(agent, ("rrule", .string("")))
    #expect(answer["dropped-count"] == .uint32(2))
    #expect(answer["dropped"] == .strings(["20261122T090000Z", "20261124T090000Z"]))
    #expect(try agent.listing() == ["21 10:00 Yoga"])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.listing().count == 5)
  }

  @Test func `of a series that is split those of its second half are told`() throws {
    let agent = try agent()
    let answer = try change(
      agent, ("rrule", .string("FREQ=DAILY;INTERVAL=2")), id: "20261123T090000Z",
      scope: "this-and-future")
    #expect(answer["uid"] != .string("yoga"))
    #expect(answer["dropped"] == .strings(["20261124T090000Z"]))
    #expect(
      try agent.listing().prefix(4) == [
        "21 10:00 Yoga", "22 10:00 Early", "23 10:00 Yoga", "25 10:00 Yoga",
      ])
  }

  @Test func `what moves along, or says no more than the series, has not gone`() throws {
    let agent = try agent()
    let moved = try change(agent, ("start", .string("11:00")))
    #expect(moved["dropped-count"] == .uint32(0))
    #expect(moved["dropped"] == nil)
    let same = try change(agent, ("summary", .string("Late")))
    #expect(same["dropped-count"] == .uint32(0))
  }
}

@Suite struct `Events without any occurrence` {
  @Test func `one whose dates are all excluded is refused`() throws {
    let agent = try AgentUnderTest()
    let error = try agent.refusal(
      Contract.events, "Add",
      [
        .string(""),
        .row([
          ("summary", .string("Tea")), ("start", .string("2026-11-21 10:00")),
          ("rrule", .string("FREQ=DAILY;COUNT=1")), ("exdate", .strings(["2026-11-21"])),
        ]),
      ])
    #expect(error.name.text.hasSuffix(".InvalidRecurrence"))
    #expect(error.message.hasPrefix("exdate: these dates exclude every occurrence"))
  }

  @Test func `a rule that was imported so may stay, another one is refused`() throws {
    let agent = try AgentUnderTest()
    let rule = "FREQ=DAILY;COUNT=3;UNTIL=20261130T100000Z"
    let text = calendar(
      component("a", "DTSTART:20261121T100000Z", "SUMMARY:A", "RRULE:\(rule)"))
    let answer = try agent.call(
      Contract.transfer, "ImportText", [text, "", ""].map(Value.string))
    #expect(answer[1].asArray?.first?["problem"] == .string("lenient-rrule"))
    let kept = try #require(try agent.event("a")["rrule"])
    try agent.update("a", "", "", ("rrule", kept), ("summary", .string("B")))
    #expect(try agent.event("a")["summary"] == .string("B"))
    let error = try agent.refusal(
      Contract.events, "SetField",
      ["a", "", "", "rrule"].map(Value.string)
        + [.variant(.string("FREQ=DAILY;COUNT=4;UNTIL=20261130T100000Z"))])
    #expect(error.message.contains("COUNT and UNTIL"))
    let idle = try agent.refusal(
      Contract.events, "SetField",
      ["a", "", "", "rrule"].map(Value.string) + [.variant(.string("FREQ=DAILY;UNTIL=20261101"))])
    #expect(idle.name.text.hasSuffix(".InvalidRecurrence"))
  }
}

@Suite struct `Days that get a time` {
  @Test(arguments: [
    // The clock goes back on 25 October, and forward on 28 March.
    ("2026-10-25", "2026-10-26", "2026-10-25 10:00", "2026-10-25T11:00:00+01:00"),
    ("2026-10-24", "2026-10-26", "2026-10-24 10:00", "2026-10-25T11:00:00+01:00"),
    ("2026-10-24", "2026-10-27", "2026-10-24 10:00", "2026-10-26T11:00:00+01:00"),
    ("2027-03-27", "2027-03-30", "2027-03-27 10:00", "2027-03-29T11:00:00+02:00"),
    ("2027-03-27", "2027-03-29", "2027-03-27 02:30", "2027-03-28T04:30:00+02:00"),
  ])
  func `it takes as many days as before, also where the clock is changed`(
    start: String, end: String, moment: String, last: String
  ) throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("uid", .string("trip")), ("summary", .string("Trip")), ("start", .string(start)),
      ("end", .string(end)))
    try agent.update("trip", "", "", ("start", .string(moment)))
    #expect(try agent.event("trip")["end-text"] == .string(last))
    // And back again.
    try agent.update("trip", "", "", ("all-day", .boolean(true)))
    #expect(try agent.event("trip")["start-text"] == .string(start))
    #expect(try agent.event("trip")["end-text"] == .string(end))
  }
}

@Suite struct `Edits of a part of a series` {
  @Test(arguments: [
    ("", ["21 10:00", "22 10:00", "23 15:00", "24 10:00", "25 10:00"], 0),
    ("this", ["21 10:00", "22 10:00", "23 15:00", "24 10:00", "25 10:00"], 0),
    ("this-and-future", ["21 10:00", "22 10:00", "23 15:00", "24 15:00", "25 15:00"], 1),
    ("all", ["21 15:00", "22 15:00", "23 15:00", "24 15:00", "25 15:00"], 0),
  ])
  func `the scope says what moves`(scope: String, starts: [String], newEvents: Int) throws {
    let agent = try AgentUnderTest()
    try agent.addDailyYoga()
    let uid = try agent.update(
      "yoga", "20261123T090000Z", scope, ("start", .string("15:00")), ("summary", .string("Yoga")))
    #expect(try agent.listing() == starts.map { "\($0) Yoga" })
    #expect((uid != "yoga") == (newEvents == 1))
    #expect(try agent.event(uid)["uid"] == .string(uid))
    #expect(try agent.property("Revision") == .uint64(2))
  }

  @Test func `what a series has after the split goes with its second half`() throws {
    let agent = try AgentUnderTest()
    try agent.addDailyYoga()
    try agent.update("yoga", "20261122T090000Z", "this", ("summary", .string("Early")))
    try agent.update("yoga", "20261125T090000Z", "this", ("summary", .string("Late")))
    try agent.remove("20261124T090000Z")
    let uid = try agent.update(
      "yoga", "20261123T090000Z", "this-and-future", ("location", .string("Hall")))
    #expect(
      try agent.listing() == ["21 10:00 Yoga", "22 10:00 Early", "23 10:00 Yoga", "25 10:00 Late"])
    #expect(try agent.event("yoga")["rrule"] == .string("FREQ=DAILY;UNTIL=20261123T085959Z"))
    #expect(try agent.event(uid)["rrule"] == .string("FREQ=DAILY;COUNT=3"))
    #expect(try agent.event(uid, "20261125T090000Z")["location"] == .string("Hall"))
    #expect(try agent.event("yoga")["location"] == nil)
    #expect(try agent.texts(uid).allSatisfy { $0.contains("UID:\(uid)\r\n") })
  }

  @Test func `an occurrence is moved and moved again and goes by the same id`() throws {
    let agent = try AgentUnderTest()
    try agent.addDailyYoga()
    let id = "20261123T090000Z"
    #expect(try agent.reschedule("yoga", id, "", "2026-11-24 15:00") == "yoga")
    #expect(try agent.event("yoga", id)["start-text"] == .string("2026-11-24T15:00:00+01:00"))
    // A time is one of the day on which it is now.
    try agent.reschedule("yoga", id, "this", "8:00")
    #expect(try agent.event("yoga", id)["start-text"] == .string("2026-11-24T08:00:00+01:00"))
    #expect(try agent.event("yoga", id)["end-text"] == .string("2026-11-24T09:00:00+01:00"))
    #expect(try agent.event("yoga", id)["sequence"] == .uint32(2))
    try agent.reschedule("yoga", id, "this", "2026-11-23 10:00")
    #expect(try agent.texts("yoga").count == 1, "it says no more than the series")
    #expect(try agent.event("yoga", id)["start-text"] == .string("2026-11-23T10:00:00+01:00"))
  }

  @Test func `the series moves and its exceptions and excluded days with it`() throws {
    let agent = try AgentUnderTest()
    try agent.addDailyYoga()
    try agent.update("yoga", "20261124T090000Z", "this", ("summary", .string("Guest")))
    try agent.remove("20261122T090000Z")
    try agent.reschedule("yoga", "", "", "2026-11-28 11:00")
    #expect(
      try agent.listing() == ["28 11:00 Yoga", "30 11:00 Yoga", "01 11:00 Guest", "02 11:00 Yoga"])
    #expect(try agent.event("yoga")["exdate"] == .strings(["2026-11-29T11:00:00"]))
  }

  @Test func `SEQUENCE grows with the time and not with a text`() throws {
    let agent = try AgentUnderTest()
    try agent.addDailyYoga()
    func sequence() throws -> Value? { try agent.event("yoga")["sequence"] }
    try agent.advance(to: "2026-11-21T08:05:00Z")
    try agent.update("yoga", "", "", ("summary", .string("Stretch")))
    #expect(try sequence() == .uint32(0))
    #expect(try agent.event("yoga")["modified"] == .int64(1_795_248_300))
    #expect(try agent.texts("yoga")[0].contains("DTSTAMP:20261121T080500Z"))
    for (key, value) in [
      ("start", "11:00"), ("end", "30m"), ("rrule", "FREQ=DAILY"), ("status", "tentative"),
    ] {
      try agent.update("yoga", "", "", (key, .string(value)))
    }
    #expect(try sequence() == .uint32(4))
    #expect(try agent.texts("yoga")[0].contains("SEQUENCE:4\r\n"))
    try agent.remove("20261122T100000Z")
    #expect(try sequence() == .uint32(5))
  }

  @Test(arguments: ["this", "this-and-future", "all"])
  func `what iCalendar has beside the keys survives, in overrides and in split series`(
    scope: String
  ) throws {
    let agent = try AgentUnderTest()
    let attendee = "ATTENDEE;CN=Ana;ROLE=CHAIR;X-SEAT=7;PARTSTAT=ACCEPTED:mailto:ana@example.org"
    let own = ["X-COFFEE;STRENGTH=2:yes", attendee, "GEO:52.5;13.4", "COMMENT:bring pens"]
    let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "X-SOUND:gong", "END:VALARM"]
    try agent.importComponents(
      component(
        "team",
        ([
          "DTSTART;TZID=Europe/Berlin:20261121T100000", "DURATION:PT1H", "SUMMARY:Team",
          "RRULE:FREQ=DAILY;COUNT=5",
        ] + own + alarm).joined(separator: "\r\n")),
      component(
        "team",
        ([
          "RECURRENCE-ID;TZID=Europe/Berlin:20261124T100000",
          "DTSTART;TZID=Europe/Berlin:20261124T120000", "DURATION:PT1H", "SUMMARY:Team",
          "X-ROOM:12",
        ] + own).joined(separator: "\r\n")))
    let uid = try agent.update(
      "team", "20261123T090000Z", scope, ("start", .string("11:00")),
      ("summary", .string("Crew")), ("reminders", .strings(["15m", "1h"])))
    let texts = try agent.texts("team") + (uid == "team" ? [] : agent.texts(uid))
    #expect(texts.count == (scope == "all" ? 2 : 3))
    for text in texts {
      for line in own { #expect(text.contains(line + "\r\n"), "\(text)") }
      #expect(text.contains("X-SOUND:gong") || text.contains("X-ROOM:12"), "\(text)")
    }
    let crew = texts.filter { $0.contains("SUMMARY:Crew") }
    #expect(crew.count == ["this": 1, "this-and-future": 2, "all": 2][scope])
    let changed = try #require(crew.first { $0.contains("X-SOUND:gong") })
    #expect(changed.contains("TRIGGER:-PT1H\r\n"))
    #expect(changed.count(of: "BEGIN:VALARM") == 2)
    // Its alarms are known by what the text has: another edit finds them again.
    let occurrence = scope == "this" ? "20261123T090000Z" : ""
    try agent.update(uid, occurrence, "", ("reminders", .strings(["1h"])))
    let after = try agent.event(uid, occurrence)
    #expect(after["reminders"] == .strings(["PT1H"]))
    try agent.update(uid, occurrence, "", ("reminders", .strings(["1h", "5m"])))
    #expect(try agent.event(uid, occurrence)["reminders"] == .strings(["PT1H", "PT5M"]))
    #expect(try agent.texts(uid).filter { $0.contains("TRIGGER:-PT5M") }.count == 1)
  }

  @Test func `EventsChanged has the span before and after, and both events of a split`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.settle()
    agent.takeSignals()
    try agent.reschedule("standup", "", "", "2026-12-24 9:00")
    try agent.settle()
    let signal = try #require(agent.signals("EventsChanged").first)
    #expect(signal.arguments[0] == .uint64(2))
    #expect(signal.arguments[2] == .strings(["standup"]))
    // 21 November 9:30 to 24 December 10:00 in Berlin.
    let details = signal.arguments[3]
    #expect((details["from"]?.asInteger ?? .max) <= 1_795_249_800)
    #expect((details["to"]?.asInteger ?? 0) >= 1_798_102_800)
    #expect(details["origin"] == .string("local"))

    try agent.addDailyYoga()
    try agent.settle()
    agent.takeSignals()
    let uid = try agent.reschedule("yoga", "20261123T090000Z", "this-and-future", "15:00")
    try agent.settle()
    let split = try #require(agent.signals("EventsChanged").first)
    #expect(split.arguments[2] == .strings(["yoga", uid]))
    #expect(agent.signals("EventsChanged").count == 1)
  }

  @Test func `a change of nothing is none`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.settle()
    agent.takeSignals()
    try agent.update("standup")
    try agent.update("standup", "", "", ("summary", .string("Standup")), ("start", .string("9:30")))
    try agent.settle()
    #expect(try agent.property("Revision") == .uint64(1))
    #expect(agent.signals.map(\.member) == [])
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
