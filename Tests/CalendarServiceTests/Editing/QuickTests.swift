import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarStore
@testable import CalendarService

extension AgentUnderTest {
  fileprivate func quickAdd(_ text: String, _ calendar: String = "") throws -> Value {
    try call(Contract.events, "QuickAdd", [.string(text), .string(calendar)])[1]
  }

  fileprivate func quickParse(_ text: String) throws -> [Value] {
    try call(Contract.events, "QuickParse", [.string(text)])
  }
}

@Suite struct `Events of one line of text` {
  static let texts = [
    "lunch with Ana friday 12:30-13:15 at Sal's #personal !15m", "offsite 3-5 Dec",
    "gym every tuesday 18:00 until 31 Jan", "watch mon 22:00-24:00", "trip fri 18:00 to sun 16:00",
    "trip fri for 3 days", "tea in 2 hours for 15m", "party 2026-12-24T20:00:00Z !1h !1d",
    "cleaning every weekday until 31 Jan", "early shift 28 Mar 2:30",
    "late shift 25 Oct 2:30 for 1h",
    "rent every month on the last day", "sublet 1 Dec for 2 months",
    "early shift every sunday from 28 Mar 2027 2:30", "trip this weekend",
    "party 2027-10-31T01:30:00Z", "call 9:00 America/New_York for 1h", "rent every 31st",
    "明天下午3点开会 @会议室 提前15分钟提醒", "每周二18点健身，到1月31日",
  ]

  @Test(arguments: texts)
  func `what QuickParse gives, Add takes, and it is what QuickAdd adds`(_ text: String) throws {
    let agent = try AgentUnderTest()
    let parsed = try agent.quickParse(text)
    let answer = try agent.call(Contract.events, "Add", [.string(""), parsed[0]])
    let uid = answer[0].asString ?? ""
    let added = Row(try agent.call(Contract.events, "Get", [.string(uid), .string("")])[0])
    // They would overlap.
    _ = try agent.call(Contract.events, "Remove", [uid, "", ""].map(Value.string))
    let quick = Row(try agent.quickAdd(text))
    for (key, value) in added.entries where key != .uid && key != .revision {
      #expect(quick[key] == value, "\(text): \(key)")
    }
    #expect(quick.entries.count { $0.key != .warnings } == added.entries.count)
    #expect(Row(parsed[2]).texts(.warnings) == quick.texts(.warnings))
  }

  @Test(arguments: [
    (
      "early shift 28 Mar 2027 2:30",
      "the clock skips 02:30 on Sun 28 Mar 2027: the event begins at 03:30"
    ),
    (
      "early shift every sunday from 28 Mar 2027 2:30",
      "the clock skips 02:30 on Sun 28 Mar 2027: the event begins at 03:30"
    ),
    ("tea yesterday 9:00", "the event is over already"), ("tea tomorrow 9:00", ""),
  ])
  func `what may not be meant is told by QuickAdd, QuickParse and Add`(
    text: String, words: String
  ) throws {
    let agent = try AgentUnderTest()
    let parsed = try agent.quickParse(text)
    let expected = words.isEmpty ? [] : [words]
    #expect(Row(parsed[2]).texts(.warnings) == expected)
    #expect(Row(try agent.quickAdd(text)).texts(.warnings) == expected)
    // What was read is on the clock already, and in words that Add does not see.
    let isOfText = !text.contains("every") && !text.contains("yesterday")
    let added = try agent.call(Contract.events, "Add", [.string(""), parsed[0]])
    // The event of before is at the same time.
    let warnings = Row(added[2]).texts(.warnings).filter { !$0.hasPrefix("it overlaps") }
    #expect(warnings == (isOfText ? [] : expected))
  }

  @Test(arguments: [
    ("early shift 28 Mar 2027 2:30-4:00", "2027-03-28T03:30:00", "2027-03-28T04:00:00"),
    ("early shift 28 Mar 2027 1:00 until 2:30", "2027-03-28T01:00:00", "2027-03-28T03:30:00"),
    // What comes again comes at the time that was given.
    ("early shift every sunday from 28 Mar 2027 2:30", "2027-03-28T02:30:00", ""),
    ("party 2027-12-24", "2027-12-24", ""),
  ])
  func `times are those that the agent's clock will show`(
    text: String, start: String, end: String
  ) throws {
    let agent = try AgentUnderTest()
    let event = Row(try agent.quickParse(text)[0])
    #expect(event.text(.start) == start && event.text(.end) == end)
    #expect(event.text(.timeZone) == (start.contains("T") ? "Europe/Berlin" : ""))
  }

  @Test func `each word is one of a part`() throws {
    let answer = try AgentUnderTest().quickParse("remind me to call Ana tomorrow 9:00 !15m")
    #expect(answer[0]["summary"] == .string("call Ana"))
    #expect(
      answer[1]
        == .strings(["filler 0 12", "summary 13 21", "when 22 35", "reminder 36 40"]))
  }

  @Test(arguments: [
    ("call 9:00 America/New_York", "2026-11-21T09:00:00", "America/New_York"),
    ("party 2026-12-24T20:00:00Z", "2026-12-24T20:00:00", "UTC"),
  ])
  func `an event is in the zone that its line names`(
    text: String, start: String, zone: String
  ) throws {
    let event = Row(try AgentUnderTest().quickParse(text)[0])
    #expect(event.text(.start) == start && event.text(.timeZone) == zone)
  }

  @Test func `a recurrence until a day has all of it, in the form of RFC 5545`() throws {
    let agent = try AgentUnderTest()
    let timed = Row(try agent.quickParse("gym every tuesday 18:00 until 1 Dec")[0])
    #expect(timed.text(.rrule) == "FREQ=WEEKLY;UNTIL=20261201T225959Z;BYDAY=TU")
    let days = Row(try agent.quickParse("gym every tuesday until 1 Dec")[0])
    #expect(days.text(.rrule) == "FREQ=WEEKLY;UNTIL=20261201;BYDAY=TU")
  }

  @Test func `months without the day are named`() throws {
    let answer = try AgentUnderTest().quickParse("rent every 31st 9:00")
    #expect(Row(answer[2]).texts(.warnings).count == 1)
  }

  @Test func `the answer is what Get has afterwards`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    for text in ["tea tomorrow 10:00 at Roma !15m", "fair 24-26 Dec", "run every tuesday 7:00"] {
      let answer = try agent.call(Contract.events, "QuickAdd", [.string(text), .string("")])
      let event = try agent.call(Contract.events, "Get", [answer[0], .string("")])[0]
      #expect(pairs(answer[1]) == pairs(event))
    }
  }

  /// Keys with their values, in whatever order they came.
  private func pairs(_ row: Value) -> [String] { (row.asRow ?? []).map { "\($0)" }.sorted() }

  @Test func `what cannot be read back is refused, and nothing more is written`() throws {
    let agent = try AgentUnderTest()
    try agent.store().database.execute(
      """
      CREATE TRIGGER spoil AFTER INSERT ON components
      BEGIN DELETE FROM components WHERE key = new.key; END
      """)
    let error = try agent.refusal(
      Contract.events, "QuickAdd", [.string("tea 24 Dec 2027 10:00"), .string("")])
    #expect(error.name.text == CallError.Kind.storageFailed.rawValue)
    try agent.settle()
    #expect(try agent.property("State") == .string("degraded"))
  }

  @Test func `one call is one step that can be taken back`() throws {
    let agent = try AgentUnderTest()
    let answer = try agent.call(
      Contract.events, "QuickAdd", [.string("gym every day 18:00"), .string("")])
    #expect(answer[1]["uid"] == answer[0])
    #expect(answer[2] == .uint64(1))
    #expect(try agent.call(Contract.events, "Undo")[1] == .strings([answer[0].asString ?? ""]))
    #expect(try agent.refusal(Contract.events, "Undo").name.text.hasSuffix("NothingToUndo"))
  }

  @Test func `a calendar is found by its id, its name, and the beginning of either`() throws {
    let agent = try AgentUnderTest()
    for name in ["Work", "Work Travel", "Sports"] {
      try agent.createCalendar(name)
    }
    for (word, id) in [
      ("#work", "work"), ("#WORK", "work"), ("#\"Work Travel\"", "work-travel"),
      ("#work-t", "work-travel"), ("#sp", "sports"),
    ] {
      #expect(try agent.quickParse("tea fri \(word)")[0]["calendar"] == .string(id), "\(word)")
      #expect(try agent.quickAdd("tea fri \(word)")["calendar"] == .string(id), "\(word)")
    }
    #expect(try agent.quickAdd("tea fri", "sports")["calendar"] == .string("sports"))
    #expect(try agent.quickAdd("tea fri #work", "work")["calendar"] == .string("work"))
    #expect(try agent.quickAdd("tea fri")["calendar"] == .string("personal"))
    for (text, calendar, kind, words) in [
      ("tea fri #wor", "", CallError.Kind.notFound, "#work, #work-travel"),
      ("tea fri #nope", "", .notFound, "there is no calendar \"#nope\""),
      ("tea fri", "nope", .notFound, "nope"),
      ("tea fri #work", "sports", .invalidArguments, "\"sports\""),
    ] {
      let error = try agent.refusal(
        Contract.events, "QuickAdd", [.string(text), .string(calendar)])
      #expect(error.name.text == kind.rawValue && error.message.contains(words), "\(error.message)")
    }
  }

  @Test(arguments: [
    ("lunch with Ana", CallError.Kind.parseFailed, "there is no day and no time in it"),
    ("lunch friday tomorrow", .parseFailed, "\"friday tomorrow\""),
    ("friday 12:30", .parseFailed, "the title is missing"), ("", .parseFailed, "the line is empty"),
    ("tea 31 Nov", .parseFailed, "there is no day \"31 Nov\""),
    ("tea 5/12", .parseFailed, "2026-12-05"), ("a\u{7}b fri", .invalidArguments, "byte 1"),
    (String(repeating: "x", count: 4093) + " fri", .limitsExceeded, "4097 bytes"),
    (String(repeating: "x", count: 2001) + " fri", .limitsExceeded, "summary: 2001"),
    (
      "tea fri 9:00 !" + (1...21).map { "\($0)m" }.joined(separator: ","), .limitsExceeded,
      "reminders"
    ),
    ("tea every day 9:00 0 times", .parseFailed, "\"0\" looks like a time"),
    (
      "standup mon-wed 9:00-10:00", .parseFailed,
      "could be 2026-11-23 09:00 – 2026-11-25 10:00 (once) or"
    ),
    ("tea tomorrow 9:00 !soon", .parseFailed, "(understood: \"tomorrow 9:00\")"),
  ])
  func `what is not understood is refused, and nothing is added`(
    text: String, kind: CallError.Kind, words: String
  ) throws {
    let agent = try AgentUnderTest()
    for (member, values) in [
      ("Events.QuickParse", [Value.string(text)]),
      ("Events.QuickAdd", [.string(text), .string("")]),
    ] {
      let error = try agent.refusal(of: member, values)
      #expect(error.name.text == kind.rawValue, "\(error.name.text): \(error.message)")
      #expect(error.message.contains(words), "\(error.message)")
    }
    #expect(
      try agent.call(Contract.calendar, "Find", [.string("tea"), .uint32(0)])[0].asArray == [])
  }

  @Test func `Add takes the calendar of the event, and refuses two of them`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    let event = Value.row([
      ("summary", .string("Tea")), ("start", .string("2026-11-27")), ("calendar", .string("work")),
    ])
    for name in ["", "work"] {
      let answer = try agent.call(Contract.events, "Add", [.string(name), event])
      let row = try agent.call(Contract.events, "Get", [answer[0], .string("")])[0]
      #expect(row["calendar"] == .string("work"))
    }
    let error = try agent.refusal(of: "Events.Add", [.string("personal"), event])
    #expect(error.name.text == CallError.Kind.invalidArguments.rawValue)
  }
}
