import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

/// The answer of an import.
private struct ImportAnswer: Equatable {
  let counts: [Int64]
  /// Line, word and whether the event was refused.
  let problems: [String]

  /// - Parameter values: what Import and ImportText answer.
  init(_ values: [Value]) {
    counts = importCounts(values[0])
    problems = (values[1].asArray ?? []).map { row in
      "\(row["line"]?.asInteger ?? -1) \(row["problem"]?.asString ?? "?") "
        + (row["refused"] == .boolean(true) ? "refused" : "kept")
    }
  }
}

extension AgentUnderTest {
  fileprivate func importText(_ text: String, mode: String = "") throws -> ImportAnswer {
    ImportAnswer(
      try call(
        Contract.transfer, "ImportText", [.string(text), .string(""), .string(mode)]))
  }

  /// Begins an import of a descriptor, which is duplicated.
  fileprivate func beginImport(
    _ descriptor: Platform.FileDescriptor, format: String = "", mode: String = "",
    _ options: (String, Value)...
  ) throws -> Answer {
    try beginImport(descriptor, format: format, mode: mode, options)
  }

  fileprivate func beginImport(
    _ descriptor: Platform.FileDescriptor, format: String = "", mode: String = "",
    _ options: [(String, Value)]
  ) throws -> Answer {
    try begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "Import",
        [
          .fileDescriptor(try DBus.FileDescriptor(duplicating: descriptor.number)),
          .string(format), .string(""), .string(mode), .row(options),
        ]))
  }

  fileprivate func finish(_ answer: Answer) throws -> [Value] {
    try wait(for: "the end of the import") { answer.result != nil }
    return try answer.values()
  }
}

private let tea = component(
  "tea", "DTSTART:20261121T140000Z", "DTEND:20261121T150000Z", "SUMMARY:Tea", "SEQUENCE:1",
  "LAST-MODIFIED:20260101T000000Z")

private func tea(_ summary: String, sequence: Int, modified: String = "20260101T000000Z") -> String
{
  component(
    "tea", "DTSTART:20261121T140000Z", "DTEND:20261121T150000Z", "SUMMARY:\(summary)",
    "SEQUENCE:\(sequence)", "LAST-MODIFIED:\(modified)")
}

private let sample =
  directory(ofFile: directory(ofFile: directory(ofFile: #filePath)))
  + "/packaging/examples/sample.ics"

@Suite struct `Import of a descriptor` {
  @Test func `gdbus passes a file`() throws {
    let agent = try AgentUnderTest()
    let path = try agent.files.write(calendar(tea), to: "tea.ics")
    let file = try Platform.FileDescriptor.opening(path)
    let outcome = try agent.gdbus(
      "Transfer.Import", ["0", "ics", "", "merge", "{}"], input: .descriptor(file.number))
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.contains("'added': uint32 1"), "\(outcome.output)")
    #expect(try agent.summaries(from: "today") == ["Tea"])
  }

  @Test func `gdbus passes a pipe`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.gdbus(
      "Transfer.Import", ["0", "", "personal", "", "{'dry-run': <true>}"],
      input: .bytes(Array(calendar(tea).utf8)))
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.contains("'added': uint32 1"), "\(outcome.output)")
    #expect(try agent.summaries(from: "today") == [])
  }

  @Test func `the sample that is shipped comes in whole, and a second time changes nothing`()
    throws
  {
    let agent = try AgentUnderTest()
    let text = try String(decoding: #require(readFile(sample)), as: UTF8.self)
    let first = try agent.importText(text)
    #expect(first.counts[0] > 5)
    #expect(first.counts[1...] == [0, 0, 0])
    // It has a name, and goes into the default calendar.
    #expect(first.problems == ["1 calendar-name kept"])
    let revision = try agent.revision()
    agent.takeSignals()
    let second = try agent.importText(text)
    #expect(second.counts == [0, 0, first.counts[0], 0])
    #expect(try agent.revision() == revision)
    try agent.settle()
    #expect(agent.signals.map(\.member) == [])
  }

  @Test func `a pipe may take its time while others are answered`() throws {
    let agent = try AgentUnderTest()
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginImport(pipe.reading)
    let bytes = Array(calendar(tea).utf8)
    for start in stride(from: 0, to: bytes.count, by: 20) {
      write(bytes[start..<min(start + 20, bytes.count)], to: pipe.writing)
      #expect(try agent.summaries(from: "today") == [])
      #expect(answer.result == nil)
    }
    close(pipe.writing)
    #expect(ImportAnswer(try agent.finish(answer)).counts == [1, 0, 0, 0])
    #expect(try agent.summaries(from: "today") == ["Tea"])
  }

  @Test func `until it is all there others see what was before, and change nothing`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      (0..<5000).map { component("u\($0)", "DTSTART:20261121T140000Z", "SUMMARY:Tea") }.joined())
    let answer = try agent.begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "ImportText",
        [.string(text), .string(""), .string("")]))
    #expect(try agent.summaries(from: "today") == [])
    let error = try #require(throws: DBusError.self) { _ = try agent.call(Contract.events, "Undo") }
    #expect(error.name.text == CallError.Kind.busy.rawValue)
    #expect(try agent.revision() == 0)
    #expect(answer.result == nil)
    #expect(ImportAnswer(try agent.finish(answer)).counts == [5000, 0, 0, 0])
    #expect(try agent.revision() == 1)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.summaries(from: "today") == [])
  }

  @Test func `a calendar that is made of a folder stands nowhere in the text`() throws {
    let agent = try AgentUnderTest()
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginImport(
      pipe.reading, ("name", .string("Work")), ("color", .string("#ff0000")))
    write(Array(calendar(tea).utf8)[...], to: pipe.writing)
    close(pipe.writing)
    let rows = try agent.finish(answer)[1].asArray ?? []
    #expect(rows.map { $0["problem"] } == [.string("new-calendar")])
    #expect(rows.first?["line"] == .uint32(0) && rows.first?["column"] == .uint32(0))
  }

  private func many(sequence: Int = 0) -> String {
    calendar(
      (0..<300).map {
        component("e\($0)", "DTSTART:20261121T140000Z", "SEQUENCE:\(sequence)")
      }.joined())
  }

  private func progress(
    of text: String, mode: String = "", _ options: [(String, Value)], by agent: AgentUnderTest
  ) throws -> [[Value]] {
    let path = try agent.files.write(text, to: "many.ics")
    let file = try Platform.FileDescriptor.opening(path)
    _ = try agent.finish(agent.beginImport(file, mode: mode, options))
    return agent.takeSignals().filter { $0.member == "ImportProgress" }.map(\.arguments)
  }

  @Test func `how far it is counts what is read first, and what takes the place of what is there`()
    throws
  {
    let agent = try AgentUnderTest()
    func percents(_ sequence: Int, mode: String) throws -> [Int64] {
      try progress(
        of: many(sequence: sequence), mode: mode, [("progress", .boolean(true))], by: agent
      ).map { $0[0].asInteger ?? -1 }
    }
    // All of them are gathered before the first is stored.
    let copied = try percents(0, mode: "copy")
    #expect(copied == copied.sorted() && copied.last == 100)
    #expect(copied.contains { (1...40).contains($0) })
    #expect(copied.contains { (41..<80).contains($0) })
    _ = try percents(0, mode: "")
    let changed = try percents(1, mode: "")
    #expect(changed == changed.sorted() && changed.last == 100)
    #expect(changed.contains { (81...99).contains($0) })
  }

  @Test func `how far it is goes to its caller alone, who asks for it`() throws {
    let agent = try AgentUnderTest()
    let other = try Connection(address: agent.bus.address)
    LoopAttachment.attach(other, to: agent.loop)
    var heard: [MemberName] = []
    let subscription = try other.subscribe(MatchRule(path: Contract.path)) { message in
      if let member = message.member { heard.append(member) }
    }
    defer { subscription.cancel() }
    func bring(_ options: (String, Value)...) throws -> [[Value]] {
      try progress(of: many(), options, by: agent)
    }
    let told = try bring(("progress", .boolean(true)))
    #expect(told.last == [.uint32(100), .uint32(300)])
    #expect(told.count > 1)
    // It comes after them.
    try agent.wait(for: "the change") { heard.contains("EventsChanged") }
    #expect(!heard.contains("ImportProgress"))
    #expect(try bring() == [])
  }

  @Test func `two pipes at once do not mix`() throws {
    let agent = try AgentUnderTest()
    let pipes = [try Platform.FileDescriptor.pipe(), try Platform.FileDescriptor.pipe()]
    let answers = try pipes.map { try agent.beginImport($0.reading) }
    let texts = ["one", "two"].map { name in
      Array(
        calendar(component(name, "DTSTART:20261121T140000Z", "SUMMARY:\(name)")).utf8)
    }
    for half in [0, 1] {
      for index in [0, 1] {
        let bytes = texts[index]
        let middle = bytes.count / 2
        write(half == 0 ? bytes[..<middle] : bytes[middle...], to: pipes[index].writing)
        try agent.settle()
      }
    }
    for pipe in pipes { close(pipe.writing) }
    for answer in answers {
      #expect(ImportAnswer(try agent.finish(answer)).counts == [1, 0, 0, 0])
    }
    #expect(try agent.summaries(from: "today") == ["one", "two"])
  }

  @Test func `a fifth pipe at once is told to come back, and may when one has ended`() throws {
    let agent = try AgentUnderTest()
    var pipes: [(reading: Platform.FileDescriptor, writing: Platform.FileDescriptor)] = []
    var answers: [AgentUnderTest.Answer] = []
    for _ in 0..<5 {
      pipes.append(try Platform.FileDescriptor.pipe())
      answers.append(try agent.beginImport(pipes[pipes.count - 1].reading))
    }
    let error = try #require(throws: DBusError.self) { _ = try agent.finish(answers[4]) }
    #expect(error.name.text == CallError.Kind.busy.rawValue)
    for (pipe, answer) in zip(pipes, answers).dropLast() {
      close(pipe.writing)
      #expect(throws: DBusError.self) { _ = try agent.finish(answer) }
    }
    let pipe = try Platform.FileDescriptor.pipe()
    let again = try agent.beginImport(pipe.reading)
    write(Array(calendar(tea).utf8)[...], to: pipe.writing)
    close(pipe.writing)
    #expect(ImportAnswer(try agent.finish(again)).counts == [1, 0, 0, 0])
  }

  @Test func `a pipe to which nothing is written for long is given up, and its place is free`()
    throws
  {
    let agent = try AgentUnderTest(transferPatienceMilliseconds: 50)
    let pipes = try (0..<4).map { _ in try Platform.FileDescriptor.pipe() }
    let answers = try pipes.map { pipe in
      write(Array(calendar(tea).utf8)[...], to: pipe.writing)
      return try agent.beginImport(pipe.reading)
    }
    for answer in answers {
      let error = try #require(throws: DBusError.self) { _ = try agent.finish(answer) }
      #expect(error.name == .invalidArgs)
      #expect(error.message.contains("nothing was written"), "\(error)")
    }
    // Nothing of what had come is kept.
    #expect(try agent.summaries(from: "today") == [])
    let pipe = try Platform.FileDescriptor.pipe()
    let again = try agent.beginImport(pipe.reading)
    write(Array(calendar(tea).utf8)[...], to: pipe.writing)
    close(pipe.writing)
    #expect(ImportAnswer(try agent.finish(again)).counts == [1, 0, 0, 0])
  }

  @Test func `a pipe that is closed early gives what was whole and names the rest`() throws {
    let agent = try AgentUnderTest()
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginImport(pipe.reading)
    write(
      Array((calendar(tea).replacing("END:VCALENDAR\r\n", with: "BEGIN:VEVENT\r\nUID:cut")).utf8)[
        ...], to: pipe.writing)
    close(pipe.writing)
    let outcome = ImportAnswer(try agent.finish(answer))
    #expect(outcome.counts == [1, 0, 0, 1])
    #expect(outcome.problems.contains { $0.hasSuffix("refused") })
    #expect(try agent.summaries(from: "today") == ["Tea"])
  }

  @Test func `a pipe that carries nothing is no calendar`() throws {
    let agent = try AgentUnderTest()
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginImport(pipe.reading)
    close(pipe.writing)
    let error = try #require(throws: DBusError.self) { _ = try agent.finish(answer) }
    #expect(error.name.text == CallError.Kind.parseFailed.rawValue)
  }

  @Test(arguments: [true, false])
  func `what is larger than allowed is refused, from a pipe and from a file`(isPipe: Bool) throws {
    let agent = try AgentUnderTest(maximumImportBytes: 4096)
    let text = calendar(tea) + String(repeating: "x", count: 4096)
    let answer: AgentUnderTest.Answer
    if isPipe {
      let pipe = try Platform.FileDescriptor.pipe()
      answer = try agent.beginImport(pipe.reading)
      write(Array(text.utf8)[...], to: pipe.writing)
      close(pipe.writing)
    } else {
      let path = try agent.files.write(text, to: "large.ics")
      answer = try agent.beginImport(try .opening(path))
    }
    let error = try #require(throws: DBusError.self) { _ = try agent.finish(answer) }
    #expect(error.name == .limitsExceeded)
    #expect(error.message.contains("fd"))
    #expect(error.message.contains("4096"))
    #expect(try agent.summaries(from: "today") == [])
  }

  @Test func `a folder is refused`() throws {
    let agent = try AgentUnderTest()
    let answer = try agent.beginImport(try .opening(agent.files.path))
    let error = try #require(throws: DBusError.self) { _ = try agent.finish(answer) }
    #expect(error.name == .invalidArgs)
    #expect(error.message.contains("fd"))
  }

  @Test func `the end of a pipe that cannot be read is refused, and not waited for`() throws {
    let agent = try AgentUnderTest()
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginImport(pipe.writing)
    let error = try #require(throws: DBusError.self) { _ = try agent.finish(answer) }
    #expect(error.name == .invalidArgs)
    #expect(error.message.contains("fd"))
  }

  @Test func `another format, mode or option is refused before anything is read`() throws {
    let agent = try AgentUnderTest()
    let pipe = try Platform.FileDescriptor.pipe()
    for (format, mode, option, word) in [
      ("xml", "", "dry-run", "format"), ("", "overwrite", "dry-run", "mode"),
      ("", "", "dryrun", "did you mean \"dry-run\"?"),
    ] {
      let answer = try agent.beginImport(
        pipe.reading, format: format, mode: mode, (option, .boolean(true)))
      let error = try #require(throws: DBusError.self) { _ = try agent.finish(answer) }
      #expect(error.name == .invalidArgs)
      #expect(error.message.contains(word))
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Platform.FileDescriptor) {
    writeAll(bytes, to: descriptor.number)
  }

  private func close(_ descriptor: Platform.FileDescriptor) { closeNow(descriptor.number) }
}

@Suite struct `Modes of import` {
  /// What is there, what comes, the mode, then the counts and the summary after.
  @Test(arguments: [
    ("merge", tea("New", sequence: 2), [0, 1, 0, 0], "New"),
    ("merge", tea("Old", sequence: 0), [0, 0, 1, 0], "Tea"),
    ("merge", tea("Later", sequence: 1, modified: "20260201T000000Z"), [0, 1, 0, 0], "Later"),
    ("merge", tea("Before", sequence: 1, modified: "20250101T000000Z"), [0, 0, 1, 0], "Tea"),
    ("", tea("New", sequence: 2), [0, 1, 0, 0], "New"),
    ("replace", tea("Old", sequence: 0), [0, 1, 0, 0], "Old"),
    ("replace", tea, [0, 0, 1, 0], "Tea"),
    ("skip-existing", tea("New", sequence: 2), [0, 0, 1, 0], "Tea"),
  ])
  func `the mode decides which version stays`(
    mode: String, incoming: String, counts: [Int64], summary: String
  ) throws {
    let agent = try AgentUnderTest()
    _ = try agent.importText(calendar(tea))
    #expect(try agent.importText(calendar(incoming), mode: mode).counts == counts)
    #expect(try agent.summaries(from: "today") == [summary])
  }

  @Test func `merge takes the newer override and keeps the others`() throws {
    let agent = try AgentUnderTest()
    let master = component(
      "yoga", "DTSTART:20261121T100000Z", "DURATION:PT1H", "SUMMARY:Yoga",
      "RRULE:FREQ=DAILY;COUNT=3", "SEQUENCE:1")
    func override(_ day: Int, _ summary: String, _ sequence: Int) -> String {
      component(
        "yoga", "RECURRENCE-ID:202611\(day)T100000Z", "DTSTART:202611\(day)T110000Z",
        "DURATION:PT1H", "SUMMARY:\(summary)", "SEQUENCE:\(sequence)")
    }
    _ = try agent.importText(calendar(master, override(21, "Kept", 3), override(22, "Old", 1)))
    let outcome = try agent.importText(
      calendar(master, override(21, "Older", 2), override(22, "Newer", 2)))
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(try agent.summaries(from: "today", to: "3d") == ["Kept", "Newer", "Yoga"])
  }

  /// What is there, what comes in later, and which of the two stays, where SEQUENCE is equal.
  @Test(arguments: [
    // A server writes only DTSTAMP: it is older than the change made here.
    (["LAST-MODIFIED:20261120T100000Z"], ["DTSTAMP:20260101T000000Z"], false),
    (["LAST-MODIFIED:20260101T000000Z"], ["DTSTAMP:20261120T100000Z"], true),
    (["DTSTAMP:20261120T100000Z"], ["DTSTAMP:20260101T000000Z"], false),
    (["DTSTAMP:20261120T100000Z"], ["LAST-MODIFIED:20260101T000000Z"], false),
    // Nothing tells the age of what comes.
    (["LAST-MODIFIED:20261120T100000Z"], [], false),
    (["DTSTAMP:20261120T100000Z"], [], true),
    ([], [], true),
    // LAST-MODIFIED tells more than DTSTAMP, which is that of the download.
    (
      ["LAST-MODIFIED:20261120T100000Z"],
      ["DTSTAMP:20261121T000000Z", "LAST-MODIFIED:20260101T000000Z"], false
    ),
  ])
  func `the later change stays, by DTSTAMP without LAST-MODIFIED`(
    present: [String], incoming: [String], isTaken: Bool
  ) throws {
    func series(_ name: String, _ lines: [String]) -> String {
      func component(_ own: String...) -> String {
        (["BEGIN:VEVENT", "UID:yoga", "DURATION:PT1H"] + own + lines + ["END:VEVENT"])
          .joined(separator: "\r\n") + "\r\n"
      }
      return calendar(
        component("DTSTART:20261121T100000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:\(name)"),
        component(
          "RECURRENCE-ID:20261122T100000Z", "DTSTART:20261122T120000Z", "SUMMARY:\(name) late"))
    }
    let agent = try AgentUnderTest()
    _ = try agent.importText(series("Here", present))
    let outcome = try agent.importText(series("File", incoming))
    #expect(outcome.counts == (isTaken ? [0, 1, 0, 0] : [0, 0, 1, 0]))
    #expect(outcome.problems == (isTaken ? [] : ["0 older kept"]))
    let name = isTaken ? "File" : "Here"
    #expect(try agent.summaries(from: "today", to: "3d") == [name, "\(name) late"])
  }

  @Test func `exceptions of an older file stay out where the series has moved since`() throws {
    let agent = try AgentUnderTest()
    let file = calendar(
      component(
        "yoga", "DTSTART:20261121T100000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3",
        "SUMMARY:Yoga"),
      component(
        "yoga", "RECURRENCE-ID:20261122T100000Z", "DTSTART:20261122T120000Z", "DURATION:PT1H",
        "SUMMARY:Late"))
    _ = try agent.importText(file)
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("yoga"), .string(""), .string("all"),
        .row([("start", .string("2026-11-21 13:00")), ("time-zone", .string("UTC"))]),
      ])
    let before = try agent.summaries(from: "today", to: "3d")
    #expect(before == ["Yoga", "Late", "Yoga"])
    let outcome = try agent.importText(file)
    #expect(outcome.counts == [0, 0, 1, 0])
    #expect(outcome.problems == ["0 no-occurrence kept"])
    #expect(try agent.summaries(from: "today", to: "3d") == before)
  }

  @Test func `an override alone joins its series`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importText(
      calendar(
        component(
          "yoga", "DTSTART:20261121T100000Z", "SUMMARY:Yoga", "RRULE:FREQ=DAILY;COUNT=2")))
    _ = try agent.importText(
      calendar(
        component(
          "yoga", "RECURRENCE-ID:20261122T100000Z", "DTSTART:20261122T120000Z", "SUMMARY:Late")))
    #expect(try agent.summaries(from: "today", to: "3d") == ["Yoga", "Late"])
  }

  @Test func `a dry run says what would happen and keeps nothing`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importText(calendar(tea))
    let revision = try agent.revision()
    agent.takeSignals()
    let path = try agent.files.write(
      calendar(tea("New", sequence: 2), component("b", "DTSTART:20261121T160000Z")), to: "a.ics")
    let answer = try agent.beginImport(try .opening(path), ("dry-run", .boolean(true)))
    #expect(ImportAnswer(try agent.finish(answer)).counts == [1, 1, 0, 0])
    #expect(try agent.summaries(from: "today") == ["Tea"])
    #expect(try agent.revision() == revision)
    #expect(agent.signals.map(\.member) == [])
  }

  @Test func `one bad event does not lose the others, and is told with its line`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.importText(
      calendar(tea, component("bad", "DTSTART:20260230T100000Z"), component("no-start")))
    #expect(outcome.counts == [1, 0, 0, 2])
    #expect(outcome.problems.filter { $0.hasSuffix("refused") }.count == 2)
    #expect(try agent.summaries(from: "today") == ["Tea"])
  }

  @Test func `one change is one transaction, one revision and one signal`() throws {
    let agent = try AgentUnderTest()
    agent.takeSignals()
    _ = try agent.importText(
      calendar(
        (0..<150).map {
          component("e\($0)", "DTSTART:20261121T140000Z", "SUMMARY:\($0)")
        }.joined()))
    try agent.settle()
    let changes = agent.signals("EventsChanged")
    #expect(changes.count == 1)
    // More than a hundred ids go unsaid.
    #expect(changes.first?.arguments[2] == .strings([]))
    #expect(changes.first?.arguments[3]["origin"] == .string("import"))
    #expect(try agent.revision() == 1)
  }

  @Test func `a zone of the file's own places its events, also after a restart`() throws {
    let agent = try AgentUnderTest()
    let zone = """
      BEGIN:VTIMEZONE\r\nTZID:Office\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r
      TZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n
      """.replacing("\r\n\n", with: "\r\n")
    _ = try agent.importText(
      calendar(
        zone, component("o", "DTSTART;TZID=Office:20261121T140000", "SUMMARY:Call")))
    for _ in 0..<2 {
      let rows = try agent.call(Contract.calendar, "Today")[0].asArray ?? []
      #expect(rows.map { $0["start-text"] } == [.string("2026-11-21T14:00:00+05:30")])
      agent.stop()
      try agent.start()
    }
  }
}
