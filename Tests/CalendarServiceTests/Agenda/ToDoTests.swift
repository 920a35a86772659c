import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// Imports text and returns how many were added, updated, left and refused.
  @discardableResult
  fileprivate func importText(_ text: String, mode: String = "") throws -> [Int64] {
    let (counts, problems) = try importing(text, mode: mode)
    let others = problems.filter { $0["problem"]?.asString != "older" }
    #expect(others.isEmpty, "\(others)")
    return counts
  }

  /// The rows of Events.Todos.
  fileprivate func toDos(_ options: (String, Value)...) throws -> [Value] {
    try call(Contract.events, "Todos", [.row(options)])[0].asArray ?? []
  }

  fileprivate func toDoSummaries(_ options: (String, Value)...) throws -> [String] {
    try (call(Contract.events, "Todos", [.row(options)])[0].asArray ?? [])
      .map { $0["summary"]?.asString ?? "?" }
  }

  /// The summary and the instants of each ReminderDue: "Rent starts due".
  fileprivate var rung: [String] {
    signals("ReminderDue").map { signal in
      let times = [3, 4].map { Timestamp(seconds: signal.arguments[$0].asInteger ?? 0).basicText }
      return "\(signal.arguments[2].asString ?? "?") \(times.joined(separator: " "))"
    }
  }
}

private let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER;RELATED=END:-PT1H\r\nEND:VALARM"

private let rent = toDo(
  "rent", "DTSTART;TZID=Europe/Berlin:20261121T090000", "DUE;TZID=Europe/Berlin:20261121T170000",
  "SUMMARY:Rent", "STATUS:IN-PROCESS", "PRIORITY:1", "PERCENT-COMPLETE:50", "CATEGORIES:home",
  "LOCATION:Bank", "URL:https://example.org/rent", alarm)

@Suite struct `To-dos` {
  @Test func `one that is imported is listed with all that is known of it, and in no agenda`()
    throws
  {
    let agent = try AgentUnderTest()
    #expect(try agent.importText(calendar(rent)) == [1, 0, 0, 0])
    #expect(
      try agent.toDos() == [
        .row([
          ("uid", .string("rent")), ("calendar", .string("personal")),
          ("summary", .string("Rent")), ("location", .string("Bank")),
          ("due", .int64(1_795_276_800)), ("due-text", .string("2026-11-21T17:00:00+01:00")),
          ("start", .int64(1_795_248_000)), ("start-text", .string("2026-11-21T09:00:00+01:00")),
          ("all-day", .boolean(false)), ("time-zone", .string("Europe/Berlin")),
          ("status", .string("in-process")), ("priority", .uint32(1)), ("percent", .uint32(50)),
          ("recurring", .boolean(false)), ("url", .string("https://example.org/rent")),
          ("categories", .strings(["home"])), ("reminders", .strings(["end:PT1H"])),
        ])
      ])
    #expect(try agent.summaries(from: "2026-11-20", to: "2026-11-30") == [])
    for (member, arguments) in [
      ("Today", []), ("Next", [.uint32(5)]), ("Agenda", [.string("2026-11-21"), .uint32(3)]),
    ] as [(MemberName, [Value])] {
      #expect(try agent.call(Contract.calendar, member, arguments)[0].asArray?.isEmpty == true)
    }
    #expect(try agent.property("NextEvent") == .row([]))
    let snapshot = try agent.call(Contract.calendar, "Snapshot")[0].asString ?? ""
    #expect(!snapshot.contains("Rent"))
    #expect(try agent.call(Contract.calendars, "List")[0].asArray?[0]["events"] == .uint32(0))
    let refusal = try agent.refusal(Contract.events, "Get", [.string("rent"), .string("")])
    #expect(refusal.name.text.hasSuffix(".NotFound"))
  }

  @Test func `its alarm rings with its summary and when it is due`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(calendar(rent))
    try agent.advance(to: "2026-11-21T14:59:59Z")
    #expect(agent.rung == [])
    try agent.advance(to: "2026-11-21T15:00:00Z")
    #expect(agent.rung == ["Rent 20261121T160000Z 20261121T150000Z"])
    #expect(try agent.pending().map { $0["summary"] } == [.string("Rent")])
  }

  @Test func `one that is done rings no more, and its reminder goes`() throws {
    let agent = try AgentUnderTest()
    let twice = rent.replacing(
      "END:VTODO", with: alarm.replacing("-PT1H", with: "-PT2H") + "\r\nEND:VTODO")
    try agent.importText(calendar(twice))
    try agent.advance(to: "2026-11-21T14:00:00Z")
    #expect(agent.rung.count == 1)
    let done = twice.replacing("STATUS:IN-PROCESS", with: "STATUS:COMPLETED")
    #expect(try agent.importText(calendar(done)) == [0, 1, 0, 0])
    #expect(try agent.pending() == [])
    try agent.advance(to: "2026-11-22T00:00:00Z")
    #expect(agent.rung.count == 1)
    #expect(try agent.toDos() == [])
    #expect(try agent.toDos(("completed", .boolean(true)))[0]["status"] == .string("completed"))
  }

  @Test func `one without a time rings by an absolute alarm, and says no time in EventsChanged`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.importText(
      calendar(
        toDo(
          "book", "SUMMARY:Read a book",
          "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:20261121T100000Z\r\nEND:VALARM"
        )))
    let details = try #require(agent.signals("EventsChanged").first).arguments[3]
    #expect(details["from"] == nil)
    #expect(try agent.toDos()[0]["due"] == nil)
    #expect(try agent.toDos()[0]["all-day"] == nil)
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(agent.rung == ["Read a book 20261121T100000Z 20261121T100000Z"])
    #expect(agent.signals("ReminderDue")[0].arguments[5]["undated"] == .boolean(true))
    #expect(try agent.pending().map { $0["undated"] } == [.boolean(true)])
    // With a date it is of that.
    try agent.importText(
      calendar(
        toDo(
          "book", "SUMMARY:Read a book", "DUE:20261121T120000Z", "SEQUENCE:1",
          "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:20261121T100000Z\r\nEND:VALARM"
        )))
    #expect(try agent.pending().map { $0["undated"] } == [nil])
    #expect(try agent.pending().map { $0["start"] } == [.int64(1_795_262_400)])
  }

  @Test func `a recurring one rings at each occurrence and is listed with the next`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      calendar(
        toDo(
          "bins", "DUE;VALUE=DATE:20261121", "RRULE:FREQ=WEEKLY", "SUMMARY:Bins",
          "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:PT10H\r\nEND:VALARM")))
    let first = try agent.toDos()[0]
    #expect(first["due-text"] == .string("2026-11-21"))
    #expect(first["due"] == .int64(1_795_215_600))
    #expect(first["all-day"] == .boolean(true))
    #expect(first["recurrence-id"] == .string("20261121"))
    try agent.advance(to: "2026-11-28T23:00:00Z")
    #expect(
      agent.signals("ReminderDue").map { $0.arguments[5]["recurrence-id"] } == [
        .string("20261121"), .string("20261128"),
      ])
    #expect(try agent.toDos()[0]["due-text"] == .string("2026-12-05"))
  }

  @Test func `the options choose calendars, those that are done, and how many`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      calendar(
        toDo("c", "DUE:20261124T120000Z", "SUMMARY:later"),
        toDo("a", "SUMMARY:some day"),
        toDo("b", "DUE:20261122T120000Z", "SUMMARY:soon"),
        toDo("d", "DUE:20261101T120000Z", "SUMMARY:done", "COMPLETED:20261101T120000Z"),
        toDo("e", "DUE:20261101T120000Z", "SUMMARY:given up", "STATUS:CANCELLED")))
    #expect(try agent.toDoSummaries() == ["soon", "later", "some day"])
    #expect(
      try agent.toDoSummaries(("completed", .boolean(true)))
        == ["soon", "later", "some day", "done", "given up"])
    #expect(try agent.toDoSummaries(("limit", .uint32(2))) == ["soon", "later"])
    #expect(try agent.toDoSummaries(("calendars", .strings(["personal"]))).count == 3)
    #expect(try agent.toDoSummaries(("calendars", .array("s", []))) == [])
  }

  @Test(arguments: [1, 2, 3, 100])
  func `pages have all of them in order while others come and go`(limit: UInt32) throws {
    let agent = try AgentUnderTest()
    let some = (0..<3).map { toDo("same \($0) x", "DUE:20261124T120000Z", "SUMMARY:A b ") }
    let others = [
      toDo("a", "SUMMARY:some day"), toDo("b", "SUMMARY:"),
      toDo("d", "DUE:20261101T120000Z", "SUMMARY:done", "COMPLETED:20261101T120000Z"),
    ]
    try agent.importText(calendar((some + others).joined()))
    let completed = ("completed", Value.boolean(true))
    let whole = try agent.toDos(completed)
    #expect(whole.count == 6)
    var rows: [Value] = []
    var cursor = ""
    repeat {
      let page = try agent.call(
        Contract.events, "Todos",
        [.row([completed, ("limit", .uint32(limit)), ("cursor", .string(cursor))])])
      rows += page[0].asArray ?? []
      cursor = page[1].asString ?? ""
      // Before the place, wherever it is.
      try agent.importText(
        calendar(toDo("early \(rows.count)", "DUE:20260101T120000Z", "SUMMARY:early")))
    } while !cursor.isEmpty
    #expect(rows == whole)
  }

  @Test func `one in a zone that is not installed any more is listed without a time`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      calendar(toDo("x", "DUE:20261122T120000Z", "SUMMARY:x", "RRULE:FREQ=DAILY")))
    let store = try agent.store()
    let series = try #require(try store.toDos(calendars: nil).first)
    var event = series.components[0]
    event.start = .zoned(event.start.reading, zone: "Nowhere/Land")
    let moved = [event]
    try store.change(origin: .local, now: agent.clock.now) { change throws(StoreError) in
      for event in moved {
        try change.put(EventSeries(calendar: series.calendar, master: event))
      }
    }
    let row = try agent.toDos()[0]
    #expect(row["summary"] == .string("x"))
    #expect(row["due"] == nil)
    #expect(row["recurring"] == .boolean(true) && row["rrule"] == .string("FREQ=DAILY"))
    #expect(agent.log.contains { $0.contains("Nowhere/Land") })
  }

  @Test func `an import again changes nothing, and Remove takes one as a whole`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      rent, component("tea", "DTSTART:20261121T140000Z", "SUMMARY:Tea"),
      "BEGIN:VJOURNAL\r\nUID:diary\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Diary\r\nEND:VJOURNAL\r\n",
      "BEGIN:VFREEBUSY\r\nUID:busy\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20261121T000000Z\r\n"
        + "FREEBUSY:20261121T100000Z/PT1H\r\nEND:VFREEBUSY\r\n")
    #expect(try agent.importText(text) == [4, 0, 0, 0])
    #expect(try agent.importText(text) == [0, 0, 4, 0])
    // A journal and busy times are kept as they came, and shown nowhere.
    let kept = try agent.store().series(EventUID("busy"), in: nil)
    #expect(kept?.components[0].component.contains("FREEBUSY:20261121T100000Z/PT1H") == true)
    #expect(try agent.store().series(EventUID("diary"), in: nil)?.kind == .journal)
    #expect(try agent.summaries(from: "2026-11-20", to: "2026-11-30") == ["Tea"])
    #expect(try agent.toDoSummaries(("completed", .boolean(true))) == ["Rent"])
    let refusal = try agent.refusal(
      Contract.events, "Remove", [.string("rent"), .string("20261121T080000Z"), .string("this")])
    #expect(refusal.name.text.hasSuffix(".NotFound"))
    _ = try agent.call(Contract.events, "Remove", [.string("rent"), .string(""), .string("all")])
    #expect(try agent.toDos() == [])
  }

  @Test(arguments: [1, 2, 100])
  func `what is neither an event nor a to-do is counted and listed in pages`(limit: UInt32) throws {
    let agent = try AgentUnderTest()
    func entry(_ uid: String, _ lines: String...) -> String {
      (["BEGIN:VJOURNAL", "UID:\(uid)", "DTSTAMP:20260101T000000Z"] + lines + ["END:VJOURNAL"])
        .map { "\($0)\r\n" }.joined()
    }
    try agent.importText(
      calendar(
        entry(
          "a", "DTSTART;TZID=Europe/Berlin:20261121T090000", "SUMMARY:Diary", "DESCRIPTION:Words",
          "CATEGORIES:home"),
        component("tea", "DTSTART:20261121T140000Z"), toDo("x", "SUMMARY:x"), entry("b"),
        "BEGIN:VFREEBUSY\r\nUID:c\r\nDTSTAMP:20260101T000000Z\r\nEND:VFREEBUSY\r\n"))
    var rows: [Value] = []
    var cursor = ""
    repeat {
      let page = try agent.call(
        Contract.events, "List",
        [
          .row([("others", .boolean(true)), ("limit", .uint32(limit)), ("cursor", .string(cursor))])
        ])
      rows += page[0].asArray ?? []
      cursor = page[1].asString ?? ""
    } while !cursor.isEmpty
    let own = [("calendar", Value.string("personal"))]
    #expect(
      rows == [
        .row(
          [("uid", .string("a"))] + own + [
            ("kind", .string("journal")), ("summary", .string("Diary")),
            ("description", .string("Words")), ("start", .int64(1_795_248_000)),
            ("start-text", .string("2026-11-21T09:00:00+01:00")), ("all-day", .boolean(false)),
            ("time-zone", .string("Europe/Berlin")), ("categories", .strings(["home"])),
          ]),
        .row([("uid", .string("b"))] + own + [("kind", .string("journal"))]),
        .row([("uid", .string("c"))] + own + [("kind", .string("free-busy"))]),
      ])
    let list = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    let counts = ["events", "to-dos", "journals", "free-busy", "others"].map {
      list[0][$0]?.asInteger
    }
    #expect(counts == [1, 1, 2, 1, nil])
    _ = try agent.call(Contract.events, "RemoveMany", [.strings(["a", "x"])])
    let rest =
      try agent.call(Contract.events, "List", [.row([("others", .boolean(true))])])[0].asArray ?? []
    #expect(rest.map { $0["uid"] } == [.string("b"), .string("c")])
  }

  @Test func `an event and a to-do of one UID are not mixed`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      calendar(component("x", "DTSTART:20261121T140000Z", "SUMMARY:Event", "SEQUENCE:2")))
    let older = calendar(toDo("x", "DUE:20261121T140000Z", "SUMMARY:To-do", "SEQUENCE:1"))
    #expect(try agent.importText(older) == [0, 0, 1, 0])
    #expect(try agent.importText(older, mode: "replace") == [0, 1, 0, 0])
    #expect(try agent.toDoSummaries() == ["To-do"])
    #expect(try agent.summaries(from: "today") == [])
  }
}

@Suite struct `To-dos that are added and changed` {
  private func row(_ agent: AgentUnderTest, _ uid: String) throws -> Row {
    let rows = try agent.toDos(("completed", .boolean(true))).map(Row.init)
    return try #require(rows.first { $0.text(.uid) == uid })
  }

  private func add(_ agent: AgentUnderTest, _ keys: (String, Value)...) throws -> String {
    try agent.call(Contract.events, "AddTodo", [.string(""), .row(keys)])[0].asString ?? ""
  }

  private func change(
    _ agent: AgentUnderTest, _ uid: String, _ occurrence: String = "", _ keys: (String, Value)...
  ) throws {
    _ = try agent.call(
      Contract.events, "ChangeTodo", [.string(uid), .string(occurrence), .row(keys)])
  }

  private func exported(_ agent: AgentUnderTest, _ uid: String) throws -> String {
    try agent.call(
      Contract.transfer, "ExportText", [.string(""), .string(""), .string(uid)])[0].asString ?? ""
  }

  @Test func `one is added with when it is due and how urgent it is, and exported as VTODO`()
    throws
  {
    let agent = try AgentUnderTest()
    let uid = try add(
      agent, ("summary", .string("Rent")), ("due", .string("2026-11-30 17:00")),
      ("priority", .uint32(1)), ("description", .string("By bank")))
    let found = try row(agent, uid)
    #expect(found.text(.dueText) == "2026-11-30T17:00:00+01:00")
    #expect(found.number(.priority) == 1 && found.text(.status) == "needs-action")
    #expect(found[.start] == nil)
    let text = try exported(agent, uid)
    for line in [
      "BEGIN:VTODO", "DUE;TZID=Europe/Berlin:20261130T170000", "SUMMARY:Rent", "PRIORITY:1",
      "DESCRIPTION:By bank",
    ] {
      #expect(text.contains(line + "\r\n"), "\(text)")
    }
    let toDo = try #require(text.firstMatch(of: #/BEGIN:VTODO[^$]*END:VTODO/#)).output
    #expect(!toDo.contains("DTSTART") && !text.contains("VEVENT"), "\(text)")
    // It is no event.
    #expect(
      try agent.call(Contract.events, "List", [.row([])])[0].asArray?.isEmpty == true)
  }

  @Test func `one needs no date, and a date alone is a day`() throws {
    let agent = try AgentUnderTest()
    let book = try add(agent, ("summary", .string("Book")))
    let plants = try add(agent, ("summary", .string("Plants")), ("due", .string("2026-11-30")))
    #expect(try row(agent, book)[.due] == nil)
    #expect(try !exported(agent, book).contains("DUE"))
    #expect(try row(agent, plants).text(.dueText) == "2026-11-30")
    #expect(try agent.toDoSummaries() == ["Plants", "Book"])
  }

  @Test func `one is completed, reopened, and each is a step to undo`() throws {
    let agent = try AgentUnderTest()
    let uid = try add(agent, ("summary", .string("Rent")), ("due", .string("2026-11-30")))
    try change(agent, uid, "", ("status", .string("completed")))
    let done = try row(agent, uid)
    #expect(done.text(.status) == "completed" && done.number(.percent) == 100)
    #expect(done[.completed] != nil)
    let text = try exported(agent, uid)
    for line in ["STATUS:COMPLETED", "PERCENT-COMPLETE:100", "COMPLETED:2026"] {
      #expect(text.contains("\r\n" + line), "\(text)")
    }
    #expect(try agent.toDoSummaries() == [])
    try change(agent, uid, "", ("status", .string("needs-action")))
    #expect(try agent.toDoSummaries() == ["Rent"])
    #expect(try row(agent, uid)[.completed] == nil)
    _ = try agent.call(Contract.events, "Undo", [])
    #expect(try agent.toDoSummaries() == [])
  }

  @Test func `an imported one keeps what it has otherwise, and its reminders end when it is done`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.importText(calendar(rent))
    try change(agent, "rent", "", ("status", .string("completed")), ("priority", .uint32(5)))
    let text = try exported(agent, "rent")
    for line in [
      "DTSTART;TZID=Europe/Berlin:20261121T090000", "DUE;TZID=Europe/Berlin:20261121T170000",
      "CATEGORIES:home", "TRIGGER;RELATED=END:-PT1H", "PRIORITY:5", "STATUS:COMPLETED",
    ] {
      #expect(text.contains(line + "\r\n"), "\(text)")
    }
    try agent.advance(to: "2026-11-22T00:00:00Z")
    #expect(agent.rung == [])
  }

  @Test func `of a recurring one the occurrence is completed, and the next is listed`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      calendar(
        toDo(
          "bins", "DTSTART;VALUE=DATE:20261123", "DUE;VALUE=DATE:20261124", "RRULE:FREQ=WEEKLY",
          "SUMMARY:Bins")))
    let first = try row(agent, "bins")
    #expect(first.text(.startText) == "2026-11-23")
    try change(agent, "bins", first.text(.recurrenceID), ("status", .string("completed")))
    #expect(try row(agent, "bins").text(.startText) == "2026-11-30")
    #expect(try agent.toDoSummaries() == ["Bins"])
  }

  @Test func `when it is due can be changed and taken back`() throws {
    let agent = try AgentUnderTest()
    let uid = try add(agent, ("summary", .string("Rent")), ("priority", .uint32(1)))
    try change(agent, uid, "", ("due", .string("2026-11-30 17:00")))
    #expect(try row(agent, uid).text(.dueText) == "2026-11-30T17:00:00+01:00")
    #expect(try exported(agent, uid).contains("DUE;TZID=Europe/Berlin:20261130T170000\r\n"))
    try change(agent, uid, "", ("due", .string("2026-12-01")), ("summary", .string("The rent")))
    #expect(try row(agent, uid).text(.dueText) == "2026-12-01")
    try change(agent, uid, "", ("due", .string("")))
    let last = try row(agent, uid)
    #expect(last[.due] == nil && last.text(.summary) == "The rent")
    #expect(try !exported(agent, uid).contains("DUE"))
    _ = try agent.call(Contract.events, "Undo")
    #expect(try row(agent, uid).text(.dueText) == "2026-12-01")
  }

  @Test func `of a to-do with a start the due date is its end, and not before it`() throws {
    let agent = try AgentUnderTest()
    try agent.importText(
      calendar(
        toDo("paint", "SUMMARY:Paint", "DTSTART;TZID=Europe/Berlin:20261122T090000"),
        toDo("bins", "SUMMARY:Bins", "DUE;VALUE=DATE:20261123", "RRULE:FREQ=WEEKLY")))
    try change(agent, "paint", "", ("due", .string("2026-11-22 12:00")))
    let row = try row(agent, "paint")
    #expect(row[.start] != nil && row.number(.due) - row.number(.start) == 10_800)
    for (uid, due, name) in [
      ("paint", "2026-11-21 12:00", "InvalidTime"), ("bins", "2026-11-24", "InvalidArgs"),
    ] {
      let error = try agent.refusal(
        Contract.events, "ChangeTodo",
        [.string(uid), .string(""), .row([("due", .string(due))])])
      #expect("\(error.name)".contains(name), "\(error)")
    }
  }

  @Test func `events, unknown statuses and priorities are refused`() throws {
    let agent = try AgentUnderTest()
    let event = try agent.add(("summary", .string("Tea")), ("start", .string("2026-11-22 15:00")))
    let uid = try add(agent, ("summary", .string("Rent")))
    let refused: [(name: String, MemberName, [Value])] = [
      (
        "NotFound", "ChangeTodo",
        [.string(event), .string(""), .row([("status", .string("completed"))])]
      ),
      (
        "InvalidArgs", "ChangeTodo",
        [.string(uid), .string(""), .row([("status", .string("done"))])]
      ),
      (
        "InvalidArgs", "ChangeTodo", [.string(uid), .string(""), .row([("priority", .uint32(10))])]
      ),
      ("InvalidArgs", "AddTodo", [.string(""), .row([("summary", .string(" "))])]),
      (
        "InvalidTime", "AddTodo",
        [.string(""), .row([("summary", .string("x")), ("due", .string("whenever"))])]
      ),
      ("NotFound", "AddTodo", [.string("none"), .row([("summary", .string("x"))])]),
    ]
    for (name, method, arguments) in refused {
      let error = try agent.refusal(Contract.events, method, arguments)
      #expect("\(error.name)".contains(name), "\(method): \(error)")
    }
  }
}
