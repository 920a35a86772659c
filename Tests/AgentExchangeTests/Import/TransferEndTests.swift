import CalendarBus
import CalendarStore
import CivilTime
import Glibc
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import DBus

/// A program of its own on the agent's bus, which may leave it.
private final class Caller {
  let connection: Connection
  private let agent: AgentUnderTest
  private(set) var results: [Result<Message, DBusError>] = []
  /// How often it was sent ImportProgress.
  private(set) var progress = 0
  private var subscription: Subscription?

  init(_ agent: AgentUnderTest) throws {
    self.agent = agent
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: agent.loop)
    subscription = try connection.subscribe(
      MatchRule(path: Contract.path, member: "ImportProgress")
    ) { [unowned self] _ in progress += 1 }
  }

  func begin(_ member: MemberName, _ arguments: [Value]) throws {
    try connection.call(
      .call(Contract.busName, Contract.path, Contract.transfer, member, arguments),
      timeoutMilliseconds: AgentUnderTest.patienceMilliseconds
    ) { [unowned self] in results.append($0) }
  }

  func beginImport(_ descriptor: Platform.FileDescriptor) throws {
    try begin(
      "Import",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: descriptor.number)), .string(""),
        .string(""), .string(""), .row([("progress", .boolean(true))]),
      ])
  }

  func beginExport(_ descriptor: Platform.FileDescriptor) throws {
    try begin(
      "Export",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: descriptor.number)), .string(""),
        .strings([]), .row([]),
      ])
  }

  /// Cancels what it has begun; how much that was.
  func cancel() throws -> UInt32 {
    var count: Int64?
    try connection.call(
      .call(Contract.busName, Contract.path, Contract.transfer, "Cancel", [])
    ) { result in
      count = (try? result.get().arguments())?.first?.asInteger
    }
    try agent.wait(for: "an answer") { count != nil }
    return UInt32(count ?? 0)
  }

  /// The error that a call got which was not answered by anything else.
  func error(_ index: Int) -> DBusError? {
    guard results.indices.contains(index), case .failure(let error) = results[index] else {
      return nil
    }
    return error
  }

  func leave() { connection.close() }
}

extension AgentUnderTest {
  fileprivate static func many(_ count: Int = 5000) -> String {
    calendar((0..<count).map { component("u\($0)", "DTSTART:20261121T140000Z") }.joined())
  }

  /// Waits until nobody else holds the reading end of a pipe, or the writing end.
  fileprivate func waitUntilClosed(otherEndOf descriptor: Platform.FileDescriptor) throws {
    try wait(for: "the end of the pipe") {
      var entry = pollfd(fd: descriptor.number, events: 0, revents: 0)
      return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLERR | POLLHUP) != 0
    }
  }

  /// Whether nothing was imported, and others may change something.
  fileprivate func expectNothing() throws {
    try wait(for: "the end of the import") { (try? store().isStaging) == false }
    #expect(try summaries(from: "today") == [])
    #expect(try revision() == 0)
    #expect(try call(Contract.events, "History", [.uint32(0)])[0].asArray?.isEmpty == true)
    _ = try add("Tea", at: "2026-11-21 15:00")
  }
}

@Suite(.timeLimit(.minutes(2))) struct `Transfers that end early` {
  private let agent: AgentUnderTest

  init() throws {
    agent = try AgentUnderTest()
  }

  private func write(_ text: String, to pipe: Platform.FileDescriptor) {
    writeAll(Array(text.utf8)[...], to: pipe.number)
  }

  private func file(_ text: String) throws -> Platform.FileDescriptor {
    try .opening(agent.files.write(text, to: "many.ics"))
  }

  @Test func `an import whose caller leaves while it is read ends, and closes the pipe`() throws {
    let caller = try Caller(agent)
    let pipe = try Platform.FileDescriptor.pipe()
    try caller.beginImport(pipe.reading)
    closeNow(pipe.reading.number)
    write(String(AgentUnderTest.many(20).dropLast(100)), to: pipe.writing)
    try agent.settle()
    caller.leave()
    try agent.waitUntilClosed(otherEndOf: pipe.writing)
    try agent.expectNothing()
  }

  @Test func `an import whose caller leaves while it is stored is given up whole`() throws {
    let caller = try Caller(agent)
    let file = try file(AgentUnderTest.many())
    try caller.beginImport(file)
    try agent.wait(for: "a part of it") { caller.progress > 0 }
    #expect(try agent.store().isStaging)
    caller.leave()
    try agent.expectNothing()
  }

  @Test func `an import that is done stays when its caller leaves`() throws {
    let caller = try Caller(agent)
    let file = try file(AgentUnderTest.many(20))
    try caller.beginImport(file)
    try agent.wait(for: "its answer") { caller.results.count == 1 }
    caller.leave()
    #expect(try agent.summaries(from: "today").count == 20)
  }

  @Test func `a text that came whole with its call is imported when the caller has left`() throws {
    let (interface, path) = (Contract.transfer.text, Contract.path.text)
    let outcome = try agent.run(
      "dbus-send",
      [
        "--session", "--type=method_call", "--dest=" + Contract.busName.text, path,
        interface + ".ImportText",
        "string:" + AgentUnderTest.many(500), "string:", "string:",
      ])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    try agent.wait(for: "the import") { (try? agent.store().revision) == 1 }
    #expect(try agent.summaries(from: "today").count == 500)
  }

  @Test func `Cancel ends what its caller has begun, and nothing of others`() throws {
    let (caller, other) = (try Caller(agent), try Caller(agent))
    let (mine, others) = (try Platform.FileDescriptor.pipe(), try Platform.FileDescriptor.pipe())
    // One is stored, one waits for it, and one is read.
    let file = try file(AgentUnderTest.many())
    try caller.beginImport(file)
    try agent.wait(for: "a part of it") { caller.progress > 0 }
    try caller.begin(
      "ImportText", [.string(AgentUnderTest.many(10)), .string(""), .string("")])
    try caller.beginImport(mine.reading)
    try other.beginImport(others.reading)
    #expect(try caller.cancel() == 3)
    try agent.wait(for: "all answers") { caller.results.count == 3 }
    for index in 0..<3 {
      #expect(caller.error(index)?.name.text == "org.datebook.Calendar1.Error.Cancelled")
    }
    try agent.expectNothing()
    #expect(try caller.cancel() == 0)
    #expect(other.results.isEmpty)
    write(AgentUnderTest.many(10), to: others.writing)
    closeNow(others.writing.number)
    try agent.wait(for: "the other import") { other.results.count == 1 }
    #expect(other.error(0) == nil)
  }

  @Test(arguments: [true, false])
  func `an export whose caller leaves or cancels ends, and closes the pipe`(isCancelled: Bool)
    throws
  {
    try agent.importMany(3000)
    let caller = try Caller(agent)
    let pipe = try Platform.FileDescriptor.pipe()
    try caller.beginExport(pipe.writing)
    closeNow(pipe.writing.number)
    try agent.wait(for: "the first of it") {
      var entry = pollfd(fd: pipe.reading.number, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, 0) == 1
    }
    if isCancelled {
      #expect(try caller.cancel() == 1)
      #expect(caller.error(0)?.message == "cancelled by its caller")
    } else {
      caller.leave()
    }
    try agent.waitUntilClosed(otherEndOf: pipe.reading)
  }

  @Test func `a terminal is refused, and nothing is taken of what is typed there`() throws {
    let terminal = try PseudoTerminal()
    terminal.type("secret\n")
    let caller = try Caller(agent)
    let descriptor = Platform.FileDescriptor(owning: dup(terminal.program))
    try caller.beginImport(descriptor)
    try caller.beginExport(descriptor)
    try agent.wait(for: "both answers") { caller.results.count == 2 }
    for index in 0..<2 {
      #expect(caller.error(index)?.name == .invalidArgs)
      #expect(caller.error(index)?.message.hasPrefix("fd: this is a terminal; pass a pipe") == true)
    }
    #expect(try terminal.readLine() == "secret\n")
    #expect(terminal.takeOutput() == "")
  }

  @Test(arguments: [false, true])
  func `what two imports read at once keeps neither calls nor reminders waiting`(isSocket: Bool)
    throws
  {
    var ends: [Int32] = [-1, -1]
    if isSocket {
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    } else {
      #expect(Glibc.pipe(&ends) == 0)
    }
    let (reading, writing) = (
      Platform.FileDescriptor(owning: ends[0]), Platform.FileDescriptor(owning: ends[1])
    )
    let caller = try Caller(agent)
    for _ in 0..<2 { try caller.beginImport(reading) }
    _ = try agent.add("Standup", at: "2026-11-21 09:15", reminders: "15m")
    // Each wakes both, and one gets it.
    for time in 1...20 {
      write("X", to: writing)
      #expect(try agent.property("Revision") == .uint64(1), "\(time)")
    }
    #expect(agent.signals("ReminderDue").isEmpty)
    try agent.advance(to: "2026-11-21T08:00:00Z")
    #expect(agent.signals("ReminderDue").count == 1)
    #expect(caller.results.isEmpty)
    #expect(try caller.cancel() == 2)
  }

  @Test(arguments: [true, false])
  func `fifty imports in a row that were cancelled leave no descriptor behind`(isRead: Bool) throws
  {
    let caller = try Caller(agent)
    for _ in 0..<50 {
      let pipe = try Platform.FileDescriptor.pipe()
      if isRead { write("X", to: pipe.writing) }
      try caller.beginImport(pipe.reading)
      _ = try caller.cancel()
    }
    try agent.wait(for: "the threads") { agent.agent?.descriptors.count == 0 }
  }
}

@Suite(
  .enabled(if: SilentFileSystem.isPossible, "FUSE cannot be mounted here"), .timeLimit(.minutes(2)))
struct `Files on a file system that does not answer` {
  @Test(arguments: [true, false])
  func `an import or export waits for it alone, and gets an error after a time`(isImport: Bool)
    throws
  {
    let silent = try SilentFileSystem()
    let agent = try AgentUnderTest(transferPatienceMilliseconds: 2000)
    _ = try agent.add("Standup", at: "2026-11-21 09:15", reminders: "15m")
    let caller = try Caller(agent)
    do {
      let number = open(silent.file, isImport ? O_RDONLY : O_WRONLY)
      try #require(number >= 0)
      let file = Platform.FileDescriptor(owning: number)
      try isImport ? caller.beginImport(file) : caller.beginExport(file)
    }
    let watch = try agent.loop.watch(silent.descriptor, for: .read) { _ in silent.pump() }
    defer { agent.loop.cancel(watch) }
    try agent.wait(for: "a request") { silent.requests == 1 }
    #expect(try agent.summaries(from: "today") == ["Standup"])
    try agent.advance(to: "2026-11-21T08:00:00Z")
    #expect(agent.signals("ReminderDue").count == 1)
    try agent.wait(for: "the error") { caller.results.count == 1 }
    let error = try #require(caller.error(0))
    #expect(error.name == .invalidArgs)
    #expect(
      error.message
        == (isImport
          ? "fd: received no data for 2 s; nothing was imported"
          : "fd: nothing could be written for 2 s; the output is incomplete"))
    #expect(try agent.summaries(from: "today") == ["Standup"])
    // The thread waits on, and ends with what it waits for.
    #expect(agent.agent?.descriptors.count == 1)
    agent.loop.cancel(watch)
    silent.end()
    try agent.wait(for: "the thread") { agent.agent?.descriptors.count == 0 }
  }

  @Test func `a caller that leaves is not waited for, and many such files are refused`() throws {
    let silent = try SilentFileSystem()
    let agent = try AgentUnderTest()
    let watch = try agent.loop.watch(silent.descriptor, for: .read) { _ in silent.pump() }
    for count in 1...32 {
      let caller = try Caller(agent)
      let file = try Platform.FileDescriptor.opening(silent.file)
      try caller.beginImport(file)
      try agent.wait(for: "import \(count)") { silent.requests == count }
      caller.leave()
      try agent.wait(for: "its end") { agent.agent?.transfers.count == 0 }
      #expect(agent.agent?.descriptors.count == count)
    }
    agent.loop.cancel(watch)
    let caller = try Caller(agent)
    let file = try Platform.FileDescriptor.opening(silent.file)
    try caller.beginImport(file)
    try agent.wait(for: "the answer") { caller.results.count == 1 }
    #expect(caller.error(0)?.name.text == CallError.Kind.busy.rawValue)
    silent.end()
    try agent.wait(for: "the threads") { agent.agent?.descriptors.count == 0 }
  }
}
