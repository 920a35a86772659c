import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Glibc
import JSON
import Platform
import TestSupport
import Testing

extension AgentUnderTest {
  /// Begins an export to a descriptor, which is duplicated.
  fileprivate func beginExport(
    to descriptor: Int32, format: String = "", calendars: [String] = [],
    _ options: [(String, Value)] = []
  ) throws -> Answer {
    try begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "Export",
        [
          .fileDescriptor(try DBus.FileDescriptor(duplicating: descriptor)),
          .string(format), .strings(calendars), .row(options),
        ]))
  }

  fileprivate func finish(_ answer: Answer) throws -> Int64 {
    try wait(for: "the end of the export") { answer.result != nil }
    return try answer.values()[0].asInteger ?? -1
  }

  /// Exports to a file, and returns what was counted and what is in it.
  fileprivate func export(
    _ format: String = "", _ options: (String, Value)..., calendars: [String] = []
  ) throws -> (count: Int64, text: String) {
    let path = files.file("out")
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(number) }
    let count = try finish(
      beginExport(to: number, format: format, calendars: calendars, options))
    return (count, String(decoding: files.read("out") ?? [], as: UTF8.self))
  }

  fileprivate func exportText(
    _ format: String = "", calendar: String = "", uid: String = ""
  ) throws -> String {
    try call(
      Contract.transfer, "ExportText", [.string(format), .string(calendar), .string(uid)])[0]
      .asString ?? ""
  }

  fileprivate func createCalendar(_ name: String) throws {
    _ = try call(
      Contract.calendars, "Create", [.string(name), .string("#ff0000"), .string("")])
  }

  /// Some 100 bytes each.
  fileprivate func importMany(_ count: Int, prefix: String = "e") throws {
    try importComponents(
      (0..<count).map {
        component("\(prefix)\($0)", "DTSTART:20261121T140000Z", "SUMMARY:Number \($0)")
      }.joined())
  }
}

private let tea = component(
  "tea", "DTSTART;TZID=Europe/Berlin:20261121T140000", "DTEND;TZID=Europe/Berlin:20261121T150000",
  "SUMMARY;LANGUAGE=en:Tea", "X-KEPT;X-P=\"a,b\":yes\\, really", "BEGIN:VALARM",
  "ACTION:DISPLAY", "DESCRIPTION:Tea", "TRIGGER:-PT5M", "X-SOUND:gong", "END:VALARM")

/// Texts of components in a file.
private func components(_ name: String, of text: String) -> [String] {
  text.split(separator: "BEGIN:\(name)\r\n").dropFirst().map {
    String($0.prefix(upTo: $0.firstRange(of: "END:\(name)\r\n")?.lowerBound ?? $0.endIndex))
  }
}

private func summaries(of text: String) -> [String] {
  text.split(separator: "\r\n").filter { $0.hasPrefix("SUMMARY") }
    .map { String($0.drop { $0 != ":" }.dropFirst()) }
}

@Suite struct `Export to a descriptor` {
  @Test func `gdbus passes a file, and it gets the calendar`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(tea)
    let path = agent.files.file("out.ics")
    let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(number) }
    let outcome = try agent.gdbus(
      "Transfer.Export", ["0", "ics", "[]", "{}"], input: .descriptor(number))
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.contains("uint32 1"), "\(outcome.output)")
    let text = String(decoding: agent.files.read("out.ics") ?? [], as: UTF8.self)
    #expect(text.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:"))
    #expect(text.contains(tea))
    #expect(text.contains("TZID:Europe/Berlin\r\n"))
    #expect(text.hasSuffix("END:VCALENDAR\r\n"))
  }

  @Test func `what was imported comes back as it was: to-dos, journals and free-busy too`() throws {
    let agent = try AgentUnderTest()
    let others = [
      toDo("todo", "SUMMARY:Water the plants", "DUE:20261122T100000Z", "X-MINE:1"),
      "BEGIN:VJOURNAL\r\nUID:note\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Notes\r\nEND:VJOURNAL\r\n",
      "BEGIN:VFREEBUSY\r\nUID:busy\r\nDTSTAMP:20260101T000000Z\r\n"
        + "DTSTART:20261121T000000Z\r\nDTEND:20261122T000000Z\r\n"
        + "FREEBUSY:20261121T100000Z/PT1H\r\nEND:VFREEBUSY\r\n",
    ]
    try agent.importComponents(tea, others.joined())
    let file = try agent.export()
    #expect(file.count == 4)
    for component in [tea] + others { #expect(file.text.contains(component)) }
    // A second agent takes it in, and gives the same again.
    let other = try AgentUnderTest()
    _ = try other.call(
      Contract.transfer, "ImportText", [.string(file.text), .string(""), .string("")])
    #expect(try other.export().text == file.text)
  }

  @Test func `an edit is in it, beside what the agent does not know`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(tea)
    _ = try agent.call(
      Contract.events, "Update",
      [.string("tea"), .string(""), .string(""), .row([("summary", .string("Coffee"))])])
    let text = try agent.export().text
    #expect(text.contains("X-KEPT;X-P=\"a,b\":yes\\, really\r\n"))
    #expect(text.contains("X-SOUND:gong\r\n"))
    #expect(summaries(of: text) == ["Coffee"])
    #expect(text.contains("LAST-MODIFIED:20261121T080000Z\r\n"))
    #expect(text.contains("DTSTAMP:20261121T080000Z\r\n"))
  }

  @Test func `a pipe that nobody reads holds up nobody, and gets all in the end`() throws {
    let agent = try AgentUnderTest()
    try agent.importMany(5000)
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginExport(to: pipe.writing.number)
    closeNow(pipe.writing.number)
    for _ in 0..<5 { #expect(try agent.summaries(from: "today").count > 0) }
    #expect(answer.result == nil)
    var bytes: [UInt8] = []
    var isEnd = false
    let watch = try agent.loop.watch(pipe.reading.number, for: .read) { _ in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(pipe.reading.number, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else { isEnd = true }
    }
    #expect(try agent.finish(answer) == 5000)
    // The agent has closed it before it answered.
    try agent.wait(for: "the end of the pipe") { isEnd }
    agent.loop.cancel(watch)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(summaries(of: text).count == 5000)
    #expect(text.hasSuffix("END:VCALENDAR\r\n"))
  }

  @Test func `what is changed under way is written as it is, with its zone`() throws {
    let agent = try AgentUnderTest()
    try agent.importMany(3000)
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginExport(to: pipe.writing.number)
    closeNow(pipe.writing.number)
    try agent.settle()
    _ = try agent.call(Contract.events, "Remove", [.string("e2998"), .string(""), .string("")])
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("e2999"), .string(""), .string(""),
        .row([("time-zone", .string("America/New_York")), ("start", .string("2026-11-21 10:00"))]),
      ])
    _ = try agent.add("New", at: "2026-11-22 10:00")
    var bytes: [UInt8] = []
    let watch = try agent.loop.watch(pipe.reading.number, for: .read) { _ in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      bytes += buffer[..<max(0, read(pipe.reading.number, &buffer, buffer.count))]
    }
    #expect(try agent.finish(answer) == 2999)
    try agent.wait(for: "the end") { bytes.suffix(15) == Array("END:VCALENDAR\r\n".utf8)[...] }
    agent.loop.cancel(watch)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("UID:e2998\r\n") && !text.contains("SUMMARY:New\r\n"))
    let zone = try #require(text.firstRange(of: "TZID:America/New_York\r\n"))
    let event = try #require(text.firstRange(of: "UID:e2999\r\n"))
    #expect(zone.lowerBound < event.lowerBound)
  }

  /// Reads a pipe while the agent writes to it, to the end of both.
  private func drain(
    _ pipe: Platform.FileDescriptor, of answer: AgentUnderTest.Answer, _ agent: AgentUnderTest
  ) throws -> (count: Int64, text: String) {
    var bytes: [UInt8] = []
    var isEnd = false
    let watch = try agent.loop.watch(pipe.number, for: .read) { _ in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(pipe.number, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else { isEnd = true }
    }
    let count = try agent.finish(answer)
    try agent.wait(for: "the end of the pipe") { isEnd }
    agent.loop.cancel(watch)
    return (count, String(decoding: bytes, as: UTF8.self))
  }

  @Test func `what becomes private under way is left out, where private events are`() throws {
    for format in ["ics", "csv"] {
      let agent = try AgentUnderTest()
      try agent.importMany(3000)
      let pipe = try Platform.FileDescriptor.pipe()
      let answer = try agent.beginExport(
        to: pipe.writing.number, format: format, [("omit-private", .boolean(true))])
      closeNow(pipe.writing.number)
      // It is looked through, and the pipe is full.
      for _ in 0..<200 { try agent.settle() }
      _ = try agent.call(
        Contract.events, "Update",
        [.string("e2999"), .string(""), .string(""), .row([("class", .string("private"))])])
      let file = try drain(pipe.reading, of: answer, agent)
      #expect(file.count == 2999)
      #expect(!file.text.contains("e2999") && file.text.contains("e2998"))
    }
  }

  @Test func `an event that gets the number of another is not written in its place`() throws {
    let agent = try AgentUnderTest()
    try agent.importMany(3000)
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginExport(to: pipe.writing.number)
    closeNow(pipe.writing.number)
    for _ in 0..<200 { try agent.settle() }
    // The greatest number of all is given away again.
    _ = try agent.call(Contract.events, "Remove", [.string("e2999"), .string(""), .string("")])
    _ = try agent.add("New", at: "2026-11-22 10:00")
    let file = try drain(pipe.reading, of: answer, agent)
    #expect(file.count == 2999)
    #expect(!file.text.contains("SUMMARY:New\r\n") && !file.text.contains("UID:e2999\r\n"))
  }

  @Test func `a pipe from which nothing is read for long is given up, and its place is free`()
    throws
  {
    let agent = try AgentUnderTest(transferPatienceMilliseconds: 50)
    try agent.importMany(3000)
    let pipes = try (0..<4).map { _ in try Platform.FileDescriptor.pipe() }
    let answers = try pipes.map { try agent.beginExport(to: $0.writing.number) }
    for answer in answers {
      let error = try #require(throws: DBusError.self) { _ = try agent.finish(answer) }
      #expect(error.name == .invalidArgs)
      #expect(error.message.contains("nothing was read"), "\(error)")
    }
    #expect(try agent.export().count == 3000)
  }

  @Test func `a reader that goes away, a full disk and a file for reading are told`() throws {
    let agent = try AgentUnderTest()
    try agent.importMany(3000)
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginExport(to: pipe.writing.number)
    try agent.settle()
    closeNow(pipe.reading.number)
    let error = try #require(throws: DBusError.self) { _ = try agent.finish(answer) }
    #expect(error.name == .invalidArgs)
    #expect(error.message.hasPrefix(Contract.readerHasGone))
    for (path, flags, kind) in [
      ("/dev/full", O_WRONLY, CallError.Kind.storageFailed),
      ("/dev/null", O_RDONLY, .invalidArguments),
    ] {
      let number = open(path, flags | O_CLOEXEC)
      defer { close(number) }
      let answer = try agent.beginExport(to: number)
      let error = try #require(throws: DBusError.self) { _ = try agent.finish(answer) }
      #expect(error.name.text == kind.rawValue)
      #expect(error.message.hasPrefix("fd: "), "\(error.message)")
    }
    #expect(try agent.property("State") == .string("ready"))
  }

  @Test func `a fifth export at once is told to come back`() throws {
    let agent = try AgentUnderTest()
    try agent.importMany(3000)
    let pipes = try (0..<5).map { _ in try Platform.FileDescriptor.pipe() }
    let answers = try pipes.map { try agent.beginExport(to: $0.writing.number) }
    let error = try #require(throws: DBusError.self) { _ = try agent.finish(answers[4]) }
    #expect(error.name.text == CallError.Kind.busy.rawValue)
    for pipe in pipes { closeNow(pipe.reading.number) }
    for answer in answers.dropLast() {
      #expect(throws: DBusError.self) { _ = try agent.finish(answer) }
    }
    #expect(try agent.export().count == 3000)
  }
}

@Suite struct `What is exported` {
  private func prepared() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
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
      (["yoga"], [], "InvalidArgs", "the uids, which are 1, and not 0"),
      (["yoga"], ["soon"], "InvalidTime", "recurrence-ids: "),
      (
        Array(repeating: "yoga", count: 101), Array(repeating: "20261129T100000Z", count: 101),
        "InvalidArgs", "101 occurrences are too many: at most 100"
      ),
    ] {
      let error = try #require(throws: DBusError.self) {
        _ = try agent.finish(agent.beginExport(to: 1, ids(uids, names)))
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
      ("xml", [], ("from", .string("")), "InvalidArgs", ["format", "ics, jcal, json, csv"]),
      ("ic", [], ("from", .string("")), "InvalidArgs", ["did you mean \"ics\"?"]),
      ("", ["nope"], ("from", .string("")), "NotFound", ["calendars", "nope"]),
      ("", [], ("uids", .strings(["tea", "nobody"])), "NotFound", ["uids", "nobody"]),
      ("", ["work"], ("uids", .strings(["tea"])), "NotFound", ["uids", "tea"]),
      ("", [], ("from", .string("2026-02-30")), "InvalidTime", ["from"]),
      ("", [], ("omit_private", .boolean(true)), "InvalidArgs", ["did you mean \"omit-private\"?"]),
    ]
    for (format, calendars, option, name, words) in cases {
      let error = try #require(throws: DBusError.self) {
        _ = try agent.finish(
          agent.beginExport(to: 1, format: format, calendars: calendars, [option]))
      }
      #expect(error.name.text.hasSuffix("." + name), "\(error)")
      for word in words { #expect(error.message.contains(word), "\(error.message)") }
    }
  }

  @Test func `jCal is the same as JSON, under both of its names`() throws {
    let agent = try prepared()
    let text = try agent.export("jcal").text
    #expect(try agent.export("json").text == text)
    let value = try JSONReader.value(of: text, maximumOctets: 1 << 20)
    // Of several calendars it is an array.
    #expect(value[0]?[0] == "vcalendar" && value[1]?[0] == "vcalendar")
    #expect(
      [0, 1].flatMap { value[$0]?[2]?.arrayValue?.compactMap { $0[0]?.stringValue } ?? [] } == [
        "vevent", "vevent", "vevent", "vtimezone", "vevent",
      ])
    let one = try agent.export("jcal", calendars: ["work"]).text
    #expect(try JSONReader.value(of: one, maximumOctets: 1 << 20)[0] == "vcalendar")
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
    try agent.createCalendar("Work")
    try agent.importComponents(tea)
    #expect(try agent.exportText().contains(tea))
    #expect(try agent.exportText(calendar: "personal") == agent.exportText("ics"))
    #expect(try !agent.exportText(calendar: "work").contains("VEVENT"))
    #expect(try agent.exportText(uid: "tea").contains(tea))
    #expect(try agent.exportText("csv", calendar: "personal", uid: "tea").contains(",tea,"))
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
    let text = try agent.exportText()
    let answer = try agent.call(
      Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    #expect(answer[0]["skipped"]?.asInteger == 1)
    #expect(answer[1].asArray == [])
  }
}
