import CalendarBus
import CalendarModel
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Managing calendars` {
  private func call(_ agent: AgentUnderTest, _ member: MemberName, _ texts: String...) throws
    -> [Value]
  {
    try agent.call(Contract.calendars, member, texts.map(Value.string))
  }

  private func rows(_ agent: AgentUnderTest) throws -> [Value] {
    try agent.call(Contract.calendars, "List")[0].asArray ?? []
  }

  private func texts(_ agent: AgentUnderTest, _ key: String) throws -> [String] {
    try rows(agent).map { $0[key]?.asString ?? "" }
  }

  private func create(_ agent: AgentUnderTest, _ name: String) throws -> String {
    try call(agent, "Create", name, "", "")[0].asString ?? ""
  }

  private func change(
    _ agent: AgentUnderTest, _ id: String, _ pairs: (String, Value)...
  ) throws {
    _ = try agent.call(Contract.calendars, "Update", [.string(id), .row(pairs)])
  }

  @Test func `what says no zone is on the clock of its calendar`() throws {
    let agent = try AgentUnderTest()
    _ = try create(agent, "Tokyo")
    try change(agent, "tokyo", ("time-zone", .string("Asia/Tokyo")), ("default", .boolean(true)))
    func start(_ uid: Value) throws -> String? {
      try agent.event(uid.asString ?? "")["start-text"]?.asString
    }
    func add(_ pairs: (String, Value)...) throws -> Value {
      try agent.call(Contract.events, "Add", [.string(""), .row(pairs)])[0]
    }
    let title = ("summary", Value.string("Tea"))
    #expect(
      try start(add(title, ("start", .string("2026-12-01 16:00")))) == "2026-12-01T16:00:00+09:00")
    #expect(
      try start(
        add(title, ("start", .string("2026-12-01 16:00")), ("time-zone", .string("Asia/Dubai"))))
        == "2026-12-01T16:00:00+04:00")
    #expect(
      try start(
        add(title, ("start", .string("2026-12-01 16:00")), ("time-zone", .string(""))))
        == "2026-12-01T16:00:00+01:00")
    #expect(try start(add(title, ("start", .string("2026-12-01")))) == "2026-12-01")
    #expect(
      try start(
        agent.call(
          Contract.events, "AddSimple",
          ["", "Tea", "2026-12-02 16:00", "", ""].map(Value.string))[0])
        == "2026-12-02T16:00:00+09:00")
    for text in ["Tea 3 Dec 16:00", "Tea 3 Dec 16:00 #tokyo"] {
      #expect(
        try start(agent.call(Contract.events, "QuickAdd", [.string(text), .string("")])[0])
          == "2026-12-03T16:00:00+09:00")
    }
    #expect(
      try start(
        agent.call(
          Contract.events, "QuickAdd", [.string("Tea 3 Dec 16:00 #personal"), .string("")])[0])
        == "2026-12-03T16:00:00+01:00")
  }

  @Test func `new events have a calendar to go into, whichever is removed`() throws {
    let agent = try AgentUnderTest()
    _ = try create(agent, "Tokyo")
    try change(agent, "tokyo", ("default", .boolean(true)))
    try change(agent, "personal", ("read-only", .boolean(true)))
    let error = try agent.refusal(
      Contract.calendars, "Remove", ["tokyo", "with-events"].map(Value.string))
    #expect(error.name.text == CallError.Kind.conflict.rawValue)
    #expect(error.message.hasPrefix("id: new events go to tokyo"))
    try change(agent, "personal", ("read-only", .boolean(false)))
    _ = try call(agent, "Remove", "tokyo", "with-events")
    _ = try agent.add("Tea", at: "2026-12-01")
  }

  @Test func `an id is made of the name, and is another each time`() throws {
    let agent = try AgentUnderTest()
    #expect(try create(agent, "Work") == "work")
    #expect(try create(agent, "work!") == "work-2")
    #expect(try create(agent, "日本") == "calendar")
    #expect(try create(agent, "Ana's 2nd") == "ana-s-2nd")
    #expect(try create(agent, String(repeating: "x", count: 200)).utf8.count == 40)
    #expect(try texts(agent, "name").prefix(3) == ["Personal", "Work", "work!"])
    let orders = try rows(agent).map { $0["order"]?.asInteger ?? -1 }
    #expect(orders == orders.sorted() && Set(orders).count == orders.count)
  }

  @Test func `a colour is the next that is free`() throws {
    let agent = try AgentUnderTest()
    for index in 1...8 { _ = try create(agent, "c\(index)") }
    #expect(
      try texts(agent, "color") == (EventColor.palette + [EventColor.palette[0]]).map(\.text))
  }

  @Test(arguments: [
    ("#F0a", "#ff00aa"), ("#12abEF", "#12abef"), ("teal", "#0e9aa7"), ("Gray", "#6b7280"),
    ("grey", "#808080"), ("rebeccapurple", ""), ("hotpink", "#ff69b4"), ("", "#3b82f6"),
  ])
  func `a colour is a number or a name`(text: String, color: String) throws {
    let agent = try AgentUnderTest()
    if color.isEmpty {
      _ = try agent.refusal(
        Contract.calendars, "SetColor", ["personal", text].map(Value.string))
    } else {
      _ = try call(agent, "SetColor", "personal", text)
      #expect(try texts(agent, "color") == [color])
    }
  }

  @Test func `each key of Update is in List`() throws {
    let agent = try AgentUnderTest()
    _ = try create(agent, "Work")
    try change(
      agent, "work", ("name", .string("Office")), ("color", .string("red")),
      ("visible", .boolean(false)), ("read-only", .boolean(false)), ("default", .boolean(true)),
      ("order", .int32(-1)), ("time-zone", .string("Asia/Tokyo")),
      ("reminders", .strings(["15m", "P1D", "PT15M"])),
      ("all-day-reminders", .strings(["PT9H", "-9h", "9:00"])),
      ("tell-late", .string("2h")))
    let row = try #require(try rows(agent).first)
    let expected: [(String, Value)] = [
      ("id", .string("work")), ("name", .string("Office")), ("color", .string("#d93a5f")),
      ("visible", .boolean(false)), ("read-only", .boolean(false)), ("default", .boolean(true)),
      ("order", .int32(-1)), ("time-zone", .string("Asia/Tokyo")),
      ("reminders", .strings(["PT15M", "P1D"])),
      ("all-day-reminders", .strings(["PT9H", "-PT9H"])), ("source", .string("local")),
      ("tell-late", .string("PT2H")),
    ]
    for (key, value) in expected { #expect(row[key] == value, "\(key)") }
    #expect(try rows(agent)[1]["default"] == .boolean(false))
    try change(
      agent, "work",
      ("all-day-reminders", .strings(["9:00", "1d 15:00", "the day before at noon"])))
    #expect(
      try rows(agent).first?["all-day-reminders"] == .strings(["PT9H", "-PT9H", "-PT12H"]))
    try change(
      agent, "work", ("time-zone", .string("")), ("reminders", .strings([])),
      ("tell-late", .string("")), ("default", .boolean(true)))
    let cleared = try #require(try rows(agent).first)
    #expect(cleared["time-zone"] == nil && cleared["reminders"] == nil)
    #expect(cleared["tell-late"] == nil)
    #expect(cleared["all-day-reminders"] != nil)
    try change(agent, "personal", ("read-only", .boolean(true)))
    #expect(try rows(agent)[1]["read-only"] == .boolean(true))
  }

  @Test(arguments: [("personal", ["read-only"]), ("work", ["read-only", "default"])])
  func `the default calendar cannot be read-only`(id: String, keys: [String]) throws {
    let agent = try AgentUnderTest()
    _ = try create(agent, "Work")
    let changes = keys.map { ($0, Value.boolean(true)) }
    let error = try agent.refusal(Contract.calendars, "Update", [.string(id), .row(changes)])
    #expect(error.name.text == CallError.Kind.readOnly.rawValue)
    #expect(try rows(agent).map { $0["default"] } == [.boolean(true), .boolean(false)])
  }

  @Test func `each change is signalled with the revision, and one of nothing is not`() throws {
    let agent = try AgentUnderTest()
    func signals() throws -> [[Value]] {
      try agent.settle()
      return agent.takeSignals().filter { $0.member == "CalendarsChanged" }.map(\.arguments)
    }
    func expected(_ revision: UInt64, _ ids: [String]...) -> [Value] {
      [.uint64(revision)] + ids.map(Value.strings)
    }
    _ = try create(agent, "Work")
    #expect(try signals() == [expected(1, ["work"], [], [])])
    _ = try call(agent, "Rename", "work", "Office")
    #expect(try signals() == [expected(2, [], ["work"], [])])
    _ = try call(agent, "Rename", "work", "Office")
    _ = try agent.call(Contract.calendars, "SetVisible", [.string("work"), .boolean(true)])
    #expect(try signals().isEmpty)
    _ = try call(agent, "SetDefault", "work")
    #expect(try signals() == [expected(3, [], ["personal", "work"], [])])
    _ = try call(agent, "Remove", "work", "")
    #expect(try signals() == [expected(4, [], ["personal"], ["work"])])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try signals() == [expected(5, ["work"], ["personal"], [])])
    #expect(try agent.property("Revision") == .uint64(5))
    #expect(try texts(agent, "name") == ["Personal", "Office"])
  }

  @Test func `one that is not visible is not in answers, and comes back with undo`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    #expect(try agent.summaries(from: "2026-11-21") == ["Standup"])
    _ = try agent.call(Contract.calendars, "SetVisible", [.string("personal"), .boolean(false)])
    #expect(try agent.summaries(from: "2026-11-21") == [])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.summaries(from: "2026-11-21") == ["Standup"])
  }

  @Test func `one with events goes only where that is said, and undo brings all back`() throws {
    let agent = try AgentUnderTest()
    _ = try create(agent, "Work")
    _ = try agent.call(
      Contract.events, "AddSimple", ["work", "Tea", "2026-11-21 15:00", "", ""].map(Value.string))
    let error = try agent.refusal(Contract.calendars, "Remove", ["work", ""].map(Value.string))
    #expect(error.name.text == CallError.Kind.conflict.rawValue)
    #expect(error.message.contains("1 event"))
    agent.takeSignals()
    _ = try call(agent, "Remove", "work", "with-events")
    try agent.wait(for: "EventsChanged") {
      agent.signals("EventsChanged").contains { $0.arguments[0] == .uint64(3) }
    }
    #expect(try agent.summaries(from: "2026-11-21") == [])
    let undone = try agent.call(Contract.events, "Undo")
    #expect(undone[0] == .string("calendar-remove"))
    #expect(try agent.summaries(from: "2026-11-21") == ["Tea"])
    #expect(try texts(agent, "id") == ["personal", "work"])
  }

  @Test func `default reminders ring for events that have none`() throws {
    let agent = try AgentUnderTest()
    try change(agent, "personal", ("reminders", .strings(["15m"])))
    _ = try agent.add("Tea", at: "2026-11-21 12:00")
    try agent.advance(to: "2026-11-21T10:46:00Z")
    #expect(try agent.pending().count == 1)
  }
}
