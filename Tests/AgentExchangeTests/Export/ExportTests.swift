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
    #expect(try agent.finishExport(answer) == 5000)
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
    #expect(try agent.finishExport(answer) == 2999)
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
    let count = try agent.finishExport(answer)
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
      let error = try #require(throws: DBusError.self) { _ = try agent.finishExport(answer) }
      #expect(error.name == .invalidArgs)
      #expect(error.message.contains("nothing could be written"), "\(error)")
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
    let error = try #require(throws: DBusError.self) { _ = try agent.finishExport(answer) }
    #expect(error.name == .invalidArgs)
    #expect(error.message.hasPrefix(Contract.readerHasGone))
    for (path, flags, kind) in [
      ("/dev/full", O_WRONLY, CallError.Kind.storageFailed),
      ("/dev/null", O_RDONLY, .invalidArguments),
    ] {
      let number = open(path, flags | O_CLOEXEC)
      defer { close(number) }
      let answer = try agent.beginExport(to: number)
      let error = try #require(throws: DBusError.self) { _ = try agent.finishExport(answer) }
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
    let error = try #require(throws: DBusError.self) { _ = try agent.finishExport(answers[4]) }
    #expect(error.name.text == CallError.Kind.busy.rawValue)
    for pipe in pipes { closeNow(pipe.reading.number) }
    for answer in answers.dropLast() {
      #expect(throws: DBusError.self) { _ = try agent.finishExport(answer) }
    }
    #expect(try agent.export().count == 3000)
  }
}
