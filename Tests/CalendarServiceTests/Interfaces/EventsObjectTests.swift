import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  fileprivate func get(_ uid: String, _ occurrence: String = "") throws -> Value {
    try call(Contract.events, "Get", [.string(uid), .string(occurrence)])[0]
  }

  /// The titles of the exceptions that Get has.
  fileprivate func exceptions(_ uid: String) throws -> [String] {
    (try get(uid)["exceptions"]?.asArray ?? []).map { $0["summary"]?.asString ?? "" }
  }

  @discardableResult
  fileprivate func remove(_ uid: String, _ occurrence: String = "", _ scope: String = "") throws
    -> Value
  {
    try call(Contract.events, "Remove", [uid, occurrence, scope].map(Value.string))[0]
  }

  /// "Yoga" each day at 10:00 in Berlin, five times from 21 November 2026.
  fileprivate func addYoga() throws {
    try add(
      ("uid", .string("yoga")), ("summary", .string("Yoga")),
      ("start", .string("2026-11-21 10:00")), ("rrule", .string("FREQ=DAILY;COUNT=5")))
  }

  fileprivate func yogaDays() throws -> [String] {
    let answer = try call(
      Contract.calendar, "GetOccurrences",
      [.string("2026-11-01"), .string("60d"), .row([])])
    return (answer[0].asArray ?? []).map { String(($0["start-text"]?.asString ?? "").prefix(10)) }
  }
}

@Suite struct `An exception in a zone that is not installed any more` {
  /// Each day at 10 in Berlin; the second is moved in Berlin, and the third in New York, whose file goes then.
  private func agent() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    try agent.importComponents(
      component(
        "yoga", "DTSTART;TZID=Europe/Berlin:20261121T100000", "RRULE:FREQ=DAILY;COUNT=5",
        "SUMMARY:Yoga"),
      component(
        "yoga", "RECURRENCE-ID;TZID=Europe/Berlin:20261122T100000",
        "DTSTART;TZID=Europe/Berlin:20261122T120000", "SUMMARY:Later"),
      component(
        "yoga", "RECURRENCE-ID;TZID=America/New_York:20261123T040000",
        "DTSTART;TZID=America/New_York:20261123T060000", "SUMMARY:Far"))
    #expect(try agent.exceptions("yoga") == ["Later", "Far"])
    agent.stop()
    agent.zoneinfo = agent.files.file("zoneinfo")
    for folder in ["zoneinfo", "zoneinfo/Europe"] { try agent.files.makeDirectory(folder) }
    try agent.files.write(FixedZones.octets(of: "Europe/Berlin"), to: "zoneinfo/Europe/Berlin")
    try agent.start()
    return agent
  }

  @Test func `leaves its series to be read, with those that can be placed`() throws {
    let agent = try agent()
    #expect(try agent.get("yoga")["start-text"] == .string("2026-11-21T10:00:00+01:00"))
    #expect(try agent.exceptions("yoga") == ["Later"])
  }

  @Test func `leaves its series to be edited and removed`() throws {
    let agent = try agent()
    _ = try agent.call(
      Contract.events, "Update",
      [.string("yoga"), .string(""), .string("all"), .row([("summary", .string("Pilates"))])])
    #expect(try agent.get("yoga")["summary"] == .string("Pilates"))
    try agent.remove("yoga")
    #expect(throws: (any Error).self) { try agent.get("yoga") }
  }
}

@Suite struct `Events that are added` {
  @Test func `what repeats each second can be added silent`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("summary", .string("Tick")), ("start", .string("2026-12-01 10:00")),
      ("rrule", .string("FREQ=SECONDLY;COUNT=90000")), ("reminders", .strings(["none"])))
    #expect(
      try agent.call(Contract.reminders, "Upcoming", [.uint32(744)])[0].asArray?.isEmpty == true)
  }

  @Test func `each key of Add comes back from Get`() throws {
    let agent = try AgentUnderTest()
    let given: [(String, Value)] = [
      ("uid", .string("all")), ("summary", .string("Käse & \"Wein\"; a,b \\ c")),
      ("location", .string("Room 1\nFloor 2")), ("description", .string("One\n\tTwo 🧀")),
      ("url", .string("https://example.org/?a=b&c=d")), ("time-zone", .string("Asia/Tokyo")),
      ("rrule", .string("FREQ=DAILY;COUNT=5")), ("status", .string("tentative")),
      ("busy", .boolean(false)), ("class", .string("confidential")),
      ("color", .string("#aabbcc")), ("categories", .strings(["a,b", "c"])),
      ("reminders", .strings(["PT15M", "-PT5M", "end:PT10M", "P1D"])),
    ]
    _ = try agent.call(
      Contract.events, "Add",
      [
        .string("personal"),
        .row(
          given + [
            ("start", .string("2026-11-21 18:00")), ("end", .string("2026-11-21 19:30")),
            ("rdate", .strings(["2026-12-24 18:00"])), ("exdate", .strings(["2026-11-22"])),
          ]),
      ])
    let event = try agent.get("all")
    for (key, value) in given { #expect(event[key] == value, "\(key)") }
    #expect(event["start-text"] == .string("2026-11-21T18:00:00+09:00"))
    #expect(event["end-text"] == .string("2026-11-21T19:30:00+09:00"))
    #expect(event["rdate"] == .strings(["2026-12-24T18:00:00"]))
    #expect(event["exdate"] == .strings(["2026-11-22T18:00:00"]))
    #expect(event["recurring"] == .boolean(true))
    #expect(event["created"] == .int64(1_795_248_000))
  }

  @Test(arguments: [
    ("2026-12-03", "9:00", "-PT9H"), ("2026-12-03", "1d 18:00", "PT6H"),
    ("2026-12-03", "the day before at noon", "PT12H"), ("2026-12-03 14:00", "9:00", "PT5H"),
    ("2026-12-03 14:00", "1d 18:00", "PT20H"), ("2026-12-03 8:00", "9:00", "-PT1H"),
    // By the agent's clock, wherever the event is.
    ("2026-12-03T14:00:00+09:00", "5:00", "PT1H"),
  ])
  func `a reminder at a time is on the day of the start, or so many before`(
    start: String, reminder: String, stored: String
  ) throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add(
      ("summary", .string("Tea")), ("start", .string(start)), ("reminders", .strings([reminder])))
    #expect(try agent.get(uid)["reminders"] == .strings([stored]))
    // Beside another start it is another length.
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string(uid), .string(""), .string(""),
        .row([("start", .string("2026-12-04 10:00")), ("reminders", .strings(["9:00"]))]),
      ])
    #expect(try agent.get(uid)["reminders"] == .strings(["PT1H"]))
  }

  @Test(arguments: [
    ("2026-11-21", "", true, "2026-11-21", "2026-11-22"),
    ("2026-11-21", "2026-11-24", true, "2026-11-21", "2026-11-24"),
    ("2026-11-21", "2d", true, "2026-11-21", "2026-11-23"),
    (
      "2026-11-21 15:00", "", false, "2026-11-21T15:00:00+01:00", "2026-11-21T16:00:00+01:00"
    ),
    ("2026-11-21 15:00", "45m", false, "2026-11-21T15:00:00+01:00", "2026-11-21T15:45:00+01:00"),
    (
      "2026-11-21T15:00:00Z", "PT0S", false, "2026-11-21T16:00:00+01:00",
      "2026-11-21T16:00:00+01:00"
    ),
    // The gap of 28 March 2027: half past two is half past three.
    (
      "2027-03-28 02:30", "", false, "2027-03-28T03:30:00+02:00", "2027-03-28T04:30:00+02:00"
    ),
  ])
  func `start and end are moments as text`(
    start: String, end: String, isAllDay: Bool, startText: String, endText: String
  ) throws {
    let agent = try AgentUnderTest()
    let answer = try agent.call(
      Contract.events, "AddSimple", ["", "Tea", start, end, ""].map(Value.string))
    let event = try agent.get(answer[0].asString ?? "")
    #expect(event["all-day"] == .boolean(isAllDay))
    #expect(event["start-text"] == .string(startText))
    #expect(event["end-text"] == .string(endText))
    #expect(event["busy"] == .boolean(!isAllDay))
  }

  @Test func `EventsChanged has every argument, before the answer`() throws {
    let agent = try AgentUnderTest()
    agent.takeSignals()
    try agent.addYoga()
    let signal = try #require(agent.signals("EventsChanged").first)
    #expect(signal.interface == Contract.calendar)
    #expect(signal.arguments[0] == .uint64(1))
    #expect(signal.arguments[1] == .strings(["personal"]))
    #expect(signal.arguments[2] == .strings(["yoga"]))
    let details = signal.arguments[3]
    #expect(details["origin"] == .string("local"))
    // From the first start to the last end, 21 to 25 November, and no day more.
    let (from, to) = (details["from"]?.asInteger ?? 0, details["to"]?.asInteger ?? 0)
    #expect((1_795_251_600 - 86_400...1_795_251_600).contains(from))
    #expect((1_795_600_800...1_795_600_800 + 86_400).contains(to))
  }

  @Test func `an id of its own is given to each`() throws {
    let agent = try AgentUnderTest()
    let ids = try (0..<20).map { _ in try agent.add("Tea", at: "2026-11-21 15:00") }
    #expect(Set(ids).count == 20)
  }
}

@Suite struct `Events that are removed` {
  @Test(arguments: [
    ("", "", []), ("", "all", []),
    ("20261123T090000Z", "", ["21", "22", "24", "25"]),
    ("20261123T090000Z", "this", ["21", "22", "24", "25"]),
    ("20261123T090000Z", "this-and-future", ["21", "22"]),
    ("20261123T090000Z", "all", []),
    ("20261121T090000Z", "this-and-future", []),
    ("20261121T090000Z", "this", ["22", "23", "24", "25"]),
  ])
  func `the scope says what goes`(occurrence: String, scope: String, days: [String]) throws {
    let agent = try AgentUnderTest()
    try agent.addYoga()
    #expect(try agent.remove("yoga", occurrence, scope) == .uint64(2))
    #expect(try agent.yogaDays() == days.map { "2026-11-\($0)" })
  }

  @Test func `when the last occurrence goes the event goes`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("uid", .string("twice")), ("summary", .string("Twice")),
      ("start", .string("2026-11-21 10:00")), ("rrule", .string("FREQ=DAILY;COUNT=2")))
    for day in ["21", "22"] { try agent.remove("twice", "202611\(day)T090000Z") }
    let error = try agent.refusal(Contract.events, "Get", [.string("twice"), .string("")])
    #expect(error.name.text == CallError.Kind.notFound.rawValue)
  }

  @Test(arguments: ["", "this", "this-and-future", "all"])
  func `of an event that does not recur the scope is ignored`(scope: String) throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.remove("standup", "", scope)
    #expect(try agent.summaries(from: "today") == [])
  }

  @Test func `Get finds an occurrence and no other`() throws {
    let agent = try AgentUnderTest()
    try agent.addYoga()
    let event = try agent.get("yoga", "20261123T090000Z")
    #expect(event["start-text"] == .string("2026-11-23T10:00:00+01:00"))
    #expect(event["recurrence-id"] == .string("20261123T090000Z"))
    try agent.remove("yoga", "20261123T090000Z")
    let error = try agent.refusal(
      Contract.events, "Get", [.string("yoga"), .string("20261123T090000Z")])
    #expect(error.name.text == CallError.Kind.notFound.rawValue)
  }
}

@Suite struct `An id that is in two calendars` {
  /// "Tea" in Personal, the default, and "Coffee" in Work, both "tea" with the same time.
  private func agent() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    for (calendar, summary) in [("work", "Coffee"), ("personal", "Tea")] {
      _ = try agent.call(
        Contract.events, "Add",
        [
          .string(calendar),
          .row([
            ("uid", .string("tea")), ("summary", .string(summary)),
            ("start", .string("2026-11-21 15:00")),
          ]),
        ])
    }
    return agent
  }

  private func summary(_ agent: AgentUnderTest, _ name: String = "tea") throws -> String? {
    try agent.call(Contract.events, "Get", [name, ""].map(Value.string))[0]["summary"]?.asString
  }

  @Test func `Get finds the one that is named, or that of the default calendar`() throws {
    let agent = try agent()
    #expect(try summary(agent) == "Tea")
    #expect(try summary(agent, "work/tea") == "Coffee")
    #expect(try summary(agent, "personal/tea") == "Tea")
    _ = try agent.call(Contract.calendars, "SetDefault", [.string("work")])
    #expect(try summary(agent) == "Coffee")
  }

  @Test func `Update changes the one that is named, and leaves it where it is`() throws {
    let agent = try agent()
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("work/tea"), .string(""), .string(""), .row([("summary", .string("Cake"))]),
      ])
    #expect(try summary(agent, "work/tea") == "Cake")
    #expect(try summary(agent, "personal/tea") == "Tea")
  }

  @Test func `Remove removes the one that is named`() throws {
    let agent = try agent()
    let arguments = ["work/tea", "", ""].map(Value.string)
    #expect(try agent.call(Contract.events, "Remove", arguments) == [.uint64(4)])
    #expect(try agent.summaries(from: "2026-11-21") == ["Tea"])
    let error = try agent.refusal(Contract.events, "Remove", arguments)
    #expect(error.name.text == CallError.Kind.notFound.rawValue)
    #expect(error.message.contains("work"))
  }

  @Test func `List names both, page by page`() throws {
    let agent = try agent()
    func page(_ options: (String, Value)...) throws -> ([String], String) {
      let answer = try agent.call(Contract.events, "List", [.row(options)])
      let rows = (answer[0].asArray ?? []).map {
        "\($0["calendar"]?.asString ?? "") \($0["uid"]?.asString ?? "") \($0["revision"]?.asInteger ?? 0)"
      }
      return (rows, answer[1].asString ?? "?")
    }
    let (first, next) = try page(("limit", .uint32(1)))
    #expect(first == ["work tea 2"])
    // What comes or goes elsewhere moves no page.
    _ = try agent.call(Contract.events, "Remove", ["work/tea", "", ""].map(Value.string))
    #expect(try page(("limit", .uint32(1)), ("cursor", .string(next))) == (["personal tea 3"], ""))
    #expect(try page() == (["personal tea 3"], ""))
    #expect(try page(("calendars", .strings(["work"]))) == ([], ""))
  }
}
