import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Glibc
import JSON
import Platform
import TestSupport
import Testing

@testable import AgentSupport

private let tea = component(
  "tea", "DTSTART;TZID=Europe/Berlin:20261121T140000", "DTEND;TZID=Europe/Berlin:20261121T150000",
  "SUMMARY;LANGUAGE=en:Tea", "X-KEPT;X-P=\"a,b\":yes\\, really", "BEGIN:VALARM",
  "ACTION:DISPLAY", "DESCRIPTION:Tea", "TRIGGER:-PT5M", "X-SOUND:gong", "END:VALARM")

@Suite struct `What is exported` {
  private func prepared() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work", "#ff0000")
    _ = try agent.call(
      Contract.events, "Add",
      [
        .string("work"),
        .row([
          ("uid", .string("report")), ("summary", .string("Report")),
          ("start", .string("2026-12-01 10:00")), ("class", .string("private")),
        ]),
      ])
    try agent.importComponents(
      component(
        "yoga", "DTSTART:20261101T100000Z", "SUMMARY:Yoga", "RRULE:FREQ=WEEKLY;COUNT=10"),
      component(
        "yoga", "RECURRENCE-ID:20261122T100000Z", "DTSTART:20261122T120000Z", "SUMMARY:Late yoga"),
      component("tea", "DTSTART:20261121T140000Z", "SUMMARY:Tea"))
    return agent
  }

  @Test func `all calendars, or those that are asked for`() throws {
    let agent = try prepared()
    let all = try agent.export()
    #expect(all.count == 3)
    #expect(summaries(of: all.text) == ["Yoga", "Late yoga", "Tea", "Report"])
    // Each in a calendar of its own.
    let files = all.text.replacing("END:VCALENDAR\r\n", with: "\u{1}").split(separator: "\u{1}")
    #expect(files.map { summaries(of: String($0)).count } == [3, 1])
    let work = try agent.export(calendars: ["work"])
    #expect(summaries(of: work.text) == ["Report"])
    #expect(
      work.text.contains(
        "NAME:Work\r\nX-WR-CALNAME:Work\r\nCOLOR:red\r\nX-APPLE-CALENDAR-COLOR:#FF0000\r\n"
          + "X-DATEBOOK-CALENDAR:work\r\n"))
    #expect(try agent.export(calendars: ["work", "personal", "work"]).text == all.text)
    _ = try agent.call(Contract.calendars, "SetVisible", [.string("work"), .boolean(false)])
    #expect(try agent.export().count == 3)
  }

  @Test func `an event that happens in the range is written whole`() throws {
    let agent = try prepared()
    func found(_ from: String, _ to: String) throws -> [String] {
      try summaries(of: agent.export("", ("from", .string(from)), ("to", .string(to))).text)
    }
    #expect(try found("2026-11-21", "2026-11-22") == ["Tea"])
    #expect(try found("2026-11-21", "2d") == ["Yoga", "Late yoga", "Tea"])
    // The occurrence of this day was moved by two hours.
    #expect(try found("2026-11-22 10:30", "2026-11-22 11:30") == [])
    #expect(try found("2026-11-30", "") == ["Yoga", "Late yoga", "Report"])
    #expect(try found("", "2026-11-20") == ["Yoga", "Late yoga"])
  }

  @Test func `to-dos and journal entries are in a range by their times`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(
      toDo("plants", "SUMMARY:Plants", "DUE:20261101T100000Z", "RRULE:FREQ=WEEKLY;COUNT=10"),
      toDo("some day", "SUMMARY:Some day"), toDo("taxes", "SUMMARY:Taxes", "DUE:20261124T100000Z"))
    func found(_ from: String, _ to: String) throws -> [String] {
      try summaries(of: agent.export("", ("from", .string(from)), ("to", .string(to))).text)
    }
    #expect(try found("2026-11-23", "2026-11-25") == ["Taxes"])
    #expect(try found("2026-11-22", "1d") == ["Plants"])
    #expect(try found("", "2026-11-02") == ["Plants"])
    #expect(try found("2027-01-20", "") == [])
    #expect(try agent.export().count == 3)
  }

  @Test func `of an event the occurrences that are asked for`() throws {
    let agent = try prepared()
    func ids(_ uids: [String], _ ids: [String]) -> [(String, Value)] {
      [("uids", .strings(uids)), ("recurrence-ids", .strings(ids))]
    }
    let some = ids(["yoga", "yoga", "tea"], ["20261122T100000Z", "20261129T100000Z", ""])
    let file = try agent.export("", some[0], some[1])
    #expect(file.count == 3)
    #expect(summaries(of: file.text) == ["Late yoga", "Yoga", "Tea"])
    #expect(!file.text.contains("RRULE"))
    #expect(
      components("VEVENT", of: file.text)[1].contains(
        "RECURRENCE-ID:20261129T100000Z\r\n") && file.text.contains("DTSTART:20261129T100000Z\r\n"))
    let table = try agent.export("csv", some[0], some[1])
    #expect(table.text.split(separator: "\r\n").count == 4)
    #expect(table.text.contains("event,yoga,20261129T100000Z,2026-11-29 10:00:00,"))
    // All of it and a part of it are all of it.
    let all = ids(["yoga", "yoga"], ["20261129T100000Z", ""])
    #expect(try summaries(of: agent.export("", all[0], all[1]).text) == ["Yoga", "Late yoga"])
    for (uids, names, name, word) in [
      (["yoga"], ["20261130T100000Z"], "NotFound", "20261130T100000Z"),
      (["tea"], ["20261121T140000Z"], "NotFound", "\"tea\" has no occurrence"),
      (["yoga"], [], "InvalidArgs", "needs one entry for each of the uids: 1, not 0"),
      (["yoga"], ["soon"], "InvalidTime", "recurrence-ids: "),
      (
        Array(repeating: "yoga", count: 101), Array(repeating: "20261129T100000Z", count: 101),
        "InvalidArgs", "101 single occurrences are too many; export at most 100"
      ),
    ] {
      let error = try #require(throws: DBusError.self) {
        _ = try agent.finishExport(agent.beginExport(to: 1, ids(uids, names)))
      }
      #expect(error.name.text.hasSuffix("." + name), "\(error)")
      #expect(error.message.contains(word), "\(error)")
    }
  }

  @Test func `only some events, and none that are private`() throws {
    let agent = try prepared()
    let some = try agent.export("", ("uids", .strings(["report", "tea", "tea"])))
    #expect(some.count == 2)
    #expect(summaries(of: some.text) == ["Tea", "Report"])
    let open = try agent.export("", ("omit-private", .boolean(true)))
    #expect(open.count == 2)
    #expect(summaries(of: open.text) == ["Yoga", "Late yoga", "Tea"])
    #expect(try agent.export("", ("uids", .strings([]))).count == 0)
  }

  @Test func `what cannot be had is refused, and nothing is written`() throws {
    let agent = try prepared()
    let cases: [(String, [String], (String, Value), String, [String])] = [
      ("xml", [], ("from", .string("")), "InvalidArgs", ["format", "ics, json, csv"]),
      ("ic", [], ("from", .string("")), "InvalidArgs", ["did you mean \"ics\"?"]),
      ("", ["nope"], ("from", .string("")), "NotFound", ["calendars", "nope"]),
      ("", [], ("uids", .strings(["tea", "nobody"])), "NotFound", ["uids", "nobody"]),
      ("", ["work"], ("uids", .strings(["tea"])), "NotFound", ["uids", "tea"]),
      ("", [], ("from", .string("2026-02-30")), "InvalidTime", ["from"]),
      ("", [], ("omit_private", .boolean(true)), "InvalidArgs", ["did you mean \"omit-private\"?"]),
    ]
    for (format, calendars, option, name, words) in cases {
      let error = try #require(throws: DBusError.self) {
        _ = try agent.finishExport(
          agent.beginExport(to: 1, format: format, calendars: calendars, [option]))
      }
      #expect(error.name.text.hasSuffix("." + name), "\(error)")
      for word in words { #expect(error.message.contains(word), "\(error.message)") }
    }
  }

  @Test func `JSON has the row of each event, to-do and so on, as it is asked for alone`() throws {
    let agent = try prepared()
    try agent.importComponents(toDo("plants", "SUMMARY:Plants", "DUE:20261122T100000Z"))
    let file = try agent.export("json")
    let rows = try #require(JSONReader.value(of: file.text, maximumOctets: 1 << 20).arrayValue)
    #expect(rows.count == file.count)
    for uid in ["yoga", "tea", "report"] {
      let one = try agent.call(Contract.events, "Get", [.string(uid), .string("")])[0]
      #expect(rows.contains(one.json), "\(uid): \(file.text)")
    }
    let toDos = try agent.call(Contract.events, "Todos", [.row([])])[0].asArray ?? []
    #expect(toDos.count == 1 && rows.contains(toDos[0].json), "\(file.text)")
    #expect(file.text.split(separator: "\n").count == rows.count + 2)
    #expect(try agent.export("json", ("uids", .strings([]))).text == "[\n]\n")
  }

  @Test func `JSON of one occurrence has the row of that`() throws {
    let agent = try prepared()
    let id = "20261108T100000Z"
    let text = try agent.export(
      "json", ("uids", .strings(["yoga"])), ("recurrence-ids", .strings([id]))
    ).text
    let one = try agent.call(Contract.events, "Get", [.string("yoga"), .string(id)])[0]
    let row = try #require(JSONReader.value(of: text, maximumOctets: 1 << 20)[0])
    for key in ["uid", "recurrence-id", "start", "summary"] {
      #expect(row[key] == one.json[key], "\(key): \(text)")
    }
  }

  @Test func `CSV has a row an event and a row a changed occurrence`() throws {
    let agent = try prepared()
    try agent.importComponents(
      component(
        "odd", "DTSTART;VALUE=DATE:20261224", "DURATION:P3D", "SUMMARY:=HYPERLINK(\"x\")",
        "DESCRIPTION:two\\nlines\\, and \"quotes\"", "CATEGORIES:a,b", "CLASS:CONFIDENTIAL",
        "TRANSP:TRANSPARENT", "STATUS:TENTATIVE"),
      component(
        "flight", "DTSTART;TZID=Europe/Berlin:20261121T100000",
        "DTEND;TZID=America/New_York:20261121T130000", "SUMMARY:Flight"),
      toDo("plants", "SUMMARY:Plants", "DUE:20261122T100000Z"))
    // It has no row, and is not counted.
    let thing = calendar("BEGIN:X-THING\r\nUID:thing\r\nEND:X-THING\r\n")
    _ = try agent.call(
      Contract.transfer, "ImportText", [.string(thing), .string(""), .string("")])
    let file = try agent.export("csv", calendars: ["personal"])
    #expect(file.count == 5)
    #expect(
      file.text == """
        calendar,kind,uid,recurrence-id,start,end,all-day,time-zone,summary,location,description,url,\
        status,busy,class,categories,rrule,exdate,rdate\r
        Personal,event,yoga,,2026-11-01 10:00:00,2026-11-01 10:00:00,false,UTC,Yoga,,,,confirmed,true,\
        public,,FREQ=WEEKLY;COUNT=10,,\r
        Personal,event,yoga,20261122T100000Z,2026-11-22 12:00:00,2026-11-22 12:00:00,false,UTC,\
        Late yoga,,,,confirmed,true,public,,,,\r
        Personal,event,tea,,2026-11-21 14:00:00,2026-11-21 14:00:00,false,UTC,Tea,,,,confirmed,true,\
        public,,,,\r
        Personal,event,odd,,2026-12-24,2026-12-27,true,,"'=HYPERLINK(""x"")",,\
        "two
        lines, and ""quotes""\
        ",,tentative,false,confidential,"a, b",,,\r
        Personal,event,flight,,2026-11-21 10:00:00,2026-11-21 19:00:00,false,Europe/Berlin,Flight,,,,\
        confirmed,true,public,,,,\r
        Personal,to-do,plants,,,2026-11-22 10:00:00,false,UTC,Plants,,,,needs-action,true,public,,,,\r

        """)
  }
}

@Suite struct `Export as text` {
  @Test func `the default calendar, another one, or one event`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work", "#ff0000")
    try agent.importComponents(tea)
    #expect(try agent.exportedText().contains(tea))
    #expect(try agent.exportedText(of: "personal") == agent.exportedText())
    #expect(try !agent.exportedText(of: "work").contains("VEVENT"))
    #expect(try agent.exportedText(uid: "tea").contains(tea))
    #expect(try agent.exportedText(of: "personal", uid: "tea", as: "csv").contains(",tea,"))
    for (calendar, uid, word) in [
      ("nope", "", "nope"), ("", "nobody", "nobody"), ("work", "tea", "tea"),
    ] {
      let error = try agent.refusal(
        Contract.transfer, "ExportText", [.string(""), .string(calendar), .string(uid)])
      #expect(error.name.text == CallError.Kind.notFound.rawValue)
      #expect(error.message.contains(word))
    }
  }

  @Test func `more than 4 MiB are refused, with the way to get it`() throws {
    let agent = try AgentUnderTest()
    for half in 0..<2 {
      try agent.importComponents(
        (0..<25).map {
          component(
            "e\(half)-\($0)", "DTSTART:20261121T140000Z",
            "DESCRIPTION:" + String(repeating: "long ", count: 19_000))
        }.joined())
    }
    let error = try agent.refusal(
      Contract.transfer, "ExportText", [.string(""), .string(""), .string("")])
    #expect(error.name == .limitsExceeded)
    #expect(error.message.contains("Export writes"))
    #expect(try agent.export().text.utf8.count > 4 << 20)
  }

  @Test func `others are answered while the events are looked through`() throws {
    let agent = try AgentUnderTest()
    try agent.importMany(3000)
    let long = try agent.begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "ExportText",
        [.string(""), .string(""), .string("")]))
    #expect(try agent.call(Contract.calendar, "Next", [.uint32(1)]).count == 1)
    #expect(long.result == nil)
    try agent.wait(for: "the text") { long.result != nil }
    #expect(summaries(of: try long.values()[0].asString ?? "").count == 3000)
  }

  @Test func `what is exported as text can be imported as text`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(tea)
    let text = try agent.exportedText()
    let answer = try agent.call(
      Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    #expect(answer[0]["skipped"]?.asInteger == 1)
    #expect(answer[1].asArray == [])
  }
}
