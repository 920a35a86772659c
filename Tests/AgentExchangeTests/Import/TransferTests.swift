import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

private let tea = component(
  "tea", "DTSTART:20261121T140000Z", "DTEND:20261121T150000Z", "SUMMARY:Tea", "SEQUENCE:1",
  "LAST-MODIFIED:20260101T000000Z")

private let sample =
  checkoutDirectory
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
    let first = try agent.importAnswer(text)
    #expect(first.counts[0] > 5)
    #expect(first.counts[1...] == [0, 0, 0])
    // It has a name, and goes into the default calendar.
    #expect(first.problems == ["1 calendar-name kept"])
    let revision = try agent.revision()
    agent.takeSignals()
    let second = try agent.importAnswer(text)
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
    #expect(ImportAnswer(try agent.finishImport(answer)).counts == [1, 0, 0, 0])
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
    #expect(ImportAnswer(try agent.finishImport(answer)).counts == [5000, 0, 0, 0])
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
    let rows = try agent.finishImport(answer)[1].asArray ?? []
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
    _ = try agent.finishImport(agent.beginImport(file, mode: mode, options))
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
      #expect(ImportAnswer(try agent.finishImport(answer)).counts == [1, 0, 0, 0])
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
    let error = try #require(throws: DBusError.self) { _ = try agent.finishImport(answers[4]) }
    #expect(error.name.text == CallError.Kind.busy.rawValue)
    for (pipe, answer) in zip(pipes, answers).dropLast() {
      close(pipe.writing)
      #expect(throws: DBusError.self) { _ = try agent.finishImport(answer) }
    }
    let pipe = try Platform.FileDescriptor.pipe()
    let again = try agent.beginImport(pipe.reading)
    write(Array(calendar(tea).utf8)[...], to: pipe.writing)
    close(pipe.writing)
    #expect(ImportAnswer(try agent.finishImport(again)).counts == [1, 0, 0, 0])
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
      let error = try #require(throws: DBusError.self) { _ = try agent.finishImport(answer) }
      #expect(error.name == .invalidArgs)
      #expect(error.message.contains("received no data for "), "\(error)")
    }
    // Nothing of what had come is kept.
    #expect(try agent.summaries(from: "today") == [])
    let pipe = try Platform.FileDescriptor.pipe()
    let again = try agent.beginImport(pipe.reading)
    write(Array(calendar(tea).utf8)[...], to: pipe.writing)
    close(pipe.writing)
    #expect(ImportAnswer(try agent.finishImport(again)).counts == [1, 0, 0, 0])
  }

  @Test(arguments: [
    // Behind an event, within one, within a line, behind an event of the second calendar, and without any.
    ("END:VCALENDAR\r\n", "", 12), ("END:VEVENT\r\nEND:VCALENDAR\r\n", "", 11),
    ("20261121T150000Z\r\n", "2026", 8), ("END:VCALENDAR\r\n", "<again>", 25),
    ("END:VCALENDAR\r\n", "\r\n\r\n", 12), ("<head>", "", 5),
  ])
  func `a text that ends in the middle of a calendar is given up whole, with its last line`(
    from: String, end: String, line: Int
  ) throws {
    let agent = try AgentUnderTest()
    var text = calendar(tea)
    if from == "<head>" {
      text = String(tea[..<(try #require(tea.firstRange(of: "SUMMARY"))).lowerBound])
    } else {
      let cut = try #require(text.firstRange(of: from)).lowerBound
      text = text[..<cut] + end.replacing("<again>", with: "END:VCALENDAR\r\n\(text[..<cut])")
    }
    for mode in ["", "copy"] {
      let pipe = try Platform.FileDescriptor.pipe()
      let answer = try agent.beginImport(pipe.reading, mode: mode)
      write(Array(text.utf8)[...], to: pipe.writing)
      close(pipe.writing)
      let error = try #require(throws: DBusError.self) { _ = try agent.finishImport(answer) }
      #expect(error.name.text == CallError.Kind.parseFailed.rawValue)
      #expect(
        error.message == "line \(line), column 1: the file is cut off: it ends within a calendar, "
          + "without END:VCALENDAR; nothing was imported")
    }
    #expect(try agent.summaries(from: "today") == [])
    #expect(try agent.revision() == 0)
  }

  @Test func `a long text without its end is given up whole, and a calendar within it is not`()
    throws
  {
    let agent = try AgentUnderTest()
    let events = (0..<3000).map { component("u\($0)", "DTSTART:20261121T140000Z") }.joined()
    let whole = calendar(events)
    let open = String(whole.dropLast("END:VCALENDAR\r\n".count))
    let error = try agent.refusal(
      Contract.transfer, "ImportText", [.string(open), .string(""), .string("")])
    #expect(error.message.hasPrefix("line \(3 + 5 * 3000), column 1: the file is cut off"))
    #expect(try agent.revision() == 0)
    #expect(try agent.summaries(from: "today") == [])
    // Another one follows: that is where files were joined.
    #expect(try agent.importAnswer(open + calendar(tea)).counts == [3001, 0, 0, 0])
  }

  @Test func `a pipe that carries nothing is no calendar`() throws {
    let agent = try AgentUnderTest()
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginImport(pipe.reading)
    close(pipe.writing)
    let error = try #require(throws: DBusError.self) { _ = try agent.finishImport(answer) }
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
    let error = try #require(throws: DBusError.self) { _ = try agent.finishImport(answer) }
    #expect(error.name == .limitsExceeded)
    #expect(error.message.contains("fd"))
    #expect(error.message.contains("4096"))
    #expect(try agent.summaries(from: "today") == [])
  }

  @Test func `a folder is refused`() throws {
    let agent = try AgentUnderTest()
    let answer = try agent.beginImport(try .opening(agent.files.path))
    let error = try #require(throws: DBusError.self) { _ = try agent.finishImport(answer) }
    #expect(error.name == .invalidArgs)
    #expect(error.message.contains("fd"))
  }

  @Test func `the end of a pipe that cannot be read is refused, and not waited for`() throws {
    let agent = try AgentUnderTest()
    let pipe = try Platform.FileDescriptor.pipe()
    let answer = try agent.beginImport(pipe.writing)
    let error = try #require(throws: DBusError.self) { _ = try agent.finishImport(answer) }
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
      let error = try #require(throws: DBusError.self) { _ = try agent.finishImport(answer) }
      #expect(error.name == .invalidArgs)
      #expect(error.message.contains(word))
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Platform.FileDescriptor) {
    writeAll(bytes, to: descriptor.number)
  }

  private func close(_ descriptor: Platform.FileDescriptor) { closeNow(descriptor.number) }
}
